/** A webhook queue without a server, and receivers on loopback ports with configurable behavior. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { MIGRATIONS } from '../../src/assets.ts'
import { longPoll } from '../../src/state/timeline/longPoll.ts'
import { Database } from '../../src/state/storage/database/database.ts'
import { renderUnchanged } from '../../src/state/workspace/events.ts'
import type { AppendedEvent, Workspace } from '../../src/state/workspace/workspace.ts'
import { Registry } from '../../src/state/workspace/registry.ts'
import type { Delivery } from '../../src/webhooks/deliveries/deliveries.ts'
import type { DeliveryProfile } from '../../src/webhooks/profiles/profile.ts'
import { Webhooks, type WebhooksOptions } from '../../src/webhooks/queue.ts'
import type { NewSubscription } from '../../src/webhooks/subscriptions/subscribing.ts'
import type { Subscription } from '../../src/webhooks/subscriptions/subscriptions.ts'

export { MIGRATIONS }

/** A request that a receiver got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Responds to one request; a number is a status with an empty body. */
export type Behavior = (received: Received, index: number, response: ServerResponse) => number | undefined

export interface Receiver {
  readonly url: string
  readonly requests: Received[]
  /** The maximum number of simultaneous requests. */
  readonly maxConcurrent: number
  behave(behaviour: Behavior): void
  /** Resolves when this many requests have arrived. */
  received(count: number): Promise<void>
  close(): Promise<void>
}

/** A receiver that never responds. */
export const neverResponds: Behavior = () => undefined

export const delivered = (log: readonly { status: string }[]): boolean =>
  log.every(({ status }) => status === 'delivered')

/** Holds requests until it is opened, and then responds immediately. */
export function gate(): { behaviour: Behavior; open(): void; hold(): void } {
  const held: ServerResponse[] = []
  let holding = true
  return {
    behaviour: (_received, _index, response) => {
      if (!holding) return 200
      held.push(response)
      return undefined
    },
    open() {
      holding = false
      for (const response of held.splice(0)) response.writeHead(200, { 'content-length': 0 }).end()
    },
    hold() {
      holding = true
    },
  }
}

/** A URL without a listener: its port was free a moment ago. */
export async function unreachableUrl(): Promise<string> {
  const closed = await receiver()
  await closed.close()
  return closed.url
}

/** Starts a receiver; by default it responds with 200. */
export async function receiver(behaviour: Behavior = () => 200, port = 0): Promise<Receiver> {
  const requests: Received[] = []
  const waiting = new Set<() => void>()
  let open = 0
  let maxConcurrent = 0
  const server = createServer((request, response) => {
    maxConcurrent = Math.max(maxConcurrent, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const received = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') }
      requests.push(received)
      for (const look of waiting) look()
      const status = behaviour(received, requests.length - 1, response)
      if (status !== undefined) response.writeHead(status, { 'content-length': 0 }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    })
  onTestFinished(close)

  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`,
    requests,
    get maxConcurrent() {
      return maxConcurrent
    },
    behave(next) {
      behaviour = next
    },
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (requests.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close,
  }
}

/** The time at which the clocks of test workspaces are frozen. */
export const START_TIME = Date.UTC(2026, 10, 21, 12)

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

export interface QueueOptions extends WebhooksOptions {
  /** Defaults to a database in memory. */
  readonly file?: string
  readonly profiles?: readonly DeliveryProfile[]
  /** Whether the queue starts to send by itself; true by default. */
  readonly start?: boolean
  readonly seed?: string
}

export interface Queue {
  readonly database: Database
  readonly workspaces: Registry
  readonly webhooks: Webhooks
  /** Its clock is frozen at BEGINNING. */
  readonly workspace: Workspace
  /** Creates a workspace whose clock is frozen at BEGINNING. */
  makeWorkspace(): Workspace
  subscribe(url: string, more?: Partial<NewSubscription>, workspace?: Workspace): Subscription
  /** Appends an event. */
  emit(name?: string, data?: Record<string, unknown>, workspace?: Workspace): AppendedEvent
  /** Appends an event about a record. */
  change(record: string, data?: Record<string, unknown>): AppendedEvent
  /** Advances the clock and sends the deliveries that are due at its end. */
  advance(ms: number, workspace?: Workspace): Promise<void>
  /** All deliveries, oldest first. */
  log(workspace?: Workspace): Delivery[]
  /** Waits until the condition holds for the deliveries, and returns them oldest first. */
  until(enough: (log: Delivery[]) => boolean, workspace?: Workspace): Promise<Delivery[]>
  close(): Promise<void>
}

/** Opens a database with a queue. Opening the same file again finds its workspace. */
export function openQueue(options: QueueOptions = {}): Queue {
  const { file = ':memory:', profiles = [], start = true, seed = null, ...rest } = options
  const database = new Database(file, MIGRATIONS)
  const renderers = new Map(['crm', 'pos'].map((name) => [name, renderUnchanged]))
  const workspaces = new Registry(database, { seed, renderers })
  const webhooks = new Webhooks(workspaces, profiles, rest)
  workspaces.events.follow(webhooks.outbox)
  const makeWorkspace = (): Workspace => {
    const made = workspaces.create({ name: 'Test workspace' }, (workspace) => workspace)
    made.clock.set(START_TIME, true)
    return made
  }
  const workspace = workspaces.byRowScope(1) ?? makeWorkspace()
  database.flush()
  if (start) webhooks.start()
  const log = (of = workspace): Delivery[] => webhooks.list(of, { limit: 10_000 }).reverse()
  const close = async (): Promise<void> => {
    await webhooks.stop()
    database.close()
  }
  onTestFinished(close)

  return {
    database,
    workspaces,
    webhooks,
    workspace,
    makeWorkspace,
    subscribe: (url, more = {}, of = workspace) =>
      webhooks.subscriptions.create(of, { interface: 'pos', url, events: ['*'], ...more }),
    emit: (name = 'sale.completed', data = { id: 'sale-1' }, of = workspace) =>
      of.write(() => of.append({ interface: 'pos', name, data, record: null })),
    change: (record, data = {}) =>
      workspace.write(() =>
        workspace.append({ interface: 'pos', name: 'sale.completed', data: { ...data, id: record }, record }),
      ),
    async advance(ms, of = workspace) {
      of.clock.set(of.now() + ms, true)
      await webhooks.sendDue(of)
    },
    log,
    until: (enough, of = workspace) =>
      longPoll(of, 'deliveries', 20, () => log(of), enough, new AbortController().signal),
    close,
  }
}

/** A logger that keeps its entries. */
export function capturedLogger() {
  const lines: { level: 'warn' | 'error'; facts: Record<string, unknown>; message: string }[] = []
  const at = (level: 'warn' | 'error') => (facts: object, message: string) => {
    lines.push({ level, facts: { ...facts }, message })
  }
  return { lines, logger: { warn: at('warn'), error: at('error') } }
}
