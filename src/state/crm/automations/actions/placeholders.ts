/**
 * Reads paths ("deal.value", "contact.tags.0") and fills them into strings with double braces. Specification part
 * 1, "CRM records", shows placeholders; their syntax and limits are assumed. Strings are truncated while they are
 * filled, so that none gets longer than its limit.
 */
import { addHint } from '../../../timeline/causes.ts'
import { truncate } from '../../../text/truncate.ts'
import { LONGEST_TEXT } from '../../tables.ts'

/** Returns the value at the path, or undefined. `deal.owner_id` also finds the id of `deal.owner`. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data
  for (const name of path.split('.')) value = member(value, name)
  return value
}

const ID_SUFFIX = '_id'

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name]
  if (!name.endsWith(ID_SUFFIX)) return undefined
  const record = name.slice(0, -ID_SUFFIX.length)
  return Object.hasOwn(value, record) ? member((value as Record<string, unknown>)[record], 'id') : undefined
}

/** The maximum number of characters that one placeholder inserts. */
export const LONGEST_VALUE = 65_536

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** Returns the paths of the placeholders. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, path = '']) => path.trim())

/**
 * Replaces the placeholders with their values, each passed through `escapeValue`; an unknown one becomes empty, and is a
 * hint of the call. Truncates the result to `longest` characters.
 */
export function fillPlaceholders(
  text: string,
  data: unknown,
  longest = LONGEST_TEXT,
  escapeValue = (value: string): string => value,
): string {
  let result = ''
  let end = 0
  for (const { index, 0: placeholder, 1: path = '' } of text.matchAll(PLACEHOLDER)) {
    result += text.slice(end, index)
    if (result.length >= longest) break
    const value = valueAt(data, path.trim())
    if (value === undefined) hintAtUnknown(data, path.trim())
    result += escapeValue(toText(value, Math.min(LONGEST_VALUE, longest - result.length)))
    end = index + placeholder.length
  }
  return truncate(result + text.slice(end, end + longest), longest)
}

/** Adds a hint about a path that leads to nothing, unless it goes through a record that is null, such as a missing owner. */
function hintAtUnknown(data: unknown, path: string): void {
  const names = path.split('.')
  const missing = names.findIndex(
    (_name, index) => valueAt(data, names.slice(0, index + 1).join('.')) === undefined,
  )
  const record = missing === 0 ? data : valueAt(data, names.slice(0, missing).join('.'))
  if (record === null) return
  const known = typeof record === 'object' ? Object.keys(record).slice(0, MAX_HINTED) : []
  const owner = missing === 0 ? 'The event' : names.slice(0, missing).join('.')
  addHint(
    'unknown_placeholder',
    `The placeholder {{${truncate(path, MAX_HINTED_PATH)}}} names nothing, so it is empty. ${owner} has ${known.join(', ') || 'no parts'}.`,
  )
}

/** How many names a hint lists, and the characters of a path in it. */
const MAX_HINTED = 20
const MAX_HINTED_PATH = 100

/** Lists every value with its path, one per line, up to `longest` characters. */
export function listValues(data: object, longest: number): string {
  let result = ''
  const add = (value: unknown, path: string, depthLeft: number): boolean => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || depthLeft === 0) {
      result += `${path}: ${toText(value, Math.max(0, Math.min(LONGEST_VALUE, longest - result.length)))}\n`
      return result.length < longest
    }
    for (const name in value) {
      const child = (value as Record<string, unknown>)[name]
      if (!add(child, path === '' ? name : `${path}.${name}`, depthLeft - 1)) return false
    }
    return true
  }
  add(data, '', MAX_LISTED_DEPTH)
  return truncate(result, longest)
}

/** The depth of listed values: records, their fields and the fields of these. */
const MAX_LISTED_DEPTH = 4

function toText(value: unknown, longest: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return truncate(value, longest)
  if (!Array.isArray(value)) return truncate(toJson(value, longest, MAX_DEPTH), longest)
  let result = ''
  for (const [index, item] of value.entries()) {
    if (result.length >= longest) break
    result += (index === 0 ? '' : ', ') + toText(item, longest - result.length)
  }
  return truncate(result, longest)
}

/** Values deeper than this are left out. */
const MAX_DEPTH = 100

/** Returns JSON, and stops when the limit is reached. */
function toJson(value: unknown, longest: number, depthLeft: number): string {
  if (typeof value === 'string') return JSON.stringify(truncate(value, longest))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depthLeft === 0) return 'null'
  let result = ''
  const add = (name: string, item: unknown): boolean => {
    result += (result === '' ? '' : ',') + name + toJson(item, longest - result.length, depthLeft - 1)
    return result.length < longest
  }
  if (Array.isArray(value)) {
    value.every((item) => add('', item))
    return `[${result}]`
  }
  for (const name in value) {
    if (!add(`${JSON.stringify(name)}:`, (value as Record<string, unknown>)[name])) break
  }
  return `{${result}}`
}
