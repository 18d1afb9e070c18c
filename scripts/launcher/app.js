/**
 * The exports of the bundle that start a simulator, loaded as in app.cjs. Not imported from there: Node 20 ends the process
 * if a CommonJS module that is imported throws, as without the native module.
 */
const { createRequire } = process.getBuiltinModule('node:module')

const { loadOnce } = createRequire(import.meta.url)('./load.cjs')

export const { buildApp, listenWith, madeUpToken, makeLogger, observing, prepareInit } = loadOnce().appNow()
