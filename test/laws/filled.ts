/**
 * Fills every list with more records than one page holds: those of the demo data, or those that the published example
 * of the list's own operation creates, with copies of each, so that every sort key has ties.
 */
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { iso } from '@suite-sim/kit/time/instants'
import type { RecordSet } from '../../src/state/storage/records/records.ts'
import { freshApp, type CallOptions, type FreshApp, type Method, type Tenant } from '../support/app.ts'
import { another } from '../support/another.ts'
import {
  exchangeOf,
  everyOperation,
  exampleBody,
  describeExchange,
  type Exchange,
  type Subject,
} from '../support/examples.ts'
import type { ChangeableList, Expected, FilledList } from './listRules.ts'
import { boundsOf, Reader, type List } from './pages.ts'

type Row = Readonly<Record<string, unknown>>

/** The record lists of a snapshot. */
export type Snapshot = Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>

/** The time at which the tests read the demo data, after all of its events. */
export const READ_AT = '2026-11-21T12:00:00.000Z'

export async function snapshotOf(
  { call }: FreshApp,
  { workspace }: Pick<Tenant, 'workspace'>,
): Promise<Snapshot> {
  return (await call('GET', `/_sim/workspaces/${workspace.id}/snapshot`)).body as Snapshot
}

export async function putSnapshot(
  { call }: FreshApp,
  { workspace }: Pick<Tenant, 'workspace'>,
  body: Snapshot,
): Promise<void> {
  const answer = await call('PUT', `/_sim/workspaces/${workspace.id}/snapshot`, { body })
  if (answer.status !== 204) throw new Error(answer.text)
}

/** The demo data as a snapshot. */
export async function demoSnapshot({ call }: FreshApp): Promise<Snapshot> {
  const made = await call('POST', '/_sim/workspaces', { body: { fixtures: 'small' } })
  const { workspace } = made.body as { workspace: { id: string } }
  return (await call('GET', `/_sim/workspaces/${workspace.id}/snapshot`)).body as Snapshot
}

async function changeableList(
  fresh: FreshApp,
  { list, path }: Reader,
  source: Tenant,
): Promise<ChangeableList> {
  const made = await fresh.call('POST', `/_sim/workspaces/${source.workspace.id}/clone`)
  const { workspace: created, key } = made.body as { workspace: { id: string }; key: string }
  const workspace = fresh.app.workspaces.get(created.id)
  const call = fresh.at(list.definition.name)
  const making = makerOf(list)
  const send = async (method: Method, address: string, options: CallOptions): Promise<Exchange> =>
    exchangeOf(method, address, options, await call(method, address, { ...options, key }))
  const mustWork = (done: Exchange): void => {
    if (done.status >= 300) throw new Error(describeExchange(done))
  }
  return {
    key,
    async add() {
      const body = exampleBody(making.document, 'POST', list.route.path)
      let made = await send('POST', path, { body })
      if (made.status >= 300) {
        // The previous record may exclude the next one until time has passed.
        fresh.setClock(iso(workspace.now() + DAY_MS), { workspace })
        made = await send('POST', path, { body })
      }
      mustWork(made)
    },
    async remove(id) {
      mustWork(await send('DELETE', `${path}/${id}`, {}))
    },
  }
}

const DAY_MS = 86_400_000

/** The minimum number of records in a list. */
const BEYOND_A_PAGE = 6

