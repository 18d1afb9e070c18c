/**
 * Faults that tests inject: calls and deliveries of a workspace that match one fail. They are kept in memory, so a
 * restart removes them. The fault alone decides which calls it hits, so that a test run is repeatable.
 */
import { durationMs, iso } from '@suite-sim/kit/time/instants'
import { CallWindows, type CountedCall } from '../model/callWindows.ts'
import { refuse } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { HeldCalls, MAX_HELD, type HeldCall, type HoldEnd } from './heldCalls.ts'
import { NewRecords, type Lag } from './lag.ts'

export const DELIVERY_FAULTS = [
  'drop',
  'duplicate',
  'reorder',
  'delay',
  'wrong_signature',
  'stale',
  'truncate',
  'before_answer',
] as const
export type DeliveryFault = (typeof DELIVERY_FAULTS)[number]

export const PRESETS = {
  outage: { status: 503, headers: { 'retry-after': '30' } },
  flaky: { status: 500, probability: 0.3 },
  slow: { delayMs: 3000 },
} as const satisfies Readonly<Record<string, Partial<FaultRequest>>>

/** A condition on a header or a query parameter: the exact text, a part of it, or null if it must be missing. */
export type TextCondition = string | { readonly contains?: string; readonly matches?: string } | null

/** What a call or a delivery must contain so that a fault applies to it. All conditions must hold. */
export interface FaultCondition {
  readonly headers?: Readonly<Record<string, TextCondition>>
  readonly query?: Readonly<Record<string, TextCondition>>
  /** The fields that the JSON body or the form must have. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly bodyContains?: string
}

/** The parts of a call or a delivery that conditions check. */
export interface FaultSubject {
  readonly headers: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** The body as text; null without a body. */
  readonly text: string | null
  /** Whose calls a limit counts: the key; undefined if it counts none. */
  readonly key?: string
  /** Gets where the call stands in the window of each limit that counts it. */
  readonly countedBy?: (limit: CallLimit, counted: CountedCall) => void
}

/** A limit on calls in a window of the workspace's clock. */
export interface CallLimit {
  readonly calls: number
  /** An ISO 8601 duration: "PT1M". */
  readonly per: string
}

/** A random number of ms, both bounds included. */
export interface RandomDelay {
  readonly min: number
  readonly max: number
}

/** The request for a fault. */
export interface FaultRequest {
  readonly preset?: keyof typeof PRESETS
  readonly interface?: string
  readonly method?: string
  readonly path?: string
  readonly when?: FaultCondition
  /** Applies only to calls that choose it with the header X-Sim-Case. */
  readonly case?: string
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether body and headers have placeholders for parts of the call. */
  readonly template?: boolean
  readonly delayMs?: number | RandomDelay
  readonly reset?: boolean
  /** Applies when the work of the call is done, to its answer. */
  readonly after?: boolean
  readonly limit?: CallLimit
  /** How long new records are missing in lists, as an ISO 8601 duration: "PT2S". */
  readonly lag?: string
  /** Lets matching calls wait until they are released. */
  readonly hold?: boolean
  readonly times?: number
  readonly probability?: number
  readonly delivery?: DeliveryFault
  readonly event?: string
}

export interface Fault extends Omit<FaultRequest, 'preset'> {
  readonly id: string
  readonly createdAt: string
  /** How many calls and deliveries it hit. */
  readonly met: number
  /** The calls that wait, in the order of their arrival; only of a fault with `hold`. */
  readonly waiting?: readonly HeldCall[]
}

/** A fault that has hit a call or a delivery. */
export interface Hit extends Omit<Fault, 'delayMs'> {
  readonly delayMs?: number
  /** Where the call stands in its window; only of a fault with `limit`. */
  readonly counted?: CountedCall
}

/** Whether a fault applies to operations only, not to pages and WebSockets. */
export const isForOperations = ({ after, limit, lag, hold }: FaultRequest): boolean =>
  after === true || limit !== undefined || lag !== undefined || hold === true

/** The most unused faults of a workspace. */
export const MAX_FAULTS = 100

export type ConditionCheck = (subject: FaultSubject) => boolean

/** A repeatable stream of numbers from 0 to 1, excluding 1 (mulberry32). */
class Draws {
  #state: number

