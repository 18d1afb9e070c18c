/** Changes of parsed answers: places in values, and the values of extra fields. */
import { createHash } from 'node:crypto'
import type { ShapeName, Source } from './format.ts'
import { namesIn } from './parse.ts'

type Holder = Record<string, unknown> | unknown[]

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** A place in a value: what contains it, its name there, and the names that each `*` of its path stands for. */
export interface Place {
  readonly holder: Record<string, unknown>
  readonly name: string
  readonly stars: readonly string[]
}

/** Calls `run` for each place at a path. The last name need not exist, unless it is `*`. */
export function atPlaces(value: unknown, names: readonly string[], run: (place: Place) => void): void {
  const visit = (holder: unknown, index: number, stars: readonly string[]): void => {
    const name = names[index]
    if (name === undefined || !isHolder(holder)) return
    const members = holder as Record<string, unknown>
    const isLast = index === names.length - 1
    if (name !== '*' && Array.isArray(holder)) return
    for (const member of name === '*' ? Object.keys(members) : [name]) {
      const bound = name === '*' ? [...stars, member] : stars
      if (isLast) run({ holder: members, name: member, stars: bound })
      else if (Object.hasOwn(members, member)) visit(members[member], index + 1, bound)
    }
  }
  visit(value, 0, [])
}

/** Returns the value at a path whose stars have these names; undefined if it does not exist. */
export function valueAt(value: unknown, names: readonly string[], stars: readonly string[]): unknown {
  let found = value
  let star = 0
  for (const name of names) {
    const member = name === '*' ? (stars[star++] ?? '') : name
    if (!isHolder(found) || !Object.hasOwn(found, member)) return undefined
    found = (found as Record<string, unknown>)[member]
  }
  return found
}

/** A source of an extra field that is ready to use. */
export type Fill = (whole: unknown, place: Place) => unknown

export function fillOf(source: Source): Fill {
  if ('constant' in source) return () => structuredClone(source.constant)
  if ('shape' in source) return (_whole, { holder, name }) => madeUp(source.shape, holder, name)
  const names = namesIn(source.copy)
  return (whole, { stars }) => {
    const value = valueAt(whole, names, stars)
    // Copies of copies of an object would double with each entry.
    return isHolder(value) ? undefined : value
  }
}

