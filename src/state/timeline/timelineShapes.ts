/** The stored form of a timeline. */
import type { MessageRecord } from '@suite-sim/kit/calls/callFormats'
import type { Hint } from './causes.ts'

export type StepKind = 'trigger' | 'job' | 'transition' | 'event' | 'delivery' | 'email'

/** How a call or an attempt to deliver a webhook ended: `refused` is a 4xx of an interface. */
export const OUTCOMES = ['succeeded', 'refused', 'failed'] as const
export type StepOutcome = (typeof OUTCOMES)[number]

/** A move of a record between states; `from` is null at its creation. */
export interface Moved {
  /** "payments.links" */
  readonly section: string
  readonly record: string
  readonly machine: string
  /** "pay"; `create` for a new record. */
  readonly move: string
  readonly from: string | null
  readonly to: string
}

export interface Step {
  /** Calls and steps share numbers, in the order in which they began. */
  readonly number: number
  readonly at: number
  readonly kind: StepKind
  readonly title: string
  /** The number of the call or step that caused this one. */
  readonly causedBy: number | null
  /** The id of its subject: an event, a delivery, an e-mail, a record; or the name of a trigger or a job. */
  readonly ref: string
  readonly moved?: Moved
  /** Of a trigger: the name that its caller gave itself, from X-Sim-Caller. */
  readonly caller?: string
  /** Of a delivery attempt. */
  readonly outcome?: StepOutcome
  /** Of a delivery attempt: the duration until the response. */
  readonly durationMs?: number
}

/** Returns the id of a call in the journal: "req_12". */
export const requestId = (number: number): string => `req_${String(number)}`

/** Returns the id of a call that belongs to no workspace: "unm_3". */
export const unmatchedId = (number: number): string => `unm_${String(number)}`

export interface CallRecord {
  readonly number: number
  readonly at: number
  readonly interface: string
  /** "listProducts"; null if no operation has this path and method. */
  readonly operation: string | null
  readonly method: string
  readonly url: string
  readonly status: number
  readonly durationMs: number
  /** The id of the user of the key; null if unknown. */
  readonly userId: string | null
  /** The name that the caller gave itself, from X-Sim-Caller. */
  readonly caller?: string
  readonly refusal: { readonly reason: string; readonly message: string } | null
  /** The X-Request-Id that the caller sent, if it can be echoed. */
  readonly requestId?: string
  /** The injected fault that hit it. */
  readonly fault?: string
  /** The hints that were added while it ran. */
  readonly hints?: readonly Hint[]
  readonly request: MessageRecord
  readonly response: MessageRecord
}
