/** The facts of one published schema: its fields, bounds, values and defaults, at any depth. */
import { OWN_PATTERNS, type JsonObject } from '../components.ts'
import type { OpenApiDocument } from '../documentParts.ts'
import { BOUNDS } from '../../schemas/limits.ts'
import type { Shown } from '../../schemas/documentedList.ts'
import { labelIn, type Findings, type Label } from './findings.ts'

interface Visit {
  readonly place: string
  /** Where the document has the schema; `place` begins at a record instead, if it is a part of one. */
  readonly at?: string
  readonly shown: Shown | null
  /** The label of a part that contains the schema. */
  readonly label?: Label | null
  /** Only requests must have the documented bounds, and only those that create something the defaults. */
  readonly direction: 'create' | 'update' | 'answered'
}

interface Where {
  readonly place: string
  readonly at: string
}

type Scalar = string | number | boolean

/** A schema and the label that covers it. */
interface View {
  readonly words: JsonObject
  readonly label: Label | null
}

export const UNLIMITED = 'The specification gives no such limit.'
const NO_DEFAULT = 'The specification gives no default.'

export class SchemaWalk {
  readonly #document: OpenApiDocument
  readonly #findings: Findings

  constructor(document: OpenApiDocument, findings: Findings) {
    this.#document = document
    this.#findings = findings
  }

  /** Returns the object that a reference names, with the words next to the reference. */
  resolve(words: JsonObject): JsonObject {
    const { $ref, ...rest } = words
    if (typeof $ref !== 'string') return words
    const [, , group = '', name = ''] = $ref.split('/')
    const components = this.#document.components as unknown as Record<string, Record<string, JsonObject>>
    return this.resolve({ ...components[group]?.[name], ...rest })
  }

  /** Returns the label of a schema itself. */
  labelOf(place: string, schema: JsonObject): Label | null {
    return labelIn(place, this.resolve(schema))
  }

  visit(schema: JsonObject, { place: given, at = given, shown, label = null, direction }: Visit): void {
    const place = shown?.record ?? given
    const where = { place, at }
    const views = [...this.#views(schema, place, label)]
    this.#bounds(views, where, shown, direction)
    this.#values(views, where, shown)
    this.#defaults(views, where, shown, direction)
    this.#fields(views, where, shown, direction)
    for (const { words, label: own } of views) {
      const visitNested = (nested: unknown, mark: string): void => {
        if (typeof nested !== 'object' || nested === null) return
        const below = {
          place: `${place}${mark}`,
          at: `${at}${mark}`,
          shown: shown?.items ?? null,
          label: own,
          direction,
        }
        this.visit(nested as JsonObject, below)
      }
      visitNested(words['items'], '[]')
      for (const item of (words['prefixItems'] ?? []) as unknown[]) visitNested(item, '[]')
      visitNested(words['additionalProperties'], '.*')
    }
  }

  /** Yields the schema and its alternatives. */
  *#views(schema: JsonObject, place: string, outer: Label | null): Generator<View> {
    const words = this.resolve(schema)
    const label = outer ?? this.labelOf(place, words)
    yield { words, label }
    for (const word of ['anyOf', 'oneOf', 'allOf']) {
      for (const each of (words[word] ?? []) as JsonObject[]) yield* this.#views(each, place, label)
    }
  }

