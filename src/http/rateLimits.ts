/**
 * How often an operation may be called. Counted in fixed windows that begin with a first call and go by the clock of
 * the workspace, so that a test moves the clock and waits for nothing; forgotten when the workspace is reset.
 *
 * Whoever is not let in uses up nothing: calls are counted after the key was asked for, before the body is read.
 */
import rateLimit, {
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
  type RateLimitOptions,
} from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../state/refusal.ts'
import type { Workspace } from '../state/workspace.ts'
import type { Workspaces } from '../state/workspaces.ts'

/** A limit that one or more operations share. */
export interface RateLimit {
  /** "integration-payments.payment-links": tells it from other limits. */
  readonly name: string
  /** Calls that are let through in a window. */
  readonly max: number
  readonly windowMs: number
  /** Who is counted: each key, or each address that calls. */
  readonly per: 'key' | 'address'
}

/**
 * Has the limits of operations (`operation.limit`) hold on all routes that are mounted from now on. The workspace of
 * a request has to be known when its own `onRequest` hooks have run.
 */
export function limitRates(server: FastifyInstance, workspaces: Workspaces): void {
  server.addHook('onRoute', (route) => {
    const limit = route.config?.operation?.limit ?? route.config?.pageLimit
    if (route.config && limit) route.config.rateLimit = optionsOf(limit)
  })
  void server.register(rateLimit, { global: false, store: storeOn(workspaces) })
}

const optionsOf = (limit: RateLimit): RateLimitOptions => ({
  max: limit.max,
  timeWindow: limit.windowMs,
  keyGenerator: (request) => subjectOf(request, limit),
  errorResponseBuilder: ({ workspace }, { max, ttl }) => {
    const seconds = String(Math.ceil(ttl / 1000))
    // Whoever waits for a clock that stands still waits for ever.
    const when =
      workspace.clock.frozenAt === null
        ? `try again in ${seconds} seconds.`
        : `the clock of this workspace is frozen, so waiting does not help: advance it by ${seconds} seconds (POST /_sim/workspaces/{id}/clock/advance), or let it run.`
    return new Refusal(
      'rate_limited',
      `At most ${String(max)} calls in ${String(limit.windowMs / 1000)} seconds; ${when}`,
    )
  },
})

/** Who is counted, as the text that the store gets: the workspace, the limit, the key or address. */
const subjectOf = ({ workspace, caller, ip }: FastifyRequest, { name, per }: RateLimit): string =>
  `${workspace.id} ${name} ${per === 'key' ? caller.key : ip}`

interface Window {
  readonly startedAt: number
  count: number
}

/** The windows of a workspace in the order in which they began, for as long as its records are the same. */
interface Windows {
  readonly era: number
  readonly bySubject: Map<string, Window>
}

/** Windows that a workspace keeps; whoever calls from more addresses in a minute is let in a little more often. */
const MAX_WINDOWS = 10_000

function storeOn(workspaces: Workspaces): FastifyRateLimitStoreCtor {
  const all = new WeakMap<Workspace, Windows>()

  const windowsOf = (workspace: Workspace): Map<string, Window> => {
    const known = all.get(workspace)
    if (known?.era === workspace.generation) return known.bySubject
    const bySubject = new Map<string, Window>()
    all.set(workspace, { era: workspace.generation, bySubject })
    return bySubject
  }

  /** The window that the call falls into, counted. */
  const count = (subject: string, windowMs: number) => {
    const workspace = workspaces.get(subject.slice(0, subject.indexOf(' ')))
    const windows = windowsOf(workspace)
    const now = workspace.now()
    let window = windows.get(subject)
    // A clock that was set back is before the window began.
    if (!window || now < window.startedAt || now >= window.startedAt + windowMs) {
      window = { startedAt: now, count: 0 }
      // Taken out first, so that it goes to the end.
      windows.delete(subject)
      windows.set(subject, window)
      const [oldest] = windows.keys()
      if (windows.size > MAX_WINDOWS && oldest !== undefined) windows.delete(oldest)
    }
    window.count++
    return { current: window.count, ttl: window.startedAt + windowMs - now }
  }

  return class ClockStore implements FastifyRateLimitStore {
    incr(...[subject, done, windowMs]: Parameters<FastifyRateLimitStore['incr']>): void {
      done(null, count(subject, windowMs))
    }

    /** The subjects tell the limits apart, so one store serves them all. */
    child(): this {
      return this
    }
  }
}

const wholeNumber = (description: string) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
})

/** The headers that tell where the caller stands, as a published document shows them. */
export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': wholeNumber('Calls that are let through in a window.'),
  'X-RateLimit-Remaining': wholeNumber('Calls that are left in this window.'),
  'X-RateLimit-Reset': wholeNumber('Seconds until the window ends.'),
}

/** Those, and when to come back. */
export const RATE_LIMITED_HEADERS = {
  ...RATE_LIMIT_HEADERS,
  'Retry-After': wholeNumber('Seconds until another call is let through.'),
}
