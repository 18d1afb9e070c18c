/**
 * `npm run bench -- [--quick] [scenario ...]`: builds dist/ where it is older than its sources, bundles what measures
 * it, and runs that. See docs/BENCHMARKS.md.
 */
import { buildDist, runBundled } from '../scripts/bundled.mjs'

buildDist()
await runBundled('bench', ['bench/main.ts', 'bench/companions/*.ts'])
