/**
 * CSV: the rows of a text, some at a time. It is cut where a line ends outside of quotes; so rows that are too long, and any
 * number of empty ones, cost the parser nothing.
 */
import type { CsvError, Options } from 'csv-parse'
import type * as Library from 'csv-parse/sync'
import { LARGEST_ROW, MAX_COLUMNS, SheetProblem, tooLargeRow, tooManyColumns } from './limits.ts'
import type { TableRow } from './tables.ts'

/** Characters of rows that are parsed at a time, or one row. */
const SLICE = 16_384

/** A row as it is written. */
interface WrittenRow {
  readonly row: number
  readonly text: string
}

/** Empty lines count as rows, and are left out. */
export async function* csvRows(texts: AsyncIterable<string>): AsyncGenerator<TableRow> {
  const parser = new CsvParser(await import('csv-parse/sync'))
  const cutter = new RowCutter()
  let rows: WrittenRow[] = []
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

/** Cuts a text into the rows that are not empty. Quotes inside of quotes are doubled, so each ends or begins some. */
class RowCutter {
  #row = 1
  #text = ''
  #isQuoted = false
  #endsWithCr = false

  /** What stands behind the last end of a line. */
  rest(): WrittenRow[] {
    const row = this.#end('')
    return row ? [row] : []
  }

  *cut(piece: string): Generator<WrittenRow> {
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
    this.#text = this.#fitting(piece.slice(start))
  }

  #end(text: string): WrittenRow | null {
    const row = { row: this.#row++, text: this.#text === '' ? text : this.#fitting(text) }
    this.#text = ''
    return row.text === '' ? null : row
  }

  /** What there is of the row, with this. */
  #fitting(text: string): string {
    if (this.#text.length + text.length > LARGEST_ROW) {
      if (this.#isQuoted) throw unreadable(this.#row, 'a quote is never closed, or the row is too long')
      throw tooLargeRow(this.#row)
    }
    return this.#text + text
  }
}

const DELIMITERS = [',', ';', '\t'] as const

const separatedBy = (delimiter: string): Options => ({
  delimiter,
  record_delimiter: '\n',
  relax_column_count: true,
})

class CsvParser {
  readonly #library: typeof Library
  #options: Options | null = null

  constructor(library: typeof Library) {
    this.#library = library
  }

  *parse(given: readonly WrittenRow[]): Generator<TableRow> {
    const [first] = given
    if (!first) return
    // What spreadsheet programs write before the header, so as to be told it.
    const said = this.#options ? undefined : /^sep=([^"\r\n])$/i.exec(first.text)?.[1]
    if (said !== undefined) this.#options = separatedBy(said)
    const rows = said === undefined ? given : given.slice(1)
    if (rows.length === 0) return
    this.#options ??= separatedBy(delimiterOf(first.text))
    for (const [place, cells] of this.#cellsOf(rows).entries()) {
      if (cells.length > MAX_COLUMNS) throw tooManyColumns()
      yield { row: rows[place]?.row ?? 0, cells: cells.entries() }
    }
  }

  #cellsOf(rows: readonly WrittenRow[]): string[][] {
    try {
      return this.#read(rows)
    } catch (error) {
      if (!(error instanceof this.#library.CsvError)) throw error
      // Which of them it is, each by itself tells.
      for (const row of rows) this.#mustBeReadable(row)
      throw error
    }
  }

  #mustBeReadable(row: WrittenRow): void {
    try {
      this.#read([row])
    } catch (error) {
      throw error instanceof this.#library.CsvError ? unreadable(row.row, wordsOf(error)) : error
    }
  }

  #read(rows: readonly WrittenRow[]): string[][] {
    return this.#library.parse(rows.map(({ text }) => text).join('\n'), this.#options ?? {})
  }
}

const unreadable = (row: number, why: string): SheetProblem =>
  new SheetProblem('invalid_format', `The file cannot be read as CSV: ${why} (row ${String(row)}).`)

function wordsOf({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is never closed'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'something stands behind the closing quote of a cell'
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands inside of a cell that does not begin with one'
    default:
      return 'a row has no proper cells'
  }
}

/** Characters in which delimiters are looked for. */
const LONGEST_LOOK = 65_536

/** The comma, semicolon or tab that stands most often in the first row, outside of quotes. */
function delimiterOf(row: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((mark) => [mark, 0]))
  let isQuoted = false
  for (const character of row.slice(0, LONGEST_LOOK)) {
    if (character === '"') isQuoted = !isQuoted
    const count = isQuoted ? undefined : counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  return DELIMITERS.reduce((best, mark) => ((counts.get(mark) ?? 0) > (counts.get(best) ?? 0) ? mark : best))
}
