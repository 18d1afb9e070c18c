/** What every check needs, and how it records its result. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Check, Checks, Oracle } from './checks.ts'
import type { Claims } from '../model/claims.ts'
import { rowsIn } from '../model/list.ts'
import { resolve, responseSchema, type Operation } from '../model/operation.ts'
import type { Shapes } from '../model/shapes.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Answers } from '../crawl/answers.ts'

export interface CheckContext {
  readonly name: InterfaceName
  /** The answers of the service for one interface. */
  readonly answers: Answers
  readonly claims: Claims
  readonly checks: Checks
  /** Relations that do not hold in the simulator, and places that differ between two reads (calibration.ts). */
  readonly untrue: ReadonlySet<string>
  readonly moving: ReadonlySet<string>
  /** Fields that the simulator makes up, because it follows an overlay. */
  readonly shapes: Shapes
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

/** Records a check of an answer. What is no answer of the operation confirms nothing of it. */
export function record(context: CheckContext, oracle: Oracle, exchange: Exchange, outcome: Outcome): void {
  const { name, claims, checks, untrue } = context
  const { claim, place, aspect, isEqual } = outcome
  const { operation } = exchange.probe
  if (isEqual && place === '' && exchange.status < 300 && !isAnswerOf(context, exchange)) return
  const key =
    claim ?? claims.nearest(operation, exchange.status, `${rootOf(operation, exchange.status)}${place}`).key
  const shown = `${operation.address} ${String(exchange.status)}${place}`
  if (untrue.size > 0 && untrue.has(`${name} ${aspect} ${shown} ${key}`)) return
  checks.add({ ...outcome, claim: key, oracle, place: shown, exchange } satisfies Check)
}

/** Most checks of an answer need the same result. */
const answered = new WeakMap<CheckContext, Map<Exchange, boolean>>()

function isAnswerOf(context: CheckContext, exchange: Exchange): boolean {
  let known = answered.get(context)
  if (!known) answered.set(context, (known = new Map<Exchange, boolean>()))
  let is = known.get(exchange)
  if (is === undefined) known.set(exchange, (is = isAnswer(context, exchange)))
  return is
}

/** Returns the beginning of the places of a response: errors have the same in all operations. */
export const rootOf = ({ address }: Operation, status: number): string =>
  status >= 300 ? 'Error' : `${address} ${String(status)}`

/**
 * True for an answer that the operation gives: a list with its rows where the document has them, an object with a field of
 * the document, or a file. A login page or an empty object shows only that a server is there.
 */
export function isAnswer({ claims, answers }: CheckContext, exchange: Exchange): boolean {
  const { probe, status, body, headers, text } = exchange
  const { operation } = probe
  if (status < 200 || status >= 300) return false
  const answer = resolve(operation.document, operation.published.responses[String(status)] ?? {})
  const types = Object.keys(answer['content'] ?? {})
  if (types.length === 0) return text === ''
  if (!types.includes((headers['content-type'] ?? '').split(';')[0]?.trim() ?? '')) return false
  if (body === undefined) return text !== '' && !types.includes('application/json')
  const list = answers.listOf(operation)
  if (list) return rowsIn(list, body) !== null
  if (typeof body !== 'object' || body === null) {
    const schema = responseSchema(operation, status)
    return schema !== undefined && resolve(operation.document, schema)['type'] === typeof body
  }
  const root = rootOf(operation, status)
  return (
    Array.isArray(body) ||
    Object.keys(body).some((name) => claims.allAt(`${root}.${name}`).length > 0) ||
    claims.allAt(`${root}.*`).length > 0
  )
}
