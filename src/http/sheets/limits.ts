/** How much a list of records may hold. The specification shows no limits; beyond these nobody means a list of records. */

/** Rows that hold anything. */
export const MAX_ROWS = 250_000

/** Columns of a table; names of fields, over all of its objects, of a JSON list. */
export const MAX_COLUMNS = 1000

/** Characters of a row: as many as the body of a call may have that makes the same record. */
export const LARGEST_ROW = 1_048_576

/** Characters of all rows. A spreadsheet can tell the same text a million times, and is a small file. */
export const LARGEST_CONTENT = 128 * 1024 * 1024

/** A file that can't be read because of what it is; the message says why in a sentence. */
export class SheetProblem extends Error {
  override readonly name = 'SheetProblem'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const tooManyColumns = (): SheetProblem =>
  new SheetProblem('too_large', `The file has more than ${String(MAX_COLUMNS)} columns.`)

export const tooLargeRow = (row: number): SheetProblem =>
  new SheetProblem('too_large', `Row ${String(row)} holds more than ${String(LARGEST_ROW)} characters.`)
