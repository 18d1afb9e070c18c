/**
 * `npm run hostile -- [--seed N] [--requests N] ...`: builds dist/ if it is older than its sources, and attacks it.
 * See docs/reliability-runs.md.
 */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildDist, runBundled } from './bundled.mjs'

buildDist()
// A bundle has one URL: that of test/support/root.ts, the only file that uses its own.
const rootFile = pathToFileURL(
  join(fileURLToPath(new URL('..', import.meta.url)), 'test/support/root.ts'),
).href
await runBundled('hostile', ['test/hostile/main.ts'], {
  define: { 'import.meta.url': JSON.stringify(rootFile) },
})
