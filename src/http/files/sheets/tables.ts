/** Converts rows of cells, with column names in the first row, to rows of named values. */
import { MAX_COLUMNS, SheetProblem, tooManyColumns } from './limits.ts'
import type { StoredRow } from './rowFile.ts'

export type Cell = string | number | boolean | null

export interface TableRow {
  /** The row number in the file, from 1. */
  readonly row: number
  /** Cells with their column index, in order, without blanks around texts; empty ones may be missing. */
  readonly cells: Iterable<readonly [index: number, cell: Cell]>
}

/** Reads a table: the first non-empty row has the column names; empty rows are skipped. */
export class Table {
  /** Names by column index, empty without a name; null before the first row. */
  #columns: string[] | null = null

  get columns(): string[] | null {
    return this.#columns
  }

  /** Converts a row; returns null for an empty row and for the row of names. */
  take({ row, cells }: TableRow): StoredRow | null {
    const filled: [number, Cell][] = []
    for (const [index, cell] of cells) {
      if (cell !== null && cell !== '') filled.push([index, cell])
    }
    if (filled.length === 0) return null
    if (this.#columns === null) {
      this.#columns = columnsOf(filled)
      return null
    }
    for (const [index] of filled) {
      if ((this.#columns[index] ?? '') !== '') continue
      return [row, null, `cell ${String(index + 1)} has no column name`]
    }
    return [row, filled.flat()]
  }
}

function columnsOf(filled: readonly (readonly [number, Cell])[]): string[] {
  const columns: string[] = []
  const seen = new Set<string>()
  for (const [index, cell] of filled) {
    if (index >= MAX_COLUMNS) throw tooManyColumns()
    const name = String(cell)
    if (seen.has(name)) throw new SheetProblem('duplicate', `The column ${name} exists twice.`)
    if (name === '__proto__') throw new SheetProblem('not_allowed', 'A column must not be named __proto__.')
    seen.add(name)
    while (columns.length < index) columns.push('')
    columns.push(name)
  }
  return columns
}
