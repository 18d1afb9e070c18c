/** Puts the parts together. The only file that knows them all. */
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ControlContext } from './control/context.ts'
import { controlDialect } from './control/dialect.ts'
import { openFixture, readFixture, type Fixture } from './control/fixtures.ts'
import { controlPlane } from './control/index.ts'
import { integrationPaymentTriggers } from './control/triggers/integrationPayments.ts'
import { paymentTriggers } from './control/triggers/payments.ts'
import { posTriggers } from './control/triggers/pos.ts'
import { mount, type InterfaceDefinition, type MountedRoute } from './http/mount.ts'
import { interfaceDocument, suiteDocument, type Published } from './http/openapi.ts'
import { limitRates } from './http/rateLimits.ts'
import { createServer, holdAnswersUntilCommitted } from './http/server.ts'
import { catalog } from './interfaces/catalog/index.ts'
import { catalogProfile } from './interfaces/catalog/profile.ts'
import { crm } from './interfaces/crm/index.ts'
import { crmProfile } from './interfaces/crm/profile.ts'
import { integrationPayments } from './interfaces/integration-payments/index.ts'
import { integrationPaymentsProfile } from './interfaces/integration-payments/profile.ts'
import { payments } from './interfaces/payments/index.ts'
import { paymentsProfile } from './interfaces/payments/profile.ts'
import { pos } from './interfaces/pos/index.ts'
import { posProfile } from './interfaces/pos/profile.ts'
import { overdueJob } from './state/catalog/actions.ts'
import { catalogMachines } from './state/catalog/machines.ts'
import { catalogRecords } from './state/catalog/records.ts'
import { monotonicNow } from './state/clock.ts'
import { crmAutomations, sequenceJob } from './state/crm/automationRuns.ts'
import { crmMachines } from './state/crm/machines.ts'
import { crmRecords } from './state/crm/records.ts'
import { Database } from './state/database.ts'
import { hostedLinkExpiryJob } from './state/integration-payments/links.ts'
import { integrationPaymentMachines } from './state/integration-payments/machines.ts'
import { integrationPaymentRecords } from './state/integration-payments/records.ts'
import { linkExpiryJob } from './state/payments/links.ts'
import { paymentMachines } from './state/payments/machines.ts'
import { paymentRecords } from './state/payments/records.ts'
import { Records } from './state/records.ts'
import { refuseField } from './state/refusal.ts'
import { Scheduler } from './state/scheduler.ts'
import { Workspaces } from './state/workspaces.ts'
import { VERSION } from './version.ts'
import { deliveryMachine } from './webhooks/machine.ts'
import { Webhooks } from './webhooks/queue.ts'
import { webhookRecords, webhookTraces } from './webhooks/records.ts'
import { urlProblem } from './webhooks/urls.ts'

/** The interfaces of the suite that are built, in the order of OPERATING.md. */
export const INTERFACES: readonly InterfaceDefinition[] = [catalog, crm, payments, integrationPayments, pos]

/** Every state machine there is. */
export const MACHINES = [
  ...catalogMachines,
  ...crmMachines,
  ...paymentMachines,
  ...integrationPaymentMachines,
  deliveryMachine,
]

const PROFILES = [catalogProfile, crmProfile, paymentsProfile, integrationPaymentsProfile, posProfile]
const RECORD_SETS = [
  ...catalogRecords,
  ...crmRecords,
  ...paymentRecords,
  ...integrationPaymentRecords,
  ...webhookRecords,
]
const TRACES = [...webhookTraces]
const JOBS = [overdueJob, sequenceJob, linkExpiryJob, hostedLinkExpiryJob]
const TRIGGERS = [...paymentTriggers, ...integrationPaymentTriggers, ...posTriggers]

export interface AppOptions {
  /** The database file; ':memory:' (the default) keeps nothing. */
  readonly db?: string
  /** What a new database starts with: 'demo', 'none' (the default) or a fixture file. */
  readonly fixtures?: string
  /** Makes every id follow from it; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** What the control plane asks for; null (the default) leaves it to this machine. */
  readonly adminToken?: string | null
  /** Where the server is reached, when that is not where it listens: "https://sim.example.com". */
  readonly publicUrl?: string | null
  /** Hosts beside the loopback ones that webhooks may be sent to over plain http; "*" is all. */
  readonly webhookHttpHosts?: readonly string[]
  /** How long an attempt to deliver a webhook may take, in ms. */
  readonly webhookTimeoutMs?: number
  /** The file of a thread to send webhooks from; without one, this thread sends them. */
  readonly webhookThread?: string
  /** Whether the rate limits of the interfaces hold; they do by default. */
  readonly rateLimits?: boolean
  /** false (the default) logs nothing. */
  readonly logger?: FastifyBaseLogger | false
}

export interface App {
  readonly fastify: FastifyInstance
  readonly workspaces: Workspaces
  readonly records: Records
  readonly webhooks: Webhooks
  /** The routes of each interface by its name, complete once the app is ready. */
  readonly routes: ReadonlyMap<string, readonly MountedRoute[]>
  /** The control plane with its routes, complete once the app is ready. */
  readonly control: Published
  /** The key of the workspace that the fixture made; null without one. */
  readonly demoKey: string | null
  /** Starts to listen; answers with the URL. */
  listen(options: { host: string; port: number }): Promise<string>
  /** Stops accepting, lets what is in flight end, closes the database. */
  close(): Promise<void>
}

