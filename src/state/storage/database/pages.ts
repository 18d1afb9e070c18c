/** The pages of a database file. */
import type SQLite from 'better-sqlite3'

type Pages = 'page_count' | 'freelist_count'

/** Returns the value of a pragma that is a number. */
export const numberOf = (sqlite: SQLite.Database, pragma: Pages | 'page_size' | 'auto_vacuum'): number =>
  Number(sqlite.pragma(pragma, { simple: true }))

/** Returns the bytes of all pages, or of the free ones. */
export const bytesOfPages = (sqlite: SQLite.Database, pages: Pages): number =>
  numberOf(sqlite, pages) * numberOf(sqlite, 'page_size')
