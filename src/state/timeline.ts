/**
 * The story of each workspace: the calls of its interfaces, and what followed from them step by step, each with what
 * caused it. Told in memory while it happens, within bounds, and written to the file a second later in pieces
 * (`timelineStorage.ts`): a crash loses the last second of it, and nothing else.
 *
 * What a refused write has told is taken back with the write. A reset, or other records in the place of all, begin it anew.
 */
import { causeIn } from './causes.ts'
import { monotonicNow } from './clock.ts'
import type { Database } from './database.ts'
import { notify } from './longPoll.ts'
import { storeCoverage, storePiece, readStored, trimPieces, type Piece } from './timelineStorage.ts'
import type { CallRecord, Step } from './timelineShapes.ts'
import { Totals } from './totals.ts'
import { databaseHealthOf } from './databaseHealth.ts'
import type { Workspace } from './workspace.ts'

export type {
  CallRecord as KeptCall,
  MessageRecord as KeptMessage,
  Moved,
  Step,
  StepKind,
} from './timelineShapes.ts'

/** A call in memory, which is made fit to be kept when somebody asks for it or it is written down. */
export interface Call extends Pick<
  CallRecord,
  'number' | 'interface' | 'operation' | 'method' | 'url' | 'status'
> {
  /** How much it takes, in characters. */
  readonly size: number
  readonly kept: () => CallRecord
}

/** Told of whatever comes to the story, once it is on the file. */
export type Listener = (entryAdded: Call | Step) => void

export const isCallEntry = (entryAdded: Call | Step): entryAdded is Call => 'kept' in entryAdded

const MAX_CALLS = 1000
const MAX_STEPS = 5000
/** Characters of all calls of a workspace. */
const MAX_CHARACTERS = 4_000_000
/** Characters of one piece on the file. */
const PIECE_CHARACTERS = 500_000
/** Characters of all pieces of a workspace. */
const MAX_CHARACTERS_ON_FILE = 8_000_000
/** What a step takes, roughly. */
const STEP_SIZE = 250
/** Characters of all stories in memory. */
const MAX_CHARACTERS_IN_MEMORY = 64_000_000
/** Ms after which a story that is on the file is read again when somebody asks, if memory is short. */
const IDLE = 30_000
/** Ms until what was told is written down. */
const KEEPING_INTERVAL = 1000
/** What writing down may take of the time of a server that is called without a pause. */
const SHARE_OF_KEEPING = 1 / 200

/** The newest of what was told, oldest first. */
class Recent<Item> {
  /** Undefined before `#start`, so that nothing holds what was shifted out. */
  #items: (Item | undefined)[] = []
  #start = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
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
    if (this.#start > this.#most) {
      this.#items = this.#items.slice(this.#start)
      this.#start = 0
    }
    return first
  }

  /** All, or so many of the newest. */
  list(newest = this.length): Item[] {
    return this.#items.slice(Math.max(this.#start, this.#items.length - newest)) as Item[]
  }
}

export class Timeline {
  readonly workspace: Workspace
  readonly era: number
  readonly totals = new Totals()
  readonly #ofAll: Timelines
  readonly #calls = new Recent<Call>(MAX_CALLS)
  readonly #steps = new Recent<Step>(MAX_STEPS)
  readonly #pieces: Piece[] = []
  /** The highest number when it was taken up. */
  readonly first: number
  #last = 0
  #size = 0
  /** The steps that have told of deliveries first, by their ids. */
  readonly #deliveries = new Map<string, number>()
  /** Of the newest, those that are not on the file. */
  #callsToKeep = 0
  #stepsToKeep = 0
  /** When it was read or written last, by the monotonic clock. */
  storedAt = monotonicNow()

  constructor(ofAll: Timelines, workspace: Workspace) {
    this.#ofAll = ofAll
    this.workspace = workspace
    this.era = workspace.generation
    const { pieces, calls, steps, totals } = readStored(workspace)
    this.#pieces = pieces
    for (const kept of calls) this.#remember(callOf(kept))
    for (const step of steps) this.#push(step)
    this.totals.load(totals)
    this.#last = this.first = pieces.at(-1)?.last ?? 0
  }

