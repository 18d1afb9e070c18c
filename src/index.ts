/** The public entry of the server, for programs that start it in their process. */
export { buildApp, INTERFACES, MACHINES, makeLogger, observing, type App, type AppOptions } from './app.ts'
export { madeUpToken } from './app/addresses.ts'
export { describeSchedule } from './webhooks/profiles/schedule.ts'
