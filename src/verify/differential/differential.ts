/**
 * Loads what was read into a workspace of the simulator, asks it the same, and compares the answers. Refusals are compared
 * in any case, because they need no records.
 */
import { isDeepStrictEqual } from 'node:util'
import type { InterfaceName } from '../../state/model/interfaceNames.ts'
import type { Exchange } from '../asking/exchange.ts'
import type { Reference, Scratch } from '../reference.ts'
import { record, type OracleContext } from '../oracles/context.ts'
import { withoutVolatile } from '../oracles/volatile.ts'
import { differencesOf } from './compare.ts'
import { LOADERS } from './loaders/index.ts'
import type { Loaded } from './loaders/loader.ts'
import { replay, type Twins } from './replay.ts'

export interface DifferentialOptions {
  readonly reference: Reference
  readonly name: InterfaceName
  /** The time zone of the workspace, by which reports group days. */
  readonly timezone: string | undefined
  /** Places that calibration could not compute from the reads. */
  readonly unknown?: ReadonlySet<string>
}

/** Records that do not fit are left out, at most this many. */
const MAX_LEFT_OUT = 20

/** Returns the answers of the simulator. */
export async function checkDifferential(
  context: OracleContext,
  options: DifferentialOptions,
): Promise<Twins> {
  const { readings } = context
  const { twins, loaded } = await twinsOf(context, options, readings.exchanges)
  for (const [exchange, twin] of twins) {
    if (isRefusal(exchange)) {
      // Without its records, the simulator refuses the path before the query.
      const isAnother = !loaded && exchange.probe.purpose.kind !== 'unknown_id' && twin.status === 404
      if (!isAnother) compareRefusals(context, exchange, twin)
    } else if (loaded) compareAnswers(context, exchange, twin, loaded, options.unknown)
  }
  return twins
}

/** Returns what the simulator answers to the same calls, and the records that it has; null if it has none. */
export async function twinsOf(
  context: OracleContext,
  { reference, name, timezone }: DifferentialOptions,
  exchanges: readonly Exchange[],
): Promise<{ twins: Twins; loaded: Loaded | null }> {
  const { readings } = context
  const scratch = await reference.scratch('none', { ...(timezone !== undefined && { timezone }) })
  try {
    const loaded = LOADERS[name]?.(readings, { knowsTimezone: timezone !== undefined }) ?? null
    const isLoaded = loaded !== null && (await load(context, reference, scratch, loaded))
    const now = readings.exchanges.find(({ status }) => status > 0)?.at
    if (now !== undefined) await reference.setClock(scratch, now)
    return { twins: await replay(exchanges, scratch), loaded: isLoaded ? loaded : null }
  } finally {
    await reference.delete(scratch)
  }
}

const isRefusal = ({ probe: { purpose } }: Exchange): boolean =>
  ['unknown_id', 'bad_value', 'auth'].includes(purpose.kind) ||
  (purpose.kind === 'size' && purpose.size > purpose.maximum)

/** Loads the records. One that the simulator cannot hold is a difference, and is left out. */
async function load(
  context: OracleContext,
  reference: Reference,
  scratch: Scratch,
  { snapshot, isComplete }: Loaded,
): Promise<boolean> {
  const kept = structuredClone(snapshot) as Record<string, Record<string, unknown[]>>
  for (let attempt = 0; attempt < MAX_LEFT_OUT; attempt++) {
    try {
      await reference.load(scratch, { format: 'suite-simulator/1', ...kept })
      return true
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const [, group = '', section = '', index = ''] =
        / ([a-z-]{1,40})\.(\w{1,40})\.(\d+)/.exec(message) ?? []
      const [exchange] = context.readings.exchanges
      const rows = kept[group]?.[section]
      // Records that others refer to may be among those that were not read.
      if (!exchange || !isComplete) return false
      record(context, 'differential', exchange, {
        aspect: `load:${group}.${section}`,
        place: '',
        isEqual: false,
        message: `The simulator cannot hold a record that was read: ${message}`,
        actual: rows?.[Number(index)],
      })
      if (!rows) return false
      rows.splice(Number(index), 1)
    }
  }
  return false
}

