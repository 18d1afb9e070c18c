/**
 * Rate limits of operations. Fixed windows start with a first call and follow the workspace's clock; a reset
 * clears them. Refused callers use up nothing: calls are counted after the key was checked and before the
 * body is read. In a recording, they are counted in their turns: a replay counts them in the order of the steps.
 */
import rateLimit, {
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
  type RateLimitOptions,
} from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { counted } from '@suite-sim/kit/text/counted'
import { CallWindows, type CountedCall } from '../../state/model/callWindows.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { enterTurn } from '../server/recording.ts'

/** A limit that one or more operations share. */
export interface RateLimit {
  /** The unique name: "integration-payments.payment-links". */
  readonly name: string
  /** Maximum calls in a window. */
  readonly max: number
  readonly windowMs: number
  /** What is counted: the calls of each key, or of each address. */
  readonly per: 'key' | 'address'
}

/**
 * Applies the limits of operations (`operation.limit`) to all routes that are mounted from now on. The
 * `onRequest` hooks of the routes must set the workspace of the request.
 */
export function limitRates(server: FastifyInstance, workspaces: Registry): void {
  server.addHook('onRoute', (route) => {
    const limit = route.config?.operation?.limit ?? route.config?.pageLimit
    if (!route.config || !limit) return
    route.config.rateLimit = optionsOf(limit)
    // The plugin adds its hook after this one.
    route.onRequest = [...[route.onRequest ?? []].flat(), waitForTurn]
  })
  void server.register(rateLimit, { global: false, store: storeOn(workspaces) })
}

/** Waits for the turn of a call that is recorded. */
const waitForTurn: onRequestHookHandler = (request, _reply, done) => {
  if (request.workspace.recording.isOn) enterTurn(request, done)
  else done()
}

const optionsOf = (limit: RateLimit): RateLimitOptions => ({
  max: limit.max,
  timeWindow: limit.windowMs,
  keyGenerator: (request) => counterKey(request, limit),
  errorResponseBuilder: (_request, { max, ttl }) => rateRefusal(max, { windowMs: limit.windowMs, ttl }),
})

/** Returns the refusal of a call beyond a limit. `ttl` is the ms until the window ends. */
export function rateRefusal(max: number, { windowMs, ttl }: Pick<CountedCall, 'windowMs' | 'ttl'>): Refusal {
  // One wording for all clocks: replays freeze theirs, and a caller that waits for a frozen clock waits forever.
  return new Refusal(
    'rate_limited',
    `At most ${counted(max, 'call')} in ${counted(windowMs / 1000, 'second')}; try again in ${counted(Math.ceil(ttl / 1000), 'second')} of the clock of this workspace. If it is frozen, advance it (POST /_sim/workspaces/{id}/clock/advance), or let it run.`,
  )
}

/** Returns the key of the counter: the workspace, the limit, the API key or address. */
const counterKey = ({ workspace, caller, ip }: FastifyRequest, { name, per }: RateLimit): string =>
  `${workspace.id} ${name} ${per === 'key' ? caller.key : ip}`

/** The windows of one generation of a workspace. */
interface Windows {
  readonly era: number
  readonly calls: CallWindows
}

function storeOn(workspaces: Registry): FastifyRateLimitStoreCtor {
  const all = new WeakMap<Workspace, Windows>()

  const windowsOf = (workspace: Workspace): CallWindows => {
    const known = all.get(workspace)
    if (known?.era === workspace.generation) return known.calls
    const calls = new CallWindows()
    all.set(workspace, { era: workspace.generation, calls })
    return calls
  }

  /** Counts the call in its window. */
  const count = (subject: string, windowMs: number): CountedCall => {
    const workspace = workspaces.get(subject.slice(0, subject.indexOf(' ')))
    return windowsOf(workspace).count(subject, windowMs, workspace.now())
  }

  return class ClockStore implements FastifyRateLimitStore {
    incr(...[subject, done, windowMs]: Parameters<FastifyRateLimitStore['incr']>): void {
      done(null, count(subject, windowMs))
    }

    /** The keys contain the name of the limit, so one store serves all limits. */
    child(): this {
      return this
    }
  }
}

const wholeNumber = (description: string) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
})

/** The rate limit headers in the published documents. */
export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': wholeNumber('Maximum calls in a window.'),
  'X-RateLimit-Remaining': wholeNumber('Remaining calls in this window.'),
  'X-RateLimit-Reset': wholeNumber('Seconds until the window ends.'),
}

/** The headers of a 429 response. */
export const RATE_LIMITED_HEADERS = {
  ...RATE_LIMIT_HEADERS,
  'Retry-After': wholeNumber('Seconds until the next call is allowed.'),
}
