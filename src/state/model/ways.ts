/**
 * How records get into a state, as data: the calls, triggers and clock moves that `reach` makes and prints
 * (`control/records/reach`). Only moves on the shortest ways have one.
 *
 * Braces refer to what is known then: "{link.data.id}" is a field of the answer of the step that is named `link`, and
 * "{workspace.accountId}" one of the workspace. "{clock.now+PT1M}" is a time after that of the clock, and
 * "{guest.url?token}" a parameter of an address.
 */
import type { Reading } from './reading.ts'

/** A value that is sent. A text that is one reference has the type of the referred value. */
export type SentValue =
  | string
  | number
  | boolean
  | null
  | readonly SentValue[]
  | { readonly [name: string]: SentValue }

export type SentFields = Readonly<Record<string, SentValue>>

/** A step; one without a call, trigger or clock move happens by itself. */
export interface Step {
  /** The name of its answer. The step that makes a record has the name of its machine: `link` for payments.link. */
  readonly as?: string
  /** Records that it needs, by name. They are made for this record. */
  readonly needs?: Readonly<Record<string, Need>>
  /** "POST /payment-links" */
  readonly call?: string
  /** "payments.link.pay" */
  readonly trigger?: string
  /** How far the clock moves: "PT15M". Only if nothing else leads there, because the clock is that of all records. */
  readonly clock?: string
  readonly body?: SentFields
  /** The content of the file that is sent as the field `file` of a form, in place of a body. */
  readonly csv?: string
  /** Fields with which the record must have been made. */
  readonly made?: SentFields
}

/** How the records of a machine are made and read. */
export interface Making<State extends string> {
  /** The step that makes a record, for its initial states. */
  readonly made: Readonly<Partial<Record<State, Step>>>
  /** The call that returns the record: "GET /payment-links/{link.data.id}". */
  readonly get?: string
  /** Why no way leads to a state. */
  readonly unreached?: Readonly<Partial<Record<State, string>>>
}

/** The part of a machine that plans need. */
export interface Reachable {
  readonly name: string
  readonly reach?: Making<string>
  readonly moves: Readonly<
    Record<
      string,
      {
        readonly from: readonly string[]
        readonly under?: { readonly reading: Reading; readonly is: string; readonly from: readonly string[] }
        readonly to: string
        readonly way?: Step | readonly Step[]
      }
    >
  >
}

/** A record in a state of its machine, or the step that makes one without states. */
export type Need = Step | { readonly machine: Reachable; readonly state: string }

/** Returns the need of a record in a state. */
export const inState = <State extends string>(
  machine: Reachable & { readonly states: readonly State[] },
  state: NoInfer<State>,
): Need => ({ machine, state })

/** Returns the step of a call. */
export const callStep = (call: string, body?: SentFields, more: Step = {}): Step => ({
  ...more,
  call,
  ...(body && { body }),
})

/** Returns the step of a trigger. */
export const triggerStep = (trigger: string, body: SentFields, more: Step = {}): Step => ({
  ...more,
  trigger,
  body,
})
