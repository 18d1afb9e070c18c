/** The exports of the bundle that start a simulator, loaded with the first one. */
import bundle from './app.cjs'

export const { buildApp, madeUpToken, makeLogger, observing } = bundle
