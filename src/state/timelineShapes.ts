/** What a story is made of, as it is kept. */
import type { Hint } from './causes.ts'

export type StepKind = 'trigger' | 'job' | 'transition' | 'event' | 'delivery' | 'email'

/** A move of a record from one state of its machine to another; from none when it was made. */
export interface Moved {
  /** "payments.links" */
  readonly section: string
  readonly record: string
  readonly machine: string
  /** "pay"; `create` when it was made. */
  readonly move: string
  readonly from: string | null
  readonly to: string
}

export interface Step {
  /** Calls and steps are numbered together, in the order in which they began. */
  readonly number: number
  readonly at: number
  readonly kind: StepKind
  readonly title: string
  /** The number of the call or step that this one follows from. */
  readonly causedBy: number | null
  /** The id of what it tells of: an event, a delivery, an e-mail, a record; the name of a trigger or a job. */
  readonly ref: string
  readonly moved?: Moved
  /** Of an attempt to deliver: how long the receiver took. */
  readonly durationMs?: number
}

/** What is sent one way or the other, as it is kept: without credentials, and no more than so much of it. */
export interface MessageRecord {
  readonly headers: Readonly<Record<string, string>>
  /** JSON where it is whole and JSON; else as much of the text as is kept. Null where there was none. */
  readonly body: unknown
  /** Characters or bytes of the whole body, where not all of it is kept. */
  readonly cutFrom?: number
}

export interface CallRecord {
  readonly number: number
  readonly at: number
  readonly interface: string
  /** "listProducts"; null where the address or the method is that of none. */
  readonly operation: string | null
  readonly method: string
  readonly url: string
  readonly status: number
  readonly durationMs: number
  /** The id of the user whose key it was; null where nobody knows. */
  readonly userId: string | null
  readonly refusal: { readonly reason: string; readonly message: string } | null
  /** The fault that it met. */
  readonly fault?: string
  /** Those that were given while it ran. */
  readonly hints?: readonly Hint[]
  readonly request: MessageRecord
  readonly response: MessageRecord
}
