/**
 * `npm run bench -- [--quick] [scenario ...]`: builds dist/ if it is older than its sources, then bundles and
 * runs the benchmarks. See docs/BENCHMARKS.md.
 */
import { buildDist, runBundled } from '../scripts/bundled.mjs'

buildDist()
await runBundled('bench', ['bench/main.ts', 'bench/companions/*.ts'])
