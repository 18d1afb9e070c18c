/**
 * Paths with dots into what an event tells ("deal.value", "contact.tags.0"), and texts that hold them in double
 * braces. Specification part 1, "CRM records": that they are there is shown, how they read is assumed, and so is how
 * long they may get. They are cut while they are filled, so that none is ever longer.
 */

/** What is at the path; undefined where there is nothing. `deal.owner_id` finds the id of `deal.owner` as well. */
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

/** Characters that one placeholder puts into a text. */
export const LONGEST_VALUE = 65_536

/** Characters of a text whose placeholders are filled. */
export const LONGEST_TEXT = 262_144

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * The text with what the placeholders name in their place, as `writtenAs` writes it there; nothing where they name nothing.
 * What comes after the first `longest` characters is left out.
 */
export function filled(
  text: string,
  data: unknown,
  longest = LONGEST_TEXT,
  writtenAs = (value: string): string => value,
): string {
  let made = ''
  let end = 0
  for (const { index, 0: placeholder, 1: path = '' } of text.matchAll(PLACEHOLDER)) {
    made += text.slice(end, index)
    if (made.length >= longest) break
    made += writtenAs(shown(valueAt(data, path.trim()), Math.min(LONGEST_VALUE, longest - made.length)))
    end = index + placeholder.length
  }
  return cut(made + text.slice(end, end + longest), longest)
}

/** Every value with its path, a line each: what placeholders could put into a text, up to so many characters. */
export function listed(data: object, longest: number): string {
  let made = ''
  const add = (value: unknown, path: string, deepest: number): boolean => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || deepest === 0) {
      made += `${path}: ${shown(value, Math.max(0, Math.min(LONGEST_VALUE, longest - made.length)))}\n`
      return made.length < longest
    }
    for (const name in value) {
      const under = (value as Record<string, unknown>)[name]
      if (!add(under, path === '' ? name : `${path}.${name}`, deepest - 1)) return false
    }
    return true
  }
  add(data, '', DEEPEST_LISTED)
  return cut(made, longest)
}

/** Records that an event tells of, their fields and the fields of these. */
const DEEPEST_LISTED = 4

/** The beginning of a text, without half of a character at its end. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const last = text.charCodeAt(longest - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? longest - 1 : longest)
}

function shown(value: unknown, longest: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return cut(value, longest)
  if (!Array.isArray(value)) return cut(written(value, longest, DEEPEST), longest)
  let made = ''
  for (const [index, item] of value.entries()) {
    if (made.length >= longest) break
    made += (index === 0 ? '' : ', ') + shown(item, longest - made.length)
  }
  return cut(made, longest)
}

/** What lies deeper than this in a value is left out of a text. */
const DEEPEST = 100

/** As JSON, of which no more is made than a text takes. */
function written(value: unknown, longest: number, deepest: number): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, longest))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (deepest === 0) return 'null'
  let made = ''
  const add = (name: string, item: unknown): boolean => {
    made += (made === '' ? '' : ',') + name + written(item, longest - made.length, deepest - 1)
    return made.length < longest
  }
  if (Array.isArray(value)) {
    value.every((item) => add('', item))
    return `[${made}]`
  }
  for (const name in value) {
    if (!add(`${JSON.stringify(name)}:`, (value as Record<string, unknown>)[name])) break
  }
  return `{${made}}`
}
