/** Waits until enough items exist; the server responds as soon as they do. */
import { counted } from '@suite-sim/kit/text/counted'
import { SimulatorError } from './errors.ts'

export interface Patience {
  /** The number of items to wait for; 1 by default, 1,000 at most. */
  readonly count?: number
  /** The timeout in seconds, after which a SimulatorError with the code "timeout" is thrown; 10 by default. */
  readonly timeout?: number
}

export const DEFAULT_TIMEOUT = 10

/** Maximum seconds of one call. The server allows 300, but `fetch` times out at that point. */
const LONGEST_WAIT = 240

/** Repeats long polls until the result is enough or the timeout has passed. */
export async function waitUntil<Found>(
  timeout: number,
  poll: (wait: number) => Promise<Found>,
  isEnough: (found: Found) => boolean,
  timeoutMessage: (found: Found) => string,
): Promise<Found> {
  let left = timeout
  for (;;) {
    const wait = Math.min(left, LONGEST_WAIT)
    const found = await poll(wait)
    if (isEnough(found)) return found
    left -= wait
    if (left <= 0) throw new SimulatorError({ code: 'timeout', message: timeoutMessage(found) })
  }
}

/** The answer of a list; the server explains a wait that has ended without enough rows. */
export interface Waited<Row> {
  readonly data: readonly Row[]
  readonly explanation?: string
}

/** Returns the rows as soon as `count` match, newest first. */
export const waitForRows = async <Row>(
  { count = 1, timeout = DEFAULT_TIMEOUT }: { readonly [Name in keyof Patience]: Patience[Name] | undefined },
  poll: (query: { readonly wait: number; readonly count: number }) => Promise<Waited<Row>>,
  noun: string,
  filter: object,
): Promise<Row[]> => {
  const { data } = await waitUntil(
    timeout,
    (wait) => poll({ wait, count }),
    (found) => found.data.length >= count,
    (found) =>
      [
        `Waited ${String(timeout)} s for ${counted(count, noun)} ${JSON.stringify(filter)}; received ${String(found.data.length)}.`,
        ...(found.explanation === undefined ? [] : [found.explanation]),
      ].join(' '),
  )
  return [...data]
}
