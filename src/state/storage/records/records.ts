/**
 * All records of a workspace: snapshots, resets and deletion. The interfaces declare the tables; `app.ts` collects
 * them.
 *
 * Users are not records: they stay, because keys belong to them. A reset restores the names of the first users.
 */
import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Baseline, type WorkspaceTable } from './baseline.ts'
import { iso, offsetInstantOf } from '@suite-sim/kit/time/instants'
import { discardFilesAfter } from '../../files/fileCleanup.ts'
import { historyOf, type History, type HistoryTable } from './history.ts'
import type { Database } from '../database/database.ts'
import type { JobKind } from '../../workspace/jobs.ts'
import { writer, type Writer } from '../database/prepared.ts'
import { forgetDescent, removeAllSaved } from './savedSnapshots.ts'
import { rowidRanges, type Pace, type RowidRange } from '../database/pace.ts'
import { Scopes } from './scopes.ts'
import { meaningOf } from '../columns.ts'
import { LIMITED_AS_A_WHOLE } from '../shapes.ts'
import { Sizes } from '../../files/sizes.ts'
import { DEFAULT_MAX_WORKSPACE_BYTES } from '../../files/quotaLimits.ts'
import type { Measures } from '../../limits/quota.ts'
import { counters, coverage, emails, events, journal, storedFiles, users } from '../tables.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type Row = Record<string, unknown>

/** The maximum number of rows of a workspace or its baseline for a reset in one slice. */
const MAX_ROWS_PER_SLICE = 2500

/** A table of an interface in snapshots. */
export interface RecordSet {
  /** The interface and the name of its list: `catalog`, `products`. */
  readonly section: string
  readonly name: string
  readonly table: WorkspaceTable
  /** Columns with ms since the epoch; snapshots show them as ISO 8601. */
  readonly instants: readonly string[]
  /** Columns other than the id with random values, such as tokens. */
  readonly generated: readonly string[]
  /** Derived columns, which snapshots leave out. */
  readonly derived: readonly string[]
  /** Whether its rows are parts of others or bookkeeping, which no interface returns on their own. */
  readonly isInternal: boolean
  /** Whether its rows only count, such as the last numbers of ids. Diffs leave them out. */
  readonly isCounter: boolean
  /** The functions of derived columns that depend only on their row. */
  readonly derivations: Readonly<Record<string, (row: Row) => unknown>>
  /** The due jobs of the table; null if it has none. */
  readonly job: JobKind | null
  /** Completes a snapshot row in place and writes it, or throws a refusal. Only inside a `write`. */
  readonly put: (workspace: Workspace, row: Row) => void
}

/** The record sets of a database, parents before children. */
export class Records {
  readonly sets: readonly RecordSet[]
  /** History tables: a reset empties them, and snapshots leave them out. */
  readonly traces: readonly WorkspaceTable[]
  readonly #emptyTrace: readonly Writer[]
  /** The history tables that a new workspace can have rows in. */
  readonly #histories: readonly HistoryTable[]
  readonly #baseline: Baseline
  readonly #scopes: (database: Database) => Scopes
  readonly #sizes: (database: Database) => Sizes

