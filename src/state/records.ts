/**
 * All records of a workspace at once: as a snapshot, back to where it began, or gone. Which tables there are is told
 * by the interfaces; `app.ts` puts the list together.
 *
 * Users are no records: they stay, because keys are theirs. A reset gives the ones of the start their names back.
 */
import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { eq, getTableColumns, sql, type Column } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Baseline, type WorkspaceTable } from './baseline.ts'
import { iso, writtenInstant } from './clock.ts'
import { lettingFilesGo } from './fileDiscarding.ts'
import { historyOf, type History, type HistoryTable } from './history.ts'
import type { Database } from './database.ts'
import type { JobKind } from './jobs.ts'
import { writer, type Writer } from './prepared.ts'
import { forgetSaved } from './savedSnapshots.ts'
import { placesWithin, Scopes, type Pace, type Places } from './scopes.ts'
import type { Folded } from './searching.ts'
import { id, LIMITED_ELSEWHERE } from './shapes.ts'
import { counters, coverage, emails, events, journal, users } from './tables.ts'
import type { Workspace } from './workspace.ts'

type Row = Record<string, unknown>

/** So many rows of a workspace, or of what it was made with, are copied or deleted in one go. */
const MAX_IN_ONE_SLICE = 2500

/** One table of an interface as it stands in snapshots. */
export interface RecordSet {
  /** The interface, and the name of the list in it: `catalog`, `products`. */
  readonly section: string
  readonly name: string
  readonly table: WorkspaceTable
  /** Columns that hold ms since the epoch; a snapshot shows them as ISO 8601. */
  readonly instants: readonly string[]
  /** Columns that follow from the others, and so are not part of a snapshot. */
  readonly derived: readonly string[]
  /** Those of them that follow from the collation too, and how. */
  readonly folded: Readonly<Record<string, Folded<Row>>>
  /** What a snapshot may hold in a column, where that is less than the column's type takes. */
  readonly shapes: () => Readonly<Record<string, TSchema | undefined>>
  /** What falls due in the table; null when nothing does. */
  readonly job: JobKind | null
  /** Writes a row of a snapshot, which it completes in place, or refuses it. Only inside a `write`. */
  readonly put: (workspace: Workspace, row: Row) => void
}

