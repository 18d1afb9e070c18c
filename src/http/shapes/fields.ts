/**
 * JSON text of records, directly from the columns. A wire shape is data: each field is a column, or is
 * computed from columns. SQLite writes the text of plain columns, several in one cell, so that no row or view
 * object is created.
 */
import { getTableColumns, sql, type Column, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import { decoderOf, type Cells, type Selection } from '../../state/storage/queries/readers.ts'
import type { Rows } from '../../state/storage/queries/rows.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

/** A column whose type fits the field. */
type ColumnOf<Value> = SQLiteColumn & {
  readonly _: {
    readonly data: Readonly<NonNullable<Value>>
    readonly notNull: null extends Value ? boolean : true
  }
}

/** A field that is computed from columns, as a value and as JSON text. */
export interface ComputedField<Value> {
  readonly columns: readonly SQLiteColumn[]
  readonly value: (values: readonly unknown[], workspace: Workspace) => Value
  readonly text: (values: readonly unknown[], workspace: Workspace) => string
  /** True if responses leave the field out while its value is null. */
  readonly omitsNull?: boolean
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
  text: ([moment]) => (moment === null ? 'null' : `"${iso(moment as number)}"`),
})

/**
 * Returns a field that is computed from columns. If it depends on the clock, a list that shows it needs `until`
 * (`lists/collection.ts`), and no other response with it may be cached.
 */
export const computed = <const Columns extends readonly SQLiteColumn[], Value>(
  columns: Columns,
  make: (values: { readonly [Index in keyof Columns]: Held<Columns[Index]> }, workspace: Workspace) => Value,
): ComputedField<Value> => ({
  columns,
  value: (values, workspace) => make(values as never, workspace),
  text: (values, workspace) => JSON.stringify(make(values as never, workspace)),
})

/** Returns a field that responses leave out while its value is null. It must not be the first one. */
export const unlessNull = (field: SQLiteColumn | ComputedField<unknown>): ComputedField<unknown> => ({
  ...(isMade(field) ? field : computed([field], ([value]) => value)),
  omitsNull: true,
})

/** Serializes the records of one table by their fields. */
export interface FieldRendering<Row> {
  /** The columns and expressions that the text of a record needs. */
  readonly select: Selection
  /** Returns the JSON text of a row. */
  one(workspace: Workspace, row: Row): string
  /** Returns the JSON text of the record with this id; undefined if none exists. */
  find(workspace: Workspace, id: string): string | undefined
  /** Returns the JSON texts of the selected rows, separated by commas. */
  join(workspace: Workspace, rows: readonly Cells[]): string
}

export function fieldRendering<Row extends object, Wire>(
  table: SQLiteTable,
  rows: Pick<Rows<Row>, 'reader'>,
  fields: Fields<Wire>,
): FieldRendering<Row> {
  const pieces = piecesOf(fields)
  const { select, write } = compiled(pieces)
  const readOne = rows.reader(select)
  const writeRow = rowWriter<Row>(table, pieces)
  return {
    select,
    one: (workspace, row) => writeRow(row, workspace),
    find(workspace, id) {
      const cells = readOne(workspace, id)
      return cells && write(cells, workspace)
    },
    join: (workspace, rows) => rows.map((cells) => write(cells, workspace)).join(','),
  }
}

/** A piece of the text: a constant, or a field. */
type Piece = string | SQLiteColumn | ComputedField<unknown>

function piecesOf(fields: Readonly<Record<string, SQLiteColumn | ComputedField<unknown>>>): Piece[] {
  const pieces = Object.entries(fields).flatMap(([name, field], index): Piece[] => {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (!isMade(field) || !field.omitsNull) return [start, field]
    const text: typeof field.text = (values, workspace) => {
      const value = field.text(values, workspace)
      return value === 'null' ? '' : start + value
    }
    return [{ ...field, text }]
  })
  return [...pieces, '}']
}

const isMade = (piece: Piece): piece is ComputedField<unknown> => typeof piece === 'object' && 'text' in piece

type Writer = (cells: Cells, workspace: Workspace) => string

/** Returns the selection and the function that writes the text of its cells. */
function compiled(pieces: readonly Piece[]): { select: Selection; write: Writer } {
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
    const { columns, text } = piece
    const from = select.push(...columns) - columns.length
    const decoders = columns.map(decoderOf)
    writers.push((cells, workspace) => {
      const values = decoders.map((decode, index) => {
        const cell = cells[from + index]
        return decode && cell !== null ? decode(cell) : cell
      })
      return text(values, workspace)
    })
  }
  endRun()
  return {
    select,
    write(cells, workspace) {
      let text = ''
      for (const writer of writers) text += writer(cells, workspace)
      return text
    },
  }
}

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

/** Returns a function that writes the same text from a row. */
function rowWriter<Row extends object>(
  table: SQLiteTable,
  pieces: readonly Piece[],
): (row: Row, workspace: Workspace) => string {
  const readColumn = columnReader<Row>(table)
  const writers = pieces.map((piece): ((row: Row, workspace: Workspace) => string) => {
    if (typeof piece === 'string') return () => piece
    const values = (isMade(piece) ? piece.columns : [piece]).map(readColumn)
    const text = isMade(piece) ? piece.text : ([value]: readonly unknown[]) => JSON.stringify(value)
    return (row, workspace) =>
      text(
        values.map((value) => value(row)),
        workspace,
      )
  })
  return (row, workspace) => writers.map((write) => write(row, workspace)).join('')
}

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

/**
 * Returns a function that converts a row to the object of its wire shape: all fields, or those in `names`, in
 * that order.
 */
export function fieldView<Table extends SQLiteTable, Wire, Name extends keyof Wire & string>(
  table: Table,
  fields: Fields<Wire>,
  names?: readonly Name[],
): (row: InferSelectModel<Table>, workspace: Workspace) => Pick<Wire, Name> {
  const readColumn = columnReader<InferSelectModel<Table>>(table)
  const chosen: readonly (readonly [string, SQLiteColumn | ComputedField<unknown>])[] =
    names?.map((name) => [name, fields[name]]) ??
    Object.entries<SQLiteColumn | ComputedField<unknown>>(fields)
  const viewFields = chosen.map(([name, field]) => {
    const values = (isMade(field) ? field.columns : [field]).map(readColumn)
    const make = isMade(field) ? field.value : ([value]: readonly unknown[]) => value
    return { name, values, make, omitsNull: isMade(field) && field.omitsNull }
  })
  return (row, workspace) => {
    const view: Record<string, unknown> = {}
    for (const { name, values, make, omitsNull } of viewFields) {
      const value = make(
        values.map((value) => value(row)),
        workspace,
      )
      if (value !== null || !omitsNull) view[name] = value
    }
    return view as Pick<Wire, Name>
  }
}
