/**
 * Whole answers as JSON text, remembered for as long as the tables that they were made of stay as they are
 * (docs/decisions/0002).
 */
import { boundedCaches } from '../state/boundedCaches.ts'
import type { Basis } from '../state/versions.ts'
import type { Caller } from '../state/keys.ts'
import type { Workspace } from '../state/workspace.ts'

/** Whom an answer is for: a caller alone, or whoever asks. */
export type Audience = Caller | EveryCaller

/** All who may ask in a workspace. */
export interface EveryCaller {
  readonly workspace: Workspace
  readonly key: null
}

/** For answers in which nothing follows from the key, its scopes or its user. */
export const everyCallerIn = (workspace: Workspace): EveryCaller => ({ workspace, key: null })

interface Answer {
  readonly text: string
  readonly basis: Basis
  /** Settings, clock, users and scopes are read from these objects, and others may take their place. */
  readonly audience: Audience
  readonly until: number
}

/** A text that the clock alone will make untrue. */
export interface ExpiringText {
  readonly text: string
  /** The instant on the workspace's clock at which it is true no longer. */
  readonly until: number
}

const responses = boundedCaches<string, Answer>({
  maxSize: 8_000_000,
  sizeCalculation: ({ text }, key) => text.length + key.length,
})

/**
 * What was asked once is not kept yet: a caller who goes through all records would drive out what others come back to,
 * and keep the garbage collector busy with what nobody asks for again.
 */
const seenOnce = boundedCaches<string, true>({
  maxSize: 500_000,
  sizeCalculation: (_true, key) => key.length,
})

/**
 * The answer to a question that was asked before, for as long as nothing has been written to the tables it was made
 * from; else what `make` makes. `question` has to hold everything that the answer depends on beside the records, the
 * workspace and the audience.
 */
export const cachedResponse = (audience: Audience, question: string, make: () => string): string =>
  cachedResponseUntil(audience, question, () => ({ text: make(), until: Infinity }))

/** The same for an answer that depends on the clock as well; not inside another one. Setting the clock is a write. */
export function cachedResponseUntil(audience: Audience, question: string, make: () => ExpiringText): string {
  const { workspace } = audience
  const { database } = workspace
  const who = audience.key === null ? '' : JSON.stringify(audience.key)
  // Addresses of pages begin with where the server was reached.
  const key = `${String(workspace.rowScope)} ${workspace.registry.publicUrl} ${who} ${question}`
  const known = responses(database).get(key)
  if (
    known &&
    isSame(known.audience, audience) &&
    (known.until === Infinity || workspace.now() < known.until) &&
    database.versions.holds(known.basis)
  )
    return known.text
  const { value, basis } = workspace.observe(make)
  if (known || seenOnce(database).get(key)) responses(database).set(key, { ...value, basis, audience })
  else seenOnce(database).set(key, true)
  return value.text
}

const isSame = (one: Audience, other: Audience): boolean =>
  one === other || (one.key === null && other.key === null && one.workspace === other.workspace)