/** Compares status, headers and body of a refusal; the words of its texts are free. */
function compareRefusals(context: OracleContext, exchange: Exchange, twin: Exchange): void {
  const { purpose } = exchange.probe
  const what = purpose.kind === 'bad_value' ? `${purpose.parameter}=${purpose.value}` : purpose.kind
  const [expected, actual] = [twin, exchange].map(({ status, body }) => ({ status, body: codes(body) }))
  // A service that accepts the value answers with records, which the simulator may not have.
  const isSame = exchange.status < 300 ? exchange.status === twin.status : isDeepStrictEqual(expected, actual)
  record(context, 'errors', exchange, {
    aspect: 'refusal',
    place: '',
    isEqual: isSame,
    message: `The simulator refuses ${what} in another way.`,
    expected,
    actual,
    claim: refusalClaim(context, exchange, twin),
  })
  if (exchange.status !== twin.status) return
  for (const name of ['content-type', 'www-authenticate']) {
    record(context, 'errors', exchange, {
      aspect: `header:${name}`,
      place: '',
      isEqual: mediaType(exchange.headers[name]) === mediaType(twin.headers[name]),
      message: `The header ${name} of the refusal differs.`,
      expected: twin.headers[name],
      actual: exchange.headers[name],
    })
  }
}

function refusalClaim({ claims }: OracleContext, { probe }: Exchange, twin: Exchange): string {
  const { address } = probe.operation
  const status = String(twin.status)
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
function codes(value: unknown): unknown {
  if (typeof value === 'string') return /\s/.test(value) ? '<text>' : value
  if (Array.isArray(value)) return value.map(codes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(withoutVolatile(value) as object).map(([name, each]) => [name, codes(each)]),
  )
}

function compareAnswers(
  context: OracleContext,
  exchange: Exchange,
  twin: Exchange,
  loaded: Loaded,
  unknown: ReadonlySet<string> = new Set(),
): void {
  const { operation } = exchange.probe
  const list = context.readings.listOf(operation)
  // Without all records, the simulator cannot answer lists and reports.
  if (!loaded.isComplete && (list || operation.inPath.length === 0)) return
  if (isUnknown(loaded, operation.id) || isUnknownAt(unknown, exchange, '')) return
  record(context, 'differential', exchange, {
    aspect: 'status',
    place: '',
    isEqual: exchange.status === twin.status,
    message: 'The simulator answers the same call with another status.',
    expected: twin.status,
    actual: exchange.status,
  })
  if (exchange.status !== twin.status) return
  const [left, right] = [twin, exchange].map(({ body }) => withoutVolatile(body))
  const different = differencesOf(left, right).filter(
    ({ place }) => !isUnknown(loaded, `${operation.id}${place}`) && !isUnknownAt(unknown, exchange, place),
  )
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
 * Returns the places at which the simulator with the records of its own demo answers otherwise than the demo: they follow
 * from something that no call shows.
 */
export async function unknownPlaces(
  context: OracleContext,
  options: DifferentialOptions,
): Promise<ReadonlySet<string>> {
  const unknown = new Set<string>()
  const { twins, loaded } = await twinsOf(context, options, context.readings.exchanges)
  if (!loaded) return unknown
  for (const [exchange, twin] of twins) {
    if (isRefusal(exchange)) continue
    const [left, right] = [twin, exchange].map(({ body }) => withoutVolatile(body))
    if (twin.status !== exchange.status) unknown.add(placeOf(exchange, ''))
    else for (const { place } of differencesOf(left, right)) unknown.add(placeOf(exchange, place))
  }
  return unknown
}

/** Calls whose answers follow from the same records. Cursors are those of the service, so pages have places of their own. */
const READS: ReadonlySet<string> = new Set(['plain', 'record', 'repeat', 'size'])

/** "crm listDeals filter owner_id .data": a filter can follow from more than the rest of the list. */
function placeOf({ probe: { operation, purpose } }: Exchange, place: string): string {
  const parameter = 'parameter' in purpose ? purpose.parameter : ''
  const kind = READS.has(purpose.kind) ? 'read' : purpose.kind
  return [operation.interface, operation.id, kind, parameter, place].join(' ')
}

/** True for such a place, and for all below it. */
function isUnknownAt(unknown: ReadonlySet<string>, exchange: Exchange, place: string): boolean {
  const parts = place.split(/(?=\.|\[)/)
  return parts.some((_, index) => {
    const above = parts.slice(0, index + 1).join('')
    return unknown.has(placeOf(exchange, above))
  })
}

/** True for a place that the reads do not show enough to compute. */
const isUnknown = ({ unknown = [] }: Loaded, place: string): boolean =>
  unknown.some((pattern) =>
    pattern.endsWith('*') ? place.startsWith(pattern.slice(0, -1)) : place === pattern,
  )
