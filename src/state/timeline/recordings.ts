/**
 * Recordings: everything that changes a workspace, in order, with the time of its clock. While one is running, the calls
 * of its workspace take turns, and the clock stands still during each turn, so that a replay, one call after another,
 * finds the same state and time. Decision 31.
 */
import { AsyncResource } from 'node:async_hooks'
import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { iso } from '@suite-sim/kit/time/instants'
import { refuse } from '../model/refusal.ts'
import { statement, type Database } from '../storage/database/database.ts'
import { databaseHealthOf } from '../storage/database/databaseHealth.ts'
import { inserter } from '../storage/queries/rows.ts'
import { recordings, recordingSteps, workspaces, type IdSource } from '../storage/tables.ts'

/** A workspace, as far as its recordings need it. */
export interface RecordingOwner {
  readonly tenantId: number
  readonly database: Database
  readonly isRegistered: boolean
  readonly clock: { hold(): number; release(): void }
  /** What its ids are drawn from, if not from the seed of the server. */
  readonly idSource: IdSource | null
  useIds(source: IdSource | null): void
  now(): number
  runDueJobs(): Promise<void> | null
}

type Owned = Pick<RecordingOwner, 'tenantId' | 'database'>

export type RecordingRow = typeof recordings.$inferSelect

/** The most recordings of a workspace. */
export const MAX_RECORDINGS = 20

/** The most steps of a recording. */
export const MAX_STEPS = 10_000

/** The most bytes of all steps of a recording. */
export const MAX_BYTES = 32 * 1024 * 1024

/** The most bytes of one step. */
export const MAX_STEP_BYTES = 4 * 1024 * 1024

/** Ms that calls which began before a recording may take until it starts. */
const MAX_WAIT_MS = 10_000

const activeOf = statement((orm) =>
  orm
    .select()
    .from(recordings)
    .where(and(eq(recordings.workspace, sql.placeholder('workspace')), isNull(recordings.stoppedAt)))
    .prepare(),
)

const insertStep = inserter(recordingSteps)

const ofWorkspace = ({ tenantId }: Pick<Owned, 'tenantId'>) => eq(recordings.workspace, tenantId)

/** A recording without the parts of its file, which have many megabytes. */
export type RecordingHead = Omit<RecordingRow, 'start' | 'end' | 'idSourceBefore'>

const { start: _start, end: _end, idSourceBefore: _before, ...headColumns } = getTableColumns(recordings)

/** Returns the recordings of a workspace, oldest first. */
export const listRecordings = (workspace: Owned): RecordingHead[] =>
  workspace.database.orm
    .select(headColumns)
    .from(recordings)
    .where(ofWorkspace(workspace))
    .orderBy(asc(sql`rowid`))
    .all()

export const findRecording = (workspace: Owned, id: string): RecordingRow | undefined =>
  workspace.database.orm
    .select()
    .from(recordings)
    .where(and(ofWorkspace(workspace), eq(recordings.id, id)))
    .get()

/** Yields the steps of a recording as JSON texts, some at a time. */
export function* stepTexts({ orm }: Database, id: string): Generator<string[], void> {
  for (let after = 0; ;) {
    const rows = orm
      .select({ place: sql<number>`rowid`, text: recordingSteps.text })
      .from(recordingSteps)
      .where(and(eq(recordingSteps.recording, id), sql`rowid > ${after}`))
      .orderBy(sql`rowid`)
      .limit(20)
      .all()
    if (rows.length === 0) return
    yield rows.map(({ text }) => text)
    after = rows.at(-1)?.place ?? after
  }
}

/** The turn of a call in the recording of its workspace. */
export interface Turn {
  /** The time of the workspace during the turn. */
  readonly at: number
}

/** What a new recording starts with. */
export interface NewRecording extends Pick<RecordingRow, 'id' | 'name' | 'scope' | 'start' | 'startedAt'> {
  /** What ids are drawn from while it is running. */
  readonly ids: IdSource
}

type Continue = (turn: Turn | null) => void

/** Lets the calls of a workspace take turns while a recording is running. */
export class RecordingGate {
  readonly #workspace: RecordingOwner
  /** undefined until it was read from the database. */
  #active: RecordingRow | null | undefined
  #turn: Turn | null = null
  #isStarting = false
  #waiting: Continue[] = []
  /** Calls that are running without a turn. */
  #running = 0
  #whenIdle: (() => void) | null = null

  constructor(workspace: RecordingOwner) {
    this.#workspace = workspace
  }

