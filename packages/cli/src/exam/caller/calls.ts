/** The calls of a run, as its journal has them. */
import type { Schema } from '@suite-sim/client/calling'
import { offsetInstantOf } from '@suite-sim/kit/time/instants'

/** The name with which the exam itself calls. */
export const EXAM_CALLER = 'suite-sim exam'

export interface Call {
  readonly id: string
  readonly interface: Schema<'JournalEntry'>['interface']
  /** null if no operation has this path. */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly status: number
  /** In ms, on the clock of the workspace. */
  readonly start: number
  readonly end: number
  /** The id of the fault that it met. */
  readonly fault: string | null
}

export const callOf = (entry: Schema<'JournalEntry'>): Call => {
  const { id, operation, method, path, status, durationMs, request, fault = null } = entry
  const end = offsetInstantOf(entry.at)
  return {
    id,
    interface: entry.interface,
    operation,
    method,
    path,
    query: request.query,
    body: request.body,
    status,
    start: end - durationMs,
    end,
    fault,
  }
}

export const isOfExam = ({ caller }: Schema<'JournalEntry'>): boolean => caller?.name === EXAM_CALLER

export const isWrite = ({ method }: Pick<Call, 'method'>): boolean => method !== 'GET' && method !== 'HEAD'

export const hasSucceeded = ({ status }: Call): boolean => status >= 200 && status < 300

/** Calls of one operation are of one kind. */
export const kindOf = ({ interface: of, operation, method, path }: Call): string =>
  `${of} ${operation ?? `${method} ${path}`}`

/** Calls with the same text repeat each other. */
export const textOf = ({ method, path, query, body }: Call): string =>
  JSON.stringify([method, path, query, body])

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

/** The path with its query. */
export function targetOf({ path, query }: Pick<Call, 'path' | 'query'>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat())
      params.append(name, typeof each === 'string' ? each : JSON.stringify(each))
  return params.size === 0 ? path : `${path}?${params.toString()}`
}
