/** The timeline of one workspace: calls and the steps that they caused, in memory and on the file. */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { notify } from './longPoll.ts'
import { Recent } from './recent.ts'
import { storeCoverage, storePiece, readStored, trimPieces, type Piece } from './timelineStorage.ts'
import type { CallRecord, Step } from './timelineShapes.ts'
import type { TimelineOwner } from './timelineOwner.ts'
import { Totals } from './totals.ts'

/** A call in memory. Its stored form is created when it is read or written. */
export interface Call extends Pick<
  CallRecord,
  'number' | 'interface' | 'operation' | 'method' | 'url' | 'status'
> {
  readonly caller?: string | undefined
  /** Its size in characters. */
  readonly size: number
  readonly toRecord: () => CallRecord
}

export const isCallEntry = (entry: Call | Step): entry is Call => 'operation' in entry

/** The changes of a timeline that `Timelines` reports and stores. */
export interface TimelineObserver {
  /** Counts of all workspaces since the start, including deleted ones. */
  readonly totals: Totals
  added(timeline: Timeline, entry: Call | Step): void
  withdrawn(timeline: Timeline, entry: Step): void
  /** The timeline has something to store. */
  changed(timeline: Timeline): void
}

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
/** The maximum number of records whose causes are known, and of causes of each. */
const MAX_TOUCHED = 5000
const MAX_CAUSES = 10
/** The approximate size of a record with its causes. */
const TOUCHED_SIZE = 150

export class Timeline {
  readonly workspace: TimelineOwner
  readonly generation: number
  readonly totals = new Totals()
  readonly #observer: TimelineObserver
  readonly #calls = new Recent<Call>(MAX_CALLS)
  readonly #steps = new Recent<Step>(MAX_STEPS)
  readonly #pieces: Piece[] = []
  /** The highest number when it was loaded. */
  readonly first: number
  #last = 0
  #size = 0
  /** The number of the first step of each delivery, by delivery id. */
  readonly #deliveries = new Map<string, number>()
  /** The numbers of the calls and steps that wrote each record, by "section/id", in memory only. */
  readonly #touched = new Map<string, number[]>()
  /** The number of newest calls and steps that are not stored yet. */
  #callsToStore = 0
  #stepsToStore = 0
  /** When it was last read or written, by `monotonicNow`. */
  storedAt = monotonicNow()

  constructor(observer: TimelineObserver, workspace: TimelineOwner) {
    this.#observer = observer
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
    return this.#size + this.#steps.length * STEP_SIZE + this.#touched.size * TOUCHED_SIZE
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
    this.#count('call', [call.interface, call.operation ?? '', String(call.status)], 1)
    this.#observer.added(this, call)
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

  /** Records that a call or step wrote a record. */
  touch(ref: string, number: number): void {
    const causes = this.#touched.get(ref) ?? []
    if (causes.at(-1) === number) return
    causes.push(number)
    if (causes.length > MAX_CAUSES) causes.shift()
    // Again at the end, because the records that were not written for longest are dropped first.
    this.#touched.delete(ref)
    this.#touched.set(ref, causes)
    if (this.#touched.size > MAX_TOUCHED) this.#dropTouched()
  }

  #dropTouched(): void {
    const { value } = this.#touched.keys().next()
    if (value !== undefined) this.#touched.delete(value)
  }

  /** Returns the numbers of the calls and steps that wrote a record, oldest first. */
  causesOf(ref: string): readonly number[] {
    return this.#touched.get(ref) ?? []
  }

  /** Drops the oldest entries until the size is at most `size`; the newest call stays. */
  shrinkTo(size: number): void {
    while (this.size > size && this.#touched.size > 0) this.#dropTouched()
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
    this.#countStep(entry, 1)
    this.#observer.added(this, entry)
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

  #countStep({ kind, moved, title, ref }: Step, by: number): void {
    if (moved && moved.from !== null) {
      this.#count('move', [moved.machine, moved.move, moved.from, moved.to], by)
    }
    if (kind === 'event') this.#count('event', title.split(' '), by)
    if (kind === 'trigger') this.#count('trigger', [ref], by)
  }

  #count(kind: string, names: readonly string[], by: number): void {
    const key = `${kind} ${names.join(' ')}`
    for (const totals of [this.totals, this.#observer.totals]) totals.count(key, by)
  }

  /** Withdraws the steps after a number. */
  backTo(number: number): void {
    for (let last = this.#steps.last; last && last.number > number; last = this.#steps.last) {
      this.#steps.pop()
      if (this.#stepsToStore > 0) this.#stepsToStore--
      this.#countStep(last, -1)
      this.#observer.withdrawn(this, last)
    }
  }

  /** Deletes the calls; numbers continue. */
  forgetCalls(): void {
    while (this.#calls.length > 0) this.#calls.pop()
    this.#size = 0
    this.#callsToStore = 0
    this.workspace.database.write(() => {
      trimPieces(this.workspace, Infinity)
      this.#pieces.length = 0
      // The remaining steps were deleted from the file.
      this.#stepsToStore = this.#steps.length
    })
    this.#observer.changed(this)
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
  caller: record.caller,
  size: JSON.stringify(record).length,
  toRecord: () => record,
})
