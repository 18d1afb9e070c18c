/** Builds the app: mounts the interfaces and the control plane. Only this file imports every part of the program. */
import type { FastifyInstance } from 'fastify'
import { Addresses } from './app/addresses.ts'
import { forwardMail, startAndStop } from './app/backgroundWork.ts'
import { controlContext } from './app/controlContext.ts'
import { createExpiry } from './app/createExpiry.ts'
import { createRegistry, loadReadings } from './app/createRegistry.ts'
import { createWebhooks } from './app/createWebhooks.ts'
import { fileServer } from './app/fileServer.ts'
import type { AppOptions } from './app/options.ts'
import { partOf, Parts } from './app/parts.ts'
import { createServerFront } from './app/createServerFront.ts'
import { Startup } from './app/startup.ts'
import { withDatabase } from './app/withDatabase.ts'
import { documentedList, FIXTURES } from '@suite-sim/kit/assets'
import { demoImage, MIGRATIONS } from './assets.ts'
import { controlPlane } from './control/index.ts'
import { openFixture, readFixture } from './control/snapshots/builtIn/fixtures.ts'
import type { Snapshot } from './control/snapshots/snapshot.ts'
import type { Extension, InterfaceDefinition, Published } from './http/definition/definition.ts'
import { HeavyWork } from './http/files/heavyWork/index.ts'
import type { PartOptions } from './http/lifecycle/createPart.ts'
import type { makeLogger as MakeLogger } from './http/server/logging/log.ts'
import { RequestDurations } from './http/server/logging/requestDurations.ts'
import { createServerFactory } from './http/server/server.ts'
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
import { observe, UNCHANGED, type ObservingOptions } from './observed/index.ts'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { Scheduler } from './state/model/scheduler.ts'
import { storedFiles } from './state/shared/storedFiles.ts'
import type { Database } from './state/storage/database/database.ts'
import { databaseHealthOf } from './state/storage/database/databaseHealth.ts'
import { Records } from './state/storage/records/records.ts'
import type { Registry } from './state/workspace/registry.ts'
import { deliveryMachineOf } from './webhooks/deliveries/machine.ts'
import type { Webhooks } from './webhooks/queue.ts'
import { webhookRecords, webhookTraces } from './webhooks/records.ts'

export type { AppOptions } from './app/options.ts'

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
export const MACHINES = [...INTERFACES.flatMap(({ machines }) => machines), deliveryMachineOf(INTERFACES)]

export interface App {
  readonly fastify: FastifyInstance
  readonly workspaces: Registry
  readonly records: Records
  readonly webhooks: Webhooks
  /** Returns an interface, or the control plane ("control"), with its routes; builds it on first use. */
  published(name: string): Promise<Published>
  /** The key of the workspace that the fixture created; null without one. */
  readonly demoKey: string | null
  readonly startup: Startup
  readonly extension: Extension
  /** Starts to listen; returns the URL. */
  listen(options: { host: string; port: number }): Promise<string>
  /** Stops accepting connections, waits for requests in flight within the grace period, closes the database. */
  close(): Promise<void>
}

/** Creates a logger of JSON lines or colored lines on standard output. The logger module is loaded only here. */
export const makeLogger: typeof MakeLogger = async (...all) =>
  (await import('./http/server/logging/log.ts')).makeLogger(...all)

/** Returns the extension of a server, such as one that follows an overlay. Throws an ObservedError with a one-line message. */
export const observing = (options: ObservingOptions) => observe(options, buildApp, loadReadings)

/**
 * Builds an app that is ready to listen or to be injected into. Throws a DatabaseFileError, a FixtureError or a
 * ReadingError with a one-line message, and then leaves no half-made file on disk.
 */
export async function buildApp(options: AppOptions = {}): Promise<App> {
  const { db = ':memory:', fixtures = 'none', demoDate = systemNow() } = options
  if (options.readings) (await loadReadings()).mustBeReadings(options.readings)
  const traces = [...INTERFACES.flatMap((each) => each.traces ?? []), ...webhookTraces]
  const records = new Records(RECORD_SETS, traces)
  // Read before the database is opened, so that an invalid fixture leaves no file behind.
  const fixture = await readFixture(fixtures, FIXTURES, records, demoDate, demoImage())
  try {
    return await withDatabase(db, MIGRATIONS, fixtures === 'demo' ? demoImage() : null, records, (database) =>
      assemble(options, database, records, fixture),
    )
  } catch (error) {
    await fixture?.close()
    throw error
  }
}

async function assemble(
  options: AppOptions,
  database: Database,
  records: Records,
  fixture: Snapshot | null,
): Promise<App> {
  const { logger = false, extension = UNCHANGED } = options
  const interfaces = INTERFACES.map(extension.extend)
  const logFailure = (error: unknown, message: string, facts: object = {}): void => {
    if (logger) logger.error({ err: error, ...facts }, message)
  }
  const workspaces = createRegistry(options, extension, interfaces, database, records, logFailure)
  const addresses = new Addresses(options.publicUrl ?? null, workspaces)
  const webhooks = createWebhooks(options, interfaces, workspaces, addresses)
  const followers = INTERFACES.flatMap((each) => each.followers ?? [])
  for (const each of [extension.outbox(webhooks.outbox), ...followers]) workspaces.events.follow(each)
  const scheduler = new Scheduler(workspaces, (error, { id }) => {
    databaseHealthOf(database).report(error)
    logFailure(error, 'a due job failed', { workspace: id })
  })

  const expiry = createExpiry(options, { workspaces, records }, logFailure)
  const makeServer = createServerFactory(logger, options.trustedProxies)
  const heavyWork = new HeavyWork(options.heavyThread, options.heavyLimits)
  const surroundings: PartOptions = {
    makeServer,
    workspaces,
    rateLimits: options.rateLimits ?? true,
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    documented: documentedList,
    equip(server) {
      server.decorate('heavyWork', heavyWork)
      server.decorate('subscriptions', webhooks.subscriptions)
      server.decorate('everyPath', () => parts.paths())
    },
  }
  const parts = new Parts(interfaces, surroundings)
  const startup = new Startup()
  const known = { workspaces, records, webhooks, interfaces, machines: MACHINES, extension }
  const durations = new RequestDurations()
  const plane = controlPlane(
    controlContext(options, { ...known, fixture, parts, addresses, startup, durations }),
  )
  const control = partOf(plane, surroundings)
  parts.add('control', control)
  const served = [...parts.all, partOf(fileServer, surroundings)]
  const { front, connections } = createServerFront(options, {
    makeServer,
    parts: served,
    fallback: control,
    durations,
    startup,
    addresses,
  })
  await forwardMail(options, front, database, logFailure)
  const scopes = records.scopes(database)
  startAndStop(
    front,
    { database, connections, webhooks, scheduler, expiry, scopes, heavyWork, fixture },
    logFailure,
  )
  if (fixture && workspaces.tenantIds().length === 0) await openFixture({ workspaces, records }, fixture)
  database.flush()
  const key = fixture?.head.key
  return {
    fastify: front,
    workspaces,
    records,
    webhooks,
    published: (name) => parts.published(name),
    demoKey: key !== undefined && workspaces.keys.caller(key) ? key : null,
    listen: (target) => addresses.listen(front, webhooks, target),
    startup,
    extension,
    close: () => front.close(),
  }
}
