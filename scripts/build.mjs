/**
 * Builds dist/: one file for everything except the native SQLite module, because opening hundreds of small
 * files dominates the start; parts behind `import()` still run on demand. Files are replaced by rename, so
 * that a server or test that starts during a build finds a complete file. With --if-stale, it builds only if
 * the sources are newer.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  bundle,
  dashboard,
  dist,
  programs,
  put,
  putBinary,
  putCopies,
  putDashboard,
  putPrograms,
  root,
  sourceFolders,
} from './bundles.mjs'
import { mustBeLoadable, mustFindAssets } from './checks.mjs'
import { libraryFiles } from './library.mjs'
import { alone } from './lock.mjs'
import { isStale } from './stale.mjs'

const isNeeded = () => !process.argv.includes('--if-stale') || isStale()

if (isNeeded()) {
  // Another build may have done the work.
  await alone(join(root, 'node_modules/.cache/suite-sim-build.lock'), () =>
    isNeeded() ? buildAll() : undefined,
  )
}

async function buildAll() {
  mkdirSync(dist, { recursive: true })
  const files = (await Promise.all(programs().map(bundle))).flatMap(({ outputFiles }) => outputFiles)
  for (const { path, text } of files) {
    if (path.endsWith('.cjs')) mustBeLoadable(basename(path), text)
  }
  putPrograms(files)
  for (const [name, text] of Object.entries(await libraryFiles(root))) put(name, text)
  putDashboard((await bundle(dashboard())).outputFiles)
  putCopies()
  writeImages()
  storeMachineCode()
  writeInterfaceTypes()
  for (const folder of sourceFolders) mustFindAssets(root, folder, dist)
  putBinary()
}

/** New databases start faster with them, and have the same content without. */
function writeImages() {
  runWithBundle('images.mjs', 'demo.sqlite', 'the image of the demo could not be written')
}

/** Saves time at the start. */
function storeMachineCode() {
  runWithBundle('warm.mjs', 'suite-sim.cache', 'its machine code could not be stored')
}

/** No program needs them at run time. */
function writeInterfaceTypes() {
  runWithBundle(
    'interfaceTypes.mjs',
    'interfaces/control.d.cts',
    'the types of the interfaces could not be written',
  )
}

function runWithBundle(script, output, failure) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script)], {
    encoding: 'utf8',
  })
  if (status !== 0 || !existsSync(join(dist, output))) {
    throw new Error(`The bundle is built; ${failure}: ${stderr.trim()}`)
  }
}
