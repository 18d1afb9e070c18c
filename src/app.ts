/** Builds the app from its parts. Only this file knows all of them. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { LevelWithSilent, Logger } from 'pino'
import { controlPlane } from './control/index.ts'
import type { ControlContext } from './control/shared/context.ts'
import { weeksUntil } from './control/snapshots/demoDates.ts'
import { openFixture, readFixture, type Fixture } from './control/snapshots/fixtures.ts'
import { headOf, closeSnapshot } from './control/snapshots/snapshot.ts'
import type { PartOptions } from './http/lifecycle/createPart.ts'
import type { InterfaceDefinition, Published } from './http/definition/definition.ts'
import { Connections } from './http/server/connections.ts'
import type { MailForwarder } from './http/files/mime.ts'
import { HeavyWork } from './http/files/heavyWork/index.ts'
import type { KnownPath } from './http/server/nearestPath.ts'
import { FILES_PATH, Part } from './http/server/parts.ts'
import { createFront, crossOrigin, createServerFactory } from './http/server/server.ts'
import { catalog } from './interfaces/catalog/index.ts'
import { conversations } from './interfaces/conversations/index.ts'
import { crm } from './interfaces/crm/index.ts'
import { forms } from './interfaces/forms/index.ts'
import { integrationPayments } from './interfaces/integration-payments/index.ts'
import { liteInvoicing } from './interfaces/lite-invoicing/index.ts'
import { meetings } from './interfaces/meetings/index.ts'
import { payments } from './interfaces/payments/index.ts'
import { pos } from './interfaces/pos/index.ts'
import { recruiting } from './interfaces/recruiting/index.ts'
import { signage } from './interfaces/signage/index.ts'
import { taxInvoicing } from './interfaces/tax-invoicing/index.ts'
import { monotonicNow, systemNow } from './state/model/clock.ts'
import { Database } from './state/storage/database/database.ts'
import { emailListeners, type Email } from './state/shared/emails.ts'
import { fileError, toDatabaseFileError } from './state/storage/database/databaseFileError.ts'
import { randomToken } from './state/storage/database/ids.ts'
import { INTERFACE_NAMES, type InterfaceName } from './state/model/interfaceNames.ts'
import { removeDatabase, storeOf, sweepFiles } from './state/files/fileCleanup.ts'
import { storedFiles } from './state/shared/storedFiles.ts'
import { renewFoldedColumns } from './state/storage/records/foldedColumns.ts'
import { Records } from './state/storage/records/records.ts'
import type { Scopes } from './state/storage/records/scopes.ts'
import { checkIntegrity } from './state/storage/database/integrity.ts'
import { Scheduler } from './state/model/scheduler.ts'
import { Slices } from './state/model/slices.ts'
import { timelinesOf } from './state/timeline/timeline.ts'
import { renderUnchanged } from './state/workspace/events.ts'
import { databaseHealthOf } from './state/storage/database/databaseHealth.ts'
import { Workspaces } from './state/workspace/workspaces.ts'
import { VERSION } from './version.ts'
import { deliveryMachine } from './webhooks/machine.ts'
import { profile } from './webhooks/profile.ts'
import { Webhooks } from './webhooks/queue.ts'
import { webhookRecords, webhookTraces } from './webhooks/records.ts'
import { WITHIN_THIS_MACHINE } from './webhooks/allowedTargets.ts'
import { hostInUrl, isLoopback, portOf } from './webhooks/urls.ts'

/** The definition of each interface; a name of the list without one does not compile. */
const DEFINITIONS: Readonly<Record<InterfaceName, InterfaceDefinition>> = {
  catalog,
  crm,
  signage,
  recruiting,
  forms,
  payments,
  'integration-payments': integrationPayments,
  pos,
  'tax-invoicing': taxInvoicing,
  'lite-invoicing': liteInvoicing,
  conversations,
  meetings,
}

/** The interfaces of the suite, in the order of their list. */
export const INTERFACES: readonly InterfaceDefinition[] = INTERFACE_NAMES.map((name) => DEFINITIONS[name])

/** One list for all apps of a process, so that the schemas made from it are compiled once. */
const RECORD_SETS = [storedFiles, ...INTERFACES.flatMap(({ records }) => records), ...webhookRecords]

/** All state machines. */
export const MACHINES = [...INTERFACES.flatMap(({ machines }) => machines), deliveryMachine]

