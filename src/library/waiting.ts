/** Waiting until enough of something has come about: the server answers the instant that it has. */
import { SimulatorError } from './errors.ts'

export interface Patience {
  /** How many to wait for; 1 unless told otherwise, 1,000 at most. */
  readonly count?: number
  /** Seconds after which the wait is given up with a SimulatorError of the code "timeout"; 10 unless told otherwise. */
  readonly timeout?: number
}

export const DEFAULT_TIMEOUT = 10

/** The longest that one call waits; the server allows 300 seconds, after which `fetch` hangs up by itself. */
const LONGEST_WAIT = 240

/** Asks with so many seconds to wait, as often as the patience lasts, until the answer is enough. */
export async function waitUntil<Found>(
  timeout: number,
  ask: (wait: number) => Promise<Found>,
  isEnough: (found: Found) => boolean,
  inVain: (found: Found) => string,
): Promise<Found> {
  let left = timeout
  for (;;) {
    const wait = Math.min(left, LONGEST_WAIT)
    const found = await ask(wait)
    if (isEnough(found)) return found
    left -= wait
    if (left <= 0) throw new SimulatorError({ code: 'timeout', message: inVain(found) })
  }
}

/** The rows as soon as `count` match, the newest first. */
export const waitForRows = <Row>(
  { count = 1, timeout = DEFAULT_TIMEOUT }: Patience,
  ask: (query: { readonly wait: number; readonly count: number }) => Promise<readonly Row[]>,
  what: string,
  filter: object,
): Promise<Row[]> =>
  waitUntil(
    timeout,
    async (wait) => [...(await ask({ wait, count }))],
    (rows) => rows.length >= count,
    (rows) =>
      `Waited ${String(timeout)} s for ${String(count)} ${what} ${JSON.stringify(filter)}; ${String(rows.length)} came.`,
  )
