/**
 * Loads what was read into a workspace of the simulator, asks it the same, and compares the answers. Refusals are compared
 * in any case, because they need no records.
 */
import type { InterfaceName } from '../../state/model/interfaceNames.ts'
import type { Exchange } from '../asking/exchange.ts'
import type { Reference, Scratch } from '../reference.ts'
import { record, type OracleContext } from '../oracles/context.ts'
import { withoutVolatile } from '../oracles/volatile.ts'
import type { Readings } from '../walk/readings.ts'
import { differencesOf } from './compare.ts'
import { LOADERS } from './loaders/index.ts'
import type { Loaded } from './loaders/loader.ts'
import { replay } from './replay.ts'

export interface DifferentialOptions {
  readonly reference: Reference
  readonly name: InterfaceName
  /** The time zone of the workspace, by which reports group days. */
  readonly timezone?: string
}

/** Records that do not fit are left out, at most this many. */
const MAX_LEFT_OUT = 20

export async function checkDifferential(
  context: OracleContext,
  { reference, name, timezone }: DifferentialOptions,
): Promise<void> {
  const { readings } = context
  const scratch = await reference.scratch('none', { ...(timezone !== undefined && { timezone }) })
  try {
    const loaded = LOADERS[name]?.(readings, { knowsTimezone: timezone !== undefined }) ?? null
    const isLoaded = loaded !== null && (await load(context, reference, scratch, loaded))
    const now = readings.exchanges.find(({ status }) => status > 0)?.at
    if (now !== undefined) await reference.setClock(scratch, now)
    const twins = await replay(readings.exchanges, scratch)
    for (const [exchange, twin] of twins) {
      // Without its records, the simulator refuses the path before the query.
      if (!isLoaded && exchange.probe.purpose.kind !== 'unknown_id' && twin.status === 404) continue
      if (isRefusal(exchange)) compareRefusals(context, exchange, twin)
      else if (isLoaded) compareAnswers(context, exchange, twin, loaded, readings)
    }
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
  { snapshot }: Loaded,
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
      if (!exchange) return false
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

/** Compares status, media type and the code of an error; its words are free. */
function compareRefusals(context: OracleContext, exchange: Exchange, twin: Exchange): void {
  const { purpose } = exchange.probe
  const what = purpose.kind === 'bad_value' ? `${purpose.parameter}=${purpose.value}` : purpose.kind
  record(context, 'errors', exchange, {
    aspect: `refusal_status`,
    place: '',
    isEqual: exchange.status === twin.status,
    message: `The service refuses ${what} in another way.`,
    expected: twin.status,
    actual: exchange.status,
    claim: refusalClaim(context, exchange, twin),
  })
  if (exchange.status !== twin.status) return
  for (const part of ['content-type', 'www-authenticate']) {
    if (exchange.headers[part] === twin.headers[part]) continue
    record(context, 'errors', exchange, {
      aspect: `header:${part}`,
      place: '',
      isEqual: mediaType(exchange.headers[part]) === mediaType(twin.headers[part]),
      message: `The header ${part} of the refusal differs.`,
      expected: twin.headers[part],
      actual: exchange.headers[part],
    })
  }
  for (const { place, expected, actual } of differencesOf(codes(twin.body), codes(exchange.body))) {
    record(context, 'errors', exchange, {
      aspect: 'refusal_body',
      place,
      isEqual: false,
      message: `The body of the refusal of ${what} differs.`,
      expected,
      actual,
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
  readings: Readings,
): void {
  const { operation } = exchange.probe
  const list = readings.listOf(operation)
  // Without all records, the simulator cannot answer lists and reports.
  if (!loaded.isComplete && (list || operation.inPath.length === 0)) return
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
    ({ place }) => !isUnknown(loaded, `${operation.id}${place}`),
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

/** True for a place that the reads do not show enough to compute. */
const isUnknown = ({ unknown = [] }: Loaded, place: string): boolean =>
  unknown.some((pattern) =>
    pattern.endsWith('*') ? place.startsWith(pattern.slice(0, -1)) : place === pattern,
  )
