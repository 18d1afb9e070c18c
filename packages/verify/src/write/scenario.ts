/** The form of a scenario: calls in order that create a record, read, change and delete it. Scenarios are data. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Confirmed } from '../options.ts'

/**
 * A value with placeholders. The text "{run}" is the id of the run; "{deal}" is a value that an earlier step saved. A text
 * that is one placeholder becomes the value itself, so numbers stay numbers.
 */
export type Template = unknown

export interface Step {
  /** The operationId. */
  readonly operation: string
  /** Parameters of the path. `account_id` is known without them. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Template
  /** A file that is sent with the fields of `body` as multipart/form-data. */
  readonly file?: {
    readonly field: string
    readonly name: string
    readonly type: string
    readonly base64: string
  }
  /** Values of the answer for later steps, by their place: `{ deal: 'data.id' }`. */
  readonly save?: Readonly<Record<string, string>>
  /** What the call creates. */
  readonly creates?: Creation
  /** The move of a state machine: "crm.deal win". */
  readonly moves?: string
  /** What nothing undoes, so that a person must confirm it. */
  readonly confirms?: Confirmed
  /** The status with which the simulator refuses the call. */
  readonly refused?: number
  /** Of a list, only the rows with this value are compared: others exist on one side only. */
  readonly rows?: string
  /** The names of the properties from the body to the rows, of lists that are no GET. */
  readonly rowsAt?: readonly string[]
  /**
   * Places that are not compared, because they depend on other records of the service, such as running numbers; `*` at
   * the end is the rest.
   */
  readonly ignored?: readonly string[]
}

/** A record that a step creates. */
export interface Creation {
  /** The saved value that is its id. */
  readonly id: string
  /** The call that deletes it; null if no call does. */
  readonly undo: Undo | null
  /** How the record is found by the id of the run if its own id was not recorded; null if nothing lists it. */
  readonly find: Find | null
}

export interface Undo {
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  /** Statuses that mean that it is undone already, beside 404. */
  readonly done?: readonly number[]
  /** A call with the same path that makes the deletion possible, if it is refused with 409. */
  readonly prepare?: { readonly operation: string; readonly body: Readonly<Record<string, string>> }
}

export interface Find {
  readonly operation: string
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** The property of a row that is the id; "id" by default. */
  readonly id?: string
}

export interface Scenario {
  /** The name for --allow: "deals". */
  readonly resource: string
  /** Why it needs --allow: no call deletes what it creates. */
  readonly needsAllow?: string
  /** What the service does beside the records, for the notes of the report. */
  readonly sideEffect?: string
  readonly steps: readonly Step[]
}

/** The scenarios of one interface, and the operations that none calls, with the reason. */
export interface Scenarios {
  readonly interface: InterfaceName
  readonly scenarios: readonly Scenario[]
  readonly uncovered: Readonly<Record<string, string>>
}

/** A reserved host (RFC 2606), which does not respond. */
export const NO_RECEIVER = 'https://suite-sim.example.com'

/** The name of a record: it carries the run id, so that it can be found. */
export const NAME = 'Suite Simulator {run}'