/** Fills the lists and returns them by title. */
export async function filledLists(
  lists: readonly List[],
  withAllSizes: boolean,
): Promise<ReadonlyMap<string, FilledList>> {
  const fresh = await freshApp()
  fresh.setClock(READ_AT)
  await putSnapshot(fresh, fresh, await demoSnapshot(fresh))
  const readers: Reader[] = []
  for (const list of lists) {
    const reader = new Reader(list, fresh.call, await addressOf(fresh, lists, list))
    await mustHaveSome(fresh, reader)
    readers.push(reader)
  }

  const snapshot = await snapshotOf(fresh, fresh)
  const listed = await Promise.all(
    readers.map(async (reader) => {
      const ids = (await reader.all()).map(({ id }) => String(id))
      return { reader, ids, set: setOf(snapshot, fresh.app.records.sets, ids) }
    }),
  )
  const parts = fresh.app.records.sets.filter((set) => !listed.some((each) => each.set === set))
  const copies = new Copies(snapshot, parts)
  // Several lists may show records of one set.
  for (const set of new Set(listed.map((each) => each.set))) {
    const showing = listed.filter((each) => each.set === set)
    const counts = showing.map(({ reader, ids }) => {
      const { max } = boundsOf(reader.list, reader.list.paging.limit)
      return Math.ceil((max + BEYOND_A_PAGE) / ids.length)
    })
    copies.make(set, [...new Set(showing.flatMap(({ ids }) => ids))], Math.max(...counts))
  }

  const whole = copies.withAll()
  await putSnapshot(fresh, fresh, whole)
  const twin = fresh.tenant()
  fresh.setClock(READ_AT, { workspace: twin.workspace })
  await putSnapshot(fresh, twin, whole)
  const emptyTenant = fresh.tenant()

  return new Map(
    listed.map(({ reader, set, ids }) => [
      reader.list.title,
      {
        reader,
        expected: expectedOf(whole, set, new Set([...ids, ...copies.of(set, ids)])),
        keyOfEmptyWorkspace: emptyTenant.key,
        keyOfCopy: twin.key,
        withAllSizes,
        changeable: () => changeableList(fresh, reader, twin),
      },
    ]),
  )
}

/** The path of a list. For a list of one parent record, uses the parent with the most records. */
async function addressOf({ call }: FreshApp, lists: readonly List[], list: List): Promise<string> {
  const { path } = list.route
  const [parent = '', own] = path.split(/\/\{\w+\}/)
  if (own === undefined) return path
  const parents = lists.find(
    ({ definition, route }) => definition.name === list.definition.name && route.path === parent,
  )
  if (!parents) throw new Error(`${list.title} belongs to records that no list shows`)
  const owners = await new Reader(parents, call, parent).all()
  let longest = { path: '', count: 0 }
  for (const { id } of owners) {
    const one = `${parent}/${String(id)}${own}`
    const { items } = await new Reader(list, call, one).page()
    if (items.length > longest.count) longest = { path: one, count: items.length }
  }
  if (longest.count === 0) throw new Error(`${list.title} is empty for every record of the demo data`)
  return longest.path
}

/** The operation that creates records of the list. */
function makerOf(list: List): Subject {
  const found = everyOperation().find(
    ({ route }) =>
      route.interface === list.definition.name && route.method === 'POST' && route.path === list.route.path,
  )
  if (!found) throw new Error(`${list.title} is empty in the demo data, and no operation fills it`)
  return found
}

/** Creates a record with the published example if the list is empty. */
async function mustHaveSome(fresh: FreshApp, reader: Reader): Promise<void> {
  const { list, path } = reader
  const { items } = await reader.page()
  if (items.length > 0) return
  const making = makerOf(list)
  const { definition, route } = list
  const body = exampleBody(making.document, 'POST', route.path)
  const made = await fresh.at(definition.name)('POST', path, { body })
  if (made.status !== 201)
    throw new Error(`the example ${describeExchange(exchangeOf('POST', path, { body }, made))}`)
}

const rowsOf = (snapshot: Snapshot, { section, name }: RecordSet): readonly Row[] =>
  snapshot[section]?.[name] ?? []

/** The set whose records a list shows. */
function setOf(snapshot: Snapshot, sets: readonly RecordSet[], shownIds: readonly string[]): RecordSet {
  const found = sets.find((set) => {
    const ids = new Set(rowsOf(snapshot, set).map(({ id }) => id))
    return shownIds.every((id) => ids.has(id))
  })
  if (!found) throw new Error(`no record set holds ${String(shownIds[0])}`)
  return found
}

/** Copies records together with their parts in tables that no list shows. */
class Copies {
  readonly #snapshot: Snapshot
  readonly #parts: readonly RecordSet[]
  readonly #made = new Map<RecordSet, Row[]>()
  /** The ids of the copies, by set and id. */
  readonly #ids = new Map<RecordSet, Map<string, string[]>>()

  constructor(snapshot: Snapshot, parts: readonly RecordSet[]) {
    this.#snapshot = snapshot
    this.#parts = parts
  }

