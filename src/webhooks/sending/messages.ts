/**
 * What the queue's thread and the one that sends tell each other: many deliveries in one message, and many results.
 * A message is one flat array, which costs least to copy.
 */
import type { ReachSettings } from '../reach.ts'
import type { TransportOptions, Outgoing, Result } from './transport.ts'

/** What the thread is started with. */
export interface ThreadData {
  readonly options: TransportOptions
  /** Memory of the claims by which the two decide who has a delivery. */
  readonly claimed: SharedArrayBuffer
}

/** Where deliveries may lead from now on; what is no list of deliveries is this. */
export type ReachMessage = ReachSettings

/** Of each delivery its number, url and body, how many headers follow, and these. */
export type DeliveriesMessage = (string | number)[]

export function addDelivery(message: DeliveriesMessage, number: number, outgoing: Outgoing): void {
  const { url, body, headers } = outgoing
  message.push(number, url, body, headers.length)
  for (const header of headers) message.push(header)
}

export function readDeliveries(
  message: DeliveriesMessage,
  visit: (number: number, outgoing: Outgoing) => void,
): void {
  for (let at = 0; at < message.length;) {
    const first = at + 4
    const end = first + (message[at + 3] as number)
    visit(message[at] as number, {
      url: message[at + 1] as string,
      body: message[at + 2] as string,
      headers: message.slice(first, end) as string[],
    })
    at = end
  }
}

/** Of each result the number of its delivery, its status, error, duration and Retry-After; null where no attempt was made. */
export type ResultsMessage = (string | number | null)[]

export function addResult(message: ResultsMessage, number: number, result: Result | null): void {
  if (result) {
    message.push(number, result.status, result.error, result.durationMs, result.retryAfterMs ?? null)
  } else message.push(number, null, null, null, null)
}

export function readResults(
  message: ResultsMessage,
  visit: (number: number, result: Result | null) => void,
): void {
  for (let at = 0; at < message.length; at += 5) {
    const durationMs = message[at + 3] as number | null
    const retryAfterMs = message[at + 4] as number | null
    const result =
      durationMs === null
        ? null
        : {
            status: message[at + 1] as number | null,
            error: message[at + 2] as string | null,
            durationMs,
            ...(retryAfterMs !== null && { retryAfterMs }),
          }
    visit(message[at] as number, result)
  }
}
