/**
 * `npm run soak -- [--minutes N] [--rate N] ...`: builds dist/ if it is older than its sources, and runs mixed traffic
 * against it. See docs/reliability-runs.md.
 */
import { buildDist, runSources } from './bundled.mjs'

buildDist()
await runSources('soak', 'test/soak/main.ts')
