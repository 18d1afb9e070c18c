/** Places in JSON values: "/data/*\/owner/id" names a value in each row of a list; "" is the whole value. */

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const partsOf = (place: string): string[] => place.split('/').slice(1)

/** Returned by a change to remove the value from its object. */
export const REMOVED = Symbol('removed')

/** Replaces each value at the place; returns the root, which is another value if the place is the root itself. */
export function changeAt(root: unknown, place: string, change: (value: unknown) => unknown): unknown {
  if (place === '') return change(root)
  visit(root, partsOf(place), (parent, key) => {
    const changed = change(parent[key])
    if (changed === REMOVED) Reflect.deleteProperty(parent, key)
    else parent[key] = changed
  })
  return root
}

/** Calls `found` with each object or array that has a value at the place, and the last part of the place. */
export function visitParents(
  root: unknown,
  place: string,
  found: (parent: JsonObject, key: string) => void,
): void {
  visit(root, partsOf(place), found)
}

function visit(
  value: unknown,
  [part = '', ...rest]: readonly string[],
  found: (parent: JsonObject, key: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return
  const parent = value as JsonObject
  const keys = part === '*' && Array.isArray(value) ? Object.keys(value) : part in parent ? [part] : []
  for (const key of keys) {
    if (rest.length === 0) found(parent, key)
    else visit(parent[key], rest, found)
  }
}

/** Returns the values at the place. */
export function valuesAt(root: unknown, place: string): unknown[] {
  if (place === '') return [root]
  const values: unknown[] = []
  visit(root, partsOf(place), (parent, key) => values.push(parent[key]))
  return values
}

/** The last part of a place that is no "*": the name of the field. */
export const nameOf = (place: string): string => partsOf(place).findLast((part) => part !== '*') ?? ''

/** Returns the place of the object or list that has the value at a place; that of the root is the root. */
export const parentOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf('/')))
