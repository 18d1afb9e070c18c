/** Where the values of an extra field come from. */
import { isDeepStrictEqual } from 'node:util'
import type { Source } from '../../../../src/published.ts'
import type { Exchange } from '../exchanges/exchange.ts'
import { redactedValue, type Secrets } from '../exchanges/redaction.ts'
import { shapeOf } from '../model/shapes.ts'
import { jsonText } from '../report/values.ts'

interface Found {
  readonly value: unknown
  readonly object: Readonly<Record<string, unknown>>
}

/** True for a value that has a credential or an e-mail address; `name` is its field. */
export const isSecretValue = (value: unknown, secrets: Secrets, name: string): boolean =>
  !isDeepStrictEqual(redactedValue(value, secrets, name), value)

/** Characters of a constant as JSON. A longer value is one of a record. */
const MAX_CONSTANT = 500

/**
 * Returns the source of a field at a place of an operation's answers; null if no source fits. The source has no secret: such
 * a field has only a shape.
 */
export function sourceOf(
  exchanges: readonly Exchange[],
  { probe }: Exchange,
  place: string,
  secrets: Secrets,
): Source | null {
  const dot = place.lastIndexOf('.')
  const [around, name] = [place.slice(0, dot), place.slice(dot + 1)]
  const found = exchanges
    .filter((each) => each.probe.operation === probe.operation && each.status < 300)
    .flatMap(({ body }) => objectsAt(body, around))
    .flatMap((object): Found[] => (Object.hasOwn(object, name) ? [{ value: object[name], object }] : []))
  const [first, ...others] = found
  if (!first) return null
  const isSame = others.every(({ value }) => isDeepStrictEqual(value, first.value))
  const isConstant =
    isSame && !isSecretValue(first.value, secrets, name) && jsonText(first.value).length <= MAX_CONSTANT
  // One value alone may as well be a constant as an id of its own.
  if (isConstant && (others.length > 0 || typeof first.value !== 'string')) return { constant: first.value }
  // Objects and lists are not copied.
  const isScalar = typeof first.value !== 'object'
  const equal = Object.keys(first.object).find(
    (other) =>
      isScalar &&
      other !== name &&
      found.every(({ value, object }) => isDeepStrictEqual(value, object[other])),
  )
  if (equal !== undefined) return { copy: `${around.replaceAll('[]', '/*').replaceAll('.', '/')}/${equal}` }
  const shapes = [...new Set(found.map(({ value }) => shapeOf(value)))]
  const [shape] = shapes
  if (shape !== undefined && shapes.length === 1) return { shape }
  if (found.every(({ value }) => typeof value === 'string')) return { shape: 'string' }
  return found.every(({ value }) => typeof value === 'number') ? { shape: 'number' } : null
}

function objectsAt(body: unknown, place: string): Readonly<Record<string, unknown>>[] {
  let values: unknown[] = [body]
  for (const [, name, items] of place.matchAll(/\.([^.[\]]+)|(\[\])/g)) {
    values = values.flatMap((value) =>
      items
        ? Array.isArray(value)
          ? (value as unknown[])
          : []
        : [(value as Record<string, unknown> | null)?.[name ?? '']],
    )
  }
  return values.filter(
    (value): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  )
}
