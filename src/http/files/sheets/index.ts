/**
 * Reads uploaded lists of records: CSV, XLSX and JSON files as rows of named values. Row numbers are those of
 * the file: the header of a table is row 1; the objects of a JSON list count from 1. Large files are read in
 * a worker thread (`heavyWork`).
 */
import { refuse, refuseField } from '../../../state/model/refusal.ts'
import type { TimezoneSource } from '@suite-sim/kit/time/instants'
import { addHint } from '../../../state/timeline/causes.ts'
import { WorkExceeded, type HeavyTask, type HeavyWork } from '../heavyWork/index.ts'
import type { TemporaryFiles } from '../../uploads/multipart.ts'
import type { Upload } from '../../uploads/uploads.ts'
import type { FileToRead, ReadFile, SheetFormat } from './reading.ts'
import { readRows, type StoredRow } from './rowFile.ts'

export { LARGEST_CONTENT, LARGEST_ROW, MAX_COLUMNS, MAX_ROWS } from './limits.ts'

/** One row of a file. */
export interface SheetRow {
  readonly row: number
  /** The values by column, without empty cells. */
  readonly values: Readonly<Record<string, unknown>>
  /** The reason why the row is invalid, as a sentence. */
  readonly problem?: string
}

export interface Sheet {
  /** The column names as written; null for JSON, where each row has its own. */
  readonly columns: readonly string[] | null
  /** The number of non-empty rows. */
  readonly count: number
  /** Returns all rows in batches; may be called once. */
  batches(): AsyncIterable<readonly SheetRow[]>
}

/** Minimum bytes of a text file that is read in another thread. */
const HEAVY = 262_144

const task: HeavyTask<FileToRead, ReadFile> = {
  name: 'readRowsOf',
  here: async (file) => (await import('./reading.ts')).readRowsOf(file),
}

export interface SheetContext {
  /** Its time zone is that of the times of a spreadsheet. */
  readonly workspace: TimezoneSource
  readonly heavyWork: HeavyWork
  readonly leftovers: TemporaryFiles
}

/**
 * Reads the file. Refuses an invalid file as the form's field `field`. Other errors are no fault of the file.
 */
export async function readSheet(field: string, upload: Upload, context: SheetContext): Promise<Sheet> {
  if (upload.size === 0) refuseField(field, 'empty', 'The file is empty.')
  const [{ formatOf }, { kindOf }] = await Promise.all([import('./reading.ts'), import('./fileKind.ts')])
  const source = upload.content
  const kind = await kindOf(source)
  if (kind !== null) {
    refuseField(field, 'invalid_format', `The file is ${kind}. Save it as CSV, XLSX or JSON.`)
  }
  const fileToRead: FileToRead = {
    source,
    format: await formatOf(source, upload),
    rowFile: context.leftovers.next(),
    timezone: context.workspace.timezone,
  }
  const read = await readFile(fileToRead, upload, context)
  if ('problem' in read) return refuseField(field, read.problem.code, read.problem.message)
  const { columns, count, rows, uncomputed } = read
  if (uncomputed.count > 0) {
    addHint(
      'formula_without_value',
      `Cells with a formula but without its value were read as empty: ${String(uncomputed.count)}. The first is ${uncomputed.first}.`,
    )
  }
  return {
    columns: columns?.filter((name) => name !== '') ?? null,
    count,
    async *batches() {
      const batches = rows === null ? readRows(fileToRead.rowFile) : [JSON.parse(rows) as StoredRow[]]
      for await (const batch of batches) yield batch.map((kept) => rowOf(kept, columns))
    },
  }
}

const isHeavy = (format: SheetFormat, { size }: Upload): boolean => format === 'xlsx' || size >= HEAVY

async function readFile(
  fileToRead: FileToRead,
  upload: Upload,
  { heavyWork }: SheetContext,
): Promise<ReadFile> {
  if (!isHeavy(fileToRead.format, upload)) return task.here(fileToRead)
  try {
    return await heavyWork.run(task, fileToRead)
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error
    return refuse('too_large', `The file needs too much ${error.what} to read.`)
  }
}

function rowOf([row, values, problem]: StoredRow, columns: readonly string[] | null): SheetRow {
  if (problem !== undefined || values === null) return { row, values: {}, problem: problem ?? '' }
  if (!Array.isArray(values)) return { row, values: values as Readonly<Record<string, unknown>> }
  // No prototype, so that every column name is safe.
  const named = Object.create(null) as Record<string, unknown>
  for (let at = 0; at < values.length; at += 2) {
    named[columns?.[values[at] as number] ?? ''] = values[at + 1]
  }
  return { row, values: named }
}