  constructor(sets: readonly RecordSet[], traces: readonly WorkspaceTable[]) {
    this.sets = sets
    this.traces = [...traces, events, emails, journal, coverage]
    this.#emptyTrace = this.traces.map((table) =>
      writer((orm) =>
        orm.delete(table as SQLiteTable).where(eq(table.workspace, sql.placeholder('workspace'))),
      ),
    )
    this.#histories = [...traces, emails].map(historyOf)
    const tables = sets.map((set) => set.table)
    this.#baseline = new Baseline(tables)
    this.#scopes = (database) => new Scopes(database, [...tables, ...this.traces])
    this.#sizes = (database) => new Sizes(database, this.scopes(database), tables, storedFiles)
  }

  /** Returns the sections of a snapshot as TypeBox objects, created from the columns of the tables. */
  sections(): Record<string, TObject> {
    const sections: Record<string, Record<string, TSchema>> = {}
    for (const set of this.sets) {
      const lists = (sections[set.section] ??= {})
      lists[set.name] = Type.Optional(Type.Array(rowSchema(set), LIMITED_AS_A_WHOLE))
    }
    return Object.fromEntries(
      Object.entries(sections).map(([name, lists]) => [
        name,
        Type.Object(lists, { additionalProperties: false }),
      ]),
    )
  }

  /** Yields the rowid ranges of a set, one per step. */
  rowidRangesOf({ database, rowScope }: Workspace, set: RecordSet, pace: Pace): Iterable<RowidRange> {
    return rowidRanges(this.scopes(database).boundsOf(set.table, rowScope), pace)
  }

  /** Returns the records of a set in a rowid range. */
  dumpAt({ database, rowScope }: Workspace, set: RecordSet, { after, upTo }: RowidRange): Row[] {
    const rows = database.orm
      .select()
      .from(set.table as SQLiteTable)
      // The plus sign makes SQLite use the rowid instead of the index of the workspace.
      .where(sql`rowid > ${after} and rowid <= ${upTo} and +${set.table.workspace} = ${rowScope}`)
      .orderBy(sql`rowid`)
      .all() as Row[]
    return rows.map((row) => toRecord(set, row))
  }

  /** Counts the records of a set. */
  count({ database, rowScope }: Workspace, set: RecordSet): number {
    const found = database.orm
      .select({ count: sql<number>`count(*)` })
      .from(set.table as SQLiteTable)
      .where(eq(set.table.workspace, rowScope))
      .get()
    return found?.count ?? 0
  }

  /** Counts the records of a set that were created after an instant; 0 if its records have no creation. */
  countCreatedAfter({ database, rowScope }: Workspace, set: RecordSet, instant: number): number {
    const { createdAt } = getTableColumns(set.table as SQLiteTable)
    if (!createdAt || set.isInternal) return 0
    const found = database.orm
      .select({ count: sql<number>`count(*)` })
      .from(set.table as SQLiteTable)
      .where(and(eq(set.table.workspace, rowScope), gt(createdAt, instant)))
      .get()
    return found?.count ?? 0
  }

  /** Returns a page of records of a set, in the order of insertion or backwards, from the start or after a rowid. */
  page(
    { database, rowScope }: Workspace,
    set: RecordSet,
    after: number | null,
    limit: number,
    order: 'oldest' | 'newest' = 'oldest',
  ): { readonly place: number; readonly record: Row }[] {
    const isAfter =
      after === null ? sql`true` : order === 'oldest' ? sql`rowid > ${after}` : sql`rowid < ${after}`
    const rows = database.orm
      .select({ place: sql<number>`rowid`, row: getTableColumns(set.table as SQLiteTable) })
      .from(set.table as SQLiteTable)
      .where(sql`${set.table.workspace} = ${rowScope} and ${isAfter}`)
      .orderBy(order === 'oldest' ? sql`rowid` : sql`rowid desc`)
      .limit(limit)
      .all() as { place: number; row: Row }[]
    return rows.map(({ place, row }) => ({ place, record: toRecord(set, row) }))
  }

  /** Returns the records of a set at these rowids, in any row scope. */
  at({ orm }: Database, set: RecordSet, places: readonly number[]): Map<number, Row> {
    const rows = orm
      .select({ place: sql<number>`rowid`, row: getTableColumns(set.table as SQLiteTable) })
      .from(set.table as SQLiteTable)
      .where(sql`rowid in (select value from json_each(${JSON.stringify(places)}))`)
      .all() as { place: number; row: Row }[]
    return new Map(rows.map(({ place, row }) => [place, toRecord(set, row)]))
  }

  /** Returns one record of a set; undefined if it does not exist or the set has no ids. */
  one({ database, rowScope }: Workspace, set: RecordSet, id: string): Row | undefined {
    const { id: column } = getTableColumns(set.table as SQLiteTable)
    if (!column) return undefined
    const row = database.orm
      .select()
      .from(set.table as SQLiteTable)
      .where(sql`${set.table.workspace} = ${rowScope} and ${column} = ${id}`)
      .get()
    return row && toRecord(set, row)
  }

  /**
   * Returns the last number of each counter. Part of a snapshot, because a later id must not collide with a restored
   * record. Without those of webhooks: deliveries are no part of a snapshot, and their attempts end at any time.
   */
  counters(workspace: Workspace): Record<string, number> {
    const rows = workspace.database.orm
      .select({ kind: counters.kind, last: counters.last })
      .from(counters)
      .where(eq(counters.workspace, workspace.tenantId))
      .orderBy(counters.kind)
      .all()
    const kept = rows.filter(({ kind }) => !kind.startsWith('seed:webhook.'))
    return Object.fromEntries(kept.map(({ kind, last }) => [kind, last]))
  }

  /** Adds a record of a snapshot to the workspace. Only inside a `write`. */
  put(workspace: Workspace, set: RecordSet, record: Row): void {
    set.put(workspace, fromRecord(set, record))
  }

  /** Replaces the last numbers of all counters. Only inside a `write`. */
  setCounters(
    { database: { orm }, tenantId }: Workspace,
    lastNumbers: Readonly<Record<string, number>>,
  ): void {
    orm.delete(counters).where(eq(counters.workspace, tenantId)).run()
    for (const [kind, last] of Object.entries(lastNumbers)) {
      orm.insert(counters).values({ workspace: tenantId, kind, last }).run()
    }
  }

  /** Adds history to a row scope. Only inside a `write`. */
  putHistory(database: Database, rowScope: number, history: History): void {
    for (const table of this.#histories) table.put(database, rowScope, history[table.name] ?? [])
  }

  /** Copies history between row scopes. Only inside a `write`. */
  copyHistory(database: Database, from: number, to: number): void {
    for (const table of this.#histories) table.copy(database, from, to)
  }

  /** Restores the baseline and deletes the history since then. */
  reset(workspace: Workspace): void {
    discardFilesAfter(workspace, () => {
      workspace.write(() => {
        for (const empty of this.#emptyTrace) empty(workspace.database, { workspace: workspace.rowScope })
        this.#baseline.restore(workspace)
        forgetDescent(workspace)
        this.copyHistory(workspace.database, workspace.baselineScope, workspace.rowScope)
      })
    })
    workspace.forget()
  }

  /** Deletes everything in the workspace; its records in the background (`scopes.ts`). Only inside a `write`. */
  remove(workspace: Workspace): void {
    const { database, rowScope, baselineScope, tenantId } = workspace
    const scopes = this.scopes(database)
    const discard = (scope: number): void => {
      scopes.discard(scope)
    }
    discard(rowScope)
    if (!isShared(workspace)) discard(baselineScope)
    removeAllSaved(workspace, discard)
    for (const side of [tenantId, -tenantId]) {
      for (const table of [counters, users]) {
        database.orm.delete(table).where(eq(table.workspace, side)).run()
      }
    }
  }

  /** Checks whether the workspace or its baseline is too large for a reset in one slice. */
  isLarge({ database, rowScope, baselineScope }: Workspace): boolean {
    const scopes = this.scopes(database)
    return [rowScope, baselineScope].some((scope) => scopes.holdsMoreThan(MAX_ROWS_PER_SLICE, scope))
  }

  /** Returns the row scopes of this database. */
  scopes(database: Database): Scopes {
    return database.own(this.#scopes)
  }

  /** Returns the limit of the bytes of a workspace, with its measurement. */
  quota(
    database: Database,
    maxBytes = DEFAULT_MAX_WORKSPACE_BYTES,
  ): { readonly maxBytes: number; readonly sizes: Measures } {
    return { maxBytes, sizes: database.own(this.#sizes) }
  }

  /** Restores users and counters, for records that are restored in another way. */
  restoreOthers(workspace: Workspace): void {
    this.#baseline.restoreOthers(workspace)
  }

  /**
   * Saves the current users and counters instead of the former ones, moves the history to a new baseline, and discards the
   * former one. Only inside a `write`.
   */
  replaceBaseline(workspace: Workspace, base: number): void {
    const { database, baselineScope, tenantId } = workspace
    this.copyHistory(database, baselineScope, base)
    if (!isShared(workspace)) this.scopes(database).discard(baselineScope)
    for (const table of [counters, users]) {
      database.orm.delete(table).where(eq(table.workspace, -tenantId)).run()
    }
    this.keepOthers(workspace)
  }

  /** Saves the current users and counters for `reset`. */
  keepOthers(workspace: Workspace): void {
    this.#baseline.keepOthers(workspace)
  }
}

/** Whether another workspace has the same baseline: that of a built-in fixture. */
function isShared({ database, baselineScope, tenantId }: Workspace): boolean {
  const found = database.sqlite
    .prepare<[number, number], number>('SELECT 1 FROM workspaces WHERE base = ? AND number <> ?')
    .get(baselineScope, tenantId)
  return found !== undefined
}

function rowSchema(set: RecordSet): TObject {
  const properties: Record<string, TSchema> = {}
  for (const [name, column] of Object.entries(getTableColumns(set.table as SQLiteTable))) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    const schema = meaningOf(column)?.schema()
    if (!schema) throw new Error(`the column ${name} of ${set.section}.${set.name} is not one of \`table\``)
    const nullable = column.notNull ? schema : orNull(schema)
    properties[name] = column.notNull && !column.hasDefault ? nullable : Type.Optional(nullable)
  }
  return Type.Object(properties, { additionalProperties: false })
}

/** Allows null with one schema of two types, so that an error names one rule instead of three. */
function orNull(schema: TSchema): TSchema {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] }
  if (type === undefined) return schema
  return Type.Unsafe({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) })
}

function toRecord(set: RecordSet, row: Row): Row {
  const record: Row = {}
  for (const [name, value] of Object.entries(row)) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    record[name] = set.instants.includes(name) && typeof value === 'number' ? iso(value) : value
  }
  return record
}

function fromRecord(set: RecordSet, record: Row): Row {
  const row: Row = {}
  for (const [name, column] of Object.entries(getTableColumns(set.table as SQLiteTable))) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    const value: unknown = record[name] ?? (column.hasDefault ? column.default : null)
    row[name] = set.instants.includes(name) && typeof value === 'string' ? offsetInstantOf(value) : value
  }
  return row
}