  /** The running recording; null without one. */
  get active(): RecordingRow | null {
    if (this.#active === undefined) {
      const { database, tenantId } = this.#workspace
      this.#active = activeOf(database).get({ workspace: tenantId }) ?? null
      // Faults and rate limits are in memory, and the replay must lose them, too.
      if (this.#active) this.append(RESTARTED(this.#workspace.now()))
    }
    return this.#active
  }

  /** True while calls take turns or wait for the start of a recording. */
  get isOn(): boolean {
    return this.#isStarting || this.active !== null
  }

  /** Calls back when a call may continue: at once without a recording. Each needs one `leave`. */
  enter(continueCall: Continue): void {
    if (!this.isOn) {
      this.#running++
      continueCall(null)
      return
    }
    // Keeps the async context of the call.
    this.#waiting.push(AsyncResource.bind(continueCall))
    this.#next()
  }

  /** Ends a turn, after the due jobs of its instant. */
  leave(turn: Turn | null): void {
    if (turn === null) {
      this.#running--
      if (this.#running === 0) this.#whenIdle?.()
      return
    }
    if (turn !== this.#turn) return
    const finish = (): void => {
      this.#turn = null
      this.#workspace.clock.release()
      this.#next()
    }
    const jobs = this.#workspace.isRegistered ? this.#workspace.runDueJobs() : null
    if (jobs === null) finish()
    else jobs.then(finish, finish)
  }

  /** Adds a step to the running recording, or ends it if the step is beyond a limit. */
  append(text: string, bytes = Buffer.byteLength(text)): void {
    const { database } = this.#workspace
    const active = this.#active
    if (!active) return
    const limit = limitOf(active, bytes)
    try {
      if (limit !== null) {
        this.#end({ endedBy: limit, stoppedAt: this.#workspace.now() })
        return
      }
      database.write(() => {
        insertStep(database, { recording: active.id, text })
        const sizes = { steps: active.steps + 1, bytes: active.bytes + bytes }
        database.orm.update(recordings).set(sizes).where(eq(recordings.id, active.id)).run()
        this.#active = { ...active, ...sizes }
      })
    } catch (error) {
      // The call has its own error if the database can't be written.
      databaseHealthOf(database).report(error)
    }
  }

  /**
   * Starts a recording. Waits until all running calls have ended, then holds new ones back and the clock still while
   * `prepare` saves the state.
   */
  async start(prepare: (at: number) => Promise<NewRecording>): Promise<RecordingRow> {
    if (this.#isStarting || this.active) {
      refuse('conflict', 'A recording of this workspace is running. Stop it first.')
    }
    this.#isStarting = true
    try {
      await this.#idle()
      const at = this.#workspace.clock.hold()
      await this.#workspace.runDueJobs()
      return this.#insert(await prepare(at))
    } finally {
      this.#isStarting = false
      this.#workspace.clock.release()
      this.#next()
    }
  }

  /** Stops the running recording in a turn of its own. `finish` returns the end of its file. */
  stop(id: string, finish: (row: RecordingRow, at: number) => Promise<string>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.enter((turn) => {
        this.#stop(id, turn, finish)
          .then(resolve, reject)
          .finally(() => {
            this.leave(turn)
          })
      })
    })
  }

  async #stop(
    id: string,
    turn: Turn | null,
    finish: (row: RecordingRow, at: number) => Promise<string>,
  ): Promise<void> {
    // Another call or a limit may have ended it in the meantime.
    if (turn === null || this.#active?.id !== id) return
    await this.#workspace.runDueJobs()
    const end = await finish(this.#active, turn.at)
    const { bytes } = this.#active
    this.#end({ end, bytes: bytes + Buffer.byteLength(end), stoppedAt: turn.at })
  }

  /** Deletes a recording, also a running one. */
  remove(id: string): void {
    const { database } = this.#workspace
    database.write(() => {
      if (this.active?.id === id) this.#end({ stoppedAt: this.#workspace.now() })
      database.orm.delete(recordings).where(eq(recordings.id, id)).run()
    })
  }

  #insert({ ids, ...row }: NewRecording): RecordingRow {
    const { database, tenantId } = this.#workspace
    const idSourceBefore = this.#workspace.idSource
    const bytes = Buffer.byteLength(row.start)
    database.write(() => {
      database.orm
        .insert(recordings)
        .values({ ...row, workspace: tenantId, bytes, idSourceBefore })
        .run()
      this.#use(ids)
    })
    this.#active = activeOf(database).get({ workspace: tenantId }) ?? null
    return this.#active ?? refuse('conflict', 'The workspace was removed while a recording started.')
  }

  /** Ends the running recording, and returns to the ids of before. */
  #end(change: Partial<RecordingRow>): void {
    const active = this.#active
    if (!active) return
    const { database } = this.#workspace
    database.write(() => {
      database.orm.update(recordings).set(change).where(eq(recordings.id, active.id)).run()
      this.#use(active.idSourceBefore)
    })
    this.#active = null
  }

  #use(source: IdSource | null): void {
    const { database, tenantId } = this.#workspace
    database.orm.update(workspaces).set({ idSource: source }).where(eq(workspaces.number, tenantId)).run()
    this.#workspace.useIds(source)
  }

  #next(): void {
    while (this.#turn === null && !this.#isStarting) {
      const next = this.#waiting.shift()
      if (!next) return
      if (this.active === null) {
        this.#running++
        next(null)
        continue
      }
      const turn = { at: this.#workspace.clock.hold() }
      this.#turn = turn
      next(turn)
    }
  }

  async #idle(): Promise<void> {
    if (this.#running === 0) return
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS, true)
    })
    const idle = new Promise<boolean>((resolve) => {
      this.#whenIdle = () => {
        resolve(false)
      }
    })
    try {
      if (await Promise.race([idle, tooLong])) {
        refuse(
          'conflict',
          `Calls of this workspace have been running for ${String(MAX_WAIT_MS / 1000)} seconds. Start the recording when they have ended.`,
        )
      }
    } finally {
      clearTimeout(timer)
      this.#whenIdle = null
    }
  }
}

const RESTARTED = (at: number): string => JSON.stringify({ kind: 'restart', at: iso(at) })

/** Returns which limit the next step breaks; null if none. */
function limitOf({ steps, bytes, start }: RecordingRow, more: number): string | null {
  if (steps >= MAX_STEPS) return `the limit of ${String(MAX_STEPS)} steps`
  if (more > MAX_STEP_BYTES) {
    return `step ${String(steps + 1)} with ${String(more)} bytes; a step has at most ${String(MAX_STEP_BYTES)}`
  }
  if (bytes - Buffer.byteLength(start) + more > MAX_BYTES) return `the limit of ${String(MAX_BYTES)} bytes`
  return null
}
