/** The retry schedule, as data. The specification promises retries without a schedule (assumed). */

export interface Schedule {
  /** Ms before each attempt, from the previous one; the first from the event. */
  readonly delays: readonly number[]
  /** The variation of a delay, as a share of it, so that deliveries that failed together are spread out. */
  readonly jitter: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const DEFAULT_SCHEDULE: Schedule = {
  delays: [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  jitter: 0.1,
}

const shortText = (ms: number): string =>
  ms < MINUTE
    ? `${String(ms / SECOND)} s`
    : ms < HOUR
      ? `${String(ms / MINUTE)} min`
      : `${String(ms / HOUR)} h`

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** Returns what texts say about a schedule: docs/webhooks.md and docs/exam.md are compared with it. */
export function describeSchedule({ delays, jitter }: Schedule = DEFAULT_SCHEDULE) {
  const sum = delays.reduce((total, delay) => total + delay, 0)
  const retries = delays.slice(1).map(shortText)
  return {
    /** "eight" */
    attempts: WORDS[delays.length] ?? String(delays.length),
    /** "5 s, 5 min and 2 h" */
    retries: `${retries.slice(0, -1).join(', ')} and ${retries.at(-1) ?? ''}`,
    /** Whole hours from the first attempt to the last, without jitter and with the most. */
    hours: Math.floor(sum / HOUR),
    longestHours: Math.floor((sum * (1 + jitter)) / HOUR),
    /** Seconds after which the first retry was sent in any case. */
    firstRetrySeconds: Math.ceil(((delays[1] ?? 0) * (1 + jitter)) / SECOND),
  }
}

/** The timeout of one attempt: connecting, waiting and reading the response. */
export const ATTEMPT_TIMEOUT = 10 * SECOND

/** Ms that attempts in flight get to finish when the server stops. */
export const STOP_GRACE_MS = 5 * SECOND

/**
 * The steps of the jitter. Deliveries that failed together return in this many groups, each adjacent in the index of
 * pending deliveries, so a third as many pages are written.
 */
const STEPS = 16

/**
 * Returns the ms until the next attempt after `round` failed ones; null if none follows. `chance` from 0 to 1 is the
 * position in the jitter; 0.5 means no jitter.
 */
export function delayAfter(round: number, chance: number, schedule = DEFAULT_SCHEDULE): number | null {
  const delay = schedule.delays[round]
  if (delay === undefined) return null
  const share = Math.round(chance * STEPS) / STEPS
  return Math.round(delay * (1 + schedule.jitter * (2 * share - 1)))
}
