/**
 * Caches whole responses as JSON text until their workspace is written (docs/decisions/0002).
 */
import { boundedCaches } from '../../state/storage/queries/boundedCaches.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

/** The readers of a response: one caller, or every caller. */
export type Audience = Caller | EveryCaller

/** Every caller of a workspace. */
export interface EveryCaller {
  readonly workspace: Workspace
  readonly key: null
}

/** Returns the audience of a response that does not depend on the key, its scopes or its user. */
export const everyCallerIn = (workspace: Workspace): EveryCaller => ({ workspace, key: null })

interface Answer {
  readonly text: string
  /** The version of the workspace that was read. */
  readonly version: number
  /** Settings, clock, users and scopes are read from these objects, and other objects may replace them. */
  readonly audience: Audience
  readonly until: number
}

/** A text that expires with the clock. */
export interface ExpiringText {
  readonly text: string
  /** The first instant on the workspace's clock at which the text is no longer valid. */
  readonly until: number
}

const responses = boundedCaches<string, Answer>({
  maxSize: 8_000_000,
  sizeCalculation: ({ text }, key) => text.length + key.length,
})

/**
 * Caches a response on its second request, so that full scans do not evict hot entries or burden the garbage
 * collector.
 */
const seenOnce = boundedCaches<string, true>({
  maxSize: 500_000,
  sizeCalculation: (_true, key) => key.length,
})

/**
 * Returns the cached response while the version of the workspace stays unchanged; else the result of `make`.
 * `question` must contain everything that the response depends on except the records, the workspace and the
 * audience.
 */
export const cachedResponse = (audience: Audience, question: string, make: () => string): string =>
  cachedResponseUntil(audience, question, () => ({ text: make(), until: Infinity }))

/**
 * Returns the same for a response that also depends on the clock. Must not run inside another one. Setting
 * the clock changes the version.
 */
export function cachedResponseUntil(audience: Audience, question: string, make: () => ExpiringText): string {
  const { workspace } = audience
  const { database, version } = workspace
  const audienceKey = audience.key === null ? '' : JSON.stringify(audience.key)
  // URLs of pages start with the public URL.
  const key = `${String(workspace.rowScope)} ${workspace.publicUrl} ${audienceKey} ${question}`
  const entry = responses(database).get(key)
  if (
    entry?.version === version &&
    isSame(entry.audience, audience) &&
    (entry.until === Infinity || workspace.now() < entry.until)
  )
    return entry.text
  const { text, until } = make()
  if (entry || seenOnce(database).get(key)) responses(database).set(key, { text, until, version, audience })
  else seenOnce(database).set(key, true)
  return text
}

const isSame = (one: Audience, other: Audience): boolean =>
  one === other || (one.key === null && other.key === null && one.workspace === other.workspace)
