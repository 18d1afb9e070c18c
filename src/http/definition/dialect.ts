/**
 * The conventions of an interface: the header of its credential, its error bodies and statuses. Each
 * interface declares them once; `lifecycle.ts` applies them.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { Reading } from '../../state/model/reading.ts'
import type { FieldProblem, Naming, Reason, RefusalInfo } from '../../state/model/refusal.ts'
import type { Paging } from './paging.ts'

/** The header that contains the key. */
export type Credential =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly header: string }
  | { readonly kind: 'open' }

/** A refusal, ready to be formatted. */
export interface RefusalFacts {
  readonly reason: Reason
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: readonly FieldProblem[] | undefined
  readonly facts: RefusalInfo['facts']
  readonly usedBy?: RefusalInfo['usedBy']
  /** The time of the refusal, on the clock of the caller's workspace if it is known; in ms since the epoch. */
  readonly at: number
}

/** A call that clients of similar products make, but that has no operation here. */
export interface AbsentCall {
  /** Relative to the base path, parameters in braces: "/profile". */
  readonly path: string
  /** The call to make instead, as part of a sentence. */
  readonly instead: string
}

/** The status and the code of a refusal. */
export interface RefusalStatus {
  readonly status: number
  readonly code: string
  /** The reading that decides about the status: each alternative is one. `status` is that of its default. */
  readonly reading?: Reading
}

/** Returns the refusal whose status is the value of a reading. */
export const statusOfReading = (reading: Reading, code: string): RefusalStatus => ({
  status: Number(reading.default),
  code,
  reading,
})

/** Returns the statuses that a refusal can have, that of the default first. */
export const statusesOf = ({ status, reading }: RefusalStatus): readonly number[] =>
  reading ? reading.alternatives.map(({ value }) => Number(value)) : [status]

export interface Dialect {
  readonly credential: Credential
  /** Status and code of every reason; a missing one does not compile. */
  readonly refusals: Readonly<Record<Reason, RefusalStatus>>
  /**
   * The statuses of errors that the specification lists for the interface. All others are published as assumed. Missing
   * if there is no specification.
   */
  readonly documentedStatuses?: readonly number[]
  /** The reason if a body is missing or no object; 'invalid' by default. */
  readonly misshapenBody?: Reason
  /** The paging of its lists, except of operations with their own; left out if no list uses it. */
  readonly paging?: Paging
  /** The names of state properties in requests and responses; unchanged by default. */
  readonly nameOf?: Naming
  /** Known calls without an operation; the 404 names the alternative. */
  readonly absent?: readonly AbsentCall[]
  /** Returns the error body. */
  body(refusal: RefusalFacts): object
  /** The shape of the error body, for the published documents. */
  readonly errorSchema: TSchema
}

/** "owner_id" */
export const snakeCase: Naming = (property) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The error of one field in nested error bodies. */
export const FieldProblemShape = Type.Object({
  field: Type.String(),
  code: Type.String(),
  message: Type.String(),
})

/** The statuses that most interfaces share; a dialect overrides some of them. */
export const COMMON_REFUSALS = {
  malformed: { status: 400, code: 'malformed_request' },
  invalid: { status: 400, code: 'validation_error' },
  invalid_query: { status: 400, code: 'validation_error' },
  invalid_cursor: { status: 400, code: 'invalid_cursor' },
  too_large: { status: 413, code: 'payload_too_large' },
  full: { status: 507, code: 'workspace_full' },
  unsupported_media_type: { status: 415, code: 'unsupported_media_type' },
  credential_missing: { status: 401, code: 'unauthorized' },
  credential_unknown: { status: 401, code: 'unauthorized' },
  credential_expired: { status: 401, code: 'unauthorized' },
  forbidden: { status: 403, code: 'forbidden' },
  foreign: { status: 403, code: 'forbidden' },
  not_enabled: { status: 403, code: 'not_enabled' },
  not_found: { status: 404, code: 'not_found' },
  no_such_path: { status: 404, code: 'not_found' },
  method_not_allowed: { status: 405, code: 'method_not_allowed' },
  wrong_state: { status: 409, code: 'invalid_state' },
  conflict: { status: 409, code: 'conflict' },
  no_way: { status: 422, code: 'validation_error' },
  rate_limited: { status: 429, code: 'rate_limit_exceeded' },
  unavailable: { status: 503, code: 'unavailable' },
  internal: { status: 500, code: 'internal_error' },
} as const satisfies Dialect['refusals']
