/**
 * Parses CSV in slices. The text is cut at line ends outside of quotes, so that rows that are too long and
 * empty rows cost the parser nothing.
 */
import type { CsvError, Options } from 'csv-parse'
import type * as Library from 'csv-parse/sync'
import { unescapeFormula } from '@suite-sim/kit/text/escaping'
import { LARGEST_ROW, MAX_COLUMNS, SheetProblem, tooLargeRow, tooManyColumns } from './limits.ts'
import { textsOf, type Source } from './source.ts'
import type { TableRow } from './tables.ts'

/** Characters that are parsed at a time, or one row. */
const SLICE = 16_384

/** The text of a row. */
interface RowText {
  readonly row: number
  readonly text: string
}

/** Yields the rows. Empty lines count in row numbers, but are skipped. */
export async function* csvRows(source: Source): AsyncGenerator<TableRow> {
  const parser = new CsvParser(await import('csv-parse/sync'))
  const cutter = new RowCutter()
  const texts = textsOf(source, { older: true, place: () => `Row ${String(cutter.row)}` })
  let rows: RowText[] = []
  let size = 0
  for await (const text of texts) {
    for (const row of cutter.cut(text)) {
      rows.push(row)
      size += row.text.length
      if (size < SLICE) continue
      yield* parser.parse(rows)
      rows = []
      size = 0
    }
  }
  yield* parser.parse([...rows, ...cutter.rest()])
}

const [QUOTE, LF, CR] = [0x22, 0x0a, 0x0d]

/**
 * Cuts a text into its non-empty rows. Doubled quotes inside quotes toggle the state twice, which has no
 * effect.
 */
class RowCutter {
  #row = 1
  #text = ''
  #isQuoted = false
  #endsWithCr = false

  /** The number of the row that has no end yet. */
  get row(): number {
    return this.#row
  }

  /** Returns the text after the last line end. */
  rest(): RowText[] {
    const row = this.#end('')
    return row ? [row] : []
  }

  *cut(piece: string): Generator<RowText> {
    let start = 0
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === QUOTE) this.#isQuoted = !this.#isQuoted
      else if (!this.#isQuoted && (code === LF || code === CR)) {
        const isRestOfEnd = code === LF && this.#endsWithCr
        if (!isRestOfEnd) {
          const row = this.#end(piece.slice(start, at))
          if (row) yield row
        }
        start = at + 1
      }
      this.#endsWithCr = code === CR && !this.#isQuoted
    }
    this.#text = this.#append(piece.slice(start))
  }

  #end(text: string): RowText | null {
    const row = { row: this.#row++, text: this.#text === '' ? text : this.#append(text) }
    this.#text = ''
    return row.text === '' ? null : row
  }

  /** Returns the row so far with this text; refuses a row that is too long. */
  #append(text: string): string {
    if (this.#text.length + text.length > LARGEST_ROW) {
      if (this.#isQuoted) throw unreadable(this.#row, 'a quote is never closed, or the row is too long')
      throw tooLargeRow(this.#row)
    }
    return this.#text + text
  }
}

const DELIMITERS = [',', ';', '\t', '|'] as const

const separatedBy = (delimiter: string): Options => ({
  delimiter,
  record_delimiter: '\n',
  relax_column_count: true,
})

/** Undoes the apostrophe that exports put before a formula, whose blanks count, too. */
function cellValue(cell: string): string {
  const text = unescapeFormula(cell)
  return text === cell ? cell.trim() : text
}

class CsvParser {
  readonly #library: typeof Library
  #options: Options | null = null

  constructor(library: typeof Library) {
    this.#library = library
  }

  *parse(rowTexts: readonly RowText[]): Generator<TableRow> {
    const [first] = rowTexts
    if (!first) return
    // Spreadsheet programs write a line such as "sep=;" before the header.
    const declared = this.#options ? undefined : /^sep=([^"\r\n])$/i.exec(first.text)?.[1]
    if (declared !== undefined) this.#options = separatedBy(declared)
    const rows = declared === undefined ? rowTexts : rowTexts.slice(1)
    if (rows.length === 0) return
    this.#options ??= separatedBy(delimiterOf(first.text))
    for (const [index, cells] of this.#cellsOf(rows).entries()) {
      if (cells.length > MAX_COLUMNS) throw tooManyColumns()
      yield { row: rows[index]?.row ?? 0, cells: cells.map(cellValue).entries() }
    }
  }

  #cellsOf(rows: readonly RowText[]): string[][] {
    try {
      return this.#read(rows)
    } catch (error) {
      if (!(error instanceof this.#library.CsvError)) throw error
      // Parses each row alone to find the invalid one.
      for (const row of rows) this.#mustBeReadable(row)
      throw error
    }
  }

  #mustBeReadable(row: RowText): void {
    try {
      this.#read([row])
    } catch (error) {
      throw error instanceof this.#library.CsvError ? unreadable(row.row, explain(error)) : error
    }
  }

  #read(rows: readonly RowText[]): string[][] {
    return this.#library.parse(rows.map(({ text }) => text).join('\n'), this.#options ?? {})
  }
}

const unreadable = (row: number, why: string): SheetProblem =>
  new SheetProblem('invalid_format', `The file cannot be read as CSV: ${why} (row ${String(row)}).`)

function explain({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is never closed'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a cell has text after its closing quote'
    case 'INVALID_OPENING_QUOTE':
      return 'a cell contains a quote but does not start with one'
    default:
      return 'a row is malformed'
  }
}

/** Maximum characters that are searched for delimiters. */
const MAX_SEARCHED = 65_536

/** Returns the comma, semicolon, tab or bar that occurs most often in the first row, outside of quotes. */
function delimiterOf(row: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((mark) => [mark, 0]))
  let isQuoted = false
  for (const character of row.slice(0, MAX_SEARCHED)) {
    if (character === '"') isQuoted = !isQuoted
    const count = isQuoted ? undefined : counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  return DELIMITERS.reduce((best, mark) => ((counts.get(mark) ?? 0) > (counts.get(best) ?? 0) ? mark : best))
}
