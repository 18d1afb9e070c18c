/** Extra fields whose values the simulator makes up, because an overlay has only their shape: their form is compared. */
import type { Overlay, ShapeName } from '../../../../src/published.ts'
import type { Claims } from './claims.ts'
import type { Operation } from './operation.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'

/** Returns the shape at a place of an answer (".data[].legacy_id"), or around it; null if its value is not made up. */
export type Shapes = (
  operation: Operation,
  status: number,
  place: string,
) => { readonly shape: ShapeName; readonly isWhole: boolean } | null

export const NO_SHAPES: Shapes = () => null

export function shapesOf(overlay: Overlay | undefined, name: InterfaceName, claims: Claims): Shapes {
  const entries = (overlay?.entries ?? []).flatMap((entry) =>
    entry.kind === 'field' && entry.interface === name && 'shape' in entry.source
      ? [{ ...entry, at: placeOf(entry.path), shape: entry.source.shape }]
      : [],
  )
  if (entries.length === 0) return NO_SHAPES
  return (operation, status, place) => {
    for (const { operations, component, at, shape } of entries) {
      if (operations?.includes(operation.id) === true && isPlaceIn(place, at))
        return { shape, isWhole: place === at }
      const field = component === undefined ? undefined : `field ${component}${at}`
      const key = claims.at(`${operation.address} ${String(status)}${place}`, 'field')?.key
      if (field !== undefined && key !== undefined && isPlaceIn(key, field))
        return { shape, isWhole: key === field }
    }
    return null
  }
}

/** True if a value has the shape. */
export function hasShape(shape: ShapeName, value: unknown): boolean {
  const own = shapeOf(value)
  return (
    own === shape ||
    (shape === 'string' && typeof value === 'string') ||
    (shape === 'number' && typeof value === 'number')
  )
}

/** Returns a path of an entry as claims have it: "/data/*\/amount" is ".data[].amount". */
export const placeOf = (path: string): string => path.replaceAll('/*', '[]').replaceAll('/', '.')

/** True for a place, and for one below it. */
export const isPlaceIn = (place: string, whole: string): boolean =>
  place === whole || place.startsWith(`${whole}.`) || place.startsWith(`${whole}[`)

/** Returns the shape of a value. */
export function shapeOf(value: unknown): ShapeName {
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