const MIGRATIONS = fileURLToPath(new URL('./state/migrations', import.meta.url))
const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))

/**
 * An app that is ready to listen or to be injected into. Throws a DatabaseProblem or a FixtureProblem, whose message
 * is one line, and then leaves nothing half-made on disk.
 */
export function buildApp(options: AppOptions = {}): App {
  const records = new Records(RECORD_SETS, TRACES)
  // Read before the database is opened, so that a fixture that does not fit leaves no file behind.
  const fixture = readFixture(options.fixtures ?? 'none', FIXTURES, records)
  const database = new Database(options.db ?? ':memory:', MIGRATIONS)
  try {
    return assemble(options, database, records, fixture)
  } catch (error) {
    database.close()
    if (database.isNew) database.remove()
    throw error
  }
}

function assemble(options: AppOptions, database: Database, records: Records, fixture: Fixture | null): App {
  const workspaces = new Workspaces(database, { seed: options.seed ?? null, jobs: JOBS })
  const publicUrl = options.publicUrl?.replace(/\/+$/, '') ?? null
  if (publicUrl !== null) workspaces.publicUrl = publicUrl
  const { logger = false } = options
  const webhooks = new Webhooks(workspaces, PROFILES, {
    userAgent: `suite-simulator/${VERSION}`,
    ...(options.webhookTimeoutMs !== undefined && { timeoutMs: options.webhookTimeoutMs }),
    ...(options.webhookThread !== undefined && { thread: options.webhookThread }),
    ...(logger && { logger }),
  })
  workspaces.follow(webhooks.outbox)
  workspaces.follow(crmAutomations)
  const scheduler = new Scheduler(workspaces, (error, workspace) => {
    if (logger) logger.error({ err: error, workspace: workspace.id }, 'a job that fell due failed')
  })

  const published: Published[] = []
  const documented: Published[] = []
  const control = controlPlane(
    contextOf(options, { workspaces, records, webhooks, published, documented, fixture }),
  )
  const server = createServer(logger, [...INTERFACES, control], controlDialect)
  holdAnswersUntilCommitted(server, database)
  server.decorate('mustBeWebhookUrl', (url: string) => {
    const problem = urlProblem(url, options.webhookHttpHosts)
    if (problem !== null) refuseField('url', 'not_allowed', problem)
  })
  if (options.rateLimits ?? true) limitRates(server, workspaces)
  for (const definition of INTERFACES) {
    published.push({ definition, routes: mount(server, definition, workspaces) })
  }
  const steering: Published = { definition: control, routes: mount(server, control, workspaces) }
  documented.push(...published, steering)
  startAndStop(server, database, webhooks, scheduler)

  if (fixture && workspaces.numbers().length === 0) openFixture(workspaces, records, fixture)
  database.flush()
  const key = fixture?.key
  return {
    fastify: server,
    workspaces,
    records,
    webhooks,
    routes: new Map(published.map(({ definition, routes }) => [definition.name, routes])),
    control: steering,
    demoKey: key !== undefined && workspaces.caller(key) ? key : null,
    async listen(where) {
      const address = await server.listen(where)
      if (publicUrl === null) workspaces.publicUrl = address
      return address
    },
    close: () => server.close(),
  }
}

interface Parts extends Pick<ControlContext, 'workspaces' | 'records' | 'webhooks'> {
  /** The interfaces of the suite. */
  readonly published: readonly Published[]
  /** Those, and the control plane. */
  readonly documented: readonly Published[]
  readonly fixture: Fixture | null
}

function contextOf(options: AppOptions, { published, documented, fixture, ...parts }: Parts): ControlContext {
  let demo: Fixture | null = null
  const eventsOf = (name: string): readonly string[] | null =>
    PROFILES.find((profile) => profile.interface === name)?.events ?? null
  const find = (name: string): Published | undefined =>
    documented.find(({ definition }) => definition.name === name)
  return {
    ...parts,
    machines: MACHINES,
    triggers: TRIGGERS,
    documents: {
      one(name, serverUrl) {
        const found = find(name)
        return found ? interfaceDocument(found, { serverUrl, version: VERSION }) : null
      },
      whole: (serverUrl) => suiteDocument(published, { serverUrl, version: VERSION }),
    },
    eventsOf,
    urlProblem: (url) => urlProblem(url, options.webhookHttpHosts),
    demoFixture() {
      demo ??= readFixture('demo', FIXTURES, parts.records)
      if (!demo) throw new Error('the demo fixture is missing')
      return demo
    },
    startFixture: () => fixture,
    version: VERSION,
    startedAt: monotonicNow(),
    publicUrl: options.publicUrl ?? null,
    adminToken: () => options.adminToken ?? null,
  }
}

/** Work that nobody asked for begins when the server is ready, and ends before the database is closed. */
function startAndStop(
  server: FastifyInstance,
  database: Database,
  webhooks: Webhooks,
  scheduler: Scheduler,
): void {
  server.addHook('onReady', (done) => {
    webhooks.start()
    scheduler.start()
    done()
  })
  server.addHook('preClose', (done) => {
    scheduler.stop()
    // Begins no more attempts while the last requests are answered; waited for below.
    void webhooks.stop()
    done()
  })
  server.addHook('onClose', async () => {
    await webhooks.stop()
    database.close()
  })
}
