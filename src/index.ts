/** The public entry of the server, for programs that start it in their process. */
export { buildApp, madeUpToken, makeLogger, type App, type AppOptions } from './app.ts'
