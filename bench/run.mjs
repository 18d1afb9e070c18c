/**
 * `npm run bench -- [--quick] [scenario ...]`: builds dist/ where it is older than its sources, bundles what measures
 * it, and runs that. See docs/BENCHMARKS.md.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
// Below node_modules, so that the bundles find the packages that they import.
const bundles = join(root, 'node_modules/.cache/suite-simulator-bench')

const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], {
  stdio: ['ignore', process.stderr, process.stderr],
})
if (status !== 0) process.exit(1)

rmSync(bundles, { recursive: true, force: true })
await build({
  entryPoints: ['bench/main.ts', 'bench/companions/*.ts'],
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  absWorkingDir: root,
  outdir: bundles,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
})
await import(pathToFileURL(join(bundles, 'main.mjs')).href)
