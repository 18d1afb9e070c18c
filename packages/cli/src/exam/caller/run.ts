/** One run of the client: in a workspace of its own, through a gateway, with its weather. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Body, Schema } from '@suite-sim/client/calling'
import type { SimulatorClient } from '@suite-sim/client/client'
import type { NewWorkspace } from '@suite-sim/client/workspace'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { iso, offsetInstantOf } from '@suite-sim/kit/time/instants'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { callOf, isOfExam, type Call } from './calls.ts'
import { Gateway, type Page, type Rule } from './gateway.ts'
import type { CallerExamOptions } from './options.ts'
import { runClient, type Ended } from './process.ts'
import type { ChangedRecord } from './records.ts'

export type Fault = Body<'createFault'>

/** What a run meets. */
export interface Weather {
  readonly faults?: readonly Fault[]
  /** Prepares the workspace, and returns what happens to the answers. */
  readonly start?: (workspace: NewWorkspace) => Promise<Rule>
  /** Ms after which its key expires, on the clock of the workspace. */
  readonly keyLastsMs?: number
  /** Calls after which a client counts as one that never ends. */
  readonly maxCalls?: number
}

/** What happened in a run. */
export interface Run extends Ended {
  readonly workspace: NewWorkspace
  /** The calls of the client, in the order in which they ended. */
  readonly calls: readonly Call[]
  /** The pages of lists that the client has read. */
  readonly pages: readonly Page[]
  readonly changes: readonly ChangedRecord[]
  readonly deliveries: readonly Schema<'Delivery'>[]
  readonly faults: readonly Schema<'Fault'>[]
  /** In real time. */
  readonly durationMs: number
  /** Why the exam ended the run; null if the client did. */
  readonly stopped: string | null
}

export interface Surroundings extends Required<
  Pick<CallerExamOptions, 'run' | 'fixtures' | 'seed' | 'timeout' | 'secret'>
> {
  readonly simulator: SimulatorClient
  readonly receiver: string | null
  readonly signal: AbortSignal
}

/** The journal has no more. */
const MAX_CALLS = 900

/** Real ms between two looks at the deliveries. */
const LOOK_MS = 300

/** How often the exam sends a delivery again that the receiver has refused. */
const MAX_REDELIVERIES = 3

export async function runOnce(surroundings: Surroundings, name: string, weather: Weather = {}): Promise<Run> {
  const { simulator, run: runner, fixtures, seed, secret, timeout } = surroundings
  const workspace = await simulator.workspaces.create({
    name: `exam ${name}`,
    fixtures,
    ids: { seed },
    ttl: 'P1D',
    labels: { exam: 'caller' },
  })
  const receiver = surroundings.receiver === null ? null : await atFreePort(surroundings.receiver)
  if (receiver !== null) await subscribe(workspace, receiver, secret)
  const key = await keyOf(workspace, weather)
  const gateway = new Gateway(simulator.url)
  if (weather.start) gateway.rule = await weather.start(workspace)
  for (const fault of weather.faults ?? []) await workspace.faults.add(fault)
  await workspace.snapshots.save('exam')
  const url = await gateway.listen()
  const ending = new AbortController()
  let stopped: string | null = null
  const stop = (why: string): void => {
    stopped ??= why
    ending.abort()
  }
  const { maxCalls = MAX_CALLS } = weather
  gateway.onCall = (number) => {
    if (number > maxCalls) stop(`made more than ${String(maxCalls)} calls`)
  }
  const timer = setTimeout(stop, timeout * 1000, `did not end in ${String(timeout)} s`)
  const abort = (): void => {
    stop('was ended')
  }
  surroundings.signal.addEventListener('abort', abort)
  const over = new AbortController()
  const redelivering = receiver === null ? null : redeliver(workspace, over.signal)
  try {
    const start = monotonicNow()
    const ended = await runClient(runner, {
      url,
      key,
      workspace: workspace.id,
      receiver,
      env: environmentOf({ workspace, url, key, receiver, secret }),
      signal: ending.signal,
    })
    const durationMs = monotonicNow() - start
    const { pages } = gateway
    return { ...ended, ...(await resultsOf(workspace)), pages, workspace, durationMs, stopped }
  } finally {
    over.abort()
    await redelivering
    clearTimeout(timer)
    surroundings.signal.removeEventListener('abort', abort)
    await gateway.close()
  }
}

