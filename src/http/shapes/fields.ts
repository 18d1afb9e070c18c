/**
 * JSON text of records, directly from the columns. A wire shape is data: each field is a column, or is
 * computed from columns. SQLite writes the text of plain columns, several in one cell, so that no row or view
 * object is created.
 */
import { getTableColumns, sql, type Column, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isoOrNull } from '@suite-sim/kit/time/instants'
import { decoderOf, type Cells, type Selection } from '../../state/storage/queries/readers.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Rendering } from './renderings.ts'

/** A column whose type fits the field. */
type ColumnOf<Value> = SQLiteColumn & {
  readonly _: {
    readonly data: Readonly<NonNullable<Value>>
    readonly notNull: null extends Value ? boolean : true
  }
}

/** A field that is computed from columns. */
export interface ComputedField<Value> {
  readonly columns: readonly SQLiteColumn[]
  /** What it needs of other records, as the third argument of `value`. */
  readonly lookup?: Lookup
  readonly value: (values: readonly unknown[], workspace: Workspace, found?: unknown) => Value
  /** True if responses leave the field out while its value is null. */
  readonly omitsNull?: boolean
}

/** Data of other records, which are read once for all records of a page and all fields that need them. */
export interface Lookup<Columns extends readonly SQLiteColumn[] = readonly SQLiteColumn[], Found = unknown> {
  /** The columns of the record by which it is read. */
  readonly columns: Columns
  /** Returns what belongs to each of the records, in their order. */
  read(workspace: Workspace, rows: readonly ValuesOf<Columns>[]): readonly Found[]
}

/** Returns a lookup by one column, whose values `read` gets; what it does not find is undefined. */
export const lookupBy = <Column extends SQLiteColumn, Found>(
  column: Column,
  read: (workspace: Workspace, ids: readonly NonNullable<Held<Column>>[]) => ReadonlyMap<unknown, Found>,
): Lookup<[Column], Found | undefined> => ({
  columns: [column],
  read(workspace, rows) {
    const ids = rows.flatMap(([id]) => id ?? [])
    const found = read(workspace, [...new Set(ids)])
    return rows.map(([id]) => found.get(id))
  },
})

type ValuesOf<Columns extends readonly SQLiteColumn[]> = {
  readonly [Index in keyof Columns]: Held<Columns[Index]>
}

/** A wire shape, in the order of its fields. */
export type Fields<Wire> = {
  readonly [Name in keyof Wire]-?: ColumnOf<Wire[Name]> | ComputedField<Wire[Name]>
}

type Held<Of extends SQLiteColumn> = Of['_']['notNull'] extends true
  ? Of['_']['data']
  : Of['_']['data'] | null

type Moment<Of extends SQLiteColumn> = null extends Held<Of> ? string | null : string

/** Returns the field of a timestamp. */
export const instant = <Of extends ColumnOf<number | null>>(column: Of): ComputedField<Moment<Of>> => ({
  columns: [column],
  value: ([moment]) => isoOrNull(moment as number | null) as Moment<Of>,
})

/** Returns a field that is computed from columns. */
export const computed = <const Columns extends readonly SQLiteColumn[], Value>(
  columns: Columns,
  make: (values: ValuesOf<Columns>, workspace: Workspace) => Value,
): ComputedField<Value> => ({
  columns,
  value: (values, workspace) => make(values as never, workspace),
})

/** Returns a field that is computed from what a lookup finds. */
export const computedFrom = <const Columns extends readonly SQLiteColumn[], Found, Value>(
  lookup: Lookup<Columns, Found>,
  make: (found: Found, workspace: Workspace) => Value,
): ComputedField<Value> => ({
  columns: [],
  lookup,
  value: (_values, workspace, found) => make(found as Found, workspace),
})

/** Returns a field that responses leave out while its value is null. It must not be the first one. */
export const unlessNull = (field: SQLiteColumn | ComputedField<unknown>): ComputedField<unknown> => ({
  ...(isMade(field) ? field : computed([field], ([value]) => value)),
  omitsNull: true,
})

/** Returns the rendering of the records of one table by their fields; `views` converts single rows. */
export function fieldRendering<Row, Wire>(
  fields: Fields<Wire>,
  views: (rows: readonly Row[], workspace: Workspace) => readonly Wire[],
): Rendering<Row> {
  const { select, write } = compiled(piecesOf(fields))
  return {
    select,
    one: (workspace, row) => JSON.stringify(views([row], workspace)[0]),
    join: (workspace, rows) => write(rows, workspace),
  }
}

/** A piece of the text: a constant, a column, or a computed field, with the text before it if it can be left out. */
type Piece = string | SQLiteColumn | (ComputedField<unknown> & { readonly start?: string })

const piecesOf = (fields: Readonly<Record<string, SQLiteColumn | ComputedField<unknown>>>): Piece[] => [
  ...Object.entries(fields).flatMap(([name, field], index): Piece[] => {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    return isMade(field) && field.omitsNull ? [{ ...field, start }] : [start, field]
  }),
  '}',
]

const isMade = (piece: Piece): piece is ComputedField<unknown> =>
  typeof piece === 'object' && 'columns' in piece

/** What the lookups of some fields found for one record. */
type Found = (lookup: Lookup | undefined) => unknown

const NOTHING: Found = () => undefined

type Writer = (cells: Cells, workspace: Workspace, found: Found) => string

