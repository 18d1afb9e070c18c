/** Reads an uploaded list of records, in any thread. */
import { csvRows } from './csv.ts'
import { jsonRows } from './jsonLists.ts'
import { SheetProblem } from './limits.ts'
import { RowWriter } from './rowFile.ts'
import type { Uncomputed } from './sheetRows.ts'
import { headOf, type Source } from './source.ts'
import { Table, type TableRow } from './tables.ts'
import { xlsxRows, type Surroundings } from './xlsx.ts'

export type SheetFormat = 'csv' | 'xlsx' | 'json'

export interface FileToRead {
  readonly source: Source
  readonly format: SheetFormat
  /** The path of a new file for the rows if they are many. */
  readonly rowFile: string
  /** The time zone of the times of a spreadsheet. */
  readonly timezone: string
}

/** The result, or why the file is invalid. */
export type ReadFile =
  | {
      /** The column names by index, empty without a name; null for JSON. */
      readonly columns: readonly string[] | null
      readonly count: number
      /** The rows as JSON if they are few; null if they are in the file. */
      readonly rows: string | null
      readonly uncomputed: Uncomputed
    }
  | { readonly problem: { readonly code: string; readonly message: string } }

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')

/** Reads all rows before any is used, so that an invalid file has no effect. */
export async function readRowsOf({ source, format, rowFile, timezone }: FileToRead): Promise<ReadFile> {
  const writer = new RowWriter(rowFile)
  const uncomputed = { count: 0, first: '' }
  try {
    const columns =
      format === 'json'
        ? await readJson(source, writer)
        : await readTable(await tableRows(source, format, { place: { timezone }, uncomputed }), writer)
    return { columns, rows: await writer.end(), count: writer.count, uncomputed }
  } catch (error) {
    if (!(error instanceof SheetProblem)) throw error
    return { problem: { code: error.code, message: error.message } }
  } finally {
    await writer.close()
  }
}

async function readJson(source: Source, writer: RowWriter): Promise<null> {
  for await (const kept of jsonRows(source)) await writer.add(kept)
  return null
}

async function readTable(rows: AsyncIterable<TableRow>, writer: RowWriter): Promise<string[]> {
  const table = new Table()
  for await (const row of rows) {
    const kept = table.take(row)
    const written = kept && writer.add(kept)
    if (written) await written
  }
  if (table.columns === null) throw new SheetProblem('empty', 'The file is empty.')
  return table.columns
}

async function tableRows(
  source: Source,
  format: 'csv' | 'xlsx',
  surroundings: Surroundings,
): Promise<AsyncIterable<TableRow>> {
  if (format === 'csv') return csvRows(source)
  const head = await headOf(source)
  if (head.subarray(0, ZIP.length).equals(ZIP)) return xlsxRows(source, surroundings)
  throw new SheetProblem('invalid_format', 'The file is not an XLSX spreadsheet.')
}

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Detects the format from the file's signature, or else from its name, its type, and the first character of a
 * text.
 */
export async function formatOf(
  source: Source,
  { filename, contentType }: { readonly filename: string; readonly contentType: string },
): Promise<SheetFormat> {
  const head = await headOf(source)
  const extension = /\.(csv|xlsx|json)$/i.exec(filename)?.[1]?.toLowerCase()
  if (head.subarray(0, ZIP.length).equals(ZIP) || extension === 'xlsx' || contentType === XLSX_TYPE) {
    return 'xlsx'
  }
  if (extension === 'csv' || extension === 'json') return extension
  if (contentType === 'application/json') return 'json'
  return /^\s*[[{]/.test(head.toString('latin1')) ? 'json' : 'csv'
}
