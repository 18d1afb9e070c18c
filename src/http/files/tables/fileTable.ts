/** A table that is written to a file, and its cells as text. */

/** A text, a number or an empty cell. */
export type Cell = string | number | null

export type Row = readonly Cell[]

export interface FileColumn {
  readonly title: string
  /**
   * Amounts (at least two decimals) and counts align right. Codes are texts that must not be shortened. Dates are "2026-11-21",
   * times "2026-11-21 12:00:00".
   */
  readonly is: 'text' | 'code' | 'amount' | 'count' | 'date' | 'time'
}

export interface FileTable {
  /** "Income 2026-11" */
  readonly title: string
  /** The lines below the title, on paper. */
  readonly heading?: readonly string[]
  readonly columns: readonly FileColumn[]
  readonly rows: readonly Row[]
}

/** A table for a worker thread. Strings transfer fast; very many cells do not. */
export interface TableToWrite extends Omit<FileTable, 'rows'> {
  readonly kind: 'xlsx' | 'pdf'
  /** Some rows per element, as JSON. */
  readonly pieces: readonly string[]
}

/** Returns the text of a cell. */
export const cellText = (cell: Cell, { is }: FileColumn): string =>
  cell === null ? '' : typeof cell === 'number' && is === 'amount' ? withDecimals(cell) : String(cell)

/** Returns the text of a cell on paper: amounts and counts have thousands separators. */
export const printedText = (cell: Cell, column: FileColumn): string =>
  typeof cell === 'number'
    ? cell.toLocaleString('en-US', decimalsOf(cell, column.is === 'amount' ? 2 : 0))
    : cellText(cell, column)

/** Formats an amount with two decimals, or more if it has more, because some currencies have three. */
const withDecimals = (amount: number): string => amount.toFixed(decimalsOf(amount, 2).minimumFractionDigits)

function decimalsOf(number: number, atLeast: number) {
  const decimals = Math.max(atLeast, String(number).split('.')[1]?.length ?? 0)
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}
