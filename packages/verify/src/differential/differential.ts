/**
 * Loads what was read into a workspace of the simulator, repeats the calls there, and compares the answers. Refusals
 * are compared in any case, because they need no records.
 */
import { isDeepStrictEqual } from 'node:util'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Exchange } from '../exchanges/exchange.ts'
import type { Reference } from '../reference.ts'
import { record, type CheckContext } from '../checks/context.ts'
import { hasShape } from '../model/shapes.ts'
import { withoutVolatile } from '../checks/volatile.ts'
import { rowsIn, withRows, type List } from '../model/list.ts'
import { claimOf, identityOf } from '../checks/lists.ts'
import type { Answers } from '../crawl/answers.ts'
import { differencesOf, type Difference } from './compare.ts'
import { startOf, type Loaded } from './loaders/loader.ts'
import { loadInto, rowsToLoad, withUsers } from './loading.ts'
import { withTies } from './ties.ts'
import { replay, type SimulatedExchanges } from './replay.ts'

export interface DifferentialOptions {
  readonly reference: Reference
  readonly name: InterfaceName
  /** The time zone of the workspace, by which reports group days. */
  readonly timezone: string | undefined
}

/** Returns the answers of the simulator. */
export async function checkDifferential(
  context: CheckContext,
  options: DifferentialOptions,
): Promise<SimulatedExchanges> {
  const { answers } = context
  const { simulatedExchanges, loaded } = await simulatedExchangesOf(context, options, answers.exchanges)
  for (const [exchange, simulated] of simulatedExchanges) {
    if (isRefusal(exchange)) {
      // Without its records, the simulator refuses the path before the query.
      const isAnother = !loaded && exchange.probe.purpose.kind !== 'unknown_id' && simulated.status === 404
      if (!isAnother) compareRefusals(context, exchange, simulated)
    } else if (loaded) compareAnswers(context, exchange, simulated, loaded, answers)
  }
  return simulatedExchanges
}

/** Returns what the simulator answers to the same calls, and the records that it has; null if it has none. */
export async function simulatedExchangesOf(
  context: CheckContext,
  { reference, name, timezone }: DifferentialOptions,
  exchanges: readonly Exchange[],
): Promise<{ simulatedExchanges: SimulatedExchanges; loaded: Loaded | null }> {
  const { answers } = context
  const rows = rowsToLoad(name, answers, { knowsTimezone: timezone !== undefined })
  const scratch = await withUsers(reference, rows, { ...(timezone !== undefined && { timezone }) })
  try {
    const loaded = rows && (await loadInto(context, reference, scratch, rows))
    if (answers.exchanges.some(({ status }) => status > 0))
      await reference.setClock(scratch, startOf(answers))
    return { simulatedExchanges: await replay(exchanges, scratch, answers), loaded }
  } finally {
    await reference.delete(scratch)
  }
}

const isRefusal = ({ probe: { purpose } }: Exchange): boolean =>
  ['unknown_id', 'bad_value', 'auth'].includes(purpose.kind) ||
  (purpose.kind === 'size' && purpose.size > purpose.maximum)

/** Compares status, headers and body of a refusal; the words of its texts are free. */
function compareRefusals(context: CheckContext, exchange: Exchange, simulated: Exchange): void {
  const { purpose } = exchange.probe
  const what = purpose.kind === 'bad_value' ? `${purpose.parameter}=${purpose.value}` : purpose.kind
  const [expected, actual] = [simulated, exchange].map(({ status, body }) => ({ status, body: codes(body) }))
  // A service that accepts the value answers with records, which the simulator may not have.
  const isSame =
    exchange.status < 300 ? exchange.status === simulated.status : isDeepStrictEqual(expected, actual)
  record(context, 'errors', exchange, {
    aspect: 'refusal',
    place: '',
    isEqual: isSame,
    message: `The simulator refuses ${what} in another way.`,
    expected,
    actual,
    claim: refusalClaim(context, exchange, simulated),
  })
  if (exchange.status !== simulated.status) return
  for (const name of ['content-type', 'www-authenticate']) {
    record(context, 'errors', exchange, {
      aspect: `header:${name}`,
      place: '',
      isEqual: mediaType(exchange.headers[name]) === mediaType(simulated.headers[name]),
      message: `The header ${name} of the refusal differs.`,
      expected: simulated.headers[name],
      actual: exchange.headers[name],
    })
  }
}

export function refusalClaim({ claims }: CheckContext, { probe }: Exchange, simulated: Exchange): string {
  const { address } = probe.operation
  const status = String(simulated.status)
  return (
    (
      claims.at(`${address} ${status}`, 'status') ??
      claims.at(status, 'status') ??
      claims.at(address, 'operation')
    )?.key ?? `operation ${address}`
  )
}

const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]?.trim() ?? ''

