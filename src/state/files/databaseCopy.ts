/** Copies the file of a database while a server uses it. Runs in a thread, because it reads and writes the whole file. */

export interface DatabaseCopy {
  /** The file of the database. */
  readonly from: string
  /** The new file. */
  readonly to: string
}

/** Copies the database as it is at one instant. Returns the hashes of the stored files to which it refers. */
export async function copyDatabase({ from, to }: DatabaseCopy): Promise<string[]> {
  const { default: SQLite } = await import('better-sqlite3')
  const source = new SQLite(from, { readonly: true })
  try {
    // The instant is that of the first read. Later writes do not change what this connection sees.
    source.exec('BEGIN')
    const hashes = source.prepare<[], string>('SELECT DISTINCT hash FROM stored_files').pluck().all()
    await source.backup(to)
    return hashes
  } finally {
    source.close()
  }
}
