/** When a delivery is attempted, as data. The specification promises retries and shows no schedule (assumed). */

export interface Schedule {
  /** Ms before each attempt, counted from the one before; the first from the event. */
  readonly delays: readonly number[]
  /** How far a delay may be off, as a part of it, so that what failed together does not come back together. */
  readonly jitter: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Eight attempts in some 27 hours: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. */
export const DEFAULT_SCHEDULE: Schedule = {
  delays: [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  jitter: 0.1,
}

/** How long one attempt may take in all: to connect, to be answered, and to read the answer. */
export const ATTEMPT_TIMEOUT = 10 * SECOND

/** How long an attempt may still take when the server is stopped. */
export const STOP_GRACE_MS = 5 * SECOND

/**
 * The jitter is divided into so many steps. What has failed together comes back in as many groups, and each of them lies
 * together in the index of what is owed: when thousands are sent again, a third as many pages have to be written.
 */
const STEPS = 16

/**
 * Ms until the next attempt after `round` failed ones; null when there is none. `chance` from 0 to 1 says where in
 * the jitter it falls, 0.5 being no jitter at all.
 */
export function delayAfter(round: number, chance: number, schedule = DEFAULT_SCHEDULE): number | null {
  const delay = schedule.delays[round]
  if (delay === undefined) return null
  const share = Math.round(chance * STEPS) / STEPS
  return Math.round(delay * (1 + schedule.jitter * (2 * share - 1)))
}
