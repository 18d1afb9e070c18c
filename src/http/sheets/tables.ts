/** Rows of cells, the first of which names the columns, as rows of named values. */
import { MAX_COLUMNS, SheetProblem, tooManyColumns } from './limits.ts'
import type { KeptRow } from './rowFile.ts'

export type Cell = string | number | boolean | null

export interface TableRow {
  /** Its number in the file; the first is 1. */
  readonly row: number
  /** Cells by their place, in order; places may be left out. */
  readonly cells: Iterable<readonly [place: number, cell: Cell]>
}

/** The first row that is not empty names the columns; empty ones are left out. */
export class Table {
  /** Names by their place, empty where there is none; null before the first row. */
  #columns: string[] | null = null

  get columns(): string[] | null {
    return this.#columns
  }

  /** The row as it is kept; null for an empty one and for that of the names. */
  take({ row, cells }: TableRow): KeptRow | null {
    const filled: [number, Cell][] = []
    for (const [place, cell] of cells) {
      const value = typeof cell === 'string' ? cell.trim() : cell
      if (value !== null && value !== '') filled.push([place, value])
    }
    if (filled.length === 0) return null
    if (this.#columns === null) {
      this.#columns = columnsOf(filled)
      return null
    }
    for (const [place] of filled) {
      if ((this.#columns[place] ?? '') !== '') continue
      return [row, null, `cell ${String(place + 1)} stands under no column name`]
    }
    return [row, filled.flat()]
  }
}

function columnsOf(filled: readonly (readonly [number, Cell])[]): string[] {
  const columns: string[] = []
  const known = new Set<string>()
  for (const [place, cell] of filled) {
    if (place >= MAX_COLUMNS) throw tooManyColumns()
    const name = String(cell)
    if (known.has(name)) throw new SheetProblem('duplicate', `The column ${name} is there twice.`)
    if (name === '__proto__') throw new SheetProblem('not_allowed', 'No column can be named __proto__.')
    known.add(name)
    while (columns.length < place) columns.push('')
    columns.push(name)
  }
  return columns
}
