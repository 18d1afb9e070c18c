/** Values that differ between two answers although nothing changed: the time of the answer, and signed addresses. */

/** Names of fields with the time or the id of the answer itself. */
const VOLATILE: ReadonlySet<string> = new Set([
  'timestamp',
  'generated_at',
  'generatedAt',
  'request_id',
  'requestId',
])

/** Names of query parameters that sign an address. */
const SIGNED = /([?&](?:expires|exp|signature|sig|token)=)[^&"]*/gi

/** Returns a body without such values. */
export function withoutVolatile(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('?') ? value.replaceAll(SIGNED, '$1…') : value
  if (Array.isArray(value)) return value.map(withoutVolatile)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      VOLATILE.has(name) ? [] : [[name, withoutVolatile(each)]],
    ),
  )
}
