/** The module behind `suite-sim verify` and the library's `verify()`; both load it on their first call. */
export { verify } from './verify.ts'
export { measure, type Measurement } from './measure.ts'
export { prepare, SelfCheckError } from './prepare.ts'
export type { Yardstick } from './yardstick.ts'
export type { ServerOptions, StartedServer, StartServer } from './reference.ts'
export { withoutSecrets } from './report/withoutSecrets.ts'
export * from './options.ts'
export * from './report/report.ts'