export interface AppOptions {
  /** The database file; ':memory:' (the default) keeps nothing. */
  readonly db?: string
  /** The content of a new database: 'demo', 'small', 'none' (the default) or a fixture file. */
  readonly fixtures?: string
  /** The date to which the demo's dates are moved; the default is now. */
  readonly demoDate?: number
  /** The seed from which all ids are derived; null (the default) for unpredictable ids. */
  readonly seed?: string | null
  /** The token that the control plane requires; null (the default) allows calls from this machine only. */
  readonly adminToken?: string | null
  /**
   * The URL at which clients reach the server, if it differs from the listening address:
   * "https://sim.example.com".
   */
  readonly publicUrl?: string | null
  /** Hosts that may receive webhooks over plain http and at any address; "*" is all. */
  readonly webhookHttpHosts?: readonly string[]
  /** The timeout of a webhook delivery attempt, in ms. */
  readonly webhookTimeoutMs?: number
  /** Ms that requests in flight may still take after the app is closed; the default is 5 s. */
  readonly closeGraceMs?: number
  /** Maximum number of connections without a complete request; beyond it, the oldest are closed. */
  readonly maxHalfOpen?: number
  /**
   * The script of the worker thread for heavy work, such as reading large files; without it, this thread does
   * the work.
   */
  readonly heavyThread?: string
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[]
  /** Origins of browser apps that may call the interfaces: "http://localhost:5173"; "*" is all, none by default. */
  readonly cors?: readonly string[]
  /** Whether the rate limits of the interfaces apply; true by default. */
  readonly rateLimits?: boolean
  /**
   * The mail server that receives the messages: "smtp://localhost:1025"; without it, no message leaves the
   * simulator.
   */
  readonly smtpUrl?: string
  /** false (the default) logs nothing. */
  readonly logger?: FastifyBaseLogger | false
}

export interface App {
  readonly fastify: FastifyInstance
  readonly workspaces: Workspaces
  readonly records: Records
  readonly webhooks: Webhooks
  /** Returns an interface, or the control plane ("control"), with its routes; builds it on first use. */
  published(name: string): Promise<Published>
  /** The key of the workspace that the fixture created; null without one. */
  readonly demoKey: string | null
  /** Starts to listen; returns the URL. */
  listen(options: { host: string; port: number }): Promise<string>
  /** Stops accepting connections, waits for requests in flight within the grace period, closes the database. */
  close(): Promise<void>
}

/** Creates a logger of JSON lines or colored lines on standard output. The logger module is loaded only here. */
export const makeLogger = async (level: LevelWithSilent, pretty: boolean): Promise<Logger> =>
  (await import('./http/server/log.ts')).makeLogger(level, pretty)

/**
 * Returns a random admin token for a server that other machines can reach, directly or through its public
 * URL; else null.
 */
export const madeUpToken = ({ host, publicUrl }: { host: string; publicUrl?: string }): string | null =>
  publicUrl !== undefined || !isLoopback(hostInUrl(host)) ? randomToken() : null

const MIGRATIONS = fileURLToPath(new URL('./state/storage/migrations', import.meta.url))
/** The script of the API reference. It is next to the bundle; when run from source, it is in its package. */
const DOCS_SCRIPT = fileURLToPath(new URL('./scalar.js', import.meta.url))
const DOCS_SCRIPT_SOURCE = fileURLToPath(
  new URL('../node_modules/@scalar/api-reference/dist/browser/standalone.js', import.meta.url),
)
/** The dashboard's browser files, written by the build. */
const DASHBOARD = fileURLToPath(new URL('../dist/dashboard', import.meta.url))
const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))

/**
 * Builds an app that is ready to listen or to be injected into. Throws a DatabaseFileError or a FixtureError
 * with a one-line message, and then leaves no half-made file on disk.
 */
export async function buildApp(options: AppOptions = {}): Promise<App> {
  const records = new Records(RECORD_SETS, [
    ...INTERFACES.flatMap(({ traces = [] }) => traces),
    ...webhookTraces,
  ])
  // Read before the database is opened, so that an invalid fixture leaves no file behind.
  const fixture = await readFixture(
    options.fixtures ?? 'none',
    FIXTURES,
    records,
    options.demoDate ?? systemNow(),
  )
  try {
    return await buildOn(options, records, fixture)
  } catch (error) {
    await closeSnapshot(fixture)
    throw error
  }
}

