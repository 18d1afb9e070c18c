/** What starting a simulator needs of the bundle; loaded with the first one that is started. */
import { load } from './load.js'

export const { buildApp, madeUpToken } = await load().exports.app()
