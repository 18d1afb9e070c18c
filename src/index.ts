/** The public entry of the server, for programs that start it in their process. */
import { isInitFile } from './init/isInitFile.ts'
import type { Init, InitSettings } from './init/prepareInit.ts'

export { buildApp, INTERFACES, MACHINES, makeLogger, observing, type App, type AppOptions } from './app.ts'
export { madeUpToken } from './app/addresses.ts'
export { describeSchedule } from './webhooks/profiles/schedule.ts'
export { listenWith } from './init/listenWith.ts'

/** Returns the files that a new server runs: those of --init, and a file with calls of --fixtures; null without one. */
export const prepareInit = async (settings: InitSettings): Promise<Init | null> =>
  settings.init === undefined && !isInitFile(settings.fixtures ?? '')
    ? null
    : (await import('./init/prepareInit.ts')).prepareInit(settings)
