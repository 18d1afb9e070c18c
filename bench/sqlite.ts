/** Settings of bare better-sqlite3, those of src/state/database.ts: with others, one side would write more often. */
export const SETTINGS = [
  'locking_mode = EXCLUSIVE',
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'foreign_keys = ON',
  'wal_autocheckpoint = 8000',
  'cache_size = -65536',
  'temp_store = MEMORY',
]

/** What the records of the first workspace are kept under. */
export const OWN = '(SELECT scope FROM workspaces WHERE number = 1)'
