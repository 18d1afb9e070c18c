/** What the engine is told while the server starts, when next to all that runs does so once. */
import { setFlagsFromString } from 'node:v8'

/**
 * `opt`: what another thread makes ready for many more runs, and ten megabytes with it, would not be used.
 * `incremental-marking`: what a start makes stays, so it is in vain to look for what does not.
 */
const PUT_OFF = ['opt', 'incremental-marking']

/** Modules that a server needs. Node has their machine code, but only for the flags that it was started with. */
const OF_NODE = ['http', 'cluster', 'crypto', 'perf_hooks', 'assert', 'os', 'fs/promises', 'timers/promises']

/** Whoever says something about the engine on the command line knows better. */
const isToldOtherwise = (): boolean =>
  /--(?:no-)?(?:opt|turbo|jitless|incremental-marking|single-threaded)/.test(
    [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-'),
  )

/** Runs `start` with the engine's long-term work put off. For a process that is ours alone. */
export async function startingUp<T>(start: () => Promise<T>): Promise<T> {
  if (isToldOtherwise()) return start()
  for (const name of OF_NODE) process.getBuiltinModule(`node:${name}`)
  for (const flag of PUT_OFF) setFlagsFromString(`--no-${flag}`)
  try {
    return await start()
  } finally {
    for (const flag of PUT_OFF) setFlagsFromString(`--${flag}`)
  }
}
