/**
 * The timelines of a database. Entries are recorded in memory, within limits, and written to the file one second later
 * (`timelineStorage.ts`), so a crash loses only the last second.
 *
 * A failed write withdraws its entries. A reset or replaced records start a new timeline.
 */
import { causeIn } from './causes.ts'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { Database } from '../storage/database/database.ts'
import { databaseHealthOf } from '../storage/database/databaseHealth.ts'
import { Timeline, type Call, type TimelineObserver } from './timeline.ts'
import type { TimelineOwner } from './timelineOwner.ts'
import type { Step } from './timelineShapes.ts'
import { Totals } from './totals.ts'

/** Called with each new entry after its commit. */
type Listener = (entry: Call | Step) => void

/** Characters of all timelines in memory. */
const MAX_CHARACTERS_IN_MEMORY = 64_000_000
/** Ms after which a stored timeline is dropped from memory if memory is short; it is read again on demand. */
const IDLE_MS = 30_000
/** Ms until new entries are written to the file. */
const STORE_INTERVAL = 1000
/** The share of time for writing on a server under constant load. */
const MAX_STORE_SHARE = 1 / 200

/** The timelines of a database. */
export class Timelines implements TimelineObserver {
  /** Of all workspaces since the start, including deleted ones. */
  readonly totals = new Totals()
  readonly #timelines = new Map<TimelineOwner, Timeline>()
  readonly #toStore = new Set<Timeline>()
  readonly #listeners = new Map<number, Set<Listener>>()
  #newEntries: { readonly timeline: Timeline; readonly entry: Call | Step }[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the timeline if it is in memory. */
  cached(workspace: TimelineOwner): Timeline | undefined {
    const cached = this.#timelines.get(workspace)
    return cached?.generation === workspace.generation ? cached : undefined
  }

  of(workspace: TimelineOwner): Timeline {
    const cached = this.#timelines.get(workspace)
    if (cached?.generation === workspace.generation) return cached
    if (cached) this.#toStore.delete(cached)
    const timeline = new Timeline(this, workspace)
    this.#timelines.set(workspace, timeline)
    return timeline
  }

