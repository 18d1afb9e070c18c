/** The clock of one workspace: its setting, and the instant of a running job. */
import { eq, sql } from 'drizzle-orm'
import { createClock, readClock, realDelayUntil, REAL_TIME, type ClockSetting } from '../model/clock.ts'
import type { Database } from '../storage/database/database.ts'
import { writer } from '../storage/database/prepared.ts'
import { workspaces } from '../storage/tables.ts'

export class WorkspaceClock {
  readonly #database: Database
  readonly #tenantId: number
  readonly #changed: () => void
  #setting: ClockSetting
  #instant: number | null = null
  /**
   * Until when all that was read of this clock stays the same, in ms since the epoch; -Infinity after `now`. Who wants to
   * know it sets it to Infinity first.
   */
  holdsUntil = Infinity
  /** The time that a recorded step holds. */
  #held: number | null = null

  /** `changed` is called after the clock was set. */
  constructor(database: Database, tenantId: number, setting: ClockSetting, changed: () => void) {
    this.#database = database
    this.#tenantId = tenantId
    this.#setting = setting
    this.#changed = changed
  }

  /** Returns the time in ms since the epoch. */
  now(): number {
    return this.nowUntil(() => -Infinity)
  }

  /** Returns the time for a value that follows from it and stays the same until the instant that `end` returns. */
  nowUntil(end: (now: number) => number): number {
    const now = this.#instant ?? this.#held ?? readClock(this.#setting)
    this.holdsUntil = Math.min(this.holdsUntil, end(now))
    return now
  }

  /** A new object after each change. */
  get setting(): ClockSetting {
    return this.#setting
  }

  get isFrozen(): boolean {
    return this.#setting.frozenAt !== null
  }

  /** Runs `action` with the clock at `instant`, as for a job that is due while time is moved. */
  at<T>(instant: number, action: () => T): T {
    const outer = this.#instant
    this.#instant = instant
    try {
      return action()
    } finally {
      this.#instant = outer
    }
  }

  /** Stops the time until it is released, so that a step of a recording has one instant. Setting the clock moves it. */
  hold(): number {
    this.#held ??= readClock(this.#setting)
    return this.#held
  }

  release(): void {
    this.#held = null
  }

  /** Sets the clock. Due jobs do not run yet. */
  set(now: number, frozen: boolean): void {
    this.#store(createClock(now, frozen))
    if (this.#held !== null) this.#held = now
  }

  /** Returns to the first setting, real time by default. */
  reset(setting = REAL_TIME): void {
    this.#store(setting)
  }

  /** Returns the real ms until the clock shows `instant`; null if it is frozen before that. */
  realDelayUntil(instant: number): number | null {
    return realDelayUntil(this.#setting, instant)
  }

  #store(setting: ClockSetting): void {
    const { offset, frozenAt } = setting
    this.#database.write(() => {
      updateClock(this.#database, { number: this.#tenantId, offset, frozenAt })
    })
    this.#setting = setting
    if (this.#held !== null) this.#held = readClock(setting)
    this.#changed()
  }
}

const updateClock = writer((orm) =>
  orm
    .update(workspaces)
    .set({
      clockOffset: sql`${sql.placeholder('offset')}`,
      clockFrozenAt: sql`${sql.placeholder('frozenAt')}`,
    })
    .where(eq(workspaces.number, sql.placeholder('number'))),
)
