/**
 * Loads the native module better-sqlite3. If it does not work on this machine, the error says so in one line, with the
 * command that helps.
 */

/** From Node 24 on, a database of better-sqlite3 12 must not be garbage-collected. */
let checked

/** Returns the exports of the module. Opens a database, because the module loads its binary with the first one. */
function loadNative(require) {
  try {
    mustSuitNode(require)
    const SQLite = require('better-sqlite3')
    checked ??= new SQLite(':memory:').close()
    return SQLite
  } catch (error) {
    throw Object.assign(new Error(explain(error, require), { cause: error }), { name: 'NativeModuleError' })
  }
}

/** A binary for later versions of Node.js ends the process when it is loaded, without a word. */
function mustSuitNode(require) {
  const { version, engines } = require('better-sqlite3/package.json')
  const [, least] = /^>=(\d+)/.exec(engines?.node ?? '') ?? []
  if (parseInt(process.versions.node, 10) < Number(least)) throw new UnsuitableNode(version, least)
}

class UnsuitableNode extends Error {
  constructor(version, least) {
    super(
      `better-sqlite3 ${version} needs Node.js ${least} or later, and this is ${process.versions.node}; ` +
        'use a later one, or install with npm, which chooses the version for it',
    )
  }
}

function explain(error, require) {
  const { code, message } = error
  if (error instanceof UnsuitableNode) return message
  if (/^Cannot find module 'better-sqlite3/.test(message)) {
    return `better-sqlite3 is not installed; run: ${managerOf('')} install`
  }
  const manager = managerOf(require.resolve('better-sqlite3'))
  if (code === 'ERR_DLOPEN_FAILED' || /NODE_MODULE_VERSION/.test(message)) {
    return (
      `the binary of better-sqlite3 is for another version of Node.js than ${process.versions.node}, or for ` +
      `another system; run: ${manager === 'bun' ? 'bun install --force' : `${manager} rebuild better-sqlite3`}`
    )
  }
  if (/bindings file|better_sqlite3\.node/.test(message)) {
    return `better-sqlite3 has no binary, because its install script did not run; run: ${BUILD[manager]}`
  }
  return `better-sqlite3 does not work: ${message}`
}

/** What runs the install script that a package manager has left out. */
const BUILD = {
  npm: 'npm rebuild better-sqlite3',
  pnpm: 'pnpm approve-builds',
  yarn: 'yarn rebuild better-sqlite3',
  bun: 'bun pm trust better-sqlite3',
}

/** The package manager that installed the file, or that runs this program. Yarn 1 has no command to rebuild, and npm's works. */
function managerOf(file) {
  if (/[\\/]\.pnpm[\\/]/.test(file)) return 'pnpm'
  const [name] = /^(?:pnpm|bun|yarn(?!\/1\.))(?=\/)/.exec(process.env.npm_config_user_agent ?? '') ?? ['npm']
  return name
}

module.exports = { loadNative }
