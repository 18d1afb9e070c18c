/**
 * Builds dist/: one file for everything except the native SQLite module, because opening hundreds of small
 * files dominates the start; parts behind `import()` still run on demand. Files are replaced by rename, so
 * that a server or test that starts during a build finds a complete file. With --if-stale, it builds only if
 * the sources are newer.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
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
} from './bundles.mjs'
import { mustBeLoadable, mustFindAssets } from './checks.mjs'
import { libraryFiles } from './library.mjs'
import { isStale } from './stale.mjs'

const isNeeded = () => !process.argv.includes('--if-stale') || isStale()

if (isNeeded()) await alone(buildAll)

/** Waits for another build. It may have done the work. */
async function alone(work) {
  const lock = join(root, 'node_modules/.cache/suite-sim-build.lock')
  mkdirSync(dirname(lock), { recursive: true })
  while (!take(lock)) await setTimeout(100)
  process.once('exit', () => rmSync(lock, { force: true }))
  if (isNeeded()) await work()
}

/** A build that was killed leaves its lock behind. */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isRunning(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true })
    return false
  }
}

function isRunning(pid) {
  try {
    // Between its creation and its first byte, the file names no process.
    return pid === 0 || process.kill(pid, 0)
  } catch {
    return false
  }
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
  mustFindAssets(join(root, 'src'), dist)
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
