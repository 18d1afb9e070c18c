/** The commands of the bundle that are also calls of the library. Node's own `require` loads it, as in app.cjs. */
const { createRequire } = process.getBuiltinModule('node:module')

const { loadOnce } = createRequire(__filename)('./load.cjs')

module.exports = loadOnce().tools
