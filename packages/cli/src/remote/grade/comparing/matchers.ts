/** Values of changed records, and whether they are as a task expects. */
import { isDeepStrictEqual } from 'node:util'
import { isFoundIn } from '@suite-sim/kit/text/patterns'
import { short } from './short.ts'
import type { ChangedRecord, Matcher, RecordMatcher } from '../task.ts'

/** The records of expected changes with a name. */
export type Named = Map<string, ChangedRecord>

export type ChangedField = ChangedRecord['fields'][number]

/** True if the path is that of the field, or of a part of it. */
export const isWithin = (field: string, path: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)

/** Returns the value at a path of a record; undefined if the diff does not have it. */
export function valueAt(
  { change, fields }: ChangedRecord,
  path: string,
): { value: unknown; before: unknown } | undefined {
  for (const field of fields) {
    if (field.path === path) {
      return { value: change === 'removed' ? field.before : field.after, before: field.before }
    }
    if (!isWithin(field.path, path)) continue
    const end = path.slice(field.path.length)
    const before = partOf(field.before, end)
    return { value: change === 'removed' ? before : partOf(field.after, end), before }
  }
  return undefined
}

export const childOf = (value: unknown, name: string): unknown => {
  const whole = objectOf(value)
  return whole !== null && Object.hasOwn(whole, name) ? (whole as Record<string, unknown>)[name] : null
}

/** Returns the value at `.address.city`, `[0].price` or `["order no."]` of a value; null if it does not exist. */
export function partOf(whole: unknown, path: string): unknown {
  let value = whole
  for (const [, name, index, quoted] of path.matchAll(/\.([^.[]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g)) {
    value = childOf(value, name ?? index ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '')
  }
  return value ?? null
}

export function isMatch(matcher: Matcher, value: unknown, named: Named): boolean {
  if ('any' in matcher) return true
  if ('is' in matcher) return isDeepStrictEqual(value ?? null, matcher.is ?? null)
  if ('oneOf' in matcher) return matcher.oneOf.some((each) => isDeepStrictEqual(value ?? null, each))
  if ('items' in matcher) return hasItems(value, matcher.items)
  if ('record' in matcher)
    return (
      (typeof value === 'string' || typeof value === 'number') && String(value) === textOf(matcher, named)
    )
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return 'regex' in matcher
    ? isFoundIn(matcher.regex, text)
    : value !== null && text.toLowerCase().includes(matcher.contains.toLowerCase())
}

/** True for a list with these items in any order. */
function hasItems(value: unknown, items: readonly unknown[]): boolean {
  const left = Array.isArray(value) ? [...(value as unknown[])] : []
  return (
    left.length === items.length &&
    items.every((item) => {
      const index = left.findIndex((each) => isDeepStrictEqual(each, item))
      if (index >= 0) left.splice(index, 1)
      return index >= 0
    })
  )
}

/** Returns the text of `{record, text}` with the values of the record, or its id; null if there is no such record. */
function textOf({ record, text = '{id}' }: RecordMatcher, named: Named): string | null {
  const found = named.get(record)
  if (!found) return null
  return text.replaceAll(/\{([^{}]+)\}/g, (_, path: string) =>
    path === 'id' ? found.id : String(valueAt(found, path)?.value ?? partOf(found.whole, `.${path}`)),
  )
}

export const plain = (matcher: Matcher): unknown => ('is' in matcher ? matcher.is : matcher)

export function wordsOf(matcher: Matcher): string {
  if ('any' in matcher) return 'any value'
  if ('is' in matcher) return short(matcher.is)
  if ('oneOf' in matcher) return `one of ${matcher.oneOf.map(short).join(', ')}`
  if ('items' in matcher) return `a list of ${matcher.items.map(short).join(', ')} in any order`
  if ('record' in matcher)
    return `${matcher.text === undefined ? 'the id' : short(matcher.text)} of the record ${matcher.record}`
  return 'regex' in matcher ? `a text like /${matcher.regex}/` : `a text with ${short(matcher.contains)}`
}

export const objectOf = (value: unknown): object | null =>
  typeof value === 'object' && value !== null ? value : null
