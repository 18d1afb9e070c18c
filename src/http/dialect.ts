/**
 * How an interface speaks: which header carries its credential, how it words a refusal, which statuses it uses. Said
 * once for each interface and applied in one place (`mount.ts`).
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { FieldProblem, Naming, Reason, RefusalInfo } from '../state/refusal.ts'
import type { Paging } from './paging.ts'

/** The header that carries the key. */
export type Credential =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly header: string }
  | { readonly kind: 'open' }

/** A refusal ready to be put into words. */
export interface Spoken {
  readonly reason: Reason
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: readonly FieldProblem[] | undefined
  readonly facts: RefusalInfo['facts']
  readonly usedBy?: RefusalInfo['usedBy']
  /** When it is said, on the clock of the caller's workspace where that is known; in ms since the epoch. */
  readonly at: number
}

/** A call that clients of such products make and that has no operation here. */
export interface AbsentCall {
  /** Relative to the base path, parameters in braces: "/profile". */
  readonly path: string
  /** What to call instead, as a part of a sentence. */
  readonly instead: string
}

export interface Dialect {
  readonly credential: Credential
  /** Status and code of every reason there is; a forgotten one does not compile. */
  readonly refusals: Readonly<Record<Reason, { readonly status: number; readonly code: string }>>
  /** The reason where a body is missing or no object; 'invalid' unless it is said here. */
  readonly misshapenBody?: Reason
  /** How its lists go on, but for operations that say it themselves; left out where there is none that does. */
  readonly paging?: Paging
  /** How properties of the state are called in requests and answers; as they are unless it is said here. */
  readonly nameOf?: Naming
  /** What to call instead of calls that there are not; the 404 says so. */
  readonly absent?: readonly AbsentCall[]
  /** The error body. */
  body(refusal: Spoken): object
  /** The shape of the error body, for the published documents. */
  readonly errorSchema: TSchema
}

/** "owner_id" */
export const snakeCase: Naming = (property) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What is wrong with one field, as the nested error bodies show it. */
export const FieldProblemShape = Type.Object({
  field: Type.String(),
  code: Type.String(),
  message: Type.String(),
})

/** The statuses most interfaces of the suite share; a dialect starts from them and says where it differs. */
export const COMMON_REFUSALS = {
  malformed: { status: 400, code: 'malformed_request' },
  invalid: { status: 400, code: 'validation_error' },
  invalid_query: { status: 400, code: 'validation_error' },
  invalid_cursor: { status: 400, code: 'invalid_cursor' },
  too_large: { status: 413, code: 'payload_too_large' },
  unsupported_media_type: { status: 415, code: 'unsupported_media_type' },
  credential_missing: { status: 401, code: 'unauthorized' },
  credential_unknown: { status: 401, code: 'unauthorized' },
  credential_expired: { status: 401, code: 'unauthorized' },
  forbidden: { status: 403, code: 'forbidden' },
  not_enabled: { status: 403, code: 'not_enabled' },
  not_found: { status: 404, code: 'not_found' },
  no_such_path: { status: 404, code: 'not_found' },
  method_not_allowed: { status: 405, code: 'method_not_allowed' },
  wrong_state: { status: 409, code: 'invalid_state' },
  conflict: { status: 409, code: 'conflict' },
  rate_limited: { status: 429, code: 'rate_limit_exceeded' },
  unavailable: { status: 503, code: 'unavailable' },
  internal: { status: 500, code: 'internal_error' },
} as const satisfies Dialect['refusals']
