/** Where the values of an extra field come from. */
import { isDeepStrictEqual } from 'node:util'
import type { ShapeName, Source } from '../../observed/format.ts'
import type { Exchange } from '../asking/exchange.ts'

interface Found {
  readonly value: unknown
  readonly object: Readonly<Record<string, unknown>>
}

/** Returns the source of a field at a place of an operation's answers; null if no source fits. */
export function sourceOf(exchanges: readonly Exchange[], { probe }: Exchange, place: string): Source | null {
  const dot = place.lastIndexOf('.')
  const [around, name] = [place.slice(0, dot), place.slice(dot + 1)]
  const found = exchanges
    .filter((each) => each.probe.operation === probe.operation && each.status < 300)
    .flatMap(({ body }) => objectsAt(body, around))
    .flatMap((object): Found[] => (Object.hasOwn(object, name) ? [{ value: object[name], object }] : []))
  const [first, ...others] = found
  if (!first) return null
  const isConstant = others.every(({ value }) => isDeepStrictEqual(value, first.value))
  // One value alone may as well be a constant as an id of its own.
  if (isConstant && (others.length > 0 || typeof first.value !== 'string')) return { constant: first.value }
  const twin = Object.keys(first.object).find(
    (other) => other !== name && found.every(({ value, object }) => isDeepStrictEqual(value, object[other])),
  )
  if (twin !== undefined) return { copy: `${around.replaceAll('[]', '/*').replaceAll('.', '/')}/${twin}` }
  const shapes = new Set(found.map(({ value }) => shapeOf(value)))
  const [shape] = shapes
  return shape !== undefined && shapes.size === 1
    ? { shape }
    : isConstant
      ? { constant: first.value }
      : { shape: 'string' }
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

function shapeOf(value: unknown): ShapeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'object') return 'object'
  if (typeof value !== 'string') return 'string'
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return 'uuid'
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return 'date-time'
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date'
  if (/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(value)) return 'email'
  return /^https?:\/\/\S+$/.test(value) ? 'uri' : 'string'
}