/** Which record sets a database has, parents before children. */
export class Records {
  readonly sets: readonly RecordSet[]
  /** The tables that a reset empties and a snapshot leaves out: what happened, not what is. */
  readonly traces: readonly WorkspaceTable[]
  readonly #emptyTrace: readonly Writer[]
  /** Those of the traces that a workspace may be made with. */
  readonly #histories: readonly HistoryTable[]
  readonly #baseline: Baseline
  readonly #scopes: (database: Database) => Scopes

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
  }

  /** The sections of a snapshot as TypeBox objects, made from the columns of the tables. */
  sections(): Record<string, TObject> {
    const sections: Record<string, Record<string, TSchema>> = {}
    for (const set of this.sets) {
      const lists = (sections[set.section] ??= {})
      lists[set.name] = Type.Optional(Type.Array(rowSchema(set), LIMITED_ELSEWHERE))
    }
    return Object.fromEntries(
      Object.entries(sections).map(([name, lists]) => [
        name,
        Type.Object(lists, { additionalProperties: false }),
      ]),
    )
  }

  /** Every record of the workspace, section by section. */
  dump(workspace: Workspace): Record<string, Record<string, Row[]>> {
    const snapshot: Record<string, Record<string, Row[]>> = {}
    const scopes = this.scopes(workspace.database)
    for (const set of this.sets) {
      // Most sets of most workspaces are empty, and to ask whether one is takes less than to read nothing.
      const isEmpty = scopes.isEmpty(set.table, workspace.rowScope)
      ;(snapshot[set.section] ??= {})[set.name] = isEmpty ? [] : this.#recordsOf(workspace, set)
    }
    return snapshot
  }

  #recordsOf({ database, rowScope }: Workspace, set: RecordSet): Row[] {
    const rows = database.orm
      .select()
      .from(set.table as SQLiteTable)
      .where(eq(set.table.workspace, rowScope))
      .orderBy(sql`rowid`)
      .all() as Row[]
    return rows.map((row) => toRecord(set, row))
  }

  /** Where the records of a set stand, a step at a time. */
  placesOf({ database, rowScope }: Workspace, set: RecordSet, pace: Pace): Iterable<Places> {
    return placesWithin(this.scopes(database).boundsOf(set.table, rowScope), pace)
  }

  /** The records of a set that stand at these places. */
  dumpAt({ database, rowScope }: Workspace, set: RecordSet, { after, upTo }: Places): Row[] {
    const rows = database.orm
      .select()
      .from(set.table as SQLiteTable)
      // The plus sign keeps SQLite from walking through the workspace instead of going to the places.
      .where(sql`rowid > ${after} and rowid <= ${upTo} and +${set.table.workspace} = ${rowScope}`)
      .orderBy(sql`rowid`)
      .all() as Row[]
    return rows.map((row) => toRecord(set, row))
  }

  /** How many records of a set there are. */
  count({ database, rowScope }: Workspace, set: RecordSet): number {
    const found = database.orm
      .select({ count: sql<number>`count(*)` })
      .from(set.table as SQLiteTable)
      .where(eq(set.table.workspace, rowScope))
      .get()
    return found?.count ?? 0
  }

  /** So many records of a set, in the order of insertion, each with its place; those behind a place. */
  page(
    { database, rowScope }: Workspace,
    set: RecordSet,
    after: number,
    limit: number,
  ): { readonly place: number; readonly record: Row }[] {
    const rows = database.orm
      .select({ place: sql<number>`rowid`, row: getTableColumns(set.table as SQLiteTable) })
      .from(set.table as SQLiteTable)
      .where(sql`${set.table.workspace} = ${rowScope} and rowid > ${after}`)
      .orderBy(sql`rowid`)
      .limit(limit)
      .all() as { place: number; row: Row }[]
    return rows.map(({ place, row }) => ({ place, record: toRecord(set, row) }))
  }

  /** One record of a set; undefined where there is none, or records of this set have no ids. */
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
   * The last numbers given out, by kind; part of a snapshot, because an id that is drawn later must not meet a record
   * that is put back now.
   */
  counters(workspace: Workspace): Record<string, number> {
    const rows = workspace.database.orm
      .select({ kind: counters.kind, last: counters.last })
      .from(counters)
      .where(eq(counters.workspace, workspace.tenantId))
      .orderBy(counters.kind)
      .all()
    return Object.fromEntries(rows.map(({ kind, last }) => [kind, last]))
  }

  /**
   * Puts the records of a snapshot, already checked against its schema, in the place of those that are there. The
   * counters go on where they are when none are given.
   */
  load(
    workspace: Workspace,
    snapshot: Readonly<Record<string, unknown>>,
    lastNumbers?: Readonly<Record<string, number>>,
  ): void {
    workspace.write(() => {
      this.#emptyTraces(workspace)
      this.#baseline.empty(workspace.database, workspace.rowScope)
      for (const set of this.sets) {
        const section = snapshot[set.section] as Record<string, Row[]> | undefined
        for (const record of section?.[set.name] ?? []) {
          this.put(workspace, set, record)
        }
      }
      if (lastNumbers) this.setCounters(workspace, lastNumbers)
    })
    workspace.forget()
  }

  /** Puts a record of a snapshot among those of the workspace. Only inside a `write`. */
  put(workspace: Workspace, set: RecordSet, record: Row): void {
    set.put(workspace, fromRecord(set, record))
  }

  /** Puts these in the place of the last numbers given out. Only inside a `write`. */
  setCounters(
    { database: { orm }, tenantId }: Workspace,
    lastNumbers: Readonly<Record<string, number>>,
  ): void {
    orm.delete(counters).where(eq(counters.workspace, tenantId)).run()
    for (const [kind, last] of Object.entries(lastNumbers)) {
      orm.insert(counters).values({ workspace: tenantId, kind, last }).run()
    }
  }

  /** Remembers the records as they are now for `reset`. */
  keepBaseline(workspace: Workspace): void {
    this.#baseline.keep(workspace)
  }

  /** Gives a workspace that is being made what happened before, and remembers it for `reset`. Only inside a `write`. */
  putHistory(workspace: Workspace, history: History): void {
    const { database, rowScope, baselineScope } = workspace
    for (const of of this.#histories) of.put(database, baselineScope, history[of.name] ?? [])
    this.copyHistory(database, baselineScope, rowScope)
  }

  /** Copies what happened before from where it is remembered. Only inside a `write`. */
  copyHistory(database: Database, from: number, to: number): void {
    for (const of of this.#histories) of.copy(database, from, to)
  }

  /** Puts back what `keepBaseline` remembered; what happened since is forgotten. */
  reset(workspace: Workspace): void {
    lettingFilesGo(workspace, () => {
      workspace.write(() => {
        this.#emptyTraces(workspace)
        this.#baseline.restore(workspace)
        this.copyHistory(workspace.database, workspace.baselineScope, workspace.rowScope)
      })
    })
    workspace.forget()
    workspace.registry.forgetCallers()
  }

  /**
   * Takes everything from the workspace that it holds. Little is deleted at once; much is bit by bit, once that is told to
   * `scopes`. Only inside a `write`.
   */
  remove(workspace: Workspace): void {
    const { database, rowScope, baselineScope, tenantId } = workspace
    const scopes = this.scopes(database)
    if (this.isLarge(workspace)) {
      for (const scope of [rowScope, baselineScope]) scopes.discard(scope)
    } else {
      lettingFilesGo(workspace, () => {
        for (const scope of [rowScope, baselineScope]) {
          this.#emptyTraces({ database, rowScope: scope })
          this.#baseline.empty(database, scope)
        }
      })
    }
    forgetSaved(workspace, (scope) => {
      scopes.discard(scope)
    })
    for (const side of [tenantId, -tenantId]) {
      for (const table of [counters, users]) {
        database.orm.delete(table).where(eq(table.workspace, side)).run()
      }
    }
  }

  /** Whether there is too much in the workspace, or was when it was made, to be moved or deleted in one slice. */
  isLarge({ database, rowScope, baselineScope }: Workspace): boolean {
    const scopes = this.scopes(database)
    return [rowScope, baselineScope].some((scope) => scopes.holdsMoreThan(MAX_IN_ONE_SLICE, scope))
  }

  /** What the records of this database stand under. */
  scopes(database: Database): Scopes {
    return database.own(this.#scopes)
  }

  /** What the workspace has beside records is as it was when it was made; for those that are put back otherwise. */
  restoreOthers(workspace: Workspace): void {
    this.#baseline.restoreOthers(workspace)
  }

  /** What the workspace has beside records is what it was made with; for records that are kept otherwise. */
  keepOthers(workspace: Workspace): void {
    this.#baseline.keepOthers(workspace)
  }

  #emptyTraces({ database, rowScope }: Pick<Workspace, 'database' | 'rowScope'>): void {
    for (const empty of this.#emptyTrace) empty(database, { workspace: rowScope })
  }
}

function rowSchema(set: RecordSet): TObject {
  const properties: Record<string, TSchema> = {}
  const shapes = set.shapes()
  for (const [name, column] of Object.entries(getTableColumns(set.table as SQLiteTable))) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    const schema = shapes[name] ?? columnSchema(name, column, set.instants.includes(name))
    const nullable = column.notNull ? schema : orNull(schema)
    properties[name] = column.notNull && !column.hasDefault ? nullable : Type.Optional(nullable)
  }
  return Type.Object(properties, { additionalProperties: false })
}

/** Ids are named so: of the record itself, and of others. */
const IS_ID = /^id$|Id$/

function columnSchema(name: string, column: Column, isInstant: boolean): TSchema {
  if (isInstant) return Type.String({ format: 'date-time' })
  if (column.enumValues) return Type.Unsafe({ type: 'string', enum: column.enumValues })
  switch (column.dataType) {
    case 'string':
      return IS_ID.test(name) ? id() : Type.String()
    case 'number':
      return column.columnType === 'SQLiteReal'
        ? Type.Number()
        : Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
    case 'boolean':
      return Type.Boolean()
    default:
      return Type.Unknown()
  }
}

/** One schema with two types instead of two alternatives, so that a problem names one rule and not three. */
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
    row[name] = set.instants.includes(name) && typeof value === 'string' ? writtenInstant(value) : value
  }
  return row
}