  /** The next number; for a call, that what follows from it may name it before it is over. */
  next(): number {
    return ++this.#last
  }

  get last(): number {
    return this.#last
  }

  get size(): number {
    return this.#size + this.#steps.length * STEP_SIZE
  }

  /** Calls, oldest first. */
  calls(): Call[] {
    return this.#calls.list()
  }

  steps(): Step[] {
    return this.#steps.list()
  }

  add(call: Call): void {
    this.#remember(call)
    this.#callsToKeep = Math.min(this.#callsToKeep + 1, this.#calls.length)
    this.#ofAll.counted('call', [call.interface, call.operation ?? '', String(call.status)], this.totals)
    this.#ofAll.entryAdded(this, call)
    notify(this.workspace, 'requests')
  }

  #remember(call: Call): void {
    this.#calls.push(call)
    this.#size += call.size
    while (this.#calls.length > MAX_CALLS || (this.#size > MAX_CHARACTERS && this.#calls.length > 1))
      this.#dropCall()
  }

  #dropCall(): void {
    this.#size -= this.#calls.shift()?.size ?? 0
    this.#callsToKeep = Math.min(this.#callsToKeep, this.#calls.length)
  }

  /** Drops what is oldest until the story takes at most so many characters; the newest call stays. */
  shrinkTo(size: number): void {
    while (this.size > size && this.#calls.length + this.#steps.length > 1) {
      const [call, step] = [this.#calls.first, this.#steps.first]
      if (call && (!step || call.number < step.number)) this.#dropCall()
      else this.#dropStep()
    }
  }

  /** Tells a step; answers with its number. */
  recordStep(step: Omit<Step, 'number' | 'at'>): number {
    const entryAdded: Step = { number: this.next(), at: this.workspace.now(), ...step }
    this.#push(entryAdded)
    this.#stepsToKeep = Math.min(this.#stepsToKeep + 1, this.#steps.length)
    this.#count(entryAdded, 1)
    this.#ofAll.entryAdded(this, entryAdded)
    return entryAdded.number
  }

  #push(step: Step): void {
    this.#steps.push(step)
    if (step.kind === 'delivery' && !this.#deliveries.has(step.ref))
      this.#deliveries.set(step.ref, step.number)
    if (this.#steps.length > MAX_STEPS) this.#dropStep()
  }

  #dropStep(): void {
    const gone = this.#steps.shift()
    this.#stepsToKeep = Math.min(this.#stepsToKeep, this.#steps.length)
    if (gone && this.#deliveries.get(gone.ref) === gone.number) this.#deliveries.delete(gone.ref)
  }

  /** The number of the step that told of a delivery first; null where it is remembered no more. */
  numberOfDelivery(id: string): number | null {
    return this.#deliveries.get(id) ?? null
  }

  #count({ kind, moved, title, ref }: Step, by: number): void {
    if (moved && moved.from !== null) {
      this.#ofAll.counted('move', [moved.machine, moved.move, moved.from, moved.to], this.totals, by)
    }
    if (kind === 'event') this.#ofAll.counted('event', title.split(' '), this.totals, by)
    if (kind === 'trigger') this.#ofAll.counted('trigger', [ref], this.totals, by)
  }

  /** Takes back what was told after a number. */
  backTo(number: number): void {
    for (let last = this.#steps.last; last && last.number > number; last = this.#steps.last) {
      this.#steps.pop()
      if (this.#stepsToKeep > 0) this.#stepsToKeep--
      this.#count(last, -1)
      this.#ofAll.withdraw(this, last)
    }
  }

  /** Forgets the calls; the numbers go on. */
  forgetCalls(): void {
    while (this.#calls.length > 0) this.#calls.pop()
    this.#size = 0
    this.#callsToKeep = 0
    this.workspace.write(() => {
      trimPieces(this.workspace, Infinity)
      this.#pieces.length = 0
      // The steps that are kept stand on no file any more.
      this.#stepsToKeep = this.#steps.length
    })
    this.#ofAll.queueForStorage(this)
  }

  get isStored(): boolean {
    return this.#callsToKeep === 0 && this.#stepsToKeep === 0
  }

  /** Writes a piece of what is not on the file yet. */
  storeNextPiece(): void {
    const calls: CallRecord[] = []
    let size = 0
    for (const call of this.#calls.list(this.#callsToKeep)) {
      if (size > PIECE_CHARACTERS) break
      calls.push(call.kept())
      size += call.size
    }
    const steps = this.#steps.list(this.#stepsToKeep)
    const highest = Math.max(calls.at(-1)?.number ?? 0, steps.at(-1)?.number ?? 0)
    this.#callsToKeep -= calls.length
    this.#stepsToKeep = 0
    const text = JSON.stringify({ calls, steps })
    const piece = { last: this.#last, highest, size: text.length }
    this.workspace.database.write(() => {
      storePiece(this.workspace, piece, text)
      storeCoverage(this.workspace, this.totals)
      this.#pieces.push(piece)
      this.#trim()
    })
  }

  /** What lies before all that is remembered is not read again, and of the rest no more than so much is kept. */
  #trim(): void {
    const firsts = [this.#calls.first, this.#steps.first].map((first) => first?.number ?? Infinity)
    let size = this.#pieces.reduce((sum, piece) => sum + piece.size, 0)
    let gone = 0
    for (let [first, next] = this.#pieces; first && next; [first, next] = this.#pieces) {
      if (first.highest >= Math.min(...firsts) && size <= MAX_CHARACTERS_ON_FILE) break
      this.#pieces.shift()
      size -= first.size
      gone = first.highest
    }
    if (gone > 0) trimPieces(this.workspace, gone)
  }
}

const callOf = (kept: CallRecord): Call => ({
  number: kept.number,
  interface: kept.interface,
  operation: kept.operation,
  method: kept.method,
  url: kept.url,
  status: kept.status,
  size: JSON.stringify(kept).length,
  kept: () => kept,
})

/** The stories of a database. */
export class Timelines {
  /** Of all workspaces since the start, also of those that are gone. */
  readonly totals = new Totals()
  readonly #stories = new Map<Workspace, Timeline>()
  readonly #toKeep = new Set<Timeline>()
  readonly #listeners = new Map<number, Set<Listener>>()
  #fresh: { readonly story: Timeline; readonly entryAdded: Call | Step }[] = []
  #keeping: NodeJS.Timeout | undefined
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** As far as it is in memory. */
  known(workspace: Workspace): Timeline | undefined {
    const known = this.#stories.get(workspace)
    return known?.era === workspace.generation ? known : undefined
  }

  of(workspace: Workspace): Timeline {
    const known = this.#stories.get(workspace)
    if (known?.era === workspace.generation) return known
    if (known) this.#toKeep.delete(known)
    const story = new Timeline(this, workspace)
    this.#stories.set(workspace, story)
    return story
  }

  counted(kind: string, names: readonly string[], ofOne: Totals, by = 1): void {
    const key = `${kind} ${names.join(' ')}`
    ofOne.count(key, by)
    this.totals.count(key, by)
  }

  /** Has `listener` told of what comes to the story of a workspace; answers with how to end that. */
  listen({ tenantId }: Workspace, listener: Listener): () => void {
    const listeners = this.#listeners.get(tenantId) ?? new Set()
    this.#listeners.set(tenantId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(tenantId)
    }
  }

  entryAdded(story: Timeline, entryAdded: Call | Step): void {
    this.queueForStorage(story)
    if (this.#listeners.size === 0 || !this.#listeners.has(story.workspace.tenantId)) return
    this.#fresh.push({ story, entryAdded: entryAdded })
    if (this.#fresh.length === 1) {
      // What is told in a write may be taken back until the write is over.
      setImmediate(() => {
        story.workspace.database.whenCommitted((error) => {
          this.#tellListeners(error)
        })
      })
    }
  }

  withdraw(story: Timeline, entryAdded: Step): void {
    if (this.#fresh.length === 0) return
    this.#fresh = this.#fresh.filter((each) => each.story !== story || each.entryAdded !== entryAdded)
  }

  #tellListeners(error: Error | null): void {
    const fresh = this.#fresh
    this.#fresh = []
    if (error) return
    for (const { story, entryAdded: entryAdded } of fresh) {
      for (const listener of this.#listeners.get(story.workspace.tenantId) ?? []) listener(entryAdded)
    }
  }

  queueForStorage(story: Timeline): void {
    this.#toKeep.add(story)
    this.#keeping ??= setTimeout(() => {
      this.#keepInSlices()
    }, KEEPING_INTERVAL).unref()
  }

  /** A piece at a time, and never for more than a share of the time. */
  #keepInSlices(): void {
    if (!this.#database.open) return
    // Also under steady load, when some story always waits to be written.
    this.#letGo()
    const [story] = this.#toKeep
    if (!story) {
      this.#keeping = undefined
      return
    }
    const began = monotonicNow()
    this.#keepOne(story)
    const pause = (monotonicNow() - began) / SHARE_OF_KEEPING
    this.#keeping = setTimeout(
      () => {
        this.#keepInSlices()
      },
      this.#toKeep.size > 0 ? pause : Math.max(pause, KEEPING_INTERVAL),
    ).unref()
  }

  #keepOne(story: Timeline): void {
    this.#toKeep.delete(story)
    const { workspace } = story
    if (isGone(story) || story.isStored) return
    // Those that were told last come last.
    this.#stories.delete(workspace)
    this.#stories.set(workspace, story)
    story.storedAt = monotonicNow()
    try {
      story.storeNextPiece()
      // At once, so that it counts as what writing down takes.
      this.#database.flush()
    } catch (error) {
      // The story goes on in memory.
      databaseHealthOf(this.#database).report(error)
    }
    this.#keepMore(story)
  }

  /** One piece at a time. */
  #keepMore(story: Timeline): void {
    if (!story.isStored) this.#toKeep.add(story)
  }

  /** Writes down all that is not on the file; for a server that stops. */
  keepAll(): void {
    clearTimeout(this.#keeping)
    this.#keeping = undefined
    while (this.#database.open && this.#toKeep.size > 0)
      for (const story of [...this.#toKeep]) this.#keepOne(story)
  }

  /** Releases the story of a workspace that is gone or has other records. */
  release(workspace: Workspace): void {
    const story = this.#stories.get(workspace)
    if (!story) return
    this.#stories.delete(workspace)
    this.#toKeep.delete(story)
    this.#fresh = this.#fresh.filter((each) => each.story !== story)
  }

  /**
   * Holds the bound of memory: stories of workspaces that are gone go first, then those that nobody has added to for a
   * while, and of all others their oldest parts.
   */
  #letGo(): void {
    let size = 0
    for (const [workspace, story] of this.#stories) {
      if (isGone(story)) this.release(workspace)
      else size += story.size
    }
    const idleSince = monotonicNow() - IDLE
    for (const [workspace, story] of this.#stories) {
      if (size <= MAX_CHARACTERS_IN_MEMORY) return
      if (this.#toKeep.has(story) || story.storedAt > idleSince) continue
      size -= story.size
      this.#stories.delete(workspace)
    }
    if (size <= MAX_CHARACTERS_IN_MEMORY) return
    const share = MAX_CHARACTERS_IN_MEMORY / this.#stories.size
    for (const story of this.#stories.values()) story.shrinkTo(share)
  }
}

const isGone = ({ workspace, era }: Timeline): boolean =>
  era !== workspace.generation || workspace.registry.find(workspace.id) !== workspace

const make = (database: Database): Timelines => new Timelines(database)

export const timelinesOf = (database: Database): Timelines => database.own(make)

export const timelineOf = (workspace: Workspace): Timeline => timelinesOf(workspace.database).of(workspace)

/** Tells of something that happened; what caused it is what is under way. Answers with its number. */
export const recordStep = (workspace: Workspace, step: Omit<Step, 'number' | 'at' | 'causedBy'>): number => {
  const causedBy = causeIn(workspace)
  return timelineOf(workspace).recordStep({ ...step, causedBy })
}

/** Runs a write; when it fails, nothing that it has told stays. */
export function takingBack<T>(workspace: Workspace, write: () => T): T {
  const stories = timelinesOf(workspace.database)
  const last = stories.known(workspace)?.last
  try {
    return write()
  } catch (error) {
    const story = stories.known(workspace)
    story?.backTo(last ?? story.first)
    throw error
  }
}
