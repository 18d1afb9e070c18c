/** The work that runs beside requests: from when the server is ready until it closes. */
import type { FastifyInstance } from 'fastify'
import type { Snapshot } from '../control/snapshots/snapshot.ts'
import type { HeavyWork } from '../http/files/heavyWork/index.ts'
import type { Connections } from '../http/server/connections.ts'
import { storeOf, sweepFiles } from '../state/files/fileCleanup.ts'
import { releaseHeldCalls } from '../state/faults/heldCalls.ts'
import type { Scheduler } from '../state/model/scheduler.ts'
import type { Database } from '../state/storage/database/database.ts'
import { checkIntegrity } from '../state/storage/database/integrity.ts'
import type { Scopes } from '../state/storage/records/scopes.ts'
import { timelinesOf } from '../state/timeline/timelines.ts'
import type { Expiry } from '../state/limits/expiry.ts'
import type { Webhooks } from '../webhooks/queue.ts'
import type { AppOptions } from './options.ts'

export interface BackgroundWork {
  readonly database: Database
  readonly connections: Connections
  readonly webhooks: Webhooks
  readonly scheduler: Scheduler
  readonly expiry: Expiry
  readonly heavyWork: HeavyWork
  readonly scopes: Scopes
  readonly fixture: Snapshot | null
}

/** Forwards e-mails to the mail server, if there is one. */
export async function forwardMail(
  { smtpUrl }: Pick<AppOptions, 'smtpUrl'>,
  server: FastifyInstance,
  database: Database,
  logFailure: (error: unknown, message: string, facts: object) => void,
): Promise<void> {
  if (smtpUrl === undefined) return
  const { forwardEmails } = await import('../http/files/mailForwarding.ts')
  const close = forwardEmails(smtpUrl, database, (error, { id }) => {
    logFailure(error, 'could not forward a message to the mail server', { email: id })
  })
  server.addHook('onClose', close)
}

/** Starts background work when the server is ready, and stops it before the database is closed. */
export function startAndStop(
  server: FastifyInstance,
  { database, connections, webhooks, scheduler, expiry, scopes, heavyWork, fixture }: BackgroundWork,
  logFailure: (error: unknown, message: string) => void,
): void {
  server.addHook('onReady', (done) => {
    webhooks.start()
    scheduler.start()
    expiry.start()
    // Runs in the background.
    void sweepFiles(database).catch((error: unknown) => {
      logFailure(error, 'could not delete stored files left by a crash')
    })
    void checkIntegrity(database).catch((error: unknown) => {
      logFailure(error, 'the database file is damaged')
    })
    scopes.start()
    done()
  })
  server.addHook('preClose', (done) => {
    scheduler.stop()
    // Starts no new attempts while the last requests are answered; awaited below.
    void webhooks.stop()
    releaseHeldCalls(database)
    connections.stopAccepting(server, done)
  })
  server.addHook('onClose', async () => {
    await Promise.all([connections.over(), webhooks.stop(), scopes.stop()])
    await Promise.all([heavyWork.close(), fixture?.close()])
    expiry.stop()
    timelinesOf(database).storeAll()
    database.close()
    storeOf(database).close()
  })
}
