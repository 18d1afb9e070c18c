/** A table that becomes a file, and its cells as texts. */

/** A text, a number as it is, or nothing. */
export type Cell = string | number | null

export type Row = readonly Cell[]

export interface FileColumn {
  readonly title: string
  /**
   * Amounts have at least two decimals and stand to the right; counts stand to the right. Codes are texts of which a part means
   * nothing: no page shortens them.
   */
  readonly is: 'text' | 'code' | 'amount' | 'count'
}

export interface FileTable {
  /** "Income 2026-11" */
  readonly title: string
  readonly columns: readonly FileColumn[]
  readonly rows: readonly Row[]
}

/** A table on its way to another thread: texts are handed over in a moment, which very many cells are not. */
export interface TableToWrite extends Omit<FileTable, 'rows'> {
  readonly kind: 'xlsx' | 'pdf'
  /** Some rows each, as JSON. */
  readonly pieces: readonly string[]
}

/** A cell as a text. */
export const written = (cell: Cell, { is }: FileColumn): string =>
  cell === null ? '' : typeof cell === 'number' && is === 'amount' ? withDecimals(cell) : String(cell)

/** With two decimals, or as many as it has: some currencies have three. */
const withDecimals = (amount: number): string =>
  amount.toFixed(Math.max(2, String(amount).split('.')[1]?.length ?? 0))
