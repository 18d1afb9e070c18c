/**
 * The timeline of each workspace: calls and the steps that they caused. Entries are recorded in memory, within
 * limits, and written to the file one second later (`timelineStorage.ts`), so a crash loses only the last second.
 *
 * A failed write withdraws its entries. A reset or replaced records start a new timeline.
 */
import { causeIn } from './causes.ts'
import { monotonicNow } from '../model/clock.ts'
import type { Database } from '../storage/database/database.ts'
import { notify } from './longPoll.ts'
import { storeCoverage, storePiece, readStored, trimPieces, type Piece } from './timelineStorage.ts'
import type { CallRecord, Step } from './timelineShapes.ts'
import { Totals } from './totals.ts'
import { databaseHealthOf } from '../storage/database/databaseHealth.ts'
import type { Workspace } from '../workspace/workspace.ts'

export type {
  CallRecord as CallRecord,
  MessageRecord as MessageRecord,
  Moved,
  Step,
  StepKind,
} from './timelineShapes.ts'

/** A call in memory. Its stored form is created when it is read or written. */
export interface Call extends Pick<
  CallRecord,
  'number' | 'interface' | 'operation' | 'method' | 'url' | 'status'
> {
  /** Its size in characters. */
  readonly size: number
  readonly toRecord: () => CallRecord
}

/** Called with each new entry after its commit. */
export type Listener = (entry: Call | Step) => void

export const isCallEntry = (entry: Call | Step): entry is Call => 'operation' in entry

const MAX_CALLS = 1000
const MAX_STEPS = 5000
/** Characters of all calls of a workspace. */
const MAX_CHARACTERS = 4_000_000
/** Characters of one piece on the file. */
const PIECE_CHARACTERS = 500_000
/** Characters of all pieces of a workspace. */
const MAX_CHARACTERS_ON_FILE = 8_000_000
/** The approximate size of a step. */
const STEP_SIZE = 250
/** Characters of all timelines in memory. */
const MAX_CHARACTERS_IN_MEMORY = 64_000_000
/** Ms after which a stored timeline is dropped from memory if memory is short; it is read again on demand. */
const IDLE_MS = 30_000
/** Ms until new entries are written to the file. */
const STORE_INTERVAL = 1000
/** The share of time for writing on a server under constant load. */
const MAX_STORE_SHARE = 1 / 200

/** The newest entries, oldest first. */
class Recent<Item> {
  /** Undefined before `#start`, so that removed items are not retained. */
  #items: (Item | undefined)[] = []
  #start = 0
  readonly #maxItems: number

  constructor(maxItems: number) {
    this.#maxItems = maxItems
  }

  get length(): number {
    return this.#items.length - this.#start
  }

  get last(): Item | undefined {
    return this.length === 0 ? undefined : this.#items.at(-1)
  }

  get first(): Item | undefined {
    return this.#items[this.#start]
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  pop(): Item | undefined {
    return this.length === 0 ? undefined : this.#items.pop()
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined
    const first = this.#items[this.#start]
    this.#items[this.#start++] = undefined
    if (this.#start > this.#maxItems) {
      this.#items = this.#items.slice(this.#start)
      this.#start = 0
    }
    return first
  }

  /** Returns all items, or the newest ones. */
  list(newest = this.length): Item[] {
    return this.#items.slice(Math.max(this.#start, this.#items.length - newest)) as Item[]
  }
}

export class Timeline {
  readonly workspace: Workspace
  readonly generation: number
  readonly totals = new Totals()
  readonly #timelines: Timelines
  readonly #calls = new Recent<Call>(MAX_CALLS)
  readonly #steps = new Recent<Step>(MAX_STEPS)
  readonly #pieces: Piece[] = []
  /** The highest number when it was loaded. */
  readonly first: number
  #last = 0
  #size = 0
  /** The number of the first step of each delivery, by delivery id. */
  readonly #deliveries = new Map<string, number>()
  /** The number of newest calls and steps that are not stored yet. */
  #callsToStore = 0
  #stepsToStore = 0
  /** When it was last read or written, by `monotonicNow`. */
  storedAt = monotonicNow()

