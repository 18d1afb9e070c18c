/**
 * What starting a simulator needs of the bundle; loaded with the first one that is started. Node's own `require` loads it,
 * once in a process: test runners such as Jest have another one, which runs each module in a VM of the test's own, where
 * the server and its native module would not know each other's objects.
 */
const { createRequire } = process.getBuiltinModule('node:module')

const { loadOnce } = createRequire(__filename)('./load.cjs')

module.exports = loadOnce().appNow()
