/** The form of a loader, and its words. */
import { createHash } from 'node:crypto'
import { iso, parseInstant, UTC } from '@suite-sim/kit/time/instants'
import { valueAt } from '../../model/list.ts'
import type { Operation } from '../../model/operation.ts'
import type { FoundRow, Answers, Row } from '../../crawl/answers.ts'
import { textOf } from '../../crawl/rowValues.ts'

export interface Loaded {
  /** A snapshot with the sections of the interface: `{ payments: { links: […] }, webhooks: {…} }`. */
  readonly snapshot: Readonly<Record<string, unknown>>
  /** The users that records name: `{ id, name, email }`. */
  readonly users?: readonly object[]
  /** Whether all records were read, so that lists and reports can be compared, too. */
  readonly isComplete: boolean
  /**
   * Places that follow from something that no call shows, by operation: "getRevenueReport.data.total_fees"; `*` at the end
   * is the rest. "listActivities?entity_type*" is the answer to that parameter.
   */
  readonly unknown?: readonly string[]
  /** Places of records that follow from several records. They are unknown unless all records were read. */
  readonly derived?: readonly string[]
}

export interface LoadOptions {
  /** Whether the time zone of the service is known, by which reports group days. */
  readonly knowsTimezone: boolean
}

export interface Loader {
  /**
   * Operations that the crawl calls for every record of a list, not only for some: "getForm". A query follows:
   * "listDeals?a=b".
   */
  readonly needs?: readonly string[]
  load(answers: Answers, options: LoadOptions): Loaded
}

export interface Found {
  readonly rows: readonly FoundRow[]
  readonly isComplete: boolean
}

/** Returns the rows of a list, oldest first, because records of the same time keep the order in which they are loaded. */
export function rowsOf(answers: Answers, id: string): Found {
  const { rows, isComplete } = answers.allRows(operationOf(answers, id))
  return { rows: rows.toReversed(), isComplete }
}

/** Returns the rows of the lists of records. They are complete if each record's list is. */
export function rowsOfEach(answers: Answers, id: string, parents: Found): Found {
  const operation = operationOf(answers, id)
  const last = operation.inPath.at(-1)?.name ?? ''
  const read = new Set(answers.plain(operation).map(({ probe }) => probe.path[last]))
  const { rows, isComplete } = rowsOf(answers, id)
  return { rows, isComplete: isComplete && parents.rows.every(({ row }) => read.has(textOf(row['id']))) }
}

/** Returns the answers of an operation that reads one record, by the last parameter of its path. */
export function recordsOf(answers: Answers, id: string): ReadonlyMap<string, unknown> {
  const operation = operationOf(answers, id)
  const last = operation.inPath.at(-1)?.name ?? ''
  return new Map(answers.found(operation).map(({ probe, body }) => [probe.path[last] ?? '', body]))
}

/**
 * Returns the rows with the fields that only their records have. They are complete if each row's record was read; the other
 * rows have no such fields.
 */
export function detailed(
  answers: Answers,
  id: string,
  found: Found,
  recordIn: (body: unknown) => unknown = (body) => body,
): Found {
  const records = recordsOf(answers, id)
  const rows = found.rows.map(({ row, path }) => ({
    row: { ...row, ...(recordIn(records.get(textOf(row['id']))) as Row | undefined) },
    path,
  }))
  const isComplete = found.isComplete && rows.every(({ row }) => records.has(textOf(row['id'])))
  return { rows, isComplete }
}

/**
 * Returns the values of a field that only a filter shows, by the id of the row; null if an answer ends before its last
 * row. A row that two values select has the last one, so that the simulator contradicts a filter without effect.
 */
export function filteredBy(
  answers: Answers,
  id: string,
  parameter: string,
): ReadonlyMap<unknown, string> | null {
  const operation = operationOf(answers, id)
  const total = answers.listOf(operation)?.totalAt
  const values = new Map<unknown, string>()
  for (const exchange of answers.of(operation, 'filter')) {
    const { purpose } = exchange.probe
    if (purpose.kind !== 'filter' || purpose.parameter !== parameter || exchange.status >= 300) continue
    const rows = answers.rows(exchange) as readonly Row[]
    if (total && valueAt(exchange.body, total) !== rows.length) return null
    for (const row of rows) values.set(row['id'], purpose.value)
  }
  return values
}

