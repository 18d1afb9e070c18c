/** `suite-sim faults`: lists, adds and deletes faults of calls and deliveries, and releases the calls that wait. */
import { counted } from '@suite-sim/kit/text/counted'
import { print, table } from '@suite-sim/kit/terminal/output'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import type { WorkspaceSettings } from '@suite-sim/kit/terminal/settings'
import { pathTo, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'

/** The fields of a fault, by the names of their flags. */
export const FAULT_FIELDS = [
  ...['preset', 'interface', 'method', 'path', 'status', 'body', 'header', 'delayMs', 'reset', 'times'],
  ...['after', 'limit', 'lag', 'hold', 'probability', 'delivery', 'event', 'case', 'template'],
] as const

type FaultFlags = WorkspaceSettings & Readonly<Record<string, unknown>>

interface Fault {
  readonly id: string
  readonly waiting?: readonly { id: string; method: string; path: string; at: string }[]
}

const pathOfFaults = ({ workspace }: WorkspaceSettings): string => `${pathOf(workspace)}/faults`

export async function listFaults(settings: WorkspaceSettings): Promise<void> {
  const answer = await remoteOf(settings).call<{ data: Fault[] }>('GET', pathOfFaults(settings))
  print(settings, answer, () =>
    table(
      ['ID', 'FAULT'],
      answer.data.flatMap(({ id, waiting = [], ...fields }) => [
        [id, JSON.stringify(fields)],
        ...waiting.map((call) => ['', `${call.id} waits since ${call.at}: ${call.method} ${call.path}`]),
      ]),
    ),
  )
}

/** Adds a fault from one JSON object or from flags. The server validates it. */
export async function addFault(json: string | undefined, settings: FaultFlags): Promise<void> {
  const flags = fieldsOf(settings)
  if (json !== undefined && Object.keys(flags).length > 0) {
    throw new UsageError('a fault must be flags or one JSON object, not both')
  }
  const body = json === undefined ? flags : parseObject('a fault', json)
  const created = await remoteOf(settings).call<Fault>('POST', pathOfFaults(settings), body)
  print(settings, created, () => `added ${created.id}: ${JSON.stringify(body)}`)
}

/** Lets calls go on that a fault with `hold` lets wait: all, the first `count`, or these in this order. */
export async function releaseCalls(
  id: string,
  calls: readonly string[],
  settings: WorkspaceSettings & { readonly count?: number },
): Promise<void> {
  if (calls.length > 0 && settings.count !== undefined) {
    throw new UsageError('release takes calls or --count, not both')
  }
  const path = pathOfFaults(settings) + pathTo('/{id}/release', { id })
  const body = {
    ...(calls.length > 0 && { calls }),
    ...(settings.count !== undefined && { count: settings.count }),
  }
  const answer = await remoteOf(settings).call<{ released: number; waiting: number }>('POST', path, body)
  print(
    settings,
    answer,
    () => `released ${counted(answer.released, 'call')}; ${String(answer.waiting)} wait`,
  )
}

export async function deleteFault(id: string, settings: WorkspaceSettings): Promise<void> {
  await remoteOf(settings).call('DELETE', pathOfFaults(settings) + pathTo('/{id}', { id }))
  print(settings, { id, deleted: true }, () => `deleted ${id}`)
}

export async function clearFaults(settings: WorkspaceSettings): Promise<void> {
  await remoteOf(settings).call('DELETE', pathOfFaults(settings))
  print(settings, { cleared: true }, () => 'deleted all faults')
}

function fieldsOf(settings: FaultFlags): Record<string, unknown> {
  const names = FAULT_FIELDS.filter((name) => settings[name] !== undefined)
  const fields: Record<string, unknown> = Object.fromEntries(
    names.map((name) => {
      const value = settings[name]
      if (name === 'header') return ['headers', Object.fromEntries(parseHeaders('--header', value))]
      return [name, name === 'body' ? parseJsonOrText(String(value)) : value]
    }),
  )
  const when = conditionOf(settings)
  return Object.keys(when).length > 0 ? { ...fields, when } : fields
}

/** Returns the conditions of the flags --when-header, --when-query, --when-body and --when-text. */
const conditionOf = ({ whenHeader, whenQuery, whenBody, whenText }: FaultFlags): Record<string, unknown> => ({
  ...(whenHeader !== undefined && {
    headers: conditionsIn('--when-header', parseHeaders('--when-header', whenHeader)),
  }),
  ...(whenQuery !== undefined && { query: conditionsIn('--when-query', parseParameters(whenQuery)) }),
  ...(typeof whenBody === 'string' && { body: parseObject('--when-body', whenBody) }),
  ...(whenText !== undefined && { bodyContains: whenText }),
})

type Pairs = readonly (readonly [name: string, value: string])[]

/** A value such as {"matches":"^a"}, or null, is a condition; other values are exact texts. */
function conditionsIn(flag: string, pairs: Pairs): Record<string, unknown> {
  // Names of headers have no case.
  const names = pairs.map(([name]) => (flag === '--when-header' ? name.toLowerCase() : name))
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new UsageError(`${flag} must have each name once, not ${repeated} again`)
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, /^(?:\{.*\}|null)$/s.test(value) ? parseJsonOrText(value) : value]),
  )
}

/** Parses lines such as "retry-after: 2". */
const parseHeaders = (flag: string, lines: unknown): Pairs =>
  (lines as readonly string[]).map((line) => {
    const [, name, value] = /^([^:\s]+):(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw new UsageError(`${flag} must be NAME: VALUE, not '${line}'`)
    }
    return [name, value.trimStart()]
  })

/** Parses pairs such as "limit=10". */
const parseParameters = (pairs: unknown): Pairs =>
  (pairs as readonly string[]).map((pair) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined) {
      throw new UsageError(`--when-query must be NAME=VALUE, not '${pair}'`)
    }
    return [name, value]
  })

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function parseObject(what: string, text: string): object {
  const value = parseJsonOrText(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError(`${what} must be one JSON object, not '${text}'`)
}
