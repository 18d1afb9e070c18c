/**
 * Faults that tests inject: calls and deliveries of a workspace that match one fail. They are kept in memory, so a
 * restart removes them. The fault alone decides which calls it hits, so that a test run is repeatable.
 */
import { iso } from '@suite-sim/kit/time/instants'
import { refuse } from './refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'

export const DELIVERY_FAULTS = [
  'drop',
  'duplicate',
  'reorder',
  'delay',
  'wrong_signature',
  'stale',
  'truncate',
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
  readonly delayMs?: number
  readonly reset?: boolean
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
}

/** The most unused faults of a workspace. */
export const MAX_FAULTS = 100

export type ConditionCheck = (subject: FaultSubject) => boolean

class StoredFault {
  readonly request: FaultRequest
  readonly id: string
  readonly createdAt: string
  readonly isMetBy: ConditionCheck
  met = 0
  #state: number

  constructor(request: FaultRequest, isMetBy: ConditionCheck, number: number, createdAt: string) {
    this.request = request
    this.isMetBy = isMetBy
    this.id = `fault_${String(number)}`
    this.createdAt = createdAt
    this.#state = Math.imul(number, 0x9e3779b9)
  }

  get isOver(): boolean {
    return this.met >= (this.request.times ?? Infinity)
  }

  /** Decides whether the fault hits this call, and counts it. */
  hits(): boolean {
    if (this.#draw() >= (this.request.probability ?? 1)) return false
    this.met++
    return true
  }

  /** Returns the next number of a repeatable stream (mulberry32). */
  #draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  toFault(): Fault {
    const { preset: _preset, ...request } = this.request
    return { ...request, id: this.id, createdAt: this.createdAt, met: this.met }
  }
}

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
    iso(workspace.now()),
  )
  of.faults.push(added)
  return added.toFault()
}

/** Returns the faults in the order of creation. Used-up faults stay listed until the next fault is added. */
export const listFaults = (workspace: Workspace): Fault[] =>
  (all.get(workspace)?.faults ?? []).map((fault) => fault.toFault())

/** Removes a fault. Returns false if it does not exist. */
export function removeFault(workspace: Workspace, id: string): boolean {
  const of = all.get(workspace)
  const index = of?.faults.findIndex((fault) => fault.id === id) ?? -1
  if (index >= 0) of?.faults.splice(index, 1)
  return index >= 0
}

export function removeFaults(workspace: Workspace): void {
  all.delete(workspace)
}

/** Returns the cases that the faults of a workspace have. */
export const casesOf = (workspace: Workspace): string[] => [
  ...new Set((all.get(workspace)?.faults ?? []).flatMap(({ request }) => request.case ?? [])),
]

/** Returns the first fault that matches this call or delivery and hits it; usually null. */
export function findFault(
  workspace: Workspace,
  matches: (fault: FaultRequest) => boolean,
  subject: FaultSubject,
): Fault | null {
  const faults = all.get(workspace)?.faults
  if (faults === undefined) return null
  const hit = faults.find(
    (fault) => !fault.isOver && matches(fault.request) && fault.isMetBy(subject) && fault.hits(),
  )
  return hit?.toFault() ?? null
}
