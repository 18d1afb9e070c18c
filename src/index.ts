/** The public entry of the server, for programs that start it in their process. */
export {
  buildApp,
  INTERFACES,
  MACHINES,
  madeUpToken,
  makeLogger,
  observing,
  type App,
  type AppOptions,
} from './app.ts'