  #bounds(
    views: readonly View[],
    { place, at }: Where,
    shown: Shown | null,
    direction: Visit['direction'],
  ): void {
    const published = new Set<string>()
    for (const { words, label } of views) {
      for (const word of BOUNDS) {
        const value = words[word] as Scalar | undefined
        if (value === undefined || (word === 'pattern' && OWN_PATTERNS.has(String(value)))) continue
        const detail = `${word} ${String(value)}`
        const documented = (words['x-documented-limits'] ?? []) as readonly string[]
        const isAssumed = words['x-limits'] === 'assumed' && !documented.includes(word)
        published.add(detail)
        this.#findings.add({
          kind: 'bound',
          place,
          at,
          detail,
          isDocumented: shown?.bounds.includes(detail) === true,
          label: label ?? (isAssumed ? { place, why: UNLIMITED } : null),
        })
      }
    }
    if (direction === 'answered') return
    for (const bound of shown?.bounds ?? []) {
      if (!published.has(bound)) this.#findings.missing('bound', place, bound)
    }
    const isPublished = (word: string, value?: string): boolean =>
      views.some(
        ({ words }) => word in words && (value === undefined || [words[word]].flat().includes(value)),
      )
    for (const rule of shown?.rules ?? []) {
      const [word] = rule.split(' ')
      const isMissing =
        (word === 'integer' && !isPublished('type', 'integer')) ||
        (word === 'format' && !isPublished('format') && !isPublished('pattern'))
      if (isMissing) this.#findings.missing('bound', place, rule)
    }
  }

  #values(views: readonly View[], { place, at }: Where, shown: Shown | null): void {
    const published = new Set<string>()
    for (const { words, label } of views) {
      const assumed = (words['x-assumed-values'] ?? []) as readonly Scalar[]
      const values = ((words['enum'] ?? []) as readonly (Scalar | null)[]).filter((value) => value !== null)
      for (const value of assumed) {
        if (!values.includes(value))
          this.#findings.fail(`value ${place} ${String(value)} is labelled but not published`)
      }
      for (const value of values) {
        const detail = String(value)
        published.add(detail)
        const own = { place, why: String(words['x-assumed-values-why']) }
        this.#findings.add({
          kind: 'value',
          place,
          at,
          detail,
          isDocumented: shown?.values.includes(detail) === true,
          label: label ?? (assumed.includes(value) ? own : null),
        })
      }
    }
    for (const value of shown?.values ?? []) {
      if (!published.has(value)) this.#findings.missing('value', place, value)
    }
  }

  #defaults(
    views: readonly View[],
    { place, at }: Where,
    shown: Shown | null,
    direction: Visit['direction'],
  ): void {
    const initial = shown?.initial
    let isPublished = false
    for (const { words, label } of views) {
      const value = words['default'] ?? words['x-default']
      if (value === undefined) continue
      const detail = typeof value === 'string' ? value : JSON.stringify(value)
      isPublished ||= detail === initial
      this.#findings.add({
        kind: 'default',
        place,
        at,
        detail,
        isDocumented: detail === initial,
        label: label ?? (words['x-assumed-default'] === true ? { place, why: NO_DEFAULT } : null),
      })
    }
    // A default in several words is in the description in other words.
    if (initial === undefined || initial.includes(' ') || isPublished || direction !== 'create') return
    this.#findings.missing('default', place, initial)
  }

  #fields(
    views: readonly View[],
    { place, at }: Where,
    shown: Shown | null,
    direction: Visit['direction'],
  ): void {
    const published = new Set<string>()
    for (const { words, label: outer } of views) {
      for (const [name, property] of Object.entries(
        (words['properties'] ?? {}) as Record<string, JsonObject>,
      )) {
        published.add(name)
        const field = `${place}.${name}`
        const isDocumented = shown?.fields.has(name) === true
        const label = outer ?? this.labelOf(field, property)
        this.#findings.add({ kind: 'field', place: field, at: `${at}.${name}`, isDocumented, label })
        this.visit(property, {
          place: field,
          at: `${at}.${name}`,
          shown: shown?.fields.get(name) ?? null,
          label,
          direction,
        })
      }
    }
    const required = views.flatMap(({ words }) => (words['required'] ?? []) as readonly string[])
    for (const [name, field] of shown?.fields ?? []) {
      if (!published.has(name)) this.#findings.missing('field', `${place}.${name}`)
      if (direction === 'create' && field?.rules.includes('required') && !required.includes(name))
        this.#findings.missing('bound', `${place}.${name}`, 'required')
    }
  }
}
