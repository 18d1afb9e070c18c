/** Hints for calls that come back before the time that a Retry-After has given them. */
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { addHints } from '../server/logging/hints.ts'

/** An answer with Retry-After. */
interface Wait {
  readonly ms: number
  /** On the clock of the workspace, and on that of the machine. */
  readonly at: number
  readonly realAt: number
}

/** Maximum number of waits of a workspace. Beyond it, the oldest get no hint. */
const MAX_WAITS = 1000

const all = new WeakMap<Workspace, Map<string, Wait>>()

/** A reset begins a new generation, which owes no waits. */
const subjectOf = ({ caller, method, routeOptions }: FastifyRequest): string =>
  `${String(caller.workspace.generation)} ${caller.key} ${method} ${routeOptions.url ?? ''}`

/** Gives the hint to a call of a kind that should still wait. Time counts on the clock that has moved more. */
export const hintEarlyRetry: onSendHookHandler = (request, reply, payload, done) => {
  const { caller } = request as Partial<Pick<FastifyRequest, 'caller'>>
  const waits = caller && all.get(caller.workspace)
  if (waits) hint(waits, caller.workspace, request, reply)
  done(null, payload)
}

function hint(
  waits: Map<string, Wait>,
  workspace: Workspace,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const subject = subjectOf(request)
  const wait = waits.get(subject)
  if (!wait) return
  // A frozen clock has not moved during this call.
  const { clock } = workspace
  const own = Math.max(0, reply.elapsedTime)
  const elapsed = Math.max(
    clock.now() - wait.at - (clock.isFrozen ? 0 : own),
    monotonicNow() - wait.realAt - own,
  )
  // Date and time have whole milliseconds.
  if (elapsed >= wait.ms - 1) {
    waits.delete(subject)
    return
  }
  const message = `This call came ${seconds(Math.max(0, elapsed))} after an answer whose Retry-After asked for ${seconds(wait.ms)}. Wait that long before you repeat a call.`
  addHints(request, [{ code: 'retried_too_early', message }])
}

const seconds = (ms: number): string => `${String(Math.round(ms / 100) / 10)} s`

/** Remembers the Retry-After of an answer with 429 or 503. */
export function noteRetryAfter(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.statusCode !== 429 && reply.statusCode !== 503) return
  const { caller } = request as Partial<Pick<FastifyRequest, 'caller'>>
  const after = Number(reply.getHeader('retry-after'))
  if (!caller || !(after > 0)) return
  const { workspace } = caller
  const waits = all.get(workspace) ?? new Map<string, Wait>()
  all.set(workspace, waits)
  const subject = subjectOf(request)
  waits.delete(subject)
  waits.set(subject, { ms: after * 1000, at: workspace.now(), realAt: monotonicNow() })
  const [oldest] = waits.keys()
  if (waits.size > MAX_WAITS && oldest !== undefined) waits.delete(oldest)
}
