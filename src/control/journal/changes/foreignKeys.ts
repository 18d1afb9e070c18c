/** The foreign keys of a record set: which records a row refers to. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RecordSet } from '../../../state/storage/records/records.ts'

interface ForeignKey {
  /** The property with the id of the other record. */
  readonly property: string
  /** The name of the table of the other record. */
  readonly to: string
  /** Whether the row is removed with the other record. */
  readonly isCascade: boolean
}

const known = new WeakMap<RecordSet, readonly ForeignKey[]>()

export function foreignKeysOf(set: RecordSet): readonly ForeignKey[] {
  const found = known.get(set) ?? read(set.table as SQLiteTable)
  known.set(set, found)
  return found
}

function read(table: SQLiteTable): ForeignKey[] {
  const properties = new Map(
    Object.entries(getTableColumns(table)).map(([property, column]) => [column.name, property]),
  )
  return getTableConfig(table).foreignKeys.flatMap(({ onDelete, reference }) => {
    const { columns, foreignTable } = reference()
    const column = columns.find(({ name }) => name !== 'workspace')?.name ?? ''
    const property = properties.get(column)
    return property === undefined
      ? []
      : [{ property, to: getTableName(foreignTable), isCascade: onDelete === 'cascade' }]
  })
}
