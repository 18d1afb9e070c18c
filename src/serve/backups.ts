/** `suite-sim backup` and `suite-sim restore`. */
import { counted } from '@suite-sim/kit/text/counted'
import { resolve } from 'node:path'
import { restore } from '../state/files/backup.ts'
import { DatabaseFileError, isHeldByAnother } from '../state/storage/database/databaseFileError.ts'
import { print } from '@suite-sim/kit/terminal/output'
import { CommandError, UsageError } from '@suite-sim/kit/terminal/problem'
import type { ServerSettings } from '@suite-sim/kit/terminal/settings'
import { remoteOf } from '@suite-sim/kit/terminal/remote'
import { serverOfDatabase } from './serverFile.ts'

interface Backup {
  readonly directory: string
  readonly bytes: number
  readonly files: number
}

/** The path is relative to the folder of the command, not to that of the server. */
export async function backup(directory: string, settings: ServerSettings): Promise<void> {
  const made = await remoteOf(settings).call<Backup>('POST', '/backup', { directory: resolve(directory) })
  print(settings, made, () => `backed up to ${made.directory}: ${described(made)}`)
}

export interface RestoreSettings {
  readonly db: string
  readonly force?: boolean
  readonly json?: boolean
}

export async function restoreBackup(directory: string, settings: RestoreSettings): Promise<void> {
  const { db, force = false } = settings
  if (db === ':memory:') throw new UsageError('a backup is restored to a file; --db is :memory:')
  try {
    const restored = { directory: resolve(directory), ...(await restore(directory, db, force)) }
    print(settings, restored, () => `restored ${directory} to ${db}: ${described(restored)}`)
  } catch (error) {
    if (!(error instanceof DatabaseFileError)) throw error
    const url = isHeldByAnother(error) ? await serverOfDatabase(db) : null
    throw new CommandError(error.message + (url === null ? '' : `: a suite simulator runs at ${url}`))
  }
}

const described = ({ bytes, files }: Backup): string =>
  `${(bytes / 1e6).toFixed(1)} MB, ${counted(files, 'stored file')}`
