/**
 * Uploaded lists of records: CSV, XLSX and JSON files as rows of named values. Rows are told apart by their number in
 * the file, where the header of a table is row 1; the objects of a JSON list count from 1.
 *
 * Large files and all spreadsheets are read in a thread of their own (`heavyWork`). The parsers are loaded with the first
 * file.
 */
import { refuse, refuseField } from '../../state/refusal.ts'
import { WorkExceeded, type HeavyTask, type HeavyWork } from '../heavyWork/index.ts'
import type { Leftovers } from '../multipart.ts'
import type { Upload } from '../uploads.ts'
import type { FileToRead, ReadFile, SheetFormat } from './reading.ts'
import { readRows, type KeptRow } from './rowFile.ts'

export { LARGEST_CONTENT, LARGEST_ROW, MAX_COLUMNS as MOST_COLUMNS, MAX_ROWS as MOST_ROWS } from './limits.ts'

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
  /** Rows that hold anything. */
  readonly count: number
  /** All of them, some at a time; to be asked for once. */
  batches(): AsyncIterable<readonly SheetRow[]>
}

/** Bytes from which a text is read in another thread. */
const HEAVY = 262_144

const task: HeavyTask<FileToRead, ReadFile> = {
  name: 'readRowsOf',
  here: async (given) => (await import('./reading.ts')).readRowsOf(given),
}

export interface SheetPlace {
  readonly heavyWork: HeavyWork
  readonly leftovers: Leftovers
}

/**
 * What the file holds; a file that cannot be read is refused, as the form's field `field`. What is thrown beside that is
 * no fault of the file.
 */
export async function readSheet(field: string, upload: Upload, place: SheetPlace): Promise<Sheet> {
  if (upload.size === 0) refuseField(field, 'empty', 'The file is empty.')
  const [{ formatOf }, { kindOf }] = await Promise.all([import('./reading.ts'), import('./kinds.ts')])
  const source = upload.content
  const kind = await kindOf(source)
  if (kind !== null) {
    refuseField(field, 'invalid_format', `The file is ${kind}. Save it as CSV, XLSX or JSON.`)
  }
  const given: FileToRead = {
    source,
    format: await formatOf(source, upload),
    rowFile: place.leftovers.next(),
  }
  const read = await answerOf(given, upload, place)
  if ('problem' in read) return refuseField(field, read.problem.code, read.problem.message)
  const { columns, count, rows } = read
  return {
    columns: columns?.filter((name) => name !== '') ?? null,
    count,
    async *batches() {
      const batches = rows === null ? readRows(given.rowFile) : [JSON.parse(rows) as KeptRow[]]
      for await (const batch of batches) yield batch.map((kept) => rowOf(kept, columns))
    },
  }
}

const isHeavy = (format: SheetFormat, { size }: Upload): boolean => format === 'xlsx' || size >= HEAVY

async function answerOf(given: FileToRead, upload: Upload, { heavyWork }: SheetPlace): Promise<ReadFile> {
  if (!isHeavy(given.format, upload)) return task.here(given)
  try {
    return await heavyWork.run(task, given)
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error
    return refuse('too_large', `The file takes more ${error.what} to read than a file may.`)
  }
}

function rowOf([row, values, problem]: KeptRow, columns: readonly string[] | null): SheetRow {
  if (problem !== undefined || values === null) return { row, values: {}, problem: problem ?? '' }
  if (!Array.isArray(values)) return { row, values: values as Readonly<Record<string, unknown>> }
  // A column may be called __proto__.
  const named = Object.create(null) as Record<string, unknown>
  for (let at = 0; at < values.length; at += 2) {
    named[columns?.[values[at] as number] ?? ''] = values[at + 1]
  }
  return { row, values: named }
}
