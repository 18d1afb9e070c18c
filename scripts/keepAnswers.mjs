/**
 * `node scripts/keepAnswers.mjs --binary dist/main.js`: keeps the answers of a release as a HAR file, with which later
 * versions are compared: test/fixtures/answers/VERSION.har.gz. Run it for each minor version; see CONTRIBUTING.md.
 */
import { runSources } from './bundled.mjs'

await runSources('keepAnswers', 'scripts/generated/keepAnswers.ts')
