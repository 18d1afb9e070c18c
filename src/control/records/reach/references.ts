/** The references of ways: "{link.data.id}", see `state/model/ways.ts`. */
import { addDuration, iso, offsetInstantOf } from '@suite-sim/kit/time/instants'
import type { SentFields, SentValue } from '../../../state/model/ways.ts'

export interface Reference {
  /** The name of the answer. */
  readonly name: string
  readonly path: readonly string[]
  /** A duration that is added to the time. */
  readonly plus?: string | undefined
  /** The parameter of the address. */
  readonly parameter?: string | undefined
}

const REFERENCE = /\{(\w+)\.([\w.]+)(?:\+(\w+)|\?(\w+))?\}/g

/** After a brace that begins no reference. Requests can't contain it. */
const LITERAL = '\0'

/** Returns texts of a caller, in which braces are braces. */
export const literally = (fields: SentFields): SentFields =>
  mapTexts(fields, (text) => text.replaceAll('{', `{${LITERAL}`)) as SentFields

/** Returns a text in parts: what is between references, and the references. */
export function partsOf(text: string): (string | Reference)[] {
  const parts: (string | Reference)[] = []
  let end = 0
  const addText = (to: number): void => {
    if (to > end) parts.push(text.slice(end, to).replaceAll(LITERAL, ''))
  }
  for (const match of text.matchAll(REFERENCE)) {
    const [all, name = '', path = '', plus, parameter] = match
    addText(match.index)
    parts.push({ name, path: path.split('.'), plus, parameter })
    end = match.index + all.length
  }
  addText(text.length)
  return parts
}

const textOf = ({ name, path, plus, parameter }: Reference): string =>
  `{${[name, ...path].join('.')}${plus === undefined ? '' : `+${plus}`}${parameter === undefined ? '' : `?${parameter}`}}`

/** Returns a copy of the value with its texts changed. */
export function mapTexts(value: SentValue, change: (text: string) => SentValue): SentValue {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: SentValue) => mapTexts(each, change))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]))
}

/** Returns a text with other references. */
export const withReferences = (text: string, change: (reference: Reference) => Reference): string =>
  text.replaceAll(REFERENCE, (_all, name: string, path: string, plus?: string, parameter?: string) =>
    textOf(change({ name, path: path.split('.'), plus, parameter })),
  )

/** Returns all references in texts. */
export function referencesIn(value: SentValue): Reference[] {
  const found: Reference[] = []
  mapTexts(value, (text) => {
    found.push(...partsOf(text).filter((part) => typeof part !== 'string'))
    return text
  })
  return found
}

export type Answers = ReadonlyMap<string, unknown>

/** Returns the value with the answers in place of the references. */
export const resolved = (value: SentValue, answers: Answers): SentValue =>
  mapTexts(value, (text) => {
    const [first = '', ...others] = partsOf(text)
    return typeof first !== 'string' && others.length === 0
      ? (valueOf(first, answers) as SentValue)
      : resolvedText(text, answers)
  })

export const resolvedText = (text: string, answers: Answers): string =>
  partsOf(text)
    .map((part) => (typeof part === 'string' ? part : plain(valueOf(part, answers))))
    .join('')

export function valueOf({ name, path, plus, parameter }: Reference, answers: Answers): unknown {
  let value = answers.get(name)
  for (const key of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[key]
  if (plus !== undefined) return iso(addDuration(offsetInstantOf(plain(value)), plus) ?? 0)
  return parameter === undefined ? value : new URL(plain(value)).searchParams.get(parameter)
}

/** Returns a text as it is, and another value as JSON. */
export const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
