/**
 * `npm run dev`: bundles and starts the server, and repeats that when a source changes. Arguments go to the
 * server. Only `npm run build` adds types, machine code and checks.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, utimesSync, watch } from 'node:fs'
import { join } from 'node:path'
import { context } from 'esbuild'
import {
  dashboard,
  dist,
  programs,
  putBinary,
  putCopies,
  putDashboard,
  putPrograms,
  root,
} from './bundles.mjs'

/** Each bundle, how its files are put into dist/, and the paths of its sources; null before it is built. */
const bundles = [
  ...programs().map((options) => ({ options, put: putPrograms, sources: null })),
  { options: dashboard(), put: putDashboard, sources: null },
]

const changed = new Set()
let server = null
let isFirst = true
let planned = null
let isRestarting = false
let isWanted = false
let isStopping = false

mkdirSync(dist, { recursive: true })
for (const bundle of bundles) bundle.context = await context({ ...bundle.options, metafile: true })
for (const folder of ['src', 'packages', 'fixtures']) {
  watch(join(root, folder), { recursive: true }, (_event, name) => plan(`${folder}/${name}`))
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop())
await restart()

/** An editor may write several files at once; they count as one change. */
function plan(path) {
  changed.add(path)
  clearTimeout(planned)
  planned = setTimeout(() => void restart(), 50)
}

async function restart() {
  isWanted = true
  if (isRestarting) return
  isRestarting = true
  while (isWanted && !isStopping) {
    isWanted = false
    if (await buildChanged()) await replaceServer()
  }
  isRestarting = false
}

/** Returns false if a source cannot be bundled without a warning; esbuild has printed why. */
async function buildChanged() {
  const paths = [...changed]
  changed.clear()
  const stale = bundles.filter(({ sources }) => sources === null || paths.some((path) => sources.has(path)))
  for (const bundle of stale) bundle.sources = null
  const results = await Promise.allSettled(stale.map((bundle) => bundle.context.rebuild()))
  if (results.some(({ status, value }) => status === 'rejected' || value.warnings.length > 0)) return false
  for (const [index, bundle] of stale.entries()) {
    const { outputFiles, metafile } = results[index].value
    bundle.put(outputFiles)
    bundle.sources = new Set(Object.keys(metafile.inputs))
  }
  if (isFirst || paths.some((path) => path.startsWith('src/state/storage/migrations/'))) putCopies()
  isFirst = false
  putBinary()
  // An old date, so that programs that need the whole build, such as tests, rebuild it.
  utimesSync(join(dist, 'main.js'), 0, 0)
  return true
}

async function replaceServer() {
  // The database is locked until the old server has exited.
  await end()
  if (isStopping) return
  server = spawn(process.execPath, [join(dist, 'main.js'), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
}

/** Stops the server, and returns its exit code. */
async function end() {
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  return server?.exitCode ?? 0
}

async function stop() {
  isStopping = true
  process.exit(await end())
}
