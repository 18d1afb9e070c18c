/**
 * The history of a demo workspace before its creation: e-mails and deliveries. They are not records: snapshots leave
 * them out, and a reset restores them from a copy in the baseline scope.
 */
import { getTableColumns, getTableName, type Column } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { WorkspaceTable } from './baseline.ts'
import { offsetInstantOf } from '@suite-sim/kit/time/instants'
import { statement, type Database } from '../database/database.ts'
import { inserter } from '../queries/rows.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows by table name. Instants are ISO 8601 strings; JSON in text columns is an object or array. */
export type History = Readonly<Record<string, readonly Row[]>>

export interface HistoryTable {
  readonly name: string
  /** Inserts rows into a row scope. Only inside a `write`. */
  readonly put: (database: Database, rowScope: number, rows: readonly Row[]) => void
  /** Copies the rows of one row scope to another. Only inside a `write`. */
  readonly copy: (database: Database, from: number, to: number) => void
}

/** A column that gets a new revision instead of its stored value. */
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
    put(database, rowScope, rows) {
      for (const row of rows) {
        const cells: Record<string, unknown> = { workspace: rowScope }
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
  if (column.dataType === 'number' && typeof value === 'string') return offsetInstantOf(value)
  return column.dataType === 'string' && typeof value === 'object' ? JSON.stringify(value) : value
}
