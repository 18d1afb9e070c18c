/**
 * A table as a file that a spreadsheet program or a reader of PDF opens. Texts are written in slices; workbooks and PDF in
 * a thread of their own (`heavyWork`), where what writes each is loaded when it is first asked for.
 */
import { refuse } from '../state/refusal.ts'
import { mapInSlices } from '../state/slices.ts'
import { written, type FileTable, type Row, type TableToWrite } from './fileTable.ts'
import type { HeavyTask, HeavyWork } from './heavyWork/index.ts'

export const FILE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const

export type FileKind = keyof typeof FILE_TYPES

/** The most rows of a file: of what can be printed, and of what a thread has memory for. */
export const MAX_ROWS: Readonly<Record<FileKind, number>> = { csv: Infinity, xlsx: 100_000, pdf: 5_000 }

/** Refuses a table that is larger than a file of this kind may be, by the query that asks for it. */
export async function tableFile(kind: FileKind, table: FileTable, heavyWork: HeavyWork): Promise<Uint8Array> {
  if (table.rows.length > MAX_ROWS[kind]) {
    const message = `format must not be ${kind} where a report has more than ${MAX_ROWS[kind].toLocaleString('en')} lines`
    refuse('invalid_query', `Query: ${message}`, {
      details: [{ field: 'format', code: 'too_many', message }],
    })
  }
  if (kind === 'csv') return csvFile(table)
  const { rows, ...head } = table
  return heavyWork.run(task, {
    kind,
    ...head,
    pieces: await mapInSlices(piecesOf(rows), (piece) => JSON.stringify(piece)),
  })
}

const task: HeavyTask<TableToWrite, Uint8Array> = {
  name: 'writeTable',
  here: async (given) => (await import('./tableWriting.ts')).writeTable(given),
}

const ROWS_IN_A_PIECE = 200

function* piecesOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_IN_A_PIECE) yield rows.slice(at, at + ROWS_IN_A_PIECE)
}

/** With a mark at its beginning, by which spreadsheet programs know that it is UTF-8; no text in it is taken for a formula. */
async function csvFile({ columns, rows }: FileTable): Promise<Uint8Array> {
  const { stringify } = await import('csv-stringify/sync')
  const heads = stringify([columns.map(({ title }) => title)], { ...LINES, bom: true })
  const pieces = await mapInSlices(piecesOf(rows), (some) =>
    stringify(
      some.map((cells) =>
        columns.map((column, place) => {
          const cell = cells[place] ?? null
          return typeof cell === 'string' ? safe(cell) : written(cell, column)
        }),
      ),
      LINES,
    ),
  )
  return Buffer.from([heads, ...pieces].join(''))
}

const LINES = { record_delimiter: 'windows' } as const

/** What a program would take for a formula, with a mark before it that keeps it a text. */
const safe = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
