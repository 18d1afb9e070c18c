/** Which fields of a changed record a test or a task must expect, and how to print those that differ in each run. */

interface Field {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  readonly volatile?: true
  readonly volatileParts?: readonly string[]
}

type Change = 'added' | 'changed' | 'removed'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Checks whether a field is a side effect as a whole: of a changed record, a time; of an added or removed one, also ids
 * and random values. A record that refers to another one than before has changed, even if that one is new.
 */
export const isSideEffect = (change: Change, { before, after, volatile, volatileParts }: Field): boolean =>
  volatile === true &&
  (change === 'changed' ? [before, after].every(isTimeOrNull) : volatileParts === undefined)

const isTimeOrNull = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && INSTANT.test(value))

/**
 * Checks whether a test must expect a field: no side effect, not the id of the record, and not an empty list or object of
 * an added or removed record.
 */
export const isTelling = (change: Change, field: Field): boolean =>
  field.path !== 'id' &&
  !isSideEffect(change, field) &&
  (change === 'changed' || ![field.before, field.after].every(isNothing))

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Returns the value of a field after the change, or of a removed record before it, with `stand` in place of what differs in each run. */
export function stableValue(
  change: Change,
  { path, before, after, volatile, volatileParts }: Field,
  stand: unknown,
): unknown {
  const value = change === 'removed' ? before : after
  if (volatile !== true || value === null) return value
  return volatileParts === undefined ? stand : replaced(value, path, new Set(volatileParts), stand)
}

function replaced(value: unknown, path: string, parts: ReadonlySet<string>, stand: unknown): unknown {
  if (typeof value !== 'object' || value === null) return parts.has(path) ? stand : value
  if (Array.isArray(value)) {
    return value.map((each, index) => replaced(each, `${path}[${String(index)}]`, parts, stand))
  }
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    const isPlain = /^[\w$-]+$/.test(name)
    return [
      name,
      replaced(each, isPlain ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`, parts, stand),
    ]
  })
  return Object.fromEntries(entries)
}
