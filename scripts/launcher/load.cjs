/**
 * Loads the bundle that lies beside this file. V8 can keep the machine code it made of a program and take it back at
 * the next start, which saves a third of the time to the first answer; the build writes that code to
 * suite-sim.cache. Where the file is missing, or was made by another version of Node, the bundle is compiled anew.
 */
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const file = join(__dirname, 'suite-sim.cjs')

const cacheFile = join(__dirname, 'suite-sim.cache')

/** What the bundle, which is a function of what a CommonJS module is given, exports, and the script that it was compiled to. */
function load() {
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: readCache(),
  })
  const bundle = { exports: {} }
  const run = script.runInThisContext()
  run.call(bundle.exports, bundle.exports, createRequire(file), bundle, file, dirname(file))
  return { exports: bundle.exports, script }
}

let loaded

/** The bundle, run once in a process. */
const loadOnce = () => (loaded ??= load()).exports

function readCache() {
  try {
    return readFileSync(cacheFile)
  } catch {
    return undefined
  }
}

module.exports = { cacheFile, load, loadOnce }
