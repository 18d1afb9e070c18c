/**
 * Checks that every write to a record with a revision renews the revision, because resets rely on it
 * (docs/decisions/0002). A write that does not renew it fails, and so does its test.
 */
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { App } from '../../src/app.ts'

export function watchRevisions({ records, workspaces }: Pick<App, 'records' | 'workspaces'>): void {
  const tables = records.sets.flatMap(({ table }) =>
    'revision' in getTableColumns(table) ? getTableName(table) : [],
  )
  // Temporary triggers are not stored in the file.
  for (const table of tables) workspaces.database.sqlite.exec(watching(table))
}

/** A reset restores the initial revisions. */
function watching(table: string): string {
  const isOfStart = `EXISTS (SELECT 1 FROM ${table} WHERE workspace = -new.workspace AND revision = new.revision)`
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table} was written to under an old revision'); END`
  return `
    CREATE TEMP TRIGGER ${table}_updated AFTER UPDATE ON main.${table}
      WHEN new.revision <= old.revision AND NOT ${isOfStart} ${refuse};
    CREATE TEMP TRIGGER ${table}_inserted AFTER INSERT ON main.${table}
      WHEN new.revision <= (SELECT max(revision) FROM ${table} WHERE workspace = -new.workspace)
        AND NOT ${isOfStart} ${refuse};`
}
