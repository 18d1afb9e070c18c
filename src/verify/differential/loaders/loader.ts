/** The form of a loader, and its words. */
import type { FoundRow, Readings, Row } from '../../walk/readings.ts'

export interface Loaded {
  /** A snapshot with the sections of the interface: `{ payments: { links: […] }, webhooks: {…}, users: […] }`. */
  readonly snapshot: Readonly<Record<string, unknown>>
  /** Whether all records were read, so that lists and reports can be compared, too. */
  readonly isComplete: boolean
  /**
   * Places that follow from something that no call shows, by operation: "getRevenueReport.data.total_fees"; `*` at the end
   * is the rest.
   */
  readonly unknown?: readonly string[]
}

export interface LoadOptions {
  /** Whether the time zone of the service is known, by which reports group days. */
  readonly knowsTimezone: boolean
}

export type Loader = (readings: Readings, options: LoadOptions) => Loaded

/** The rows of a list, oldest first, because records of the same time keep the order in which they are loaded. */
export function rowsOf(readings: Readings, id: string): { rows: readonly FoundRow[]; isComplete: boolean } {
  const operation = readings.operations.find((each) => each.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  const { rows, isComplete } = readings.allRows(operation)
  return { rows: rows.toReversed(), isComplete }
}

/** Returns the answers of an operation that reads one record, by the last parameter of its path. */
export function recordsOf(readings: Readings, id: string): ReadonlyMap<string, unknown> {
  const operation = readings.operations.find((each) => each.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  const last = operation.inPath.at(-1)?.name ?? ''
  const answers = readings.of(operation).filter(({ status }) => status === 200)
  return new Map(answers.map(({ probe, body }) => [probe.path[last] ?? '', body]))
}

/** Returns fields of a row under the names of its columns: `created_at` is `createdAt`. */
export function columns(row: Row, names: readonly string[]): Record<string, unknown> {
  const found = names.flatMap((name) => {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const own = [name, snake].find((each) => Object.hasOwn(row, each))
    return own === undefined ? [] : [[name, row[own]] as const]
  })
  return Object.fromEntries(found)
}

/** Returns a subscription as a snapshot has it. Its secret is never shown. */
export const subscription = (name: string, row: Row): Record<string, unknown> => ({
  ...columns(row, ['id', 'url', 'events', 'active', 'createdAt']),
  interface: name,
  secret: 'not-shown',
  updatedAt: row['updated_at'] ?? row['updatedAt'] ?? row['created_at'] ?? row['createdAt'],
})

/** Returns the users that records name: pairs of an id and a name, which may be missing. */
export function owners(pairs: readonly (readonly [unknown, unknown])[]): Record<string, unknown>[] {
  const names = new Map<string, unknown>()
  for (const [id, name] of pairs) if (typeof id === 'string') names.set(id, name ?? names.get(id) ?? id)
  return [...names].map(([id, name]) => ({ id, name, email: `${id}@example.com` }))
}