async function keyOf(workspace: NewWorkspace, { keyLastsMs }: Weather): Promise<string> {
  if (keyLastsMs === undefined) return workspace.key
  const { now } = await workspace.clock.get()
  const expiresAt = iso(offsetInstantOf(now) + keyLastsMs)
  return (await workspace.keys.create({ expiresAt })).key
}

interface Place {
  readonly workspace: NewWorkspace
  readonly url: string
  readonly key: string
  readonly receiver: string | null
  readonly secret: string
}

/** The interfaces. The types of the client have a new one once they are generated. */
const NAMES = INTERFACE_NAMES as readonly Parameters<NewWorkspace['urlOf']>[0][]

/** Returns the variables of a command: SUITE_SIM_PAYMENTS_URL is the base URL of an interface. */
function environmentOf({ workspace, url, key, receiver, secret }: Place): Record<string, string> {
  const bases = NAMES.map((name) => [
    `SUITE_SIM_${name.toUpperCase().replaceAll('-', '_')}_URL`,
    url + new URL(workspace.urlOf(name)).pathname,
  ])
  return {
    SUITE_SIM_URL: url,
    SUITE_SIM_KEY: key,
    SUITE_SIM_WORKSPACE: workspace.id,
    SUITE_SIM_ACCOUNT: String(workspace.accountId),
    ...(Object.fromEntries(bases) as Record<string, string>),
    ...(receiver !== null && { SUITE_SIM_RECEIVER: receiver, SUITE_SIM_WEBHOOK_SECRET: secret }),
  }
}

/** Subscribes the receiver to all events. */
async function subscribe(workspace: NewWorkspace, url: string, secret: string): Promise<void> {
  for (const of of NAMES) await workspace.subscriptions.create({ interface: of, url, secret })
}

/** Replaces port 0 with a free one. */
async function atFreePort(receiver: string): Promise<string> {
  const url = new URL(receiver)
  if (url.port === '0') url.port = String(await freePort())
  return url.href
}

/**
 * Below the ports that systems give to connections: one of those could be taken before the client listens at it. Each run
 * gets the next one, and each process begins with another one.
 */
const PORTS = { from: 20_000, count: 10_000 }
let turn = process.pid

async function freePort(): Promise<number> {
  const port = PORTS.from + (turn++ % PORTS.count)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  const closed = once(server, 'close')
  server.close()
  await closed
  return port
}

/** Sends again what the receiver has refused, because its clock would take minutes. */
async function redeliver(workspace: NewWorkspace, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
    const refused = (await workspace.deliveries.list({ limit: 1000 }).catch(() => [])).filter(
      ({ status, attempts }) =>
        status !== 'delivered' && attempts.length > 0 && attempts.length <= MAX_REDELIVERIES,
    )
    for (const { id } of refused) await workspace.deliveries.redeliver(id).catch(() => undefined)
  }
}

async function resultsOf(
  workspace: NewWorkspace,
): Promise<Pick<Run, 'calls' | 'changes' | 'deliveries' | 'faults'>> {
  const entries = await workspace.requests({ limit: 1000 })
  return {
    calls: entries
      .filter((each) => !isOfExam(each))
      .map(callOf)
      .reverse(),
    changes: await changesOf(workspace),
    deliveries: await workspace.deliveries.list({ limit: 1000 }),
    faults: await workspace.faults.list(),
  }
}

/** Returns the changes of the records that calls return on their own. */
async function changesOf(workspace: NewWorkspace): Promise<ChangedRecord[]> {
  const sections = await workspace.records.sections()
  const internal = new Set(sections.filter((each) => each.internal).map(({ section }) => section))
  const found: ChangedRecord[] = []
  let cursor: string | undefined
  do {
    const page = await workspace.changes({
      from: 'exam',
      limit: 1000,
      ...(cursor !== undefined && { cursor }),
    })
    found.push(...page.data.filter(({ section }) => !internal.has(section)))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}
