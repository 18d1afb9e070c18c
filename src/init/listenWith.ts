/** Starts a server whose first requests wait. */
import type { App } from '../app.ts'
import { removeDatabase } from '../state/files/fileCleanup.ts'
import { fileError } from '../state/storage/database/databaseFileError.ts'
import { removeUnfinished } from './unfinished.ts'

/**
 * Starts to listen, and holds requests until `prepare` has ended. If one of them fails, closes the app and deletes a database
 * that this start created. Returns the URL.
 */
export async function listenWith(
  app: App,
  address: { readonly host: string; readonly port: number },
  prepare: () => Promise<void>,
): Promise<string> {
  const { database } = app.workspaces
  const release = app.startup.holdRequests()
  try {
    const url = await app.listen(address)
    await prepare()
    release()
    return url
  } catch (error) {
    release()
    await app.close().catch((closeError: unknown) => {
      if (!isFileProblem(error)) throw closeError
    })
    if (database.isNew) {
      // First, because it removes the mark last: a server that dies in between leaves no part of the files.
      removeUnfinished(database.file)
      removeDatabase(database)
    }
    throw error
  }
}

/** True for an error of the database file, such as a full disk. */
export const isFileProblem = (error: unknown): boolean => fileError(error) !== null && !isSocketError(error)

export const isSocketError = (error: unknown): boolean =>
  /^(?:listen|getaddrinfo)$/.test((error as NodeJS.ErrnoException).syscall ?? '')
