/** `npm run dev`: builds and starts anew whenever a source changes; arguments are passed on. */
import { spawn, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

let server = null
let planned = null

for (const folder of ['src', 'fixtures']) watch(pathOf(folder), { recursive: true }, plan)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
restart()

/** An editor writes several files at once; they are one change. */
function plan() {
  clearTimeout(planned)
  planned = setTimeout(restart, 100)
}

function restart() {
  const { status } = spawnSync(process.execPath, [pathOf('scripts/build.mjs')], { stdio: 'inherit' })
  if (status !== 0) return
  if (server?.exitCode === null) {
    // The database is free only when the old server is gone.
    server.once('exit', start)
    server.kill('SIGTERM')
  } else start()
}

function start() {
  server = spawn(process.execPath, [pathOf('dist/main.js'), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
}

function stop() {
  if (server?.exitCode !== null) process.exit(0)
  server.once('exit', (code) => process.exit(code ?? 0))
  server.kill('SIGTERM')
}
