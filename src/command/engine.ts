/** What the engine is told while the server starts, when next to all that runs does so once. */
import { setFlagsFromString } from 'node:v8'

/** What puts a work off, and what V8 does by default, from Node 20 to 24. */
const WORKS = [
  // What another thread makes ready for many more runs, and several megabytes with it, would not be used. `--no-opt` would
  // say so more plainly, but Node 22 does not forget it.
  { off: '--max-optimized-bytecode-size=0', on: '--max-optimized-bytecode-size=61440' },
  // What a start makes stays, so it is in vain to look for what does not.
  { off: '--no-incremental-marking', on: '--incremental-marking' },
]

/** Modules that a server needs. Node has their machine code, but only for the flags that it was started with. */
const OF_NODE = ['http', 'cluster', 'crypto', 'perf_hooks', 'assert', 'os', 'fs/promises', 'timers/promises']

/** Whoever says something about these works on the command line knows better. */
const isToldOtherwise = (): boolean =>
  /--(?:jitless|max-optimized-bytecode-size|(?:no-)?incremental-marking|single-threaded)/.test(
    [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-'),
  )

/** Runs `start` with the engine's long-term work put off. For a process that is ours alone. */
export async function startingUp<T>(start: () => Promise<T>): Promise<T> {
  if (isToldOtherwise()) return start()
  for (const name of OF_NODE) process.getBuiltinModule(`node:${name}`)
  for (const { off } of WORKS) setFlagsFromString(off)
  try {
    return await start()
  } finally {
    for (const { on } of WORKS) setFlagsFromString(on)
  }
}
