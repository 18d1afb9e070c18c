/**
 * Records as JSON text, straight from the columns. A wire shape is data here: each field with the column that it comes
 * from, or with what makes it out of some columns. SQLite writes the text of the former itself, several of them in one
 * cell, so that neither a row nor a view of it has to be made for a record that is only to be shown.
 */
import { getTableColumns, sql, type Column, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { iso, isoOrNull } from '../state/clock.ts'
import { decoderOf, type Cells, type Selection } from '../state/reading.ts'
import type { Rows } from '../state/rows.ts'
import type { Workspace } from '../state/workspace.ts'

/** A column that holds nothing but what a field may show. */
type ColumnOf<Value> = SQLiteColumn & {
  readonly _: {
    readonly data: Readonly<NonNullable<Value>>
    readonly notNull: null extends Value ? boolean : true
  }
}

/** A field that no column holds as it is shown: made of what the columns hold, as it is and as its JSON text. */
export interface Made<Value> {
  readonly columns: readonly SQLiteColumn[]
  readonly value: (values: readonly unknown[], workspace: Workspace) => Value
  readonly text: (values: readonly unknown[], workspace: Workspace) => string
}

/** A wire shape, in the order in which its fields are written. */
export type Fields<Wire> = { readonly [Name in keyof Wire]-?: ColumnOf<Wire[Name]> | Made<Wire[Name]> }

type Held<Of extends SQLiteColumn> = Of['_']['notNull'] extends true
  ? Of['_']['data']
  : Of['_']['data'] | null

type Moment<Of extends SQLiteColumn> = null extends Held<Of> ? string | null : string

/** A moment, as every timestamp goes over the wire. */
export const instant = <Of extends ColumnOf<number | null>>(column: Of): Made<Moment<Of>> => ({
  columns: [column],
  value: ([moment]) => isoOrNull(moment as number | null) as Moment<Of>,
  text: ([moment]) => (moment === null ? 'null' : `"${iso(moment as number)}"`),
})

/** A field that follows from columns; it must follow from nothing that the clock changes. */
export const made = <const Columns extends readonly SQLiteColumn[], Value>(
  columns: Columns,
  make: (values: { readonly [Index in keyof Columns]: Held<Columns[Index]> }, workspace: Workspace) => Value,
): Made<Value> => ({
  columns,
  value: (values, workspace) => make(values as never, workspace),
  text: (values, workspace) => JSON.stringify(make(values as never, workspace)),
})

/** Renders the records of one table by their fields. */
export interface FieldRendering<Row> {
  /** What has to be read of a record to write its text. */
  readonly select: Selection
  /** The JSON text of a record whose row is at hand. */
  one(workspace: Workspace, row: Row): string
  /** The JSON text of the record with this id; undefined where there is none. */
  find(workspace: Workspace, id: string): string | undefined
  /** The JSON texts of what a list has selected, separated by commas. */
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

/** What a text consists of: what is the same in all of them, and fields. */
type Piece = string | SQLiteColumn | Made<unknown>

function piecesOf(fields: Readonly<Record<string, SQLiteColumn | Made<unknown>>>): Piece[] {
  const pieces = Object.entries(fields).flatMap(([name, field], index): Piece[] => [
    `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    field,
  ])
  return [...pieces, '}']
}

const isMade = (piece: Piece): piece is Made<unknown> => typeof piece === 'object' && 'text' in piece

type Writer = (cells: Cells, workspace: Workspace) => string

/** What to select, and what writes the text of the cells that come of it. */
function compiled(pieces: readonly Piece[]): { select: Selection; write: Writer } {
  const select: (Column | SQL)[] = []
  const writers: Writer[] = []
  /** Pieces that SQLite can write, waiting for one that it can't. */
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

/** The text, or the JSON text of what a column holds as `JSON.stringify` would write it. */
function jsonOf(piece: string | SQLiteColumn): SQL {
  if (typeof piece === 'string') return sql.raw(`'${piece.replaceAll("'", "''")}'`)
  switch (piece.columnType) {
    case 'SQLiteText':
    case 'SQLiteInteger':
      return sql`json_quote(${piece})`
    case 'SQLiteBoolean':
      return sql`iif(${piece} is null, 'null', iif(${piece}, 'true', 'false'))`
    // Written by `JSON.stringify` when it was kept.
    case 'SQLiteTextJson':
      return sql`coalesce(${piece}, 'null')`
    default:
      throw new Error(`${piece.columnType} is not shown as it is`)
  }
}

/** The same text out of a row that is at hand. */
function rowWriter<Row extends object>(
  table: SQLiteTable,
  pieces: readonly Piece[],
): (row: Row, workspace: Workspace) => string {
  const held = holder<Row>(table)
  const writers = pieces.map((piece): ((row: Row, workspace: Workspace) => string) => {
    if (typeof piece === 'string') return () => piece
    const values = (isMade(piece) ? piece.columns : [piece]).map(held)
    const text = isMade(piece) ? piece.text : ([value]: readonly unknown[]) => JSON.stringify(value)
    return (row, workspace) =>
      text(
        values.map((value) => value(row)),
        workspace,
      )
  })
  return (row, workspace) => writers.map((write) => write(row, workspace)).join('')
}

/** Tells what a row holds in a column. */
function holder<Row extends object>(table: SQLiteTable): (column: SQLiteColumn) => (row: Row) => unknown {
  const names = new Map<Column, string>(
    Object.entries(getTableColumns(table)).map(([name, column]) => [column, name]),
  )
  return (column) => {
    const name = names.get(column) as keyof Row
    return (row) => row[name]
  }
}

/**
 * Shows a row that is at hand as the object that its text stands for: all of its fields, or those with these names, in
 * this order.
 */
export function fieldView<Table extends SQLiteTable, Wire, Name extends keyof Wire & string>(
  table: Table,
  fields: Fields<Wire>,
  names?: readonly Name[],
): (row: InferSelectModel<Table>, workspace: Workspace) => Pick<Wire, Name> {
  const held = holder<InferSelectModel<Table>>(table)
  const chosen: readonly (readonly [string, SQLiteColumn | Made<unknown>])[] =
    names?.map((name) => [name, fields[name]]) ?? Object.entries<SQLiteColumn | Made<unknown>>(fields)
  const shown = chosen.map(([name, field]) => {
    const values = (isMade(field) ? field.columns : [field]).map(held)
    const make = isMade(field) ? field.value : ([value]: readonly unknown[]) => value
    return { name, values, make }
  })
  return (row, workspace) => {
    const view: Record<string, unknown> = {}
    for (const { name, values, make } of shown) {
      view[name] = make(
        values.map((value) => value(row)),
        workspace,
      )
    }
    return view as Pick<Wire, Name>
  }
}
