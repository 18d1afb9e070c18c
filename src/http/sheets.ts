/**
 * Uploaded lists of records: CSV, XLSX and JSON files as rows of named values. Rows are told apart by their number in
 * the file, where the header of a table is row 1; the objects of a JSON list count from 1.
 *
 * The parsers are loaded with the first file. Other requests are answered while a large CSV file is read; the readers
 * of spreadsheets and of JSON hold the server up, a spreadsheet of 20 MB unpacked for about half a second.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal, refuseField } from '../state/refusal.ts'
import { parseJson } from './json.ts'
import type { Upload } from './multipart.ts'
import { spreadsheetRows, UnreadableSpreadsheet, type SpreadsheetCell } from './spreadsheets.ts'

/** One row of a file. */
export interface SheetRow {
  readonly row: number
  /** What stands in it by column; empty cells are left out. */
  readonly values: Readonly<Record<string, unknown>>
  /** Why it cannot be read as a row, in a sentence. */
  readonly problem?: string
}

export interface Sheet {
  /** The names of the columns as they are written; null for JSON, where each row names its own. */
  readonly columns: readonly string[] | null
  readonly rows: readonly SheetRow[]
}

type SheetFormat = 'csv' | 'xlsx' | 'json'

/**
 * What the file holds; a file that cannot be read is refused, as the form's field `field`. What is thrown beside that is
 * no fault of the file.
 */
export async function readSheet(field: string, upload: Upload): Promise<Sheet> {
  const refused = (code: string, message: string): never => refuseField(field, code, message)
  if (upload.bytes.length === 0) refused('empty', 'The file is empty.')
  switch (formatOf(upload)) {
    case 'xlsx':
      return table(await xlsxRows(upload.bytes, refused), refused)
    case 'json':
      return jsonSheet(textOf(upload.bytes, refused), refused)
    case 'csv':
      return table(await csvRows(textOf(upload.bytes, refused), refused), refused)
  }
}

type Refuse = (code: string, message: string) => never

// ---------------------------------------------------------------- formats

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** By what the file starts with where that says it, else by its name, its type, and what a text starts with. */
function formatOf({ bytes, filename, contentType }: Upload): SheetFormat {
  const extension = /\.(csv|xlsx|json)$/i.exec(filename)?.[1]?.toLowerCase()
  if (bytes.subarray(0, 4).equals(ZIP) || extension === 'xlsx' || contentType === XLSX_TYPE) return 'xlsx'
  if (extension === 'csv' || extension === 'json') return extension
  if (contentType === 'application/json') return 'json'
  return /^\s*[[{]/.test(bytes.subarray(0, 1000).toString('latin1')) ? 'json' : 'csv'
}

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')

// ---------------------------------------------------------------- texts

/** UTF-8 with or without a byte order mark, or UTF-16 with one. */
function textOf(bytes: Buffer, refused: Refuse): string {
  const encoding = markedEncoding(bytes) ?? 'utf-8'
  const decoder = new TextDecoder(encoding, { fatal: true })
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (error) {
    if (!isEncodingError(error)) throw error
    return refused(
      'invalid_encoding',
      encoding === 'utf-8'
        ? 'The file is not UTF-8; it looks like Latin-1 or Windows-1252. Save it as UTF-8.'
        : `The file says that it is ${encoding.toUpperCase()}, and is not.`,
    )
  }
  if (text.includes('\0')) {
    return refused(
      'invalid_encoding',
      'The file holds NUL characters; it looks like UTF-16 without a byte order mark, or is no text.',
    )
  }
  if (text.trim() === '') refused('empty', 'The file is empty.')
  return text
}

const isEncodingError = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'

function markedEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

// ---------------------------------------------------------------- CSV

/** Characters that are parsed before other requests get their turn. */
const CSV_SLICE = 1 << 18

async function csvRows(text: string, refused: Refuse): Promise<string[][]> {
  const { parse, CsvError } = await import('csv-parse')
  const rows: string[][] = []
  let failure: Error | undefined
  const parser = parse({ delimiter: delimiterOf(text), relax_column_count: true, skip_empty_lines: false })
  parser.on('data', (row: string[]) => rows.push(row))
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve)
    parser.on('error', (error) => {
      failure = error
      resolve()
    })
  })
  for (let at = 0; at < text.length && !failure; at += CSV_SLICE) {
    parser.write(text.slice(at, at + CSV_SLICE))
    await nextTurn()
  }
  parser.end()
  await ended
  if (failure) {
    if (!(failure instanceof CsvError)) throw failure
    const line = typeof failure['lines'] === 'number' ? failure['lines'] : 0
    const place = line > 0 ? ` Line ${String(line)}.` : ''
    refused('invalid_format', `The file cannot be read as CSV: ${failure.message}.${place}`)
  }
  return rows
}

