/**
 * `npm run docs`: writes the generated parts of the documentation and the library
 * (scripts/generated/docs.ts).
 */
import { runSources } from './bundled.mjs'

await runSources('docs', 'scripts/generated/writeDocs.ts')
