/** A mutation: one change of the vendor, in every answer and webhook that has it. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { JsonObject } from './places.ts'

/** A place in the successful answers of an operation, or in the data of an event. */
export type Place =
  | { readonly operation: string; readonly at: string }
  | { readonly event: string; readonly at: string }

/** A harmful change must be noticed; a harmless one must not fail a test. */
export type Half = 'harmful' | 'harmless'

/** JSON, because a simulator in another process reads it. */
export interface Mutation {
  /** "amount-times-100 payments Link.amount" */
  readonly id: string
  readonly kind: string
  readonly half: Half
  readonly interface: InterfaceName
  /** The field, the operation or the event: "Link.amount". */
  readonly subject: string
  readonly operations: readonly string[]
  readonly places: readonly Place[]
  /** The value that is replaced, the status that is answered, or the limit that is set. */
  readonly from?: string
  readonly to?: string | number
}

/** An answer of an operation before it is sent. Changes may be made in place. */
export interface Answer {
  readonly operation: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** undefined for a body that is no JSON. */
  readonly json: unknown
  /** Returns the body that the interface has for a failure of its server. */
  readonly failure: () => unknown
}

/** What is sent of an event: its data, and how often. */
export interface Sending {
  readonly event: string
  readonly data: JsonObject
  readonly times: number
}

/** An answer that the undisturbed run met. */
export interface MetAnswer {
  readonly interface: InterfaceName
  readonly operation: string
  readonly status: number
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly json: unknown
}

/** The data of a webhook that the undisturbed run sent. */
export interface MetEvent {
  readonly interface: InterfaceName
  readonly event: string
  readonly data: unknown
}

/** A line of the log that the simulators of a run write. */
export type LogLine =
  | ({ readonly met: 'answer' } & MetAnswer)
  | ({ readonly met: 'event' } & MetEvent)
  | { readonly met: 'change'; readonly example: Example }

/** What a mutation changed: what the tests accepted, or refused. */
export interface Example {
  /** "getLink" or "payment.completed" */
  readonly where: string
  readonly before: unknown
  readonly after: unknown
}

/** What a simulator of a run does: it records what it answers, or follows a mutation. */
export interface Plan {
  /** The file to which it appends lines. */
  readonly log: string
  readonly mutation: Mutation | null
}
