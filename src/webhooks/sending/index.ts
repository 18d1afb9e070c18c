/**
 * Sending, by HTTP. The only file of this folder that others import.
 *
 * What it promises: each delivery that is handed over ends exactly once, with what came of its one attempt, and none
 * takes longer than its time.
 */
export { HttpTransport } from './httpTransport.ts'
export { REFUSED, type OnEnd, type Outgoing, type Result, type Transport } from './transport.ts'
