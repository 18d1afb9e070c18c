/**
 * Loads the bundle that lies beside this file. V8 can keep the machine code it made of a program and take it back at
 * the next start, which saves a third of the time to the first answer; the build writes that code to
 * suite-sim.cache. Where the file is missing, or was made by another version of Node, the bundle is compiled anew.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const file = fileURLToPath(new URL('./suite-sim.cjs', import.meta.url))

export const cacheFile = fileURLToPath(new URL('./suite-sim.cache', import.meta.url))

/** What the bundle, which is a function of what a CommonJS module is given, exports, and the script that it was compiled to. */
export function load() {
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: readCache(),
  })
  const bundle = { exports: {} }
  const run = script.runInThisContext()
  run.call(bundle.exports, bundle.exports, createRequire(file), bundle, file, dirname(file))
  return { exports: bundle.exports, script }
}

function readCache() {
  try {
    return readFileSync(cacheFile)
  } catch {
    return undefined
  }
}
