/**
 * The documented facts of one interface as a list in the terms of the specification
 * (src/http/openapi/fidelity/documented/<interface>.json), and its notation.
 */
import { BOUNDS } from './limits.ts'

/**
 * What the specification shows of a value:
 *
 * - `null`: nothing.
 * - `"maxLength 200; one of a, b; default a"`: bounds by their JSON Schema keyword, values, the default. `""`: that it exists.
 * - `"required; integer; format uri"`: what a request must satisfy. `"required with id"` says when. `"refuses unknown"`: that
 *   it lists a refusal with this code; of a whole body also for its fields, and `"refuses CFDI*"` for all such codes.
 * - `"Product"` or `"Product(name, type)"`: a record, or these of its fields.
 * - `[item]` or `["maxItems 10", item]`: a list, and its own bounds.
 * - `{ "name": …, "...": "Product", "*": … }`: an object; with the fields of a record too; each value of a map. Its own
 *   rules are under the empty name: `{ "": "minProperties 1" }`.
 */
export type Spec = null | string | readonly Spec[] | { readonly [name: string]: Spec }

export interface DocumentedOperation {
  /** Its query parameters: an object. */
  readonly query?: Spec
  /** null or missing if the specification does not show it. */
  readonly body?: Spec
  /** The body of the success response; null or missing if the specification does not show it. */
  readonly response?: Spec
  /** Statuses in addition to those of the interface and of operations.tsv. */
  readonly statuses?: readonly number[]
}

export interface DocumentedList {
  readonly records: Readonly<Record<string, Spec>>
  /** By method and path as in operations.tsv: "GET /products". Scope and success status are in operations.tsv. */
  readonly operations: Readonly<Record<string, DocumentedOperation>>
  /** The statuses of errors that the specification lists for the interface. */
  readonly statuses: readonly number[]
  readonly error: Spec
  /** The body of a delivery, without its data. */
  readonly delivery: Spec
  /** The event data by name. */
  readonly events: Readonly<Record<string, Spec>>
  /** Sentences that leave something open, and the facts that each covers (`covers` in facts.ts). */
  readonly notShown: readonly { readonly sentence: string; readonly covers: readonly string[] }[]
}

/** A row of operations.tsv. */
export interface OperationRow {
  readonly interface: string
  readonly method: string
  readonly path: string
  readonly scopes: readonly string[]
  readonly status: number
  readonly statusIsAssumed: boolean
}

/** A parsed `Spec`. */
export interface Shown {
  /** The record of which it is, whose name begins the places of its fields. */
  readonly record?: string
  readonly fields: ReadonlyMap<string, Shown | null>
  /** The items of a list, or the values of a map. */
  readonly items: Shown | null
  readonly values: readonly string[]
  /** "maxLength 200" */
  readonly bounds: readonly string[]
  /** "required", "integer", "format uri", "refuses unknown" */
  readonly rules: readonly string[]
  readonly initial?: string
}

const NOTHING: Shown = { fields: new Map(), items: null, values: [], bounds: [], rules: [] }

/** The rules that only requests must satisfy, by their first word. */
const RULES: ReadonlySet<string> = new Set(['required', 'integer', 'format', 'refuses'])

/** Returns an object with these fields. */
export const shownObject = (fields: ReadonlyMap<string, Shown | null>): Shown => ({ ...NOTHING, fields })

/** Returns what the specification shows of a part of a value: "items.0.price"; "" is the value itself. */
export function shownAt(shown: Shown | null, path: string): Shown | null {
  let part = shown
  for (const name of path === '' ? [] : path.split('.')) {
    part = part?.fields.get(name) ?? (part?.fields.size === 0 ? part.items : null)
  }
  return part
}

type Records = DocumentedList['records']

/** Parses a `Spec`. Throws on a word that it does not know. */
export function parseSpec(spec: Spec | undefined, records: Records, depth = 0): Shown | null {
  if (depth > 20) throw new Error('A record of the list contains itself.')
  if (spec === null || spec === undefined) return null
  if (typeof spec === 'string') return parseText(spec, records, depth)
  if (isList(spec)) {
    const [rules, item] = spec.length === 2 ? spec : ['', spec[0]]
    return { ...(parseSpec(rules, records) ?? NOTHING), items: parseSpec(item, records, depth + 1) }
  }
  const fields = new Map<string, Shown | null>()
  let items: Shown | null = null
  let own: Shown | null = null
  for (const [name, each] of Object.entries(spec)) {
    const shown = parseSpec(each, records, depth + 1)
    if (name === '...') for (const [inner, field] of shown?.fields ?? []) fields.set(inner, field)
    else if (name === '*') items = shown
    else if (name === '') own = shown
    else fields.set(name, shown)
  }
  return { ...(own ?? NOTHING), fields, items }
}

const isList = (spec: Spec): spec is readonly Spec[] => Array.isArray(spec)

const REFERENCE = /^(\w+)(?:\(([^)]*)\))?$/

function parseText(text: string, records: Records, depth: number): Shown {
  const [, name = '', picked] = REFERENCE.exec(text) ?? []
  if (Object.hasOwn(records, name)) return parseReference(name, picked, records, depth)
  let shown: Shown = NOTHING
  for (const rule of text.split(';').map((each) => each.trim())) {
    const [word = '', ...rest] = rule.split(' ')
    if (rule === '') continue
    else if (rule.startsWith('one of ')) shown = { ...shown, values: words(rule.slice('one of '.length)) }
    else if (word === 'default') shown = { ...shown, initial: rest.join(' ') }
    else if ((BOUNDS as readonly string[]).includes(word))
      shown = { ...shown, bounds: [...shown.bounds, rule] }
    else if (RULES.has(word)) shown = { ...shown, rules: [...shown.rules, rule] }
    else throw new Error(`The list has an unknown rule: ${rule}`)
  }
  return shown
}

function parseReference(name: string, picked: string | undefined, records: Records, depth: number): Shown {
  const record = parseSpec(records[name], records, depth + 1)
  const all = { ...(record ?? NOTHING), record: name }
  if (picked === undefined) return all
  const fields = words(picked).map((field): [string, Shown | null] => {
    if (!all.fields.has(field)) throw new Error(`The record ${name} has no field ${field}.`)
    return [field, all.fields.get(field) ?? null]
  })
  return { ...all, fields: new Map(fields) }
}

const words = (text: string): string[] => text.split(',').map((each) => each.trim())
