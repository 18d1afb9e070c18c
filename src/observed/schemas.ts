/** Places in schemas: finds and changes them without touching the schemas that other servers of the process use. */
import { OptionalKind, type TSchema } from '@sinclair/typebox'
import { named, Nullable, originalOf } from '../http/schemas/schemas.ts'
import { MAX_PATH_NAMES } from './format.ts'

export type Words = Readonly<Record<string, unknown>>

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const

const isSchema = (value: unknown): value is Words =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const propertiesOf = (schema: Words): Readonly<Record<string, Words>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, Words>>

const alternativesOf = (schema: Words): Words[] =>
  ALTERNATIVES.flatMap((word) => (schema[word] ?? []) as readonly Words[])

/** The words whose schema is that of each item of a list, or of each value of a map. */
function eachOf(schema: Words): readonly [word: string, each: Words][] {
  const { items, additionalProperties, patternProperties = {} } = schema
  return [
    ...(isSchema(items) ? [['items', items] as [string, Words]] : []),
    ...(isSchema(additionalProperties)
      ? [['additionalProperties', additionalProperties] as [string, Words]]
      : []),
    ...Object.values(patternProperties as Readonly<Record<string, Words>>).map((each): [string, Words] => [
      'patternProperties',
      each,
    ]),
  ]
}

/** Returns the schemas at a path; several if a part has alternatives, none if the path does not exist. */
export function schemasAt(schema: Words, names: readonly string[]): Words[] {
  const among = alternativesOf(schema).flatMap((each) => schemasAt(each, names))
  const [name, ...rest] = names
  if (name === undefined) return [schema]
  const own = propertiesOf(schema)
  const next =
    name === '*' ? eachOf(schema).map(([, each]) => each) : Object.hasOwn(own, name) ? [own[name] ?? {}] : []
  return [...next.flatMap((each) => schemasAt(each, rest)), ...among]
}

