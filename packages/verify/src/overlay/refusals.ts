/** Refusals that the service words in another way, as entries. */
import { isDeepStrictEqual } from 'node:util'
import type { Patch } from '../../../../src/published.ts'
import type { Tally } from '../checks/checks.ts'
import type { Secrets } from '../exchanges/redaction.ts'
import { differencesOf } from '../differential/compare.ts'
import { isSecretValue } from './sources.ts'

/** What a check of a refusal compares. */
export interface Refused {
  readonly status: number
  readonly body: unknown
}

interface RefusalEntry {
  readonly tallies: readonly Tally[]
  readonly operation?: string
  readonly when: { readonly status: number; readonly code?: string }
  readonly status?: number
  readonly body?: readonly Patch[]
}

/** Returns one entry for each operation, or one for all if all were refused in the same way. */
export function refusalsOf(open: readonly Tally[], secrets: Secrets): RefusalEntry[] {
  const entries: RefusalEntry[] = []
  for (const tally of open.filter(({ aspect }) => aspect === 'refusal')) {
    const [difference] = tally.differences
    const operation = difference?.exchange.probe.operation
    if (!operation) continue
    const [expected, actual] = [difference.expected, difference.actual] as [Refused, Refused]
    // A call that the service does not refuse cannot be refused in its words.
    if (actual.status < 400) continue
    const body = patchesOf(expected.body, actual.body, secrets)
    if (body === null) continue
    const code = codeOf(expected.body)
    const entry: RefusalEntry = {
      tallies: open.filter(
        (each) =>
          each.differences[0]?.exchange.probe.operation === operation &&
          each.differences[0].exchange.status === difference.exchange.status &&
          each.differences.some(({ exchange }) => exchange.status === actual.status),
      ),
      operation: operation.id,
      when: { status: expected.status, ...(code !== undefined && { code }) },
      ...(actual.status !== expected.status && { status: actual.status }),
      ...(body.length > 0 && { body }),
    }
    const isKnown = entries.some(
      (each) => each.operation === entry.operation && isDeepStrictEqual(each.when, entry.when),
    )
    if (!isKnown) entries.push(entry)
  }
  return entries
}

/** Returns the changes of a body, without credentials and addresses; null if it is no object any longer. */
function patchesOf(expected: unknown, actual: unknown, secrets: Secrets): Patch[] | null {
  const different = differencesOf(expected, actual)
  if (different.some(({ place }) => place === '' || place.includes('[]'))) return null
  return (
    different
      .map(({ place, actual: value }) =>
        value === undefined
          ? { path: place.replaceAll('.', '/'), remove: true as const }
          : { path: place.replaceAll('.', '/'), value },
      )
      // The words of a message may hold the id of one call.
      .filter(
        ({ path, ...patch }) =>
          !('value' in patch) || !/message|detail|description/.test(path) || typeof patch.value !== 'string',
      )
      .filter(
        (patch) =>
          !('value' in patch) ||
          !isSecretValue(patch.value, secrets, patch.path.slice(patch.path.lastIndexOf('/') + 1)),
      )
  )
}

/** Returns the code of an error body: its first text without spaces. */
function codeOf(body: unknown): string | undefined {
  if (typeof body === 'string') return /^[\w.-]+$/.test(body) && Number.isNaN(Number(body)) ? body : undefined
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const fields = body as Record<string, unknown>
  for (const name of ['code', 'error', 'type', 'errorCode']) {
    const found = codeOf(fields[name])
    if (found !== undefined) return found
  }
  return undefined
}