  constructor(timelines: Timelines, workspace: Workspace) {
    this.#timelines = timelines
    this.workspace = workspace
    this.generation = workspace.generation
    const { pieces, calls, steps, totals } = readStored(workspace)
    this.#pieces = pieces
    for (const record of calls) this.#addCall(callOf(record))
    for (const step of steps) this.#push(step)
    this.totals.load(totals)
    this.#last = this.first = pieces.at(-1)?.last ?? 0
  }

  /** Returns the next number. A call takes it at its start, so that its effects can refer to it. */
  next(): number {
    return ++this.#last
  }

  get last(): number {
    return this.#last
  }

  get size(): number {
    return this.#size + this.#steps.length * STEP_SIZE
  }

  /** Returns the calls, oldest first. */
  calls(): Call[] {
    return this.#calls.list()
  }

  steps(): Step[] {
    return this.#steps.list()
  }

  add(call: Call): void {
    this.#addCall(call)
    this.#callsToStore = Math.min(this.#callsToStore + 1, this.#calls.length)
    this.#timelines.counted('call', [call.interface, call.operation ?? '', String(call.status)], this.totals)
    this.#timelines.recordEntry(this, call)
    notify(this.workspace, 'requests')
  }

  #addCall(call: Call): void {
    this.#calls.push(call)
    this.#size += call.size
    while (this.#calls.length > MAX_CALLS || (this.#size > MAX_CHARACTERS && this.#calls.length > 1))
      this.#dropCall()
  }

  #dropCall(): void {
    this.#size -= this.#calls.shift()?.size ?? 0
    this.#callsToStore = Math.min(this.#callsToStore, this.#calls.length)
  }

