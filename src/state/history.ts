/**
 * What had happened in a workspace before it was made: messages and deliveries of the demo. They are no records: no
 * snapshot holds them, and a reset empties their tables; then it puts these back, which are kept beside the records that
 * the workspace was made with.
 */
import { getTableColumns, getTableName, type Column } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { WorkspaceTable } from './baseline.ts'
import { writtenInstant } from './clock.ts'
import { statement, type Database } from './database.ts'
import { inserter } from './rows.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows by the names of their tables; instants are written as ISO 8601, and JSON that is kept as text as what it is. */
export type History = Readonly<Record<string, readonly Row[]>>

export interface HistoryTable {
  readonly name: string
  /** Writes rows under a number. Only inside a `write`. */
  readonly put: (database: Database, number: number, rows: readonly Row[]) => void
  /** Copies what stands under one number to another. Only inside a `write`. */
  readonly copy: (database: Database, from: number, to: number) => void
}

/** A number that is never given twice takes the place of the table's own, where it has one. */
const SEQUENCE = 'sequence'

export function historyOf(table: WorkspaceTable): HistoryTable {
  const name = getTableName(table)
  const columns = Object.entries(getTableColumns(table as SQLiteTable)).filter(
    ([column]) => column !== 'workspace',
  )
  const insert = inserter(table)
  const copying = statement((_orm, { sqlite }) => {
    const names = columns.map(([, column]) => `"${column.name}"`)
    const cells = columns.map(([key, column]) => (key === SEQUENCE ? 'next_revision()' : `"${column.name}"`))
    return sqlite.prepare<[number, number]>(
      `INSERT INTO "${name}" ("workspace", ${names.join(', ')})
       SELECT ?, ${cells.join(', ')} FROM "${name}" WHERE "workspace" = ? ORDER BY rowid`,
    )
  })
  return {
    name,
    put(database, number, rows) {
      for (const row of rows) {
        const cells: Record<string, unknown> = { workspace: number }
        for (const [key, column] of columns) {
          cells[key] = key === SEQUENCE ? database.nextRevision() : cellOf(column, row[key])
        }
        insert(database, cells)
      }
    },
    copy(database, from, to) {
      copying(database).run(to, from)
    },
  }
}

function cellOf(column: Column, value: unknown): unknown {
  if (value === undefined) return column.hasDefault ? column.default : null
  if (column.dataType === 'number' && typeof value === 'string') return writtenInstant(value)
  return column.dataType === 'string' && typeof value === 'object' ? JSON.stringify(value) : value
}