async function buildOn(options: AppOptions, records: Records, fixture: Fixture | null): Promise<App> {
  const database = new Database(options.db ?? ':memory:', MIGRATIONS)
  try {
    storeOf(database).clearIncoming()
    await renewFoldedColumns(database, records.sets)
    return await assemble(options, database, records, fixture)
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

async function assemble(
  options: AppOptions,
  database: Database,
  records: Records,
  fixture: Fixture | null,
): Promise<App> {
  const { logger = false } = options
  const workspaces = new Workspaces(database, {
    seed: options.seed ?? null,
    jobs: records.sets.flatMap(({ job }) => job ?? []),
    onJobsDisabled: (error, workspace) => {
      if (logger) logger.error({ err: error, workspace: workspace.id }, 'disabled jobs that kept failing')
    },
    renderers: new Map(INTERFACES.map(({ name, renderEvent }) => [name, renderEvent])),
  })
  const publicUrl = options.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null
  if (publicUrl !== null) workspaces.publicUrl = publicUrl
  const profiles = INTERFACES.map(({ name, eventTime }) =>
    profile({ interface: name, ...(eventTime !== undefined && { eventTime }) }),
  )
  const webhooks = new Webhooks(workspaces, profiles, {
    userAgent: `suite-simulator/${VERSION}`,
    ...(options.webhookTimeoutMs !== undefined && { timeoutMs: options.webhookTimeoutMs }),
    ...(options.closeGraceMs !== undefined && { graceMs: options.closeGraceMs }),
    targets: { ...WITHIN_THIS_MACHINE, httpHosts: options.webhookHttpHosts ?? [], publicUrl },
    ...(logger && { logger }),
  })
  for (const follower of [webhooks.outbox, ...INTERFACES.flatMap(({ followers = [] }) => followers)]) {
    workspaces.follow(follower)
  }
  const scheduler = new Scheduler(workspaces, (error, workspace) => {
    databaseHealthOf(database).report(error)
    if (logger) logger.error({ err: error, workspace: workspace.id }, 'a due job failed')
  })

  const makeServer = createServerFactory(logger, options.trustedProxies)
  const { rateLimits = true } = options
  const heavyWork = new HeavyWork(options.heavyThread)
  const surroundings: PartOptions = {
    makeServer,
    workspaces,
    rateLimits,
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    equip(server) {
      server.decorate('heavyWork', heavyWork)
      server.decorate('subscriptions', webhooks.subscriptions)
      server.decorate('everyPath', everyPath)
    },
  }
  let paths: Promise<readonly KnownPath[]> | undefined
  const everyPath = (): Promise<readonly KnownPath[]> =>
    (paths ??= pathsOf(context.allPublished, parts).catch(() => {
      // A part that fails to build reports that to its own callers.
      paths = undefined
      return []
    }))
  const parts: Parts = new Map(INTERFACES.map((each) => [each.name, partOf(each, surroundings)]))
  const context = contextOf(options, {
    workspaces,
    records,
    webhooks,
    fixture,
    parts,
  })
  const control = partOf(controlPlane(context), surroundings)
  parts.set(CONTROL, control)
  let followsHost = false
  const connections = new Connections({
    ...(options.closeGraceMs !== undefined && { graceMs: options.closeGraceMs }),
    ...(options.maxHalfOpen !== undefined && { maxHalfOpen: options.maxHalfOpen }),
  })
  const front = createFront(
    makeServer,
    logger,
    [...parts.values(), partOf(storedFileDownloads, surroundings)],
    control,
    connections,
    options.cors && options.cors.length > 0 ? crossOrigin(options.cors) : null,
    (request, answer) => {
      // A server on a network has several names; only the request tells which one reaches it.
      if (followsHost && HOST.test(request.host)) {
        workspaces.reachedAt(`${request.protocol}://${request.host}`, answer)
      } else answer()
    },
  )
  if (options.smtpUrl !== undefined) {
    const close = forwardEmails(options.smtpUrl, database, (error, email) => {
      if (logger)
        logger.error({ err: error, email: email.id }, 'could not forward a message to the mail server')
    })
    front.addHook('onClose', close)
  }
  const scopes = records.scopes(database)
  const backgroundWork = { database, connections, webhooks, scheduler, scopes, heavyWork, fixture }
  startAndStop(front, backgroundWork, {
    sweep: (error) => {
      if (logger) logger.error({ err: error }, 'could not delete stored files left by a crash')
    },
    integrity: (error) => {
      if (logger) logger.error({ err: error }, 'the database file is damaged')
    },
  })

  if (fixture && workspaces.tenantIds().length === 0) await openFixture({ workspaces, records }, fixture)
  database.flush()
  const key = fixture ? headOf(fixture).key : undefined
  return {
    fastify: front,
    workspaces,
    records,
    webhooks,
    published: (name) => opened(parts, name),
    demoKey: key !== undefined && workspaces.caller(key) ? key : null,
    async listen(target) {
      const isOpen = !isLoopback(hostInUrl(target.host))
      followsHost = isOpen && publicUrl === null
      // Set before pending deliveries are sent, and again when the chosen port is known.
      webhooks.listensAt({ isOpen, ownPort: target.port === 0 ? null : target.port })
      const address = await front.listen(target)
      webhooks.listensAt({ isOpen, ownPort: portOf(new URL(address)) })
      if (publicUrl === null) workspaces.publicUrl = isOpen ? externalAddress(address) : address
      return address
    },
    close: () => front.close(),
  }
}

/**
 * Forwards messages to a mail server. The SMTP client is loaded with the first message. Returns a function
 * that closes it.
 */
function forwardEmails(
  url: string,
  database: Database,
  failed: (error: unknown, email: Email) => void,
): () => Promise<void> {
  let forwarder: Promise<MailForwarder> | undefined
  emailListeners(database).add((email) => {
    forwarder ??= import('./http/files/mime.ts').then(({ createMailForwarder }) =>
      createMailForwarder(url, failed),
    )
    forwarder.then(
      ({ pass }) => {
        pass(email)
      },
      (error: unknown) => {
        failed(error, email)
      },
    )
  })
  return async () => {
    const opened = await forwarder?.catch(() => null)
    opened?.close()
  }
}

/**
 * Returns the address for links that are created without a request, such as an invitation sent by a job: this
 * machine's network address, if the server listens on every address.
 */
function externalAddress(address: string): string {
  const url = new URL(address)
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const external = addresses.find(({ internal, family }) => !internal && family === 'IPv4')
  if (external && isLoopback(url.hostname)) url.hostname = external.address
  return url.origin
}

/**
 * A host name or address with an optional port, as in a Host header. Excludes characters that could redirect
 * a link.
 */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/

/** The name of the control plane's part. */
const CONTROL = 'control'

type Parts = Map<string, Part>

/** Lists the paths of all routes, the interfaces first. */
async function pathsOf(
  allPublished: () => Promise<readonly Published[]>,
  parts: Parts,
): Promise<readonly KnownPath[]> {
  const all = [...(await allPublished()), await opened(parts, CONTROL)]
  const cables = INTERFACES.flatMap(({ cablePath }) => cablePath ?? [])
  return [
    ...all.flatMap(({ definition: { basePath }, routes }) => routes.map(({ path }) => ({ basePath, path }))),
    ...cables.map((path) => ({ basePath: dirname(path), path: `/${basename(path)}` })),
  ]
}

async function opened(parts: Parts, name: string): Promise<Published> {
  const part = parts.get(name)
  if (!part) throw new Error(`there is no interface ${name}`)
  return part.open()
}

/** Returns the part of an interface, which is built on first use. */
function partOf(definition: InterfaceDefinition, surroundings: PartOptions): Part {
  return new Part(definition, async () => {
    const { createPart } = await import('./http/lifecycle/createPart.ts')
    const opened = await createPart(definition, surroundings)
    const { name, cablePath, channels, dialect } = opened.definition
    if (!channels || cablePath === undefined) return opened
    const { Cable } = await import('./http/cable/server.ts')
    const { workspaces, trustedProxies } = surroundings
    const cable = new Cable({
      channels,
      workspaces,
      failed: (error) => {
        opened.server.log.error({ err: error }, 'a request over a cable failed')
      },
      ...(trustedProxies && { trustedProxies }),
      watched: { interface: name, path: cablePath, credential: dialect.credential },
    })
    return { ...opened, cable }
  })
}

/** Serves stored files at the links in responses. */
const storedFileDownloads: InterfaceDefinition = {
  name: 'files',
  title: 'Files',
  description: 'Stored files, by the links in responses of the interfaces.',
  basePath: FILES_PATH,
  machines: [],
  records: [],
  renderEvent: renderUnchanged,
  async load() {
    const [{ downloads }, { controlDialect }] = await Promise.all([
      import('./http/files/downloads.ts'),
      import('./control/shared/dialect.ts'),
    ])
    return { dialect: controlDialect, resources: [downloads] }
  },
}

interface ContextParts extends Pick<ControlContext, 'workspaces' | 'records' | 'webhooks'> {
  readonly fixture: Fixture | null
  readonly parts: Parts
}

function contextOf(options: AppOptions, contextParts: ContextParts): ControlContext {
  const { workspaces, records, webhooks, fixture, parts } = contextParts
  const ownFixtures = new Map<string, { readonly weeks: number; readonly fixture: Fixture }>()
  const { fixtures = 'none' } = options
  if (fixture) ownFixtures.set(fixtures, { weeks: weeksUntil(options.demoDate ?? systemNow()), fixture })
  /** One after the other, because building all at once would block other requests. */
  const allPublished = async (): Promise<Published[]> => {
    const slices = new Slices()
    const all: Published[] = []
    for (const { name } of INTERFACES) {
      if (slices.isOver) await slices.turn()
      all.push(await opened(parts, name))
    }
    return all
  }
  return {
    workspaces,
    records,
    webhooks,
    machines: MACHINES,
    interfaces: INTERFACES,
    published: (name) => opened(parts, name),
    allPublished,
    documents: {
      async one(name, serverUrl) {
        if (!parts.has(name)) return null
        const { interfaceDocument } = await import('./http/openapi/openapi.ts')
        return interfaceDocument(await opened(parts, name), { serverUrl, version: VERSION })
      },
      async whole(serverUrl) {
        const { suiteDocument } = await import('./http/openapi/openapi.ts')
        return suiteDocument(await allPublished(), { serverUrl, version: VERSION })
      },
    },
    async ownFixture(name) {
      const today = options.demoDate ?? systemNow()
      const weeks = weeksUntil(today)
      const cached = ownFixtures.get(name)
      if (cached?.weeks === weeks) return cached.fixture
      const fixture = await readFixture(name, FIXTURES, records, today)
      if (!fixture) throw new Error(`the fixture ${name} is missing`)
      ownFixtures.set(name, { weeks, fixture })
      return fixture
    },
    startFixture: () => fixture,
    docsScript: () => readFile(existsSync(DOCS_SCRIPT) ? DOCS_SCRIPT : DOCS_SCRIPT_SOURCE),
    dashboardFile: (name) => readFile(join(DASHBOARD, name)),
    version: VERSION,
    startedAt: monotonicNow(),
    publicUrl: options.publicUrl ?? null,
    adminToken: () => options.adminToken ?? null,
  }
}

interface BackgroundWork {
  readonly database: Database
  readonly connections: Connections
  readonly webhooks: Webhooks
  readonly scheduler: Scheduler
  readonly heavyWork: HeavyWork
  readonly scopes: Scopes
  readonly fixture: Fixture | null
}

/** Starts background work when the server is ready, and stops it before the database is closed. */
function startAndStop(
  server: FastifyInstance,
  { database, connections, webhooks, scheduler, scopes, heavyWork, fixture }: BackgroundWork,
  failed: Readonly<Record<'sweep' | 'integrity', (error: unknown) => void>>,
): void {
  server.addHook('onReady', (done) => {
    webhooks.start()
    scheduler.start()
    // Runs in the background.
    void sweepFiles(database).catch(failed.sweep)
    void checkIntegrity(database).catch(failed.integrity)
    scopes.start()
    done()
  })
  server.addHook('preClose', (done) => {
    scheduler.stop()
    // Starts no new attempts while the last requests are answered; awaited below.
    void webhooks.stop()
    done()
  })
  server.addHook('onClose', async () => {
    await Promise.all([connections.over(), webhooks.stop(), scopes.stop()])
    await Promise.all([heavyWork.close(), closeSnapshot(fixture)])
    timelinesOf(database).storeAll()
    database.close()
    storeOf(database).close()
  })
}