/** Returns the selection and the function that writes the texts of rows of its cells, separated by commas. */
function compiled(pieces: readonly Piece[]): {
  select: Selection
  write: (rows: readonly Cells[], workspace: Workspace) => string
} {
  const select: (Column | SQL)[] = []
  const writers: Writer[] = []
  /** Pieces that SQLite can write together. */
  let run: (string | SQLiteColumn)[] = []
  const endRun = (): void => {
    const text = run.filter((piece) => typeof piece === 'string').join('')
    if (run.every((piece) => typeof piece === 'string')) writers.push(() => text)
    else {
      const at = select.push(sql.join(run.map(jsonOf), sql` || `)) - 1
      writers.push((cells) => cells[at] as string)
    }
    run = []
  }
  for (const piece of pieces) {
    if (!isMade(piece)) {
      run.push(piece)
      continue
    }
    endRun()
    const { lookup, value, omitsNull, start = '' } = piece
    const read = valuesFrom(select, piece.columns)
    writers.push((cells, workspace, found) => {
      const made = value(read(cells), workspace, found(lookup))
      return made === null && omitsNull ? '' : start + JSON.stringify(made)
    })
  }
  endRun()
  const lookups = lookupsOf(pieces).map((lookup) => ({ lookup, keysOf: valuesFrom(select, lookup.columns) }))
  return {
    select,
    write(rows, workspace) {
      const finds = lookups.map(
        ({ lookup, keysOf }) => [lookup, lookup.read(workspace, rows.map(keysOf))] as const,
      )
      return rows
        .map((cells, index) => {
          const found = finds.length === 0 ? NOTHING : foundIn(finds, index)
          let text = ''
          for (const writer of writers) text += writer(cells, workspace, found)
          return text
        })
        .join(',')
    },
  }
}

/** Adds columns to a selection and returns the function that reads their values from its cells. */
function valuesFrom(
  select: (Column | SQL)[],
  columns: readonly SQLiteColumn[],
): (cells: Cells) => readonly unknown[] {
  const from = select.push(...columns) - columns.length
  const decoders = columns.map(decoderOf)
  return (cells) =>
    decoders.map((decode, index) => {
      const cell = cells[from + index]
      return decode && cell !== null ? decode(cell) : cell
    })
}

/** Returns the different lookups of fields. */
const lookupsOf = (fields: readonly (Piece | SQLiteColumn)[]): Lookup[] => [
  ...new Set(fields.flatMap((field) => (isMade(field) && field.lookup ? [field.lookup] : []))),
]

/** Returns the SQL of the piece; of a column, the JSON text that `JSON.stringify` would write. */
function jsonOf(piece: string | SQLiteColumn): SQL {
  if (typeof piece === 'string') return sql.raw(`'${piece.replaceAll("'", "''")}'`)
  switch (piece.columnType) {
    case 'SQLiteText':
    case 'SQLiteInteger':
      return sql`json_quote(${piece})`
    case 'SQLiteBoolean':
      return sql`iif(${piece} is null, 'null', iif(${piece}, 'true', 'false'))`
    // `JSON.stringify` wrote it when it was stored.
    case 'SQLiteTextJson':
      return sql`coalesce(${piece}, 'null')`
    default:
      throw new Error(`${piece.columnType} cannot be serialized by SQLite`)
  }
}

/** Returns a function that looks up what the fields of rows need, by the place of the row. */
function rowsFinder<Row extends object>(
  table: SQLiteTable,
  fields: readonly Piece[],
): (rows: readonly Row[], workspace: Workspace) => (index: number) => Found {
  const readColumn = columnReader<Row>(table)
  const lookups = lookupsOf(fields).map((lookup) => ({ lookup, columns: lookup.columns.map(readColumn) }))
  if (lookups.length === 0) return () => () => NOTHING
  return (rows, workspace) => {
    const finds = lookups.map(({ lookup, columns }) => {
      const keys = rows.map((row) => columns.map((column) => column(row)))
      return [lookup, lookup.read(workspace, keys)] as const
    })
    return (index) => foundIn(finds, index)
  }
}

/** Returns what lookups found for the record at a place. */
const foundIn =
  (finds: readonly (readonly [Lookup, readonly unknown[]])[], index: number): Found =>
  (wanted) =>
    finds.find(([lookup]) => lookup === wanted)?.[1][index]

/** Returns a function that reads a column's value from a row. */
function columnReader<Row extends object>(
  table: SQLiteTable,
): (column: SQLiteColumn) => (row: Row) => unknown {
  const names = new Map<Column, string>(
    Object.entries(getTableColumns(table)).map(([name, column]) => [column, name]),
  )
  return (column) => {
    const name = names.get(column) as keyof Row
    return (row) => row[name]
  }
}

/** Returns a function that converts rows to the objects of their wire shape. */
export function fieldViews<Table extends SQLiteTable, Wire>(
  table: Table,
  fields: Fields<Wire>,
): (rows: readonly InferSelectModel<Table>[], workspace: Workspace) => Wire[] {
  const readColumn = columnReader<InferSelectModel<Table>>(table)
  const all = Object.entries<SQLiteColumn | ComputedField<unknown>>(fields)
  const findFor = rowsFinder<InferSelectModel<Table>>(
    table,
    all.map(([, field]) => field),
  )
  const viewFields = all.map(([name, field]) => {
    const values = (isMade(field) ? field.columns : [field]).map(readColumn)
    const make = isMade(field) ? field.value : ([value]: readonly unknown[]) => value
    return isMade(field)
      ? { name, values, make, lookup: field.lookup, omitsNull: field.omitsNull }
      : { name, values, make }
  })
  return (rows, workspace) => {
    const foundAt = findFor(rows, workspace)
    return rows.map((row, index) => {
      const found = foundAt(index)
      const view: Record<string, unknown> = {}
      for (const { name, values, make, lookup, omitsNull } of viewFields) {
        const value = make(
          values.map((value) => value(row)),
          workspace,
          found(lookup),
        )
        if (value !== null || !omitsNull) view[name] = value
      }
      return view as Wire
    })
  }
}
