/** Puts the parts together. The only file that knows them all. */
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { mount, type InterfaceDefinition } from './http/mount.ts'
import { catalog } from './interfaces/catalog/index.ts'
import { overdueJob } from './state/catalog/actions.ts'
import { catalogRecords } from './state/catalog/records.ts'
import { Database } from './state/database.ts'
import { registerJobs } from './state/jobs.ts'
import { Records } from './state/records.ts'
import { Workspaces } from './state/workspaces.ts'

/** The interfaces of the suite that are built, in the order of OPERATING.md. */
export const INTERFACES: readonly InterfaceDefinition[] = [catalog]

export interface AppOptions {
  readonly db?: string
  readonly seed?: string | null
}

const MIGRATIONS = fileURLToPath(new URL('./state/migrations', import.meta.url))

export interface App {
  readonly fastify: FastifyInstance
  readonly workspaces: Workspaces
  readonly records: Records
}

export function buildApp(options: AppOptions = {}): App {
  const database = new Database(options.db ?? ':memory:', MIGRATIONS)
  registerJobs(database, [overdueJob])
  const workspaces = new Workspaces(database, options.seed ?? null)
  const records = new Records(catalogRecords, [])
  const fastify = Fastify({ logger: false, exposeHeadRoutes: false })

  // No answer leaves before everything it may have seen is on the file.
  fastify.addHook('onSend', (_request, _reply, payload, done) => {
    database.whenCommitted((error) => {
      if (error) done(error)
      else done(null, payload)
    })
  })
  for (const definition of INTERFACES) mount(fastify, definition, workspaces)
  fastify.addHook('onClose', () => {
    database.close()
  })
  return { fastify, workspaces, records }
}
