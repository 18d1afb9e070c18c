/** `npm start`: runs the binary; builds it first if it is missing or older than the sources. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isStale } from './stale.mjs'

if (isStale()) {
  // Standard output belongs to the server.
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL('./build.mjs', import.meta.url))], {
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) process.exit(1)
}

await import('../dist/main.js')
