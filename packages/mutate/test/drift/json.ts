/** Places in JSON values, as in the mutations of a team's tests, and texts about them. */
import type { JsonObject } from '@suite-sim/mutate/places'

export {
  changeAt,
  isObject,
  nameOf,
  REMOVED,
  valuesAt,
  visitParents,
  type JsonObject,
} from '@suite-sim/mutate/places'

/** Returns words and numbers as text, and "" for other values. */
export const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Replaces the names and values of an object in place. */
export function refill(holder: JsonObject, entries: Readonly<JsonObject>): void {
  for (const name of Object.keys(holder)) Reflect.deleteProperty(holder, name)
  Object.assign(holder, entries)
}

/** A number that depends on each letter of the text. */
export function hashOf(text: string): number {
  let hash = 7
  for (let index = 0; index < text.length; index += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return hash
}
