/** What starting a simulator needs of the bundle; loaded with the first one that is started. */
import bundle from './app.cjs'

export const { buildApp, madeUpToken, makeLogger } = bundle
