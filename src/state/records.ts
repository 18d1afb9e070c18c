/**
 * All records of a workspace at once: as a snapshot, back to where it began, or gone. Which tables there are is told
 * by the interfaces; `app.ts` puts the list together.
 *
 * What a workspace was made with is kept in the same tables under its number with a minus sign, so that a reset is
 * one DELETE and one INSERT ... SELECT a table.
 */
import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { eq, getTableColumns, getTableName, sql, type Column } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { iso, instantOf } from './clock.ts'
import type { Database } from './database.ts'
import { counters, emails, events } from './tables.ts'
import type { Workspace } from './workspaces.ts'

type Row = Record<string, unknown>
type WorkspaceTable = SQLiteTable & { workspace: SQLiteColumn }

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
  /** Fills the derived columns. */
  complete?(workspace: Workspace, row: Row): Row
}

/** Which record sets a database has, parents before children. */
export class Records {
  readonly sets: readonly RecordSet[]
  /** Tables that a reset empties and a snapshot leaves out: what happened, not what is. */
  readonly #traces: readonly WorkspaceTable[]

  constructor(sets: readonly RecordSet[], traces: readonly WorkspaceTable[]) {
    this.sets = sets
    this.#traces = [...traces, events, emails]
  }

  /** The sections of a snapshot as TypeBox objects, made from the columns of the tables. */
  sections(): Record<string, TObject> {
    const sections: Record<string, Record<string, TSchema>> = {}
    for (const set of this.sets) {
      const lists = (sections[set.section] ??= {})
      lists[set.name] = Type.Optional(Type.Array(rowSchema(set)))
    }
    return Object.fromEntries(Object.entries(sections).map(([name, lists]) => [name, Type.Object(lists)]))
  }

  /** Every record of the workspace, section by section. */
  dump(workspace: Workspace): Record<string, Record<string, Row[]>> {
    const snapshot: Record<string, Record<string, Row[]>> = {}
    for (const set of this.sets) {
      const rows = workspace.database.orm
        .select()
        .from(set.table as SQLiteTable)
        .where(eq(set.table.workspace, workspace.number))
        .orderBy(sql`rowid`)
        .all() as Row[]
      ;(snapshot[set.section] ??= {})[set.name] = rows.map((row) => toRecord(set, row))
    }
    return snapshot
  }

  /** Puts the records of a snapshot, already checked against its schema, in the place of those that are there. */
  load(workspace: Workspace, snapshot: Readonly<Record<string, unknown>>): void {
    workspace.write(() => {
      this.#empty(workspace.database, workspace.number)
      for (const set of this.sets) {
        const section = snapshot[set.section] as Record<string, Row[]> | undefined
        for (const record of section?.[set.name] ?? []) {
          const row = fromRecord(set, workspace, record)
          workspace.database.orm.insert(set.table).values(row).run()
        }
      }
    })
    workspace.forget()
  }

  /** Remembers the records as they are now for `reset`. */
  keepOrigin(workspace: Workspace): void {
    this.#copy(workspace.database, workspace.number, -workspace.number)
  }

  /** Puts back what `keepOrigin` remembered; what happened since is forgotten. */
  reset(workspace: Workspace): void {
    workspace.write(() => {
      this.#empty(workspace.database, workspace.number)
      this.#copy(workspace.database, -workspace.number, workspace.number)
    })
    workspace.forget()
  }

  /** Removes everything the workspace holds. */
  remove(workspace: Workspace): void {
    workspace.write(() => {
      this.#empty(workspace.database, workspace.number)
      this.#empty(workspace.database, -workspace.number)
    })
  }

  #empty(database: Database, number: number): void {
    const children = this.sets.map((set) => set.table).reverse()
    for (const table of [...this.#traces, ...children, counters]) {
      database.orm.delete(table).where(eq(table.workspace, number)).run()
    }
  }

  #copy(database: Database, from: number, to: number): void {
    for (const table of [...this.sets.map((set) => set.table), counters]) {
      const names = Object.values(getTableColumns(table)).map((column) => `"${column.name}"`)
      const others = names.filter((name) => name !== '"workspace"').join(', ')
      const quoted = `"${getTableName(table)}"`
      database.sqlite
        .prepare(
          `INSERT INTO ${quoted} ("workspace", ${others}) SELECT ?, ${others} FROM ${quoted} WHERE "workspace" = ? ORDER BY rowid`,
        )
        .run(to, from)
    }
  }
}

function rowSchema(set: RecordSet): TObject {
  const properties: Record<string, TSchema> = {}
  for (const [name, column] of Object.entries(getTableColumns(set.table as SQLiteTable))) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    const schema = columnSchema(column, set.instants.includes(name))
    const nullable = column.notNull ? schema : Type.Union([schema, Type.Null()])
    properties[name] = column.notNull && !column.hasDefault ? nullable : Type.Optional(nullable)
  }
  return Type.Object(properties, { additionalProperties: false })
}

function columnSchema(column: Column, isInstant: boolean): TSchema {
  if (isInstant) return Type.String({ format: 'date-time' })
  if (column.enumValues) return Type.Unsafe({ type: 'string', enum: column.enumValues })
  switch (column.dataType) {
    case 'string':
      return Type.String()
    case 'number':
      return Type.Integer()
    case 'boolean':
      return Type.Boolean()
    default:
      return Type.Unknown()
  }
}

function toRecord(set: RecordSet, row: Row): Row {
  const record: Row = {}
  for (const [name, value] of Object.entries(row)) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    record[name] = set.instants.includes(name) && typeof value === 'number' ? iso(value) : value
  }
  return record
}

function fromRecord(set: RecordSet, workspace: Workspace, record: Row): Row {
  const row: Row = { workspace: workspace.number }
  for (const [name, column] of Object.entries(getTableColumns(set.table as SQLiteTable))) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    const value = record[name] ?? (column.hasDefault ? column.default : null)
    row[name] = set.instants.includes(name) && typeof value === 'string' ? instantOf(value) : value
  }
  return set.complete?.(workspace, row) ?? row
}