  constructor(start: number) {
    this.#state = start
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class StoredFault {
  readonly request: FaultRequest
  readonly id: string
  readonly createdAt: string
  readonly isMetBy: ConditionCheck
  readonly held: HeldCalls
  readonly windows = new CallWindows()
  readonly lagMs: number
  met = 0
  readonly #windowMs: number
  readonly #chances: Draws
  /** Other numbers, so that a random delay does not change which calls meet the fault. */
  readonly #delays: Draws

  constructor(request: FaultRequest, isMetBy: ConditionCheck, number: number, workspace: Workspace) {
    this.request = request
    this.isMetBy = isMetBy
    this.held = new HeldCalls(workspace.database)
    this.id = `fault_${String(number)}`
    this.createdAt = iso(workspace.now())
    this.lagMs = request.lag === undefined ? 0 : (durationMs(request.lag) ?? 0)
    this.#windowMs = request.limit ? (durationMs(request.limit.per) ?? 0) : 0
    this.#chances = new Draws(Math.imul(number, 0x9e3779b9))
    // Follows from the seed of the workspace's ids.
    this.#delays = new Draws(hashOf(workspace.ids.fixed(this.id)))
  }

  get isOver(): boolean {
    return this.met >= (this.request.times ?? Infinity)
  }

  /** Decides whether the fault hits this call, and counts it. */
  hit(workspace: Workspace, { key, countedBy }: FaultSubject): Hit | null {
    const { limit } = this.request
    const counted = limit && this.windows.count(key ?? '', this.#windowMs, workspace.now())
    if (counted) countedBy?.(limit, counted)
    if (counted && counted.current <= limit.calls) return null
    if (!this.isDrawn()) return null
    this.met++
    const { delayMs, ...fault } = this.toFault()
    return {
      ...fault,
      ...(delayMs !== undefined && { delayMs: this.#delayOf(delayMs) }),
      ...(counted && { counted }),
    }
  }

  /** Decides by the probability of the fault. */
  isDrawn(): boolean {
    return this.#chances.next() < (this.request.probability ?? 1)
  }

  #delayOf(delay: number | RandomDelay): number {
    if (typeof delay === 'number') return delay
    const { min, max } = delay
    return min + Math.floor(this.#delays.next() * (max - min + 1))
  }

  toFault(): Fault {
    const { preset: _preset, ...request } = this.request
    return {
      ...request,
      id: this.id,
      createdAt: this.createdAt,
      met: this.met,
      ...(request.hold === true && { waiting: this.held.calls }),
    }
  }
}

/** A number of 32 bits (FNV-1a). */
const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5)

const all = new WeakMap<Workspace, { last: number; faults: StoredFault[] }>()

/** Adds a fault. `isMetBy` checks its `when`; without one, it accepts everything. */
export function addFault(
  workspace: Workspace,
  request: FaultRequest,
  isMetBy: ConditionCheck = () => true,
): Fault {
  const of = all.get(workspace) ?? { last: 0, faults: [] }
  all.set(workspace, of)
  // A caller who chooses a used-up case gets a hint; an unknown case is refused.
  of.faults = of.faults.filter((fault) => !fault.isOver || fault.request.case !== undefined)
  if (of.faults.length >= MAX_FAULTS) of.faults = of.faults.filter((fault) => !fault.isOver)
  if (of.faults.length >= MAX_FAULTS) {
    refuse('conflict', `A workspace holds at most ${String(MAX_FAULTS)} unused faults.`)
  }
  const added = new StoredFault(
    { ...(request.preset && PRESETS[request.preset]), ...request },
    isMetBy,
    ++of.last,
    workspace,
  )
  of.faults.push(added)
  trackNewRecords(workspace)
  return added.toFault()
}

/** Returns the faults in the order of creation. Used-up faults stay listed until the next fault is added. */
export const listFaults = (workspace: Workspace): Fault[] =>
  (all.get(workspace)?.faults ?? []).map((fault) => fault.toFault())

/** Usually false: most workspaces have no faults. */
export const hasFaults = (workspace: Workspace): boolean => all.get(workspace) !== undefined

/** Returns a fault; undefined if it does not exist. */
export const getFault = (workspace: Workspace, id: string): Fault | undefined =>
  stored(workspace, id)?.toFault()

const stored = (workspace: Workspace, id: string): StoredFault | undefined =>
  all.get(workspace)?.faults.find((fault) => fault.id === id)

/** Removes a fault; calls that it holds go on. Returns false if it does not exist. */
export function removeFault(workspace: Workspace, id: string): boolean {
  const of = all.get(workspace)
  const removed = stored(workspace, id)
  if (!of || !removed) return false
  of.faults = of.faults.filter((fault) => fault !== removed)
  removed.held.releaseAll()
  trackNewRecords(workspace)
  return true
}

/** Removes all faults; calls that they hold go on. */
export function removeFaults(workspace: Workspace): void {
  const faults = all.get(workspace)?.faults ?? []
  all.delete(workspace)
  for (const { held } of faults) held.releaseAll()
  trackNewRecords(workspace)
}

/** The ids of new records are kept while a fault can hide some. */
function trackNewRecords(workspace: Workspace): void {
  const isNeeded = all.get(workspace)?.faults.some(({ lagMs }) => lagMs > 0) === true
  workspace.newRecords = isNeeded ? (workspace.newRecords ?? new NewRecords()) : null
}

/** Holds a call with a fault. Resolves when it goes on, with the reason. */
export async function holdCall(
  workspace: Workspace,
  id: string,
  call: HeldCall,
  gone: AbortSignal,
): Promise<HoldEnd> {
  const waiting = (all.get(workspace)?.faults ?? []).reduce((sum, { held }) => sum + held.size, 0)
  if (waiting >= MAX_HELD) return 'too_many'
  // The fault may have been deleted since it hit the call.
  return (await stored(workspace, id)?.held.wait(call, gone)) ?? 'released'
}

/** Lets calls that a fault holds go on, in this order: the first `count`, or those with these ids. */
export function releaseCalls(
  workspace: Workspace,
  id: string,
  choose: (waiting: readonly HeldCall[]) => readonly string[],
): { readonly released: number; readonly waiting: number } {
  const held = stored(workspace, id)?.held
  const released = held?.release(choose(held.calls)) ?? 0
  return { released, waiting: held?.size ?? 0 }
}

/** Returns the cases that the faults of a workspace have. */
export const casesOf = (workspace: Workspace): string[] => [
  ...new Set((all.get(workspace)?.faults ?? []).flatMap(({ request }) => request.case ?? [])),
]

/** Returns the first fault that matches this call or delivery and hits it; usually null. Those with `lag` do not hit calls. */
export function findFault(
  workspace: Workspace,
  matches: (fault: FaultRequest) => boolean,
  subject: FaultSubject,
): Hit | null {
  for (const fault of all.get(workspace)?.faults ?? []) {
    if (fault.isOver || fault.lagMs > 0 || !matches(fault.request) || !fault.isMetBy(subject)) continue
    const hit = fault.hit(workspace, subject)
    if (hit) return hit
  }
  return null
}

/** A delivery that faults match. */
export interface SentEvent {
  readonly interface: string
  readonly event: string
  readonly body: string
}

/** Returns the first fault that hits a delivery; usually null. `isWanted` chooses what the fault does to it. */
export const findDeliveryFault = (
  workspace: Workspace,
  { interface: of, event, body }: SentEvent,
  isWanted: (delivery: DeliveryFault) => boolean,
): Hit | null =>
  findFault(
    workspace,
    (fault) =>
      fault.delivery !== undefined &&
      isWanted(fault.delivery) &&
      (fault.interface ?? of) === of &&
      (fault.event ?? event) === event,
    {
      headers: {},
      query: {},
      text: body,
      get body() {
        return JSON.parse(body) as unknown
      },
    },
  )

/**
 * Returns what the lists of a call leave out; null without a matching fault. `noted` gets the fault and the number of
 * hidden records of each table with some.
 */
export function findLag(
  workspace: Workspace,
  matches: (fault: FaultRequest) => boolean,
  subject: FaultSubject,
  noted: (fault: Fault, hidden: number) => void,
): Lag | null {
  const found = all
    .get(workspace)
    ?.faults.find(
      (fault) =>
        fault.lagMs > 0 &&
        !fault.isOver &&
        matches(fault.request) &&
        fault.isMetBy(subject) &&
        fault.isDrawn(),
    )
  if (!found) return null
  let isMet = false
  return {
    hidden(table) {
      const ids = workspace.newRecords?.youngerThan(found.lagMs, table, workspace.now()) ?? []
      if (ids.length === 0) return ids
      if (!isMet) found.met++
      isMet = true
      noted(found.toFault(), ids.length)
      return ids
    },
  }
}
