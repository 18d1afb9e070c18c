/**
 * Builds dist/: everything but the native SQLite module in one file, because opening some hundred small ones takes
 * longer than all the rest of the start. Parts that are imported with `import()` lie in the same file and run only
 * when they are asked for. The threads of heavy work have files of their own.
 *
 * Each file is put in place with a rename, so that a server or a test that starts meanwhile finds the old one or the
 * new one, whole. With --if-stale nothing is done when dist/ is newer than all it is made of.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import {
  dashboard,
  dist,
  programs,
  put,
  putBinary,
  putCopies,
  putDashboard,
  putPrograms,
  root,
} from './bundles.mjs'
import { mustBeLoadable, mustFindAssets } from './checks.mjs'
import { libraryFiles } from './library.mjs'
import { isStale } from './stale.mjs'

if (!process.argv.includes('--if-stale') || isStale()) await buildAll()

async function buildAll() {
  mkdirSync(dist, { recursive: true })
  const files = (await Promise.all(programs().map(build))).flatMap(({ outputFiles }) => outputFiles)
  for (const { path, text } of files) {
    if (path.endsWith('.cjs')) mustBeLoadable(basename(path), text)
  }
  putPrograms(files)
  for (const [name, text] of Object.entries(await libraryFiles(root))) put(name, text)
  putDashboard((await build(dashboard())).outputFiles)
  putCopies()
  keepMachineCode()
  writeInterfaceTypes()
  mustFindAssets(join(root, 'src'), dist)
  putBinary()
}

/** Only saves time at the start, so a machine that can't run the bundle now may still build it. */
function keepMachineCode() {
  runWithBundle('warm.mjs', 'suite-sim.cache', 'its machine code could not be kept')
}

/** Nothing that runs needs them. */
function writeInterfaceTypes() {
  runWithBundle(
    'interfaceTypes.mjs',
    'interfaces/control.d.cts',
    'the types of the interfaces could not be written',
  )
}

function runWithBundle(script, makes, failed) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script)], {
    encoding: 'utf8',
  })
  if (status !== 0 || !existsSync(join(dist, makes))) {
    console.warn(`The bundle is built; ${failed}: ${stderr.trim()}`)
  }
}
