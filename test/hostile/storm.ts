/**
 * A storm of webhooks to receivers that respond quickly, slowly, with 500, by closing, or never, and finally accept
 * everything. None is lost, none is repeated once accepted, and other calls work.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { validRequest } from './generators/valid.ts'
import { MAX_BLOCK_MS } from './limits.ts'
import { Receiver, type ReceiverBehavior } from './receivers.ts'
import { readSurface } from './surface.ts'
import type { HostileRequest } from './request.ts'
import type { Target } from './target.ts'
import { makeAttackedWorkspace } from './workspaces.ts'

const MANNERS: readonly ReceiverBehavior[] = ['quick', 'quick', 'slow', 'failing', 'closing', 'hanging']
const CLIENTS = 6

/** The maximum ms of other calls, on a busy machine. */
const SLOWEST_CALL_MS = 5000

/** The number of hours to advance until all pending deliveries are delivered. */
const HOURS = 12

/** The maximum ms for a receiver that accepts everything, per delivery and in total. */
const LONGEST_MS = { each: 10, all: 20_000 }

export interface StormReport {
  readonly deliveries: number
  readonly attempts: number
  readonly seconds: number
  readonly slowestCallMs: number
  readonly longestHoldMs: number
  /** One sentence per problem. */
  readonly problems: readonly string[]
}

export async function storm(target: Target, deliveries: number): Promise<StormReport> {
  const started = performance.now()
  const { id } = await makeAttackedWorkspace(target, [])
  const receivers = await Promise.all(MANNERS.map((manner) => Receiver.listen(manner)))
  for (const { url } of receivers)
    await target.must('POST', `/_sim/workspaces/${id}/subscriptions`, {
      interface: 'pos',
      url,
      events: ['*'],
    })
  const bystander = await Bystander.begin(target)
  const expectedIds = await emit(target, id, Math.ceil(deliveries / receivers.length))
  await untilTaken(
    receivers.filter(({ manner }) => manner === 'quick' || manner === 'slow'),
    expectedIds.length / receivers.length,
  )
  for (const each of receivers) each.acceptAll()
  const left = await deliverAll(target, id)
  const slowestCallMs = await bystander.end()
  const longestHoldMs = await target.server.longestHoldMs()
  for (const each of receivers) each.close()
  return {
    deliveries: expectedIds.length,
    attempts: receivers.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    seconds: (performance.now() - started) / 1000,
    slowestCallMs,
    longestHoldMs,
    problems: [
      ...(left > 0 ? [`${String(left)} deliveries were still pending or dead in the end`] : []),
      ...problemsIn(expectedIds, receivers),
      ...new Set(bystander.problems),
      ...(longestHoldMs > MAX_BLOCK_MS
        ? [`the event loop was held up for ${longestHoldMs.toFixed(0)} ms`]
        : []),
      ...(slowestCallMs > SLOWEST_CALL_MS
        ? [`another call took ${slowestCallMs.toFixed(0)} ms meanwhile`]
        : []),
    ],
  }
}

/** Emits this many events and returns the ids of their deliveries. */
async function emit(target: Target, workspace: string, events: number): Promise<string[]> {
  const expectedIds: string[] = []
  let left = events
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const { deliveries } = await target.must<{ deliveries: string[] }>(
        'POST',
        `/_sim/workspaces/${workspace}/triggers/pos.event.emit`,
        { event: 'sale.completed' },
      )
      expectedIds.push(...deliveries)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return expectedIds
}

async function untilTaken(receivers: readonly Receiver[], each: number): Promise<void> {
  const deadline = performance.now() + LONGEST_MS.all + LONGEST_MS.each * each
  while (receivers.some(({ taken }) => taken < each) && performance.now() < deadline) await sleep(20)
}

/** Advances hours until nothing is pending, and returns the number of remaining deliveries. */
async function deliverAll(target: Target, workspace: string): Promise<number> {
  const count = async (status: string): Promise<number> => {
    const path = `/_sim/workspaces/${workspace}/deliveries?interface=pos&status=${status}&limit=1000`
    return (await target.must<{ data: unknown[] }>('GET', path)).data.length
  }
  for (let hours = 0; hours < HOURS && (await count('pending')) > 0; hours++)
    await target.must('POST', `/_sim/workspaces/${workspace}/clock/advance`, {
      duration: 'PT1H',
      waitMs: 20_000,
    })
  return (await count('pending')) + (await count('dead'))
}

function problemsIn(expectedIds: readonly string[], receivers: readonly Receiver[]): string[] {
  const taken = new Map<string, number>()
  let again = 0
  for (const arrival of receivers.flatMap(({ arrivals }) => arrivals)) {
    const before = taken.get(arrival.id) ?? 0
    if (before > 0) again++
    if (arrival.taken) taken.set(arrival.id, before + 1)
  }
  const lost = expectedIds.filter((id) => !taken.has(id)).length
  return [
    ...(lost > 0 ? [`${String(lost)} of ${String(expectedIds.length)} deliveries were lost`] : []),
    ...(again > 0 ? [`${String(again)} deliveries came again after they were taken`] : []),
  ]
}

const callAs = (target: Target, { method, target: path, headers }: HostileRequest) =>
  target.call(method, path, undefined, Object.fromEntries(headers))

/** Another client that calls every list in another workspace. */
class Bystander {
  readonly problems: string[] = []
  #slowestMs = 0
  #over = false
  #calling: Promise<void> = Promise.resolve()

  static async begin(target: Target): Promise<Bystander> {
    const { operations } = await readSurface((path) => target.must('GET', path))
    const prey = await makeAttackedWorkspace(target, [])
    const reads = operations.filter(
      (each) => each.method === 'GET' && !each.isControl && !each.path.includes('{'),
    )
    const bystander = new Bystander()
    // Loads lazy parts before the measurement.
    for (const each of reads) await callAs(target, validRequest(each, prey))
    await target.server.longestHoldMs()
    bystander.#calling = bystander.#call(
      target,
      reads.map((each) => validRequest(each, prey)),
    )
    return bystander
  }

  async #call(target: Target, requests: readonly HostileRequest[]): Promise<void> {
    for (let at = 0; !this.#over; at++) {
      const request = requests[at % requests.length]
      if (!request) return
      const started = performance.now()
      const { status } = await callAs(target, request)
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - started)
      if (status !== 200) this.problems.push(`GET ${request.target} answered ${String(status)} meanwhile`)
      await sleep(10)
    }
  }

  /** The duration of the slowest call in ms. */
  async end(): Promise<number> {
    this.#over = true
    await this.#calling
    return this.#slowestMs
  }
}
