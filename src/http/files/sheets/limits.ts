/**
 * Size limits of an uploaded list of records. The specification shows none; these are larger than real lists.
 */

/** Maximum number of non-empty rows. */
export const MAX_ROWS = 250_000

/** Maximum number of columns of a table, or of field names over all objects of a JSON list. */
export const MAX_COLUMNS = 1000

/** Maximum characters of a row: the same as for the body that creates such a record. */
export const LARGEST_ROW = 1_048_576

/** Maximum characters of all rows. A small spreadsheet file can repeat one text a million times. */
export const LARGEST_CONTENT = 128 * 1024 * 1024

/** Thrown for an invalid file; the message is a sentence. */
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
  new SheetProblem('too_large', `Row ${String(row)} contains more than ${String(LARGEST_ROW)} characters.`)
