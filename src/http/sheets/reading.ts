/** Reads an uploaded list of records, in whichever thread. */
import { csvRows } from './csv.ts'
import { jsonRows } from './jsonLists.ts'
import { SheetProblem } from './limits.ts'
import { RowWriter } from './rowFile.ts'
import { headOf, textsOf, type Source } from './source.ts'
import { Table, type TableRow } from './tables.ts'
import { xlsxRows } from './xlsx.ts'

export type SheetFormat = 'csv' | 'xlsx' | 'json'

export interface FileToRead {
  readonly source: Source
  readonly format: SheetFormat
  /** Where the rows go if they are many; nothing lies there yet. */
  readonly rowFile: string
}

/** What was read, or why it was not. */
export type ReadFile =
  | {
      /** The names of the columns by their place, empty where there is none; null for JSON. */
      readonly columns: readonly string[] | null
      readonly count: number
      /** The rows as JSON where they are few; null where they lie in the file. */
      readonly rows: string | null
    }
  | { readonly problem: { readonly code: string; readonly message: string } }

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')

/** All rows are read before any is taken: of a file that can't be read to its end, none is. */
export async function readRowsOf({ source, format, rowFile }: FileToRead): Promise<ReadFile> {
  const writer = new RowWriter(rowFile)
  try {
    const columns =
      format === 'json' ? await readJson(source, writer) : await readTable(source, format, writer)
    return { columns, rows: await writer.end(), count: writer.count }
  } catch (error) {
    if (!(error instanceof SheetProblem)) throw error
    return { problem: { code: error.code, message: error.message } }
  } finally {
    await writer.close()
  }
}

async function readJson(source: Source, writer: RowWriter): Promise<null> {
  for await (const kept of jsonRows(textsOf(source))) await writer.add(kept)
  return null
}

async function readTable(source: Source, format: 'csv' | 'xlsx', writer: RowWriter): Promise<string[]> {
  const table = new Table()
  for await (const row of await tableRows(source, format)) {
    const kept = table.take(row)
    const written = kept && writer.add(kept)
    if (written) await written
  }
  if (table.columns === null) throw new SheetProblem('empty', 'The file is empty.')
  return table.columns
}

async function tableRows(source: Source, format: 'csv' | 'xlsx'): Promise<AsyncIterable<TableRow>> {
  if (format === 'csv') return csvRows(textsOf(source, { older: true }))
  const head = await headOf(source)
  if (head.subarray(0, ZIP.length).equals(ZIP)) return xlsxRows(source)
  throw new SheetProblem('invalid_format', 'The file is not an XLSX spreadsheet.')
}

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** By what the file starts with where that says it, else by its name, its type, and what a text starts with. */
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
