/**
 * Faults that tests set: calls and deliveries of a workspace that meet one go wrong on purpose. Kept in memory, for a
 * server that starts again should work; which of the calls meet one follows from the fault alone, so that a run repeats.
 */
import { iso } from './clock.ts'
import { refuse } from './refusal.ts'
import type { Workspace } from './workspace.ts'

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

/** As it is wanted. */
export interface FaultRequest {
  readonly preset?: keyof typeof PRESETS
  readonly interface?: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
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
  /** How often it was met. */
  readonly met: number
}

/** As many as a workspace holds. */
export const MAX_FAULTS = 100

class StoredFaults {
  readonly wanted: FaultRequest
  readonly id: string
  readonly createdAt: string
  met = 0
  #state: number

  constructor(wanted: FaultRequest, number: number, createdAt: string) {
    this.wanted = wanted
    this.id = `fault_${String(number)}`
    this.createdAt = createdAt
    this.#state = Math.imul(number, 0x9e3779b9)
  }

  get isOver(): boolean {
    return this.met >= (this.wanted.times ?? Infinity)
  }

  /** Whether this call is one of those that it hits, which counts. */
  hits(): boolean {
    if (this.#draw() >= (this.wanted.probability ?? 1)) return false
    this.met++
    return true
  }

  /** The next of a stream that is the same each time (mulberry32). */
  #draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  shown(): Fault {
    const { preset: _preset, ...wanted } = this.wanted
    return { ...wanted, id: this.id, createdAt: this.createdAt, met: this.met }
  }
}

const all = new WeakMap<Workspace, { last: number; kept: StoredFaults[] }>()

export function addFault(workspace: Workspace, wanted: FaultRequest): Fault {
  const of = all.get(workspace) ?? { last: 0, kept: [] }
  all.set(workspace, of)
  of.kept = of.kept.filter((fault) => !fault.isOver)
  if (of.kept.length >= MAX_FAULTS) {
    refuse('conflict', `A workspace holds at most ${String(MAX_FAULTS)} faults that are not used up.`)
  }
  const made = new StoredFaults(
    { ...(wanted.preset && PRESETS[wanted.preset]), ...wanted },
    ++of.last,
    iso(workspace.now()),
  )
  of.kept.push(made)
  return made.shown()
}

/** In the order in which they were set; those that are used up as well, until another is set. */
export const listFaults = (workspace: Workspace): Fault[] =>
  (all.get(workspace)?.kept ?? []).map((fault) => fault.shown())

/** False where there is none. */
export function removeFault(workspace: Workspace, id: string): boolean {
  const of = all.get(workspace)
  const index = of?.kept.findIndex((fault) => fault.id === id) ?? -1
  if (index >= 0) of?.kept.splice(index, 1)
  return index >= 0
}

export function removeFaults(workspace: Workspace): void {
  all.delete(workspace)
}

/** The first fault that means this call or delivery and hits it; null for almost all. */
export function meetFault(workspace: Workspace, means: (fault: FaultRequest) => boolean): Fault | null {
  const kept = all.get(workspace)?.kept
  if (kept === undefined) return null
  const met = kept.find((fault) => !fault.isOver && means(fault.wanted) && fault.hits())
  return met?.shown() ?? null
}