  /** Calls `listener` with new entries of a workspace until the returned function is called. */
  listen({ tenantId }: TimelineOwner, listener: Listener): () => void {
    const listeners = this.#listeners.get(tenantId) ?? new Set()
    this.#listeners.set(tenantId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(tenantId)
    }
  }

  added(timeline: Timeline, entry: Call | Step): void {
    this.changed(timeline)
    if (this.#listeners.size === 0 || !this.#listeners.has(timeline.workspace.tenantId)) return
    this.#newEntries.push({ timeline, entry })
    if (this.#newEntries.length === 1) {
      // Entries of a write can be withdrawn until it has finished.
      setImmediate(() => {
        timeline.workspace.database.whenCommitted((error) => {
          this.#notifyListeners(error)
        })
      })
    }
  }

  withdrawn(timeline: Timeline, entry: Step): void {
    if (this.#newEntries.length === 0) return
    this.#newEntries = this.#newEntries.filter((each) => each.timeline !== timeline || each.entry !== entry)
  }

  #notifyListeners(error: Error | null): void {
    const newEntries = this.#newEntries
    this.#newEntries = []
    if (error) return
    for (const { timeline, entry } of newEntries) {
      for (const listener of this.#listeners.get(timeline.workspace.tenantId) ?? []) listener(entry)
    }
  }

  /** Queues a timeline for storage. */
  changed(timeline: Timeline): void {
    this.#toStore.add(timeline)
    this.#timer ??= setTimeout(() => {
      this.#storeInSlices()
    }, STORE_INTERVAL).unref()
  }

  /** Writes one piece at a time, within the share of time. */
  #storeInSlices(): void {
    if (!this.#database.open) return
    // Also under constant load, when a timeline is always waiting to be written.
    this.#limitMemory()
    const [timeline] = this.#toStore
    if (!timeline) {
      this.#timer = undefined
      return
    }
    const began = monotonicNow()
    this.#storeOne(timeline)
    const pause = (monotonicNow() - began) / MAX_STORE_SHARE
    this.#timer = setTimeout(
      () => {
        this.#storeInSlices()
      },
      this.#toStore.size > 0 ? pause : Math.max(pause, STORE_INTERVAL),
    ).unref()
  }

  #storeOne(timeline: Timeline): void {
    this.#toStore.delete(timeline)
    const { workspace } = timeline
    if (isObsolete(timeline) || timeline.isStored) return
    // Keeps the map in the order of the last entries.
    this.#timelines.delete(workspace)
    this.#timelines.set(workspace, timeline)
    timeline.storedAt = monotonicNow()
    try {
      timeline.storeNextPiece()
      // Commits now, so that the commit counts as time for writing.
      this.#database.flush()
    } catch (error) {
      // The timeline continues in memory.
      databaseHealthOf(this.#database).report(error)
    }
    this.#requeue(timeline)
  }

  /** Queues the timeline again if it has more pieces. */
  #requeue(timeline: Timeline): void {
    if (!timeline.isStored) this.#toStore.add(timeline)
  }

  /** Writes all new entries to the file; for a stop of the server. */
  storeAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#database.open && this.#toStore.size > 0)
      for (const timeline of [...this.#toStore]) this.#storeOne(timeline)
  }

  /** Releases the timeline of a workspace that was deleted or has other records. */
  release(workspace: TimelineOwner): void {
    const timeline = this.#timelines.get(workspace)
    if (!timeline) return
    this.#timelines.delete(workspace)
    this.#toStore.delete(timeline)
    this.#newEntries = this.#newEntries.filter((each) => each.timeline !== timeline)
  }

  /**
   * Limits the memory: drops timelines of deleted workspaces first, then idle ones, then the oldest entries of all
   * others.
   */
  #limitMemory(): void {
    let size = 0
    for (const [workspace, timeline] of this.#timelines) {
      if (isObsolete(timeline)) this.release(workspace)
      else size += timeline.size
    }
    const idleSince = monotonicNow() - IDLE_MS
    for (const [workspace, timeline] of this.#timelines) {
      if (size <= MAX_CHARACTERS_IN_MEMORY) return
      if (this.#toStore.has(timeline) || timeline.storedAt > idleSince) continue
      size -= timeline.size
      this.#timelines.delete(workspace)
    }
    if (size <= MAX_CHARACTERS_IN_MEMORY) return
    const share = MAX_CHARACTERS_IN_MEMORY / this.#timelines.size
    for (const timeline of this.#timelines.values()) timeline.shrinkTo(share)
  }
}

const isObsolete = ({ workspace, generation }: Timeline): boolean =>
  generation !== workspace.generation || !workspace.isRegistered

const createTimelines = (database: Database): Timelines => new Timelines(database)

export const timelinesOf = (database: Database): Timelines => database.own(createTimelines)

export const timelineOf = (workspace: TimelineOwner): Timeline =>
  timelinesOf(workspace.database).of(workspace)

/** Records a step with the current cause. Returns its number. */
export const recordStep = (
  workspace: TimelineOwner,
  step: Omit<Step, 'number' | 'at' | 'causedBy'>,
): number => {
  const causedBy = causeIn(workspace)
  return timelineOf(workspace).recordStep({ ...step, causedBy })
}

/** Records that the current cause wrote a record: "payments.links/pl_1". */
export function recordTouch(workspace: TimelineOwner, ref: string): void {
  const number = causeIn(workspace)
  if (number !== null) timelineOf(workspace).touch(ref, number)
}

/** Runs a write, and withdraws its steps if it fails. */
export function withdrawOnFailure<T>(workspace: TimelineOwner, write: () => T): T {
  const timelines = timelinesOf(workspace.database)
  const last = timelines.cached(workspace)?.last
  try {
    return write()
  } catch (error) {
    const timeline = timelines.cached(workspace)
    timeline?.backTo(last ?? timeline.first)
    throw error
  }
}