  /** Drops the oldest entries until the size is at most `size`; the newest call stays. */
  shrinkTo(size: number): void {
    while (this.size > size && this.#calls.length + this.#steps.length > 1) {
      const [call, step] = [this.#calls.first, this.#steps.first]
      if (call && (!step || call.number < step.number)) this.#dropCall()
      else this.#dropStep()
    }
  }

  /** Records a step and returns its number. */
  recordStep(step: Omit<Step, 'number' | 'at'>): number {
    const entry: Step = { number: this.next(), at: this.workspace.now(), ...step }
    this.#push(entry)
    this.#stepsToStore = Math.min(this.#stepsToStore + 1, this.#steps.length)
    this.#count(entry, 1)
    this.#timelines.recordEntry(this, entry)
    return entry.number
  }

  #push(step: Step): void {
    this.#steps.push(step)
    if (step.kind === 'delivery' && !this.#deliveries.has(step.ref))
      this.#deliveries.set(step.ref, step.number)
    if (this.#steps.length > MAX_STEPS) this.#dropStep()
  }

  #dropStep(): void {
    const dropped = this.#steps.shift()
    this.#stepsToStore = Math.min(this.#stepsToStore, this.#steps.length)
    if (dropped && this.#deliveries.get(dropped.ref) === dropped.number) this.#deliveries.delete(dropped.ref)
  }

  /** Returns the number of the first step of a delivery; null if it is no longer in memory. */
  numberOfDelivery(id: string): number | null {
    return this.#deliveries.get(id) ?? null
  }

  #count({ kind, moved, title, ref }: Step, by: number): void {
    if (moved && moved.from !== null) {
      this.#timelines.counted('move', [moved.machine, moved.move, moved.from, moved.to], this.totals, by)
    }
    if (kind === 'event') this.#timelines.counted('event', title.split(' '), this.totals, by)
    if (kind === 'trigger') this.#timelines.counted('trigger', [ref], this.totals, by)
  }

  /** Withdraws the steps after a number. */
  backTo(number: number): void {
    for (let last = this.#steps.last; last && last.number > number; last = this.#steps.last) {
      this.#steps.pop()
      if (this.#stepsToStore > 0) this.#stepsToStore--
      this.#count(last, -1)
      this.#timelines.withdraw(this, last)
    }
  }

  /** Deletes the calls; numbers continue. */
  forgetCalls(): void {
    while (this.#calls.length > 0) this.#calls.pop()
    this.#size = 0
    this.#callsToStore = 0
    this.workspace.write(() => {
      trimPieces(this.workspace, Infinity)
      this.#pieces.length = 0
      // The remaining steps were deleted from the file.
      this.#stepsToStore = this.#steps.length
    })
    this.#timelines.queueForStorage(this)
  }

  get isStored(): boolean {
    return this.#callsToStore === 0 && this.#stepsToStore === 0
  }

  /** Writes the next piece of new entries to the file. */
  storeNextPiece(): void {
    const calls: CallRecord[] = []
    let size = 0
    for (const call of this.#calls.list(this.#callsToStore)) {
      if (size > PIECE_CHARACTERS) break
      calls.push(call.toRecord())
      size += call.size
    }
    const steps = this.#steps.list(this.#stepsToStore)
    const highest = Math.max(calls.at(-1)?.number ?? 0, steps.at(-1)?.number ?? 0)
    this.#callsToStore -= calls.length
    this.#stepsToStore = 0
    const text = JSON.stringify({ calls, steps })
    const piece = { last: this.#last, highest, size: text.length }
    this.workspace.database.write(() => {
      storePiece(this.workspace, piece, text)
      storeCoverage(this.workspace, this.totals)
      this.#pieces.push(piece)
      this.#trim()
    })
  }

  /** Deletes pieces that are older than all entries in memory, or beyond the size limit. */
  #trim(): void {
    const firsts = [this.#calls.first, this.#steps.first].map((first) => first?.number ?? Infinity)
    let size = this.#pieces.reduce((sum, piece) => sum + piece.size, 0)
    let dropped = 0
    for (let [first, next] = this.#pieces; first && next; [first, next] = this.#pieces) {
      if (first.highest >= Math.min(...firsts) && size <= MAX_CHARACTERS_ON_FILE) break
      this.#pieces.shift()
      size -= first.size
      dropped = first.highest
    }
    if (dropped > 0) trimPieces(this.workspace, dropped)
  }
}

const callOf = (record: CallRecord): Call => ({
  number: record.number,
  interface: record.interface,
  operation: record.operation,
  method: record.method,
  url: record.url,
  status: record.status,
  size: JSON.stringify(record).length,
  toRecord: () => record,
})

/** The timelines of a database. */
export class Timelines {
  /** Of all workspaces since the start, including deleted ones. */
  readonly totals = new Totals()
  readonly #timelines = new Map<Workspace, Timeline>()
  readonly #toStore = new Set<Timeline>()
  readonly #listeners = new Map<number, Set<Listener>>()
  #newEntries: { readonly timeline: Timeline; readonly entry: Call | Step }[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the timeline if it is in memory. */
  cached(workspace: Workspace): Timeline | undefined {
    const cached = this.#timelines.get(workspace)
    return cached?.generation === workspace.generation ? cached : undefined
  }

  of(workspace: Workspace): Timeline {
    const cached = this.#timelines.get(workspace)
    if (cached?.generation === workspace.generation) return cached
    if (cached) this.#toStore.delete(cached)
    const timeline = new Timeline(this, workspace)
    this.#timelines.set(workspace, timeline)
    return timeline
  }

  counted(kind: string, names: readonly string[], ofOne: Totals, by = 1): void {
    const key = `${kind} ${names.join(' ')}`
    ofOne.count(key, by)
    this.totals.count(key, by)
  }

  /** Calls `listener` with new entries of a workspace until the returned function is called. */
  listen({ tenantId }: Workspace, listener: Listener): () => void {
    const listeners = this.#listeners.get(tenantId) ?? new Set()
    this.#listeners.set(tenantId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(tenantId)
    }
  }

  recordEntry(timeline: Timeline, entry: Call | Step): void {
    this.queueForStorage(timeline)
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

  withdraw(timeline: Timeline, entry: Step): void {
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

  queueForStorage(timeline: Timeline): void {
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
  release(workspace: Workspace): void {
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
  generation !== workspace.generation || workspace.registry.find(workspace.id) !== workspace

const createTimelines = (database: Database): Timelines => new Timelines(database)

export const timelinesOf = (database: Database): Timelines => database.own(createTimelines)

export const timelineOf = (workspace: Workspace): Timeline => timelinesOf(workspace.database).of(workspace)

/** Records a step with the current cause. Returns its number. */
export const recordStep = (workspace: Workspace, step: Omit<Step, 'number' | 'at' | 'causedBy'>): number => {
  const causedBy = causeIn(workspace)
  return timelineOf(workspace).recordStep({ ...step, causedBy })
}

/** Runs a write, and withdraws its steps if it fails. */
export function withdrawOnFailure<T>(workspace: Workspace, write: () => T): T {
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