/** The comma, semicolon or tab that stands most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const [header = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n|\r/, 1)
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).mark
}

// ---------------------------------------------------------------- XLSX

async function xlsxRows(bytes: Buffer, refused: Refuse): Promise<SpreadsheetCell[][]> {
  if (!bytes.subarray(0, 4).equals(ZIP)) refused('invalid_format', 'The file is not an XLSX spreadsheet.')
  try {
    return await spreadsheetRows(bytes)
  } catch (error) {
    if (!(error instanceof UnreadableSpreadsheet)) throw error
    const { code, message } = error
    if (code === 'too_large') return refused(code, `The file is too large a spreadsheet: ${message}.`)
    return refused(code, `The file cannot be read as an XLSX spreadsheet: ${message}`)
  }
}

// ---------------------------------------------------------------- tables

/** The first row that is not empty names the columns. */
function table(rows: readonly (readonly SpreadsheetCell[])[], refused: Refuse): Sheet {
  const start = rows.findIndex((row) => !isEmpty(row))
  const header = rows[start]
  if (!header) return refused('empty', 'The file is empty.')
  const columns = header.map((cell) => String(cell ?? '').trim())
  const twice = columns.find((name, place) => name !== '' && columns.indexOf(name) !== place)
  if (twice !== undefined) refused('duplicate', `The column ${twice} is there twice.`)
  if (columns.includes('__proto__')) refused('not_allowed', 'No column can be named __proto__.')
  const found: SheetRow[] = []
  for (const [place, cells] of rows.entries()) {
    if (place > start && !isEmpty(cells)) found.push(tableRow(columns, cells, place + 1))
  }
  return { columns: columns.filter((name) => name !== ''), rows: found }
}

function tableRow(columns: readonly string[], cells: readonly SpreadsheetCell[], row: number): SheetRow {
  const values: Record<string, unknown> = {}
  for (const [place, cell] of cells.entries()) {
    if (isBlank(cell)) continue
    const column = columns[place] ?? ''
    if (column === '') {
      return { row, values: {}, problem: `cell ${String(place + 1)} stands under no column name` }
    }
    values[column] = valueOf(cell)
  }
  return { row, values }
}

const valueOf = (cell: SpreadsheetCell): string | number | boolean | null => {
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'string' ? cell.trim() : cell
}

const isBlank = (cell: SpreadsheetCell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

const isEmpty = (cells: readonly SpreadsheetCell[]): boolean => cells.every(isBlank)

// ---------------------------------------------------------------- JSON

/** A list of objects. */
function jsonSheet(text: string, refused: Refuse): Sheet {
  let list: unknown
  try {
    list = parseJson(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refused('invalid_format', error.message.replace('The body', 'The file'))
  }
  if (!Array.isArray(list)) return refused('invalid_type', 'The file must hold a JSON list of objects.')
  return { columns: null, rows: list.map((item: unknown, place) => jsonRow(item, place + 1)) }
}

function jsonRow(item: unknown, row: number): SheetRow {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { row, values: {}, problem: 'the row must be an object' }
  }
  return { row, values: item as Record<string, unknown> }
}
