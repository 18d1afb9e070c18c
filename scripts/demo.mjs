/**
 * `npm run demo`: simulates the year of the demo's company (test/support/company), and writes it to
 * fixtures/demo.
 */
import { runSources } from './bundled.mjs'

await runSources('demo', 'scripts/generated/writeDemo.ts')
