/** What every oracle gets, and the words in which it records its checks. */
import type { Exchange } from '../asking/exchange.ts'
import type { Check, Checks, Oracle } from '../checks.ts'
import type { Claims } from '../model/claims.ts'
import type { Operation } from '../model/operation.ts'
import type { InterfaceName } from '../../state/model/interfaceNames.ts'
import type { Readings } from '../walk/readings.ts'

export interface OracleContext {
  readonly name: InterfaceName
  /** The answers of the service for one interface. */
  readonly readings: Readings
  readonly claims: Claims
  readonly checks: Checks
  /** Relations that do not hold in the simulator, and places that differ between two reads (calibration.ts). */
  readonly untrue: ReadonlySet<string>
  readonly moving: ReadonlySet<string>
}

export interface Outcome {
  readonly aspect: string
  /** Below the response: ".data[].amount"; "" for the response itself. */
  readonly place: string
  readonly isEqual: boolean
  readonly message?: string
  readonly expected?: unknown
  readonly actual?: unknown
  /** The key of the claim; that of the nearest part that has one by default. */
  readonly claim?: string
}

/** Records a check of an answer. */
export function record(
  { name, claims, checks, untrue }: OracleContext,
  oracle: Oracle,
  exchange: Exchange,
  { claim, place, ...outcome }: Outcome,
): void {
  const { operation } = exchange.probe
  const whole = `${rootOf(operation, exchange.status)}${place}`
  const key = claim ?? claims.nearest(operation, exchange.status, whole).key
  const shown = `${operation.address} ${String(exchange.status)}${place}`
  if (untrue.has([name, outcome.aspect, shown, key].join(' '))) return
  checks.add({ ...outcome, claim: key, oracle, place: shown, exchange } satisfies Check)
}

/** Returns the beginning of the places of a response: errors have the same in all operations. */
export const rootOf = ({ address }: Operation, status: number): string =>
  status >= 300 ? 'Error' : `${address} ${String(status)}`
