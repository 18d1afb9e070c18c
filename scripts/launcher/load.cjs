/**
 * Loads the bundle next to this file. V8 reuses machine code from suite-sim.cache, which saves a third of the
 * start. If the file is missing or from another Node version, the bundle is compiled again.
 */
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')
const { loadNative } = require('./native.cjs')

const file = join(__dirname, 'suite-sim.cjs')

const cacheFile = join(__dirname, 'suite-sim.cache')

/** Returns the exports of the bundle, which is a CommonJS function wrapper, and its compiled script. */
function load() {
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: readCache(),
  })
  const bundle = { exports: {} }
  const run = script.runInThisContext()
  const requireAny = createRequire(file)
  const requireOfBundle = (name) => (name === 'better-sqlite3' ? loadNative(requireAny) : requireAny(name))
  run.call(
    bundle.exports,
    bundle.exports,
    Object.assign(requireOfBundle, requireAny),
    bundle,
    file,
    dirname(file),
  )
  return { exports: bundle.exports, script }
}

let loaded

/** Returns the exports of the bundle, which runs once per process. */
const loadOnce = () => (loaded ??= load()).exports

function readCache() {
  try {
    return readFileSync(cacheFile)
  } catch {
    return undefined
  }
}

module.exports = { cacheFile, load, loadOnce }
