/** The module behind `suite-sim verify` and the library's `verify()`; both load it on their first call. */
export { measure, prepare, SelfCheckError, type Measurement, type Yardstick } from './verify.ts'
export { Reference, type StartServer, type StartedServer } from './reference.ts'
export * from './options.ts'
export * from './report/report.ts'