  /** Adds this many copies of each record. */
  make(set: RecordSet, ids: readonly string[], count: number): void {
    const made = this.#made.get(set) ?? []
    const known = this.#ids.get(set) ?? new Map<string, string[]>()
    const wanted = new Set(ids)
    const parts = this.#parts.flatMap((part): [RecordSet, string][] => {
      const column = referenceTo(part, set)
      return column === undefined ? [] : [[part, column]]
    })
    for (const row of rowsOf(this.#snapshot, set).filter(({ id }) => wanted.has(String(id)))) {
      const copies = Array.from({ length: count }, (_, number) => copyOf(set, row, number))
      made.push(...copies)
      known.set(
        String(row['id']),
        copies.map(({ id }) => String(id)),
      )
      copies.forEach((copy, number) => {
        this.#copyParts(parts, row, copy, number)
      })
    }
    this.#made.set(set, made)
    this.#ids.set(set, known)
  }

  of(set: RecordSet, ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.#ids.get(set)?.get(id) ?? [])
  }

  /** The snapshot with all copies after their originals. */
  withAll(): Snapshot {
    const whole: Record<string, Record<string, readonly Row[]>> = { ...this.#snapshot }
    for (const [set, rows] of this.#made) {
      whole[set.section] = { ...whole[set.section], [set.name]: [...rowsOf(this.#snapshot, set), ...rows] }
    }
    return whole
  }

  #copyParts(
    parts: readonly (readonly [RecordSet, string])[],
    original: Row,
    copy: Row,
    number: number,
  ): void {
    for (const [part, column] of parts) {
      const rows = rowsOf(this.#snapshot, part).filter((row) => row[column] === original['id'])
      const copies = rows.map((row) => ({ ...copyOf(part, row, number, column), [column]: copy['id'] }))
      const made = this.#made.get(part) ?? []
      made.push(...copies)
      this.#made.set(part, made)
    }
  }
}

const nameOf = (table: SQLiteTable, target: unknown): string | undefined =>
  Object.entries(getTableColumns(table)).find(([, column]) => column === target)?.[0]

/** The column of a part that refers to its parent record. */
function referenceTo({ table }: RecordSet, parent: RecordSet): string | undefined {
  for (const key of getTableConfig(table as SQLiteTable).foreignKeys) {
    const { columns, foreignTable } = key.reference()
    // A part is deleted with its record.
    if (foreignTable !== parent.table || key.onDelete !== 'cascade') continue
    return nameOf(table as SQLiteTable, columns.at(-1))
  }
  return undefined
}

const known = new WeakMap<SQLiteTable, string[][]>()

/** The columns of each unique key of a table. */
function keysOf(table: SQLiteTable): string[][] {
  const found = known.get(table)
  if (found) return found
  const { indexes, primaryKeys } = getTableConfig(table)
  const keys = [
    ...indexes.filter(({ config }) => config.unique).map(({ config }) => config.columns),
    ...primaryKeys.map(({ columns }) => columns),
  ].map((columns) => columns.map((column) => nameOf(table, column) ?? ''))
  known.set(table, keys)
  return keys
}

/** A copy that differs only in unique values. A part of another record already differs in its reference. */
function copyOf({ table }: RecordSet, row: Row, number: number, reference?: string): Row {
  const keys = keysOf(table as SQLiteTable)
  const distinct = keys
    .filter((names) => reference === undefined || !names.includes(reference))
    .flat()
    .filter((name) => typeof row[name] === 'string')
    .map((name) => [name, another(String(row[name]), number)])
  return { ...row, ...Object.fromEntries(distinct) }
}

/** The stored records that a list must show, in order. */
function expectedOf(whole: Snapshot, set: RecordSet, recordIds: ReadonlySet<string>): Expected[] {
  const related = new Map<unknown, Row[]>()
  for (const row of Object.values(whole[set.section] ?? {}).flat()) {
    for (const value of Object.values(row)) {
      if (typeof value === 'string' && recordIds.has(value) && value !== row['id']) {
        related.set(value, [...(related.get(value) ?? []), row])
      }
    }
  }
  return rowsOf(whole, set)
    .map((row) => ({ id: String(row['id']), stored: row, related: related.get(row['id']) ?? [] }))
    .filter(({ id }) => recordIds.has(id))
}
