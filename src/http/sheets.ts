/**
 * Uploaded lists of records: CSV, XLSX and JSON files as rows of named values. Rows are told apart by their number in
 * the file, where the header of a table is row 1; the objects of a JSON list count from 1.
 *
 * The parsers are loaded with the first file. Other requests are answered while a large CSV file is read; the readers
 * of spreadsheets and of JSON hold the server up, a spreadsheet of 20 MB unpacked for about half a second.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseField } from '../state/refusal.ts'
import { parseJson } from './json.ts'
import type { Upload } from './multipart.ts'
import { CellAddresses } from './cellAddresses.ts'
import { mustUnpackWithin, ZipProblem } from './zip.ts'

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

/** What the file holds; a file that cannot be read is refused, as the form's field `field`. */
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
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
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
    const line = failure instanceof CsvError && typeof failure['lines'] === 'number' ? failure['lines'] : 0
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

type Cell = string | number | boolean | Date | null

/** Bytes that it may unpack to: some 200,000 rows. The reader needs up to ten times as much memory. */
const LARGEST_SPREADSHEET = 128 * 1024 * 1024

/** Pictures and all. */
const MOST_FILES = 10_000

/** Cells of a sheet, empty ones too. */
const MOST_CELLS = 5_000_000

/** The first sheet; of formulas, the values that were computed when the file was saved. */
async function xlsxRows(bytes: Buffer, refused: Refuse): Promise<Cell[][]> {
  if (!bytes.subarray(0, 4).equals(ZIP)) refused('invalid_format', 'The file is not an XLSX spreadsheet.')
  const { readSheet: readXlsx } = await import('read-excel-file/universal')
  try {
    const addresses = new CellAddresses()
    await mustUnpackWithin(bytes, { unpacked: LARGEST_SPREADSHEET, files: MOST_FILES }, addresses)
    if (addresses.isDisguised)
      throw new ZipProblem('malformed', 'its cells are placed in a way that is not read here')
    if (addresses.area > MOST_CELLS) throw new ZipProblem('too_large', 'its cells lie too far apart')
    return (await readXlsx(new Blob([new Uint8Array(bytes)]))) as unknown as Cell[][]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (error instanceof ZipProblem && error.code === 'too_large') {
      return refused('too_large', `The file is too large a spreadsheet: ${why}.`)
    }
    return refused('invalid_format', `The file cannot be read as an XLSX spreadsheet: ${why}`)
  }
}

// ---------------------------------------------------------------- tables

/** The first row that is not empty names the columns. */
function table(rows: readonly (readonly Cell[])[], refused: Refuse): Sheet {
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

function tableRow(columns: readonly string[], cells: readonly Cell[], row: number): SheetRow {
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

const valueOf = (cell: Cell): string | number | boolean | null => {
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'string' ? cell.trim() : cell
}

const isBlank = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

const isEmpty = (cells: readonly Cell[]): boolean => cells.every(isBlank)

// ---------------------------------------------------------------- JSON

/** A list of objects. */
function jsonSheet(text: string, refused: Refuse): Sheet {
  let list: unknown
  try {
    list = parseJson(text)
  } catch (error) {
    const why = (error as Error).message.replace('The body', 'The file')
    return refused('invalid_format', why)
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
