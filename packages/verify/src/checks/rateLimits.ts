/** Compares rate limits: those that answers state in headers, and those that calls ran into. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Operation } from '../model/operation.ts'
import { record, type CheckContext } from './context.ts'

interface Limit {
  readonly limit: number
  readonly windowSeconds: number
}

export function checkRateLimits(context: CheckContext): void {
  for (const exchange of context.answers.exchanges) {
    const actual = limitIn(exchange)
    if (!actual) continue
    const expected = publishedLimit(exchange.probe.operation)
    record(context, 'contract', exchange, {
      aspect: 'rate_limit',
      place: '',
      isEqual: expected?.limit === actual.limit,
      message: 'The service states another rate limit.',
      expected,
      actual,
      ...(context.claims.at('429', 'status') && { claim: 'status 429' }),
    })
  }
}

/** Returns the limit of the document: "At most 60 calls in 60 seconds". */
function publishedLimit({ published }: Operation): Limit | null {
  const limit = published['x-rate-limit'] as Limit | undefined
  return limit ?? null
}

/** Returns the limit that headers state; null if they state none. */
function limitIn({ headers, status }: Exchange): Limit | null {
  if (status === 0) return null
  const value = (name: string): number =>
    Number(headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`])
  const [limit, reset] = [value('limit'), value('reset')]
  if (!Number.isInteger(limit) || limit < 1) return null
  // `reset` counts down within the window, so the whole window is the next usual length.
  const windowSeconds = [1, 10, 60, 300, 600, 900, 3600, 86_400].find((seconds) => seconds >= reset) ?? 60
  return { limit, windowSeconds }
}