/** Returns an error body with its codes, and the kinds of its texts: words with spaces may be others. */
export function codes(value: unknown): unknown {
  if (typeof value === 'string') return /\s/.test(value) ? '<text>' : value
  if (Array.isArray(value)) return value.map(codes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(withoutVolatile(value) as object).map(([name, each]) => [name, codes(each)]),
  )
}

function compareAnswers(
  context: CheckContext,
  exchange: Exchange,
  simulated: Exchange,
  loaded: Loaded,
  answers: Answers,
): void {
  const { operation } = exchange.probe
  const list = answers.listOf(operation)
  // Without all records, the simulator cannot answer lists and reports, and does not find every record.
  const isReport = list !== null || operation.inPath.length === 0
  if (!loaded.isComplete && (isReport || simulated.status === 404)) return
  record(context, 'differential', exchange, {
    aspect: 'status',
    place: '',
    isEqual: exchange.status === simulated.status,
    message: 'The simulator answers the same call with another status.',
    expected: simulated.status,
    actual: exchange.status,
  })
  if (exchange.status !== simulated.status) return
  const rows = withTies(answers, exchange, simulated)
  const ours = rows && list ? withRows(list, simulated.body, rows) : simulated.body
  const isFree = freePlaces(context, exchange, simulated, loaded, list?.nextAt)
  const bodies = list ? sameRows(context, list, exchange, ours, isFree) : [ours, exchange.body]
  const [left, right] = bodies.map(withoutVolatile)
  const different = differencesOf(left, right).filter((each) => !isFree(each))
  record(context, 'differential', exchange, { aspect: 'body', place: '', isEqual: true })
  for (const { place, expected, actual } of different) {
    record(context, 'differential', exchange, {
      aspect: 'body',
      place,
      isEqual: false,
      message: 'The simulator with the same records answers otherwise.',
      expected,
      actual,
    })
  }
}

/**
 * Compares which rows a list has, and in which order. Returns both answers with the rows that both have, in the same order,
 * so that another order is one difference and not one of every field.
 */
function sameRows(
  context: CheckContext,
  list: List,
  exchange: Exchange,
  expected: unknown,
  isFree: (difference: Difference) => boolean,
): readonly [unknown, unknown] {
  const [ours, theirs] = [expected, exchange.body].map((body) => rowsIn(list, body))
  const bodies = [expected, exchange.body] as const
  if (!ours || !theirs) return bodies
  const [left, right] = [ours, theirs].map((rows) => rows.map(identityOf))
  if (!left || !right || [...left, ...right].includes(undefined)) return bodies
  const place = list.rowsAt.map((name) => `.${name}`).join('')
  if (isDeepStrictEqual(left, right) || isFree({ place, expected: left, actual: right })) return bodies
  const { purpose, operation, query } = exchange.probe
  const parameter =
    purpose.kind === 'filter'
      ? purpose.parameter
      : purpose.kind === 'sort'
        ? list.sort?.parameter.name
        : undefined
  record(context, 'differential', exchange, {
    aspect: 'rows',
    place,
    isEqual: false,
    message: 'The simulator with the same records lists other rows, or in another order.',
    expected: left,
    actual: right,
    ...claimOf(context, operation, parameter, query),
  })
  const byId = new Map(ours.map((row) => [identityOf(row), row]))
  const common = theirs.filter((row) => byId.has(identityOf(row)))
  return [
    withRows(
      list,
      expected,
      common.map((row) => byId.get(identityOf(row))),
    ),
    withRows(list, exchange.body, common),
  ]
}

/**
 * Returns which differences mean nothing: at places that the reads do not show enough to compute, at those that also differ
 * between two answers of the simulator, and in cursors and the number of the account, which belong to a service.
 */
function freePlaces(
  { name, moving, shapes }: CheckContext,
  { probe: { operation, purpose, path }, status }: Exchange,
  simulated: Exchange,
  { unknown = [], derived = [], isComplete }: Loaded,
  nextAt: readonly string[] | null | undefined,
): (difference: Difference) => boolean {
  const names =
    'parameter' in purpose ? [operation.id, `${operation.id}?${purpose.parameter}`] : [operation.id]
  const isUnknown = (place: string): boolean =>
    [...unknown, ...(isComplete ? [] : derived)].some((pattern) =>
      pattern.endsWith('*') ? place.startsWith(pattern.slice(0, -1)) : place === pattern,
    )
  const isAccount = (expected: unknown, actual: unknown): boolean =>
    String(expected) === simulated.probe.path['account_id'] && String(actual) === path['account_id']
  const isMadeUp = ({ place, actual }: Difference): boolean => {
    const found = shapes(operation, status, place)
    return found !== null && (!found.isWhole || hasShape(found.shape, actual))
  }
  return ({ place, expected, actual }) =>
    isMadeUp({ place, expected, actual }) ||
    names.some((each) => isUnknown(each + place)) ||
    moving.has(`${name} ${operation.id} ${place}`) ||
    (place === `.${(nextAt ?? []).join('.')}` && typeof expected === typeof actual) ||
    (place.endsWith('.account_id') && isAccount(expected, actual))
}
