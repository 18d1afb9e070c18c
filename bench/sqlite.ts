/**
 * The SQLite settings of src/state/storage/database/database.ts for bare better-sqlite3, so that both sides write equally
 * often.
 */
export const SETTINGS = [
  'locking_mode = EXCLUSIVE',
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'foreign_keys = ON',
  'wal_autocheckpoint = 8000',
  'cache_size = -65536',
  'temp_store = MEMORY',
]

/** The row scope of the first workspace. */
export const OWN = '(SELECT scope FROM workspaces WHERE number = 1)'
