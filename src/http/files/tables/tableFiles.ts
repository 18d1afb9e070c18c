/**
 * Writes a table as CSV, XLSX or PDF. CSV is written in slices; XLSX and PDF in a worker thread
 * (`heavyWork`), which loads the library of each on first use.
 */
import { refuse } from '../../../state/model/refusal.ts'
import { mapInSlices } from '../../../state/model/slices.ts'
import { escapeFormula } from '@suite-sim/kit/text/escaping'
import { cellText, type FileTable, type Row, type TableToWrite } from './fileTable.ts'
import type { HeavyTask, HeavyWork } from '../heavyWork/index.ts'

export const FILE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const

export type FileKind = keyof typeof FILE_TYPES

/** Maximum rows of a file: what fits on paper, and in the memory of a thread. */
export const MAX_ROWS: Readonly<Record<FileKind, number>> = { csv: Infinity, xlsx: 100_000, pdf: 5_000 }

/** Writes the file. Refuses the query if the table has more rows than a file of this kind can have. */
export async function tableFile(kind: FileKind, table: FileTable, heavyWork: HeavyWork): Promise<Uint8Array> {
  if (table.rows.length > MAX_ROWS[kind]) {
    const message = `format must not be ${kind} if the report has more than ${MAX_ROWS[kind].toLocaleString('en')} lines`
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
  here: async (table) => (await import('./tableWriting.ts')).writeTable(table),
}

const ROWS_IN_A_PIECE = 200

function* piecesOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_IN_A_PIECE) yield rows.slice(at, at + ROWS_IN_A_PIECE)
}

/** Writes CSV with a byte order mark, so that spreadsheet programs read it as UTF-8, and without formulas. */
async function csvFile({ columns, rows }: FileTable): Promise<Uint8Array> {
  const { stringify } = await import('csv-stringify/sync')
  const heads = stringify([columns.map(({ title }) => title)], { ...LINES, bom: true })
  const pieces = await mapInSlices(piecesOf(rows), (some) =>
    stringify(
      some.map((cells) =>
        columns.map((column, index) => {
          const cell = cells[index] ?? null
          return typeof cell === 'string' ? escapeFormula(cell) : cellText(cell, column)
        }),
      ),
      LINES,
    ),
  )
  return Buffer.from([heads, ...pieces].join(''))
}

const LINES = { record_delimiter: 'windows' } as const
