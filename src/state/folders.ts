/** The folders of the database file: made where they are missing, and gone again when the start fails. */
import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseProblem, openProblem } from './databaseProblem.ts'

/** Makes the folder of a file; answers with the outermost folder that was made for it. All or none. */
export function makeFolder(file: string): string | undefined {
  const missing = missingFolders(resolve(dirname(file)))
  const made: string[] = []
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      throw new DatabaseProblem(`cannot use ${file}: there is a folder at that path`)
    }
    // One by one: Node's own way to make several never ends in folders of the kernel, where none can be made.
    for (const folder of missing) {
      mkdirSync(folder)
      made.push(folder)
    }
    return made[0]
  } catch (error) {
    for (const folder of made.reverse()) rmdirSync(folder)
    throw openProblem(file, error)
  }
}

/** The folders on the way that are not there, the outermost first. */
const missingFolders = (folder: string): string[] =>
  existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder]

/** Removes `innermost` and what surrounds it up to `outermost`, as far as nothing else lies there. */
export function removeEmptyFolders(innermost: string, outermost: string): void {
  try {
    for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder))
      rmdirSync(folder)
  } catch {
    // Somebody has put something there meanwhile.
  }
}
