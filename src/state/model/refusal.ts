import type { Text } from '../text/languages.ts'
import type { Reading } from './reading.ts'

/**
 * The complete list of refusal reasons. An action gives the reason; the dialect of each interface maps it to status
 * and body, and does not compile if a reason is missing.
 */
export const REASONS = [
  /** The request can't be parsed: invalid JSON, an invalid URL, a NUL byte. */
  'malformed',
  /** A field breaks a rule. */
  'invalid',
  /** A query parameter breaks a rule; some interfaces respond differently. */
  'invalid_query',
  /** The cursor belongs to another query. */
  'invalid_cursor',
  'too_large',
  /** Less than a 64th of the bytes of the workspace is left. */
  'full',
  'unsupported_media_type',
  /** The request has no credential. */
  'credential_missing',
  /** The credential does not exist. */
  'credential_unknown',
  'credential_expired',
  /** The key lacks the scope or the interface. */
  'forbidden',
  /** The host name of the request, or the site of the page that sent it, is not one that may call. */
  'foreign',
  /** The workspace does not have the module or the plan. */
  'not_enabled',
  'not_found',
  /** No operation has this path. */
  'no_such_path',
  'method_not_allowed',
  /** The state machine has no such move from this state. */
  'wrong_state',
  /** Another record prevents it: a duplicate, or one that still uses this one. */
  'conflict',
  /** No way leads to the state; of the control plane only. */
  'no_way',
  'rate_limited',
  /** The server is stopping, or its disk fails. */
  'unavailable',
  'internal',
] as const

export type Reason = (typeof REASONS)[number]

/** The error of one field; `field` is its path with dots ("receptor.rfc", "entities.0.entityId"). */
export interface FieldProblem {
  readonly field: string
  readonly code: string
  readonly message: string
}

/** The error of one field of a page, in the language of its reader. */
export type PageProblem = Omit<FieldProblem, 'message'> & { readonly message: Text }

/** Records that use another one, by kind. */
export type RecordUsers = Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>

export interface RefusalInfo {
  /** The reading without which the call would not be refused, or not in this way. */
  readonly reading?: Reading
  /** Why the rule is assumed, if the specification does not show it. */
  readonly assumed?: string
  /** The errors of the fields. */
  readonly details?: readonly FieldProblem[]
  /** Facts that a dialect can add to the message, such as the id of a conflicting record. */
  readonly facts?: Readonly<Record<string, string | number>>
  /** The records that prevent a deletion. */
  readonly usedBy?: RecordUsers
  /** Response headers of the refusal (Allow, Retry-After). */
  readonly headers?: Readonly<Record<string, string>>
}

/** A reason with a message for the reader of the response. Thrown, so that the transaction is undone. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: Reason
  readonly info: RefusalInfo

  constructor(reason: Reason, message: string, info: RefusalInfo = {}) {
    // Refusals are frequent, and a stack trace would cost more than everything else.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = limit
    this.reason = reason
    this.info = info
  }
}

/** Throws a refusal. The surrounding `write` is undone. */
export function refuse(reason: Reason, message: string, info: RefusalInfo = {}): never {
  throw new Refusal(reason, message, info)
}

/** Maps a property of the state to its wire name: `ownerId` is `owner_id` in some interfaces. */
export type Naming = (property: string) => string

/** A refusal of a property, with the names of the state until an interface replaces them by its own. */
export class PropertyRefusal extends Refusal {
  readonly #problemWith: (naming: Naming) => FieldProblem

  constructor(problemWith: (naming: Naming) => FieldProblem) {
    const problem = problemWith((property) => property)
    super('invalid', problem.message, { details: [problem] })
    this.#problemWith = problemWith
  }

  /** Returns the same refusal with other property names. */
  renamed(naming: Naming): Refusal {
    return new PropertyRefusal(() => this.#problemWith(naming))
  }
}

/**
 * Throws a refusal of a property. Its name and the names in braces in `words` become wire names: "{ownerId} must be a
 * user of this workspace".
 */
export function refuseProperty(property: string, code: string, words: string): never {
  throw new PropertyRefusal((naming) => ({
    field: naming(property),
    code,
    message: words.replace(/\{([\w.]+)\}/g, (_braces, name: string) => naming(name)),
  }))
}

/** Returns a thrown value with the wire names of its properties. */
export const withWireNames = <Thrown>(
  thrown: Thrown,
  naming: Naming = (property) => property,
): Thrown | Refusal => (thrown instanceof PropertyRefusal ? thrown.renamed(naming) : thrown)

/** Throws a refusal of one field of a body or a query, by its wire name. */
export function refuseField(field: string, code: string, message: string, reason: Reason = 'invalid'): never {
  throw new Refusal(reason, message, { details: [{ field, code, message }] })
}

/** Returns the result of `action`; null if it is refused for this reason. */
export function unlessRefused<T>(reason: Reason, action: () => T): T | null {
  try {
    return action()
  } catch (error) {
    if (error instanceof Refusal && error.reason === reason) return null
    throw error
  }
}