/** Returns the bodies of the plain calls of an operation. */
export const plainBodies = (answers: Answers, id: string): readonly unknown[] =>
  answers.plain(operationOf(answers, id)).map(({ body }) => body)

/** Returns the bodies of all calls of an operation that succeeded and show a record or a list. */
export const foundBodies = (answers: Answers, id: string): readonly unknown[] =>
  answers.found(operationOf(answers, id)).map(({ body }) => body)

/** Returns the time at which the clock of the scratch workspace stands: that of the first answer. */
export const startOf = (answers: Answers): string =>
  answers.exchanges.find(({ status }) => status > 0)?.at ?? iso(0)

/** Returns times for records that show none, in the order of the list. */
export function timesAt(index: number): { readonly createdAt: string; readonly updatedAt: string } {
  const at = iso(index * 1000)
  return { createdAt: at, updatedAt: at }
}

/** The name and id of what no call shows. */
export const NOT_SHOWN = 'not-shown'

/** Returns a section with one file, for records whose files are not read. */
export const fileNotShown = (createdAt: string): object => {
  const contents = Buffer.from(NOT_SHOWN)
  const hash = createHash('sha256').update(contents).digest('hex')
  const file = { id: NOT_SHOWN, name: NOT_SHOWN, contentType: 'text/plain', size: contents.length }
  return { files: [{ ...file, hash, createdAt }], contents: [{ hash, base64: contents.toString('base64') }] }
}

/** Returns seconds in milliseconds; other values stay. */
export const milliseconds = (value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1000) : value

/** Returns seconds since the epoch as a time; without them null. */
export const instantIn = (seconds: unknown): unknown =>
  typeof seconds === 'number' ? iso(seconds * 1000) : inUtc(seconds ?? null)

/** Returns an amount in hundredths; other values stay, so that loading names them. */
export const hundredths = (value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 100) : value

/** Returns the users that rows name, each once. Without an address they get one. */
export function users(named: readonly unknown[]): Record<string, unknown>[] {
  const found = new Map<string, Record<string, unknown>>()
  for (const each of named as (Row | null | undefined)[]) {
    const id = each?.['id']
    if (!each || (typeof id !== 'string' && typeof id !== 'number')) continue
    const known = found.get(String(id))
    const [name, email] = [each['name'] ?? known?.['name'], each['email'] ?? known?.['email']]
    found.set(String(id), { id: String(id), name: name ?? String(id), email: email ?? null })
  }
  return [...found.values()].map((user, index) => ({
    ...user,
    email: user['email'] ?? `user-${String(index + 1)}@example.com`,
  }))
}

function operationOf(answers: Answers, id: string): Operation {
  const operation = answers.operations.find((each) => each.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  return operation
}

/** Returns fields of a row under the names of its columns: `created_at` is `createdAt`. Times are in UTC. */
export function columns(row: Row, names: readonly string[]): Record<string, unknown> {
  const found = names.flatMap((name) => {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const own = [name, snake].find((each) => Object.hasOwn(row, each))
    return own === undefined ? [] : [[name, inUtc(row[own])] as const]
  })
  return Object.fromEntries(found)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Returns a time as snapshots have it. One without a zone is in UTC; other values stay. */
function inUtc(value: unknown): unknown {
  if (typeof value !== 'string' || !TIME.test(value)) return value
  const time = parseInstant(value, UTC)
  return time === null ? value : iso(time)
}

/** Returns a subscription as a snapshot has it. Its secret is never shown. */
export const subscription = (name: string, row: Row): Record<string, unknown> => ({
  ...columns(row, ['id', 'url', 'events', 'active', 'createdAt']),
  interface: name,
  secret: 'not-shown',
  updatedAt: row['updated_at'] ?? row['updatedAt'] ?? row['created_at'] ?? row['createdAt'],
})
