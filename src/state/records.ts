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
import type { JobKind } from './jobs.ts'
import { writer, type Writer } from './prepared.ts'
import type { Folded } from './searching.ts'
import { counters, emails, events, users } from './tables.ts'
import type { Workspace } from './workspace.ts'

type Row = Record<string, unknown>

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
  readonly #baseline: Baseline

  constructor(sets: readonly RecordSet[], traces: readonly WorkspaceTable[]) {
    this.sets = sets
    this.traces = [...traces, events, emails]
    this.#emptyTrace = this.traces.map((table) =>
      writer((orm) =>
        orm.delete(table as SQLiteTable).where(eq(table.workspace, sql.placeholder('workspace'))),
      ),
    )
    this.#baseline = new Baseline(sets.map((set) => set.table))
  }

  /** The sections of a snapshot as TypeBox objects, made from the columns of the tables. */
  sections(): Record<string, TObject> {
    const sections: Record<string, Record<string, TSchema>> = {}
    for (const set of this.sets) {
      const lists = (sections[set.section] ??= {})
      lists[set.name] = Type.Optional(Type.Array(rowSchema(set)))
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

  /**
   * The last numbers given out, by kind; part of a snapshot, because an id that is drawn later must not meet a record
   * that is put back now.
   */
  counters(workspace: Workspace): Record<string, number> {
    const rows = workspace.database.orm
      .select({ kind: counters.kind, last: counters.last })
      .from(counters)
      .where(eq(counters.workspace, workspace.number))
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
    const { orm } = workspace.database
    workspace.write(() => {
      this.#emptyTraces(workspace)
      this.#baseline.empty(workspace.database, workspace.number)
      for (const set of this.sets) {
        const section = snapshot[set.section] as Record<string, Row[]> | undefined
        for (const record of section?.[set.name] ?? []) {
          set.put(workspace, fromRecord(set, record))
        }
      }
      if (lastNumbers) {
        orm.delete(counters).where(eq(counters.workspace, workspace.number)).run()
        for (const [kind, last] of Object.entries(lastNumbers)) {
          orm.insert(counters).values({ workspace: workspace.number, kind, last }).run()
        }
      }
    })
    workspace.forget()
  }

  /** Remembers the records as they are now for `reset`. */
  keepBaseline(workspace: Workspace): void {
    this.#baseline.keep(workspace)
  }

  /** Puts back what `keepBaseline` remembered; what happened since is forgotten. */
  reset(workspace: Workspace): void {
    workspace.write(() => {
      this.#emptyTraces(workspace)
      this.#baseline.restore(workspace)
    })
    workspace.forget()
    workspace.registry.forgetCallers()
  }

  /** Removes everything the workspace holds. */
  remove(workspace: Workspace): void {
    const { database, number } = workspace
    workspace.write(() => {
      this.#emptyTraces(workspace)
      for (const side of [number, -number]) {
        this.#baseline.empty(database, side)
        for (const table of [counters, users]) {
          database.orm.delete(table).where(eq(table.workspace, side)).run()
        }
      }
    })
  }

  #emptyTraces({ database, number }: Workspace): void {
    for (const empty of this.#emptyTrace) empty(database, { workspace: number })
  }
}

function rowSchema(set: RecordSet): TObject {
  const properties: Record<string, TSchema> = {}
  const shapes = set.shapes()
  for (const [name, column] of Object.entries(getTableColumns(set.table as SQLiteTable))) {
    if (name === 'workspace' || set.derived.includes(name)) continue
    const schema = shapes[name] ?? columnSchema(column, set.instants.includes(name))
    const nullable = column.notNull ? schema : orNull(schema)
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
