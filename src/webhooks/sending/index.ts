/**
 * Sending over HTTP. Other folders import only this file.
 *
 * Each delivery ends exactly once, with the result of its one attempt, within its timeout.
 */
export { HttpTransport } from './httpTransport.ts'
export { CUT_OFF, type OnEnd, type Outgoing, type Transport } from './transport.ts'