/** Adds a field where it is missing or null. Returns whether anything changed. */
export function addField(whole: unknown, names: readonly string[], fill: Fill): boolean {
  let hasChanged = false
  atPlaces(whole, names, (place) => {
    const { holder, name } = place
    if (Array.isArray(holder) || (Object.hasOwn(holder, name) && holder[name] !== null)) return
    const value = fill(whole, place)
    if (value === undefined) return
    holder[name] = value
    hasChanged = true
  })
  return hasChanged
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (isHolder(value) && (Array.isArray(value) ? value : Object.keys(value)).length === 0)

const EMPTY = { string: () => '', array: () => [], object: () => ({}) } as const

/** What a place without a value has. */
export type Nothing = 'null' | 'absent' | keyof typeof EMPTY

/** Gives the places without a value another form. Returns whether anything changed. */
export function setNothing(whole: unknown, names: readonly string[], form: Nothing): boolean {
  let hasChanged = false
  atPlaces(whole, names, ({ holder, name }) => {
    const before = Object.hasOwn(holder, name) ? holder[name] : undefined
    if (!isNothing(before)) return
    if (form === 'absent') {
      if (before === undefined || Array.isArray(holder)) return
      Reflect.deleteProperty(holder, name)
    } else {
      const after = form === 'null' ? null : EMPTY[form]()
      if (JSON.stringify(before) === JSON.stringify(after)) return
      holder[name] = after
    }
    hasChanged = true
  })
  return hasChanged
}

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/

export interface TimeForm {
  readonly fraction?: number
  readonly zone?: string
}

/** Returns a time with this many digits after the seconds, and UTC in this form; null if the text is no time. */
export function timeIn({ fraction, zone }: TimeForm, text: string): string | null {
  const [, seconds, digits = '', offset = ''] = TIME.exec(text) ?? []
  if (seconds === undefined) return null
  const kept = fraction === undefined ? digits : digits.padEnd(fraction, '0').slice(0, fraction)
  const isUtc = offset === 'Z' || offset === '+00:00'
  return `${seconds}${kept === '' ? '' : `.${kept}`}${isUtc ? (zone ?? offset) : offset}`
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Returns a number, or a number as text, with this many decimals; null if the value is none. */
export function withDecimals(decimals: number, value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toFixed(decimals))
  return typeof value === 'string' && NUMBER.test(value) ? roundedText(value, decimals) : null
}

/** Rounds half up on the digits, because a long text has more of them than a float. */
function roundedText(text: string, decimals: number): string {
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const scaled = BigInt(whole + digits.padEnd(decimals, '0').slice(0, decimals))
  const rounded = String(scaled + ((digits[decimals] ?? '0') >= '5' ? 1n : 0n)).padStart(decimals + 1, '0')
  const at = rounded.length - decimals
  return decimals === 0 ? sign + rounded : `${sign}${rounded.slice(0, at)}.${rounded.slice(at)}`
}

/** Replaces the values at a path by those of `replace`, except where it returns null. Returns whether anything changed. */
export function replaceAt(
  whole: unknown,
  names: readonly string[],
  replace: (value: unknown) => unknown,
): boolean {
  let hasChanged = false
  atPlaces(whole, names, ({ holder, name }) => {
    if (!Object.hasOwn(holder, name)) return
    const after = replace(holder[name])
    if (after === null || after === holder[name]) return
    holder[name] = after
    hasChanged = true
  })
  return hasChanged
}

/** Sets a value at a path, and creates the objects on the way that are missing. Returns whether anything changed. */
export function setAt(whole: unknown, names: readonly string[], value: unknown): boolean {
  let hasChanged = false
  if (!names.includes('*')) createParents(whole, names)
  atPlaces(whole, names, ({ holder, name }) => {
    if (JSON.stringify(holder[name]) === JSON.stringify(value)) return
    holder[name] = structuredClone(value)
    hasChanged = true
  })
  return hasChanged
}

function createParents(whole: unknown, names: readonly string[]): void {
  let holder = whole
  for (const name of names.slice(0, -1)) {
    if (!isHolder(holder) || Array.isArray(holder)) return
    if (!Object.hasOwn(holder, name)) holder[name] = {}
    holder = holder[name]
  }
}

/** Removes the fields at a path. Returns whether anything changed. */
export function removeAt(whole: unknown, names: readonly string[]): boolean {
  let hasChanged = false
  atPlaces(whole, names, ({ holder, name }) => {
    if (Array.isArray(holder) || !Object.hasOwn(holder, name)) return
    Reflect.deleteProperty(holder, name)
    hasChanged = true
  })
  return hasChanged
}

const DEFAULT_TIME = '2026-01-01T00:00:00.000Z'

/** Makes up a value of a shape. It depends on the id of the record and on the name, so that repeated reads agree. */
function madeUp(shape: ShapeName, record: Record<string, unknown>, name: string): unknown {
  const { id } = record
  const seed = typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(record)
  const hash = createHash('sha256').update(`${name}\n${seed}`).digest('hex')
  const number = Number.parseInt(hash.slice(0, 8), 16)
  const time = (): string =>
    Object.values(record).find((each): each is string => typeof each === 'string' && TIME.test(each)) ??
    DEFAULT_TIME
  switch (shape) {
    case 'string':
      return `observed-${hash.slice(0, 12)}`
    case 'uuid':
      return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
    case 'date-time':
      return time()
    case 'date':
      return time().slice(0, 10)
    case 'email':
      return `${hash.slice(0, 12)}@example.com`
    case 'uri':
      return `https://example.com/${hash.slice(0, 12)}`
    case 'integer':
      return 1 + (number % 1_000_000)
    case 'number':
      return (1 + (number % 1_000_000)) / 100
    case 'boolean':
      return number % 2 === 1
    case 'object':
      return {}
    case 'array':
      return []
    case 'null':
      return null
  }
}