/** Returns the schema at a path, or its alternatives as one schema. */
export function schemaAt(schema: Words, names: readonly string[]): Words | undefined {
  const [first, ...others] = schemasAt(schema, names)
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

/** Returns a copy of the schema in which `edit` has replaced the schemas at a path. */
export function editAt(schema: Words, names: readonly string[], edit: (found: Words) => Words): Words {
  const [name, ...rest] = names
  if (name === undefined) return edit(schema)
  let changed = schema
  for (const word of ALTERNATIVES) {
    const several = changed[word] as readonly Words[] | undefined
    if (several) changed = { ...changed, [word]: several.map((each) => editAt(each, names, edit)) }
  }
  if (name !== '*') {
    const own = propertiesOf(schema)
    if (!Object.hasOwn(own, name)) return changed
    return { ...changed, properties: { ...own, [name]: editAt(own[name] ?? {}, rest, edit) } }
  }
  for (const [word, each] of eachOf(schema)) {
    const edited = editAt(each, rest, edit)
    changed = {
      ...changed,
      [word]:
        word === 'patternProperties'
          ? Object.fromEntries(Object.keys(changed[word] as object).map((pattern) => [pattern, edited]))
          : edited,
    }
  }
  return changed
}

/** The schemas of one interface that were changed everywhere, so that each keeps its name in the documents. */
export type Edited = Map<object, Words>

/**
 * Returns a copy in which `edit` has replaced all schemas for which it returns another one, at any depth. It gets the
 * schema with changed parts, and the original, which knows its name. The copy of a named schema has its name, unless
 * `sent` has it: a body of a request keeps the original.
 */
export function editEverywhere(
  schema: Words,
  edit: (found: Words, original: Words) => Words,
  edited: Edited,
  sent: ReadonlySet<string>,
): Words {
  const known = edited.get(schema)
  if (known) return known
  const visit = (each: Words): Words => editEverywhere(each, edit, edited, sent)
  const of = originalOf(schema)
  if (of && of.original !== schema) {
    const changed = copyOf(schema, of.original as Words, visit(of.original as Words), of.annotations)
    edited.set(schema, changed)
    return changed
  }
  let changed = schema
  for (const word of ALTERNATIVES) {
    const several = schema[word] as readonly Words[] | undefined
    if (several) changed = replaced(changed, word, several.map(visit), several)
  }
  for (const [word, each] of eachOf(schema)) {
    if (word === 'patternProperties') continue
    const next = visit(each)
    if (next !== each) changed = { ...changed, [word]: next }
  }
  for (const word of ['properties', 'patternProperties']) {
    const members = schema[word] as Readonly<Record<string, Words>> | undefined
    if (!members) continue
    const next = Object.fromEntries(Object.entries(members).map(([name, each]) => [name, visit(each)]))
    if (Object.entries(next).some(([name, each]) => each !== members[name]))
      changed = { ...changed, [word]: next }
  }
  changed = edit(changed, schema)
  if (of && changed !== schema && !sent.has(of.name)) named(of.name, changed as TSchema)
  edited.set(schema, changed)
  return changed
}

/** Returns the copy of a changed schema: TypeBox copies a schema to make it optional, and fields annotate it. */
function copyOf(copy: Words, original: Words, changed: Words, annotations: Words): Words {
  if (changed === original) return copy
  const isOptional = Object.getOwnPropertySymbols(copy).includes(OptionalKind)
  return { ...changed, ...annotations, ...(isOptional && { [OptionalKind]: 'Optional' }) }
}

const replaced = (schema: Words, word: string, next: readonly Words[], before: readonly Words[]): Words =>
  next.some((each, index) => each !== before[index]) ? { ...schema, [word]: next } : schema

/** Returns the paths of the schemas that fit, at most to the depth of a path. */
export function placesIn(schema: Words, fits: (found: Words) => boolean): string[][] {
  const places = new Map<string, string[]>()
  const visit = (found: Words, names: readonly string[]): void => {
    if (fits(found)) places.set(names.join('\0'), [...names])
    for (const each of alternativesOf(found)) visit(each, names)
    if (names.length >= MAX_PATH_NAMES) return
    for (const [, each] of eachOf(found)) visit(each, [...names, '*'])
    for (const [name, each] of Object.entries(propertiesOf(found))) visit(each, [...names, name])
  }
  visit(schema, [])
  return [...places.values()]
}

/** Returns the names of the schemas at any depth. */
export function namesIn(schema: Words, found = new Set<string>()): Set<string> {
  const original = originalOf(schema)
  if (original) found.add(original.name)
  for (const each of [
    ...alternativesOf(schema),
    ...eachOf(schema).map(([, item]) => item),
    ...Object.values(propertiesOf(schema)),
  ])
    namesIn(each, found)
  return found
}

// ---------------------------------------------------------------- Changes

/** Adds an optional field to an object. */
export function withField(parent: Words, name: string, field: Words): Words {
  if (!('properties' in parent)) return parent
  return {
    ...parent,
    properties: { ...propertiesOf(parent), [name]: { ...field, [OptionalKind]: 'Optional' } },
  }
}

/** Makes a field of an object optional, and labels it. */
export function withOptional(parent: Words, name: string, label: Words): Words {
  const own = propertiesOf(parent)
  if (!Object.hasOwn(own, name)) return parent
  const { required, ...rest } = parent as { required?: readonly string[] }
  const left = required?.filter((each) => each !== name) ?? []
  return {
    ...rest,
    properties: { ...own, [name]: { ...own[name], ...label, [OptionalKind]: 'Optional' } },
    ...(left.length > 0 && { required: left }),
  }
}

/** Allows null. */
export const orNull = (schema: Words, label: Words): Words => {
  const types = [schema['type']].flat()
  if (types.includes('null')) return { ...schema, ...label }
  return { ...(Nullable(schema as unknown as TSchema) as Words), ...label }
}

const EMPTY: Readonly<Record<string, Words>> = {
  string: { type: 'string', maxLength: 0 },
  array: { type: 'array', items: {}, maxItems: 0 },
  object: { type: 'object', maxProperties: 0 },
}

/** Returns the type whose empty value a place can have; undefined if it has none. */
export function emptyTypeOf(schemas: readonly Words[]): 'string' | 'array' | 'object' | undefined {
  const types = schemas.flatMap((schema) => [
    ...[schema['type']].flat(),
    ...alternativesOf(schema).flatMap((each) => [each['type']].flat()),
  ])
  return (['string', 'array', 'object'] as const).find((type) => types.includes(type))
}

/** Allows the empty value of a type. */
export const orEmpty = (schema: Words, type: string, label: Words): Words => ({
  anyOf: [schema, EMPTY[type] ?? {}],
  ...label,
})

/** Returns the schema of a JSON value. */
export const schemaOf = (value: unknown): Words => ({ const: value })
