/** Puts the parts together. The only file that knows them all. */
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { mount, type InterfaceDefinition, type MountedRoute } from './http/mount.ts'
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
  /** The database file; ':memory:' (the default) keeps nothing. */
  readonly db?: string
  /** What a new database starts with: 'demo', 'none' (the default) or a fixture file. */
  readonly fixtures?: string
  /** Makes every id follow from it; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** What the control plane asks for; null (the default) leaves it open. */
  readonly adminToken?: string | null
  /** Where the server is reached, when that is not where it listens: "https://sim.example.com". */
  readonly publicUrl?: string | null
  /** Hosts beside the loopback ones that webhooks may be sent to over plain http. */
  readonly webhookHttpHosts?: readonly string[]
  /** How long an attempt to deliver a webhook may take, in ms. */
  readonly webhookTimeoutMs?: number
  /** false (the default) logs nothing. */
  readonly logger?: FastifyBaseLogger | false
}

export interface App {
  readonly fastify: FastifyInstance
  readonly workspaces: Workspaces
  readonly records: Records
  /** The routes of each interface by its name, complete once the app is ready. */
  readonly routes: ReadonlyMap<string, readonly MountedRoute[]>
  /** The key of the workspace that the fixture made; null without one. */
  readonly demoKey: string | null
  /** Starts to listen and to send webhooks; answers with the URL. */
  listen(options: { host: string; port: number }): Promise<string>
  /** Stops accepting, lets what is in flight end, closes the database. */
  close(): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('./state/migrations', import.meta.url))

/**
 * An app that is ready to listen or to be injected into. Throws a DatabaseProblem or a FixtureProblem, whose message
 * is one line, and then leaves nothing half-made on disk.
 */
export function buildApp(options: AppOptions = {}): App {
  const database = new Database(options.db ?? ':memory:', MIGRATIONS)
  registerJobs(database, [overdueJob])
  const workspaces = new Workspaces(database, options.seed ?? null)
  const records = new Records(catalogRecords, [])

  const fastify = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    exposeHeadRoutes: false,
  })
  holdAnswersUntilCommitted(fastify, database)
  const routes = new Map(
    INTERFACES.map((definition) => [definition.name, mount(fastify, definition, workspaces)]),
  )
  fastify.addHook('onClose', () => {
    database.close()
  })

  return {
    fastify,
    workspaces,
    records,
    routes,
    demoKey: null,
    listen: (where) => fastify.listen(where),
    close: () => fastify.close(),
  }
}

/** No answer leaves before everything that it may have seen is on the file. */
function holdAnswersUntilCommitted(fastify: FastifyInstance, database: Database): void {
  fastify.addHook('onSend', (_request, _reply, payload, done) => {
    database.whenCommitted((error) => {
      if (error) done(error)
      else done(null, payload)
    })
  })
}
