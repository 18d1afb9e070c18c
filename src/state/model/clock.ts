/**
 * The clock of a workspace, which follows real time, runs with an offset, or is frozen (OPERATING.md, "Control plane").
 */
import { LAST_INSTANT } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'

/** The clock of a workspace: frozen at `frozenAt`, or `offset` ms ahead of real time. */
export interface ClockSetting {
  readonly offset: number
  readonly frozenAt: number | null
}

export const REAL_TIME: ClockSetting = { offset: 0, frozenAt: null }

/** Returns the time of a clock, in ms since the epoch. A running clock stops at `LAST_INSTANT`. */
export const readClock = (clock: ClockSetting): number =>
  clock.frozenAt ?? Math.min(systemNow() + clock.offset, LAST_INSTANT)

/** Returns a clock that shows `now` at this moment, frozen or running. */
export const createClock = (now: number, frozen: boolean): ClockSetting => ({
  offset: now - systemNow(),
  frozenAt: frozen ? now : null,
})

/** Returns the real milliseconds until the clock shows `instant`; null if it is frozen before `instant`. */
export const realDelayUntil = (clock: ClockSetting, instant: number): number | null =>
  clock.frozenAt === null ? instant - readClock(clock) : instant <= clock.frozenAt ? 0 : null
