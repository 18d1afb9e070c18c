/**
 * The exports of the bundle that start a simulator. Node's own `require` loads it, once per process: test
 * runners such as Jest run each module in a VM of the test, where the server and its native module would not
 * share objects.
 */
const { createRequire } = process.getBuiltinModule('node:module')

const { loadOnce } = createRequire(__filename)('./load.cjs')

module.exports = loadOnce().appNow()
