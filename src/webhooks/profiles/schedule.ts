/** Retry schedules, and what texts say about them. The specification promises retries without a schedule (assumed). */
import type { RetrySchedule } from '../../state/workspace/events.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The schedule of interfaces without their own. */
export const DEFAULT_SCHEDULE: RetrySchedule = {
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

/** A time from the first attempt to the last one, in whole hours, or whole minutes or seconds if it is shorter. */
function lengthOf(ms: number) {
  const [unit, name] =
    ms < MINUTE
      ? ([SECOND, 'second'] as const)
      : ms < HOUR
        ? ([MINUTE, 'minute'] as const)
        : ([HOUR, 'hour'] as const)
  const count = Math.floor(ms / unit)
  return { seconds: (count * unit) / SECOND, words: `${String(count)} ${name}${count === 1 ? '' : 's'}` }
}

/** Returns what texts say about a schedule. */
export function describeSchedule({ delays, jitter }: RetrySchedule = DEFAULT_SCHEDULE) {
  const sum = delays.reduce((total, delay) => total + delay, 0)
  const [first = 0, ...retries] = delays
  return {
    /** "eight attempts" */
    attempts: `${WORDS[delays.length] ?? String(delays.length)} attempts`,
    /** "The first is immediate; the others follow after 5 s, 5 min and 2 h." */
    delays: `The first ${first === 0 ? 'is immediate' : `follows after ${shortText(first)}`}; the others follow after ${listed(retries.map(shortText))}.`,
    /** Without jitter, and with the most. */
    length: lengthOf(sum),
    longest: lengthOf(sum * (1 + jitter)),
    /** Seconds after which the first retry was sent in any case. */
    firstRetrySeconds: Math.ceil(((retries[0] ?? 0) * (1 + jitter)) / SECOND),
  }
}

const listed = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text !== '').join(' and ')

/** An interface, and its schedule if it has its own. */
export interface Scheduled {
  readonly name: string
  readonly schedule?: RetrySchedule
}

/** Returns the attempts of all interfaces: "eight attempts (pos: five attempts)". */
export function attemptsOf(interfaces: readonly Scheduled[]): string {
  const own = interfaces.flatMap(({ name, schedule }) =>
    schedule ? [`${name}: ${describeSchedule(schedule).attempts}`] : [],
  )
  return describeSchedule().attempts + (own.length === 0 ? '' : ` (${own.join(', ')})`)
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
