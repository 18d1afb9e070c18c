/**
 * The closed list of reasons to say no. An action says why; each interface's dialect says how, in its own words and
 * with its own status, and does not compile while it has no answer to one of them.
 */
export const REASONS = [
  /** The request cannot be read: broken JSON, a broken address, a NUL byte. */
  'malformed',
  /** It can be read, but a field breaks a rule. */
  'invalid',
  /** The same in the query string, which some interfaces answer otherwise. */
  'invalid_query',
  /** The cursor was not issued for this query. */
  'invalid_cursor',
  'too_large',
  'unsupported_media_type',
  /** No credential was sent. */
  'credential_missing',
  /** The credential is not known here. */
  'credential_unknown',
  'credential_expired',
  /** The key lacks the scope, or does not serve this interface. */
  'forbidden',
  /** The workspace does not have the module or the plan. */
  'not_enabled',
  'not_found',
  /** No operation has this path. */
  'no_such_path',
  'method_not_allowed',
  /** The state machine has no such move from here. */
  'wrong_state',
  /** Another record stands in the way: a duplicate, or one that still uses this one. */
  'conflict',
  'rate_limited',
  /** The server is stopping, or its disk refuses. */
  'unavailable',
  'internal',
] as const

export type Reason = (typeof REASONS)[number]

/** What is wrong with one field; `field` is its path with dots ("receptor.rfc", "entities.0.entityId"). */
export interface FieldProblem {
  readonly field: string
  readonly code: string
  readonly message: string
}

/** Records that use another one, by kind. */
export type Users = Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>

export interface RefusalInfo {
  /** What exactly is wrong, field by field. */
  readonly details?: readonly FieldProblem[]
  /** Facts that a dialect may put beside the message, such as the id of the record in the way. */
  readonly facts?: Readonly<Record<string, string | number>>
  /** What stands in the way of a deletion. */
  readonly usedBy?: Users
  /** Response headers that belong to the refusal (Allow, Retry-After). */
  readonly headers?: Readonly<Record<string, string>>
}

/** A reason to say no, with a sentence for the person who reads the answer. Thrown, so that a transaction undoes. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: Reason
  readonly info: RefusalInfo

  constructor(reason: Reason, message: string, info: RefusalInfo = {}) {
    // A refusal is an everyday answer: a stack trace would cost more than the rest of it.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = limit
    this.reason = reason
    this.info = info
  }
}

/** Says no. Whatever the surrounding `write` has changed is undone. */
export function refuse(reason: Reason, message: string, info: RefusalInfo = {}): never {
  throw new Refusal(reason, message, info)
}

/** How an interface calls a property of the state: `ownerId` is `owner_id` on some wires. */
export type Naming = (property: string) => string

/** A refusal because of a property of the state, told by the state's own names until an interface puts in its own. */
export class PropertyRefusal extends Refusal {
  readonly #tell: (called: Naming) => FieldProblem

  constructor(tell: (called: Naming) => FieldProblem) {
    const problem = tell((property) => property)
    super('invalid', problem.message, { details: [problem] })
    this.#tell = tell
  }

  /** The same, where properties are called otherwise. */
  renamed(called: Naming): Refusal {
    return new PropertyRefusal(() => this.#tell(called))
  }
}

/**
 * Says no because of a property of the state. Its name, and every other that stands in braces in `words`, is told as the
 * interface calls it: "{ownerId} must be a user of this workspace".
 */
export function refuseProperty(property: string, code: string, words: string): never {
  throw new PropertyRefusal((called) => ({
    field: called(property),
    code,
    message: words.replace(/\{([\w.]+)\}/g, (_braces, name: string) => called(name)),
  }))
}

/** What was thrown, where properties are called so. */
export const inNames = <Thrown>(thrown: Thrown, called: Naming = (property) => property): Thrown | Refusal =>
  thrown instanceof PropertyRefusal ? thrown.renamed(called) : thrown

/** Says no because of one field, by the name that the caller knows. */
export function refuseField(field: string, code: string, message: string): never {
  throw new Refusal('invalid', message, { details: [{ field, code, message }] })
}

/** What `action` answers with; null where it is refused for this reason. */
export function unlessRefused<T>(reason: Reason, action: () => T): T | null {
  try {
    return action()
  } catch (error) {
    if (error instanceof Refusal && error.reason === reason) return null
    throw error
  }
}
