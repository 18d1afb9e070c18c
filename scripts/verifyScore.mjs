/**
 * `npm run verify:score -- [--sample N] [--write] ...`: measures which kinds of drift `suite-sim verify` finds. See
 * docs/verify-score.md.
 */
import { runSources } from './bundled.mjs'

await runSources('verify-score', 'packages/mutate/test/drift/main.ts')
