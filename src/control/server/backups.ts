/** Backups of the whole server. OPERATING.md, "Control plane". */
import { isAbsolute } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { named } from '../../http/schemas/schemas.ts'
import type { HeavyTask } from '../../http/files/heavyWork/index.ts'
import { backUp } from '../../state/files/backup.ts'
import { copyDatabase, type DatabaseCopy } from '../../state/files/databaseCopy.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { DatabaseFileError, fileError } from '../../state/storage/database/databaseFileError.ts'
import { hostOfAuthority, isLoopback } from '../../state/text/hosts.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { strict } from '../shared/schemas.ts'

const BackupCreate = Type.Object(
  {
    directory: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'The absolute path of a new or empty directory.',
      examples: ['/backups/monday'],
    }),
  },
  strict,
)

const Backup = named(
  'Backup',
  Type.Object({
    directory: Type.String({
      description: 'Has the database `suite.sqlite`, and its stored files beside it.',
    }),
    bytes: Type.Integer({ minimum: 0, description: 'Of the database and the stored files.' }),
    files: Type.Integer({ minimum: 0, description: 'How many stored files.' }),
  }),
)

/** A disk may take an hour for a large database. */
const COPY: HeavyTask<DatabaseCopy, string[]> = {
  name: 'copyDatabase',
  here: copyDatabase,
  timeMs: 3_600_000,
}

export const backups: ControlResource = async (app, { workspaces, isShared }) => {
  let isRunning = false

  const at = controlRoutesOf(app, 'Server')

  at('/backup').post({
    id: 'backUp',
    summary: 'Back up the server',
    description:
      'Copies the database and the stored files of one instant into a new or empty directory of the machine of the server, while the server runs. Only that machine may call this. `suite-sim restore` puts a backup in place.',
    body: BackupCreate,
    answers: { 200: Backup },
    refuses: ['conflict'],
    async run(request) {
      const { directory } = request.body
      const { database } = workspaces
      mustBeThisMachine(request, isShared())
      if (!isAbsolute(directory)) {
        refuseField('directory', 'invalid', 'directory must be an absolute path')
      }
      if (database.file === ':memory:') {
        refuse(
          'conflict',
          'This server keeps its data in memory. Take snapshots of its workspaces, or start it with --db FILE.',
        )
      }
      if (isRunning) refuse('conflict', 'Another backup is running.')
      isRunning = true
      try {
        const made = await backUp(database, directory, (copying) => app.heavyWork.run(COPY, copying))
        return { directory, ...made }
      } catch (error) {
        const reason = fileError(error) ?? (error instanceof DatabaseFileError ? error.message : null)
        if (reason === null) throw error
        return refuse('conflict', `The backup cannot be written to ${directory}: ${reason}.`)
      } finally {
        isRunning = false
      }
    },
  })
}

/**
 * A backup writes to the disk of the server. A proxy on this machine forwards the calls of others, which it may mark with
 * headers; in front of a shared server, some proxies keep only the host name.
 */
function mustBeThisMachine({ socket, ip, headers }: FastifyRequest, isShared: boolean): void {
  const isMarked = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => name in headers)
  const host = hostOfAuthority(headers.host ?? '')
  const isForwarded = isMarked || (isShared && (host === null || !isLoopback(host)))
  const isLocal = [socket.remoteAddress ?? '', ip].every(isLocalAddress)
  if (isForwarded || !isLocal) {
    refuse('forbidden', 'Only the machine of the server may make a backup, and not through a proxy.')
  }
}

const isLocalAddress = (address: string): boolean =>
  isLoopback(address.replace(/^::ffff:/i, '')) || address === '::1'
