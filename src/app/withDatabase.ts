/** Opens the database of the app. */
import { removeDatabase, storeOf } from '../state/files/fileCleanup.ts'
import { Database } from '../state/storage/database/database.ts'
import { fileError, toDatabaseFileError } from '../state/storage/database/databaseFileError.ts'
import { renewDerivedColumns } from '../state/storage/records/derivedColumns.ts'
import type { Records } from '../state/storage/records/records.ts'

/**
 * Returns what `build` makes of the opened database; a new one has the rows of the image. If that fails, closes the database and removes a new file. Throws a
 * DatabaseFileError for a file that can't be used.
 */
export async function withDatabase<Built>(
  file: string,
  migrations: string,
  image: string | null,
  { sets }: Records,
  build: (database: Database) => Promise<Built>,
): Promise<Built> {
  const database = new Database(file, migrations, image)
  try {
    storeOf(database).clearIncoming()
    await renewDerivedColumns(database, sets)
    return await build(database)
  } catch (error) {
    closeBroken(database)
    if (database.isNew) removeDatabase(database)
    throw fileError(error) === null ? error : toDatabaseFileError(database.file, error)
  }
}

/**
 * Closes a database that failed to open. A damaged file may also fail to close; that error was already
 * reported.
 */
function closeBroken(database: Database): void {
  try {
    database.close()
  } catch (error) {
    if (fileError(error) === null) throw error
  }
}
