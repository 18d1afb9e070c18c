/** Checks entries against what the simulator serves: its operations, schemas, lists, events and readings. */
import type { LoadedInterface, MountedRoute, Published } from '../http/definition/definition.ts'
import { statusesOf } from '../http/definition/dialect.ts'
import type { Paged } from '../http/definition/paging.ts'
import { originalOf } from '../http/schemas/schemas.ts'
import { reasonsOf } from '../http/openapi/reasons.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import type { Reading } from '../state/model/reading.ts'
import type { Entry, EntryOf } from './format.ts'
import { namesIn } from './parse.ts'
import { emptyTypeOf, placesIn, schemasAt, type Words } from './schemas.ts'

/** What the simulator serves. */
export interface Catalog {
  readonly interfaces: ReadonlyMap<string, Published>
  readonly readings: readonly Reading[]
}

/** Returns what keeps an entry from being followed: "operation must be ...". Null if it can be. */
export function problemOf(entry: Entry, catalog: Catalog): string | null {
  const published = catalog.interfaces.get(entry.interface)
  if (!published) return `interface must be one of ${[...catalog.interfaces.keys()].join(', ')}`
  const unknown = unknownOperation(entry, published)
  if (unknown !== null) return unknown
  switch (entry.kind) {
    case 'refusal':
      return refusalProblem(entry, published)
    case 'field':
    case 'nullability':
      return placeProblem(entry, published)
    case 'precision':
      return precisionProblem(entry, published)
    case 'order':
      return orderProblem(entry, published)
    case 'page':
      return pageProblem(entry, published)
    case 'eventField':
      return eventProblem(entry, published)
    case 'reading':
      return readingProblem(entry, catalog)
    case 'rateLimit':
      return routesOf(entry, published).some(({ operation }) => !operation.open)
        ? null
        : 'operation must be one that needs a key, because the calls of a key are counted'
    case 'header':
      return null
  }
}

/** Returns the operations that an entry names; all of the interface if it names none. */
export function routesOf(entry: Entry, { routes }: Pick<Published, 'routes'>): readonly MountedRoute[] {
  const names = namedOperations(entry)
  return names.length === 0 ? routes : routes.filter(({ operation }) => names.includes(operation.id))
}

function namedOperations(entry: Entry): readonly string[] {
  const { operation, operations } = entry as { operation?: string; operations?: readonly string[] }
  return operation === undefined ? (operations ?? []) : [operation]
}

function unknownOperation(entry: Entry, { definition, routes }: Published): string | null {
  const known = routes.map(({ operation }) => operation.id)
  const wrong = namedOperations(entry).find((name) => !known.includes(name))
  if (wrong === undefined) return null
  const field = 'operations' in entry ? 'operations' : 'operation'
  return `${field} must be operations of ${definition.name}, not ${wrong}${suggestion(wrong, known)}`
}

/** The most names that a message lists. */
const MAX_LISTED = 12

function suggestion(written: string, known: readonly string[]): string {
  const nearest = nearestName(written, known)
  if (nearest !== null) return `; did you mean ${nearest}?`
  const listed = known.slice(0, MAX_LISTED).join(', ')
  return known.length === 0 ? '' : `; known: ${listed}${known.length > MAX_LISTED ? ', ...' : ''}`
}

// ---------------------------------------------------------------- Refusals

/** Returns the statuses of the refusals of an operation. */
export const refusedStatuses = (route: MountedRoute, { dialect }: LoadedInterface): number[] => [
  ...new Set(reasonsOf(route, dialect).flatMap((reason) => statusesOf(dialect.refusals[reason]))),
]

function refusalProblem(entry: EntryOf<'refusal'>, published: Published): string | null {
  const routes = routesOf(entry, published)
  const statuses = [...new Set(routes.flatMap((route) => refusedStatuses(route, published.definition)))]
  if (statuses.includes(entry.when.status)) return null
  const known = statuses.sort((a, b) => a - b).join(', ')
  return `when.status must be the status of a refusal of ${entry.operation ?? published.definition.name}: ${known}`
}

// ---------------------------------------------------------------- Places

/** Returns the JSON answers of an operation by status. */
export const answersOf = ({ operation }: MountedRoute): [status: string, schema: Words][] =>
  Object.entries(operation.answers).flatMap(([status, schema]): [string, Words][] =>
    schema && (!('contentMediaType' in schema) || schema['type'] === 'object')
      ? [[status, schema as unknown as Words]]
      : [],
  )

/** Returns the data of the events of an interface by name. */
export const payloadsOf = ({ definition }: Published): [event: string, schema: Words][] =>
  (definition.events ?? []).map(({ name, payload }) => [name, payload as unknown as Words])

export const isNamed =
  (component: string) =>
  (schema: Words): boolean =>
    originalOf(schema)?.name === component

/** What has places: the answers of an operation, the data of an event, or a component. */
interface Subject {
  readonly words: string
  readonly schemas: readonly Words[]
}

function subjectsOf(
  entry: EntryOf<'field'> | EntryOf<'nullability'>,
  published: Published,
): Subject[] | string {
  if (entry.operations !== undefined) return operationSubjects(entry, published)
  const component = entry.component ?? ''
  const components = componentsOf(published)
  const found = components.get(component)
  if (found) return [{ words: component, schemas: [found] }]
  const known = [...components.keys()]
  return `component must be a schema of the answers of ${published.definition.name}, not ${component}${suggestion(component, known)}`
}

const operationSubjects = (entry: Entry, published: Published): Subject[] =>
  routesOf(entry, published).map((route) => ({
    words: `the answer of ${route.operation.id}`,
    schemas: answersOf(route).map(([, schema]) => schema),
  }))

const componentsByInterface = new WeakMap<Published, Map<string, Words>>()

/** Returns the named schemas in the answers and events of an interface. */
function componentsOf(published: Published): Map<string, Words> {
  let found = componentsByInterface.get(published)
  if (found) return found
  componentsByInterface.set(published, (found = new Map<string, Words>()))
  for (const [, schema] of [...published.routes.flatMap(answersOf), ...payloadsOf(published)]) {
    for (const [name, named] of componentsIn(schema)) found.set(name, named)
  }
  return found
}

function componentsIn(schema: Words): [name: string, schema: Words][] {
  const named: [string, Words][] = []
  placesIn(schema, (found) => {
    const of = originalOf(found)
    if (of) named.push([of.name, of.original as Words])
    return false
  })
  return named
}

function placeProblem(entry: EntryOf<'field'> | EntryOf<'nullability'>, published: Published): string | null {
  const subjects = subjectsOf(entry, published)
  if (typeof subjects === 'string') return subjects
  const names = namesIn(entry.path)
  for (const subject of subjects) {
    const problem =
      entry.kind === 'field'
        ? fieldProblem(entry.source, names, subject)
        : nothingProblem(entry, names, subject)
    if (problem !== null) return problem
  }
  return null
}

function fieldProblem(
  source: EntryOf<'field'>['source'],
  names: readonly string[],
  subject: Subject,
): string | null {
  const name = names.at(-1) ?? ''
  if (name === '*') return 'path must end with the name of the field'
  const parents = subject.schemas.flatMap((schema) => schemasAt(schema, names.slice(0, -1)))
  if (parents.length === 0) return missing('path', names.slice(0, -1), subject)
  const objects = parents.filter((parent) => 'properties' in parent)
  if (objects.length === 0) return `path must lead into an object with fields of ${subject.words}`
  const isAlways = objects.every(({ properties, required = [] }) => {
    const own = (properties as Readonly<Record<string, Words>>)[name]
    return own !== undefined && (required as readonly string[]).includes(name) && !isNullable(own)
  })
  if (isAlways) return `path must name an extra field: ${subject.words} always has ${name}`
  return 'copy' in source ? copyProblem(namesIn(source.copy), names, subject) : null
}

const isNullable = (schema: Words): boolean =>
  [schema['type']].flat().includes('null') || ((schema['anyOf'] ?? []) as readonly Words[]).some(isNullable)

function copyProblem(copied: readonly string[], names: readonly string[], subject: Subject): string | null {
  const lastStar = copied.lastIndexOf('*')
  const isBound = copied.slice(0, lastStar + 1).every((name, index) => name === names[index])
  if (!isBound) return 'source.copy must begin like path up to its last *, so that it names one value'
  const found = subject.schemas.flatMap((schema) => schemasAt(schema, copied))
  if (found.length === 0) return missing('source.copy', copied, subject)
  return found.flatMap(withAlternatives).some(isScalar)
    ? null
    : 'source.copy must name a text, a number or a boolean, because objects and lists are not copied'
}

/** True for a schema whose values can be a text, a number or a boolean; one without a type can have any value. */
function isScalar(schema: Words): boolean {
  const types = [schema['type']].flat()
  const isOpen =
    !('type' in schema) && !('anyOf' in schema) && !('properties' in schema) && !('items' in schema)
  return isOpen || types.some((type) => SCALARS.has(type))
}

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

function nothingProblem(
  { is }: EntryOf<'nullability'>,
  names: readonly string[],
  subject: Subject,
): string | null {
  const found = subject.schemas.flatMap((schema) => schemasAt(schema, names))
  if (found.length === 0) return missing('path', names, subject)
  return is !== 'empty' || emptyTypeOf(found) !== undefined
    ? null
    : `is must be null or absent, because no value of ${names.at(-1) ?? ''} is empty`
}

/** Says where a path ends. */
function missing(field: string, names: readonly string[], { words, schemas }: Subject): string {
  const at = names.findIndex(
    (_name, index) => !schemas.some((schema) => schemasAt(schema, names.slice(0, index + 1)).length > 0),
  )
  const before = names.slice(0, at)
  const name = names[at] ?? ''
  const known = schemas
    .flatMap((schema) => schemasAt(schema, before))
    .flatMap((schema) => Object.keys(schema['properties'] ?? {}))
  const where = before.length === 0 ? words : `/${before.join('/')} of ${words}`
  return `${field} must name a place that exists: ${where} has no ${name === '*' ? 'items' : name}${suggestion(name, [...new Set(known)])}`
}

export const isTime = (schema: Words): boolean => schema['format'] === 'date-time'

const isNumber = (schema: Words): boolean =>
  [schema['type']].flat().some((type) => type === 'number' || type === 'integer' || type === 'string')

function precisionProblem(entry: EntryOf<'precision'>, published: Published): string | null {
  const { path } = entry
  if (path === undefined) return null
  const fits = entry.decimals === undefined ? isTime : isNumber
  const names = namesIn(path)
  const subjects = operationSubjects(entry, published)
  const has = ({ schemas }: Subject): boolean =>
    schemas.some((schema) => schemasAt(schema, names).some((each) => withAlternatives(each).some(fits)))
  // Without operations, all that have the place follow it.
  const wrong = entry.operations === undefined ? !subjects.some(has) : subjects.find((each) => !has(each))
  if (wrong === false || wrong === undefined) return null
  const what = entry.decimals === undefined ? 'times' : 'numbers'
  return wrong === true
    ? `path must name ${what} in an answer of ${published.definition.name}`
    : `path must name ${what} in ${wrong.words}`
}

const withAlternatives = (schema: Words): Words[] => [
  schema,
  ...((schema['anyOf'] ?? []) as readonly Words[]).flatMap(withAlternatives),
]

// ---------------------------------------------------------------- Lists

/** Returns the paging of a list with its parameters; null if the operation is no list with pages. */
export function pagingOf({ operation }: MountedRoute, { dialect }: LoadedInterface): Paged | null {
  const paging = operation.paging ?? dialect.paging
  return !paging || paging.kind === 'unpaged' || paging.kind === 'fixed' ? null : paging
}

export const parametersOf = ({ schema }: MountedRoute): Readonly<Record<string, Words>> =>
  ((schema.querystring ?? {}) as { properties?: Readonly<Record<string, Words>> }).properties ?? {}

/** The parameters that express a default order, and their values; null if the list cannot be sorted so. */
export function orderIn(
  route: MountedRoute,
  definition: LoadedInterface,
  { sort: [first] }: EntryOf<'order'>,
): Readonly<Record<string, string>> | null {
  const paging = pagingOf(route, definition)
  if (!paging || !first) return null
  const parameters = parametersOf(route)
  const valuesOf = (name: string): readonly unknown[] =>
    (parameters[name]?.['enum'] ?? []) as readonly unknown[]
  const signed = `${first.direction === 'desc' ? '-' : ''}${first.field}`
  if (valuesOf(paging.order).includes(first.direction)) {
    return valuesOf(paging.sort).includes(first.field)
      ? { [paging.sort]: first.field, [paging.order]: first.direction }
      : null
  }
  return valuesOf(paging.sort).some((value) => String(value).startsWith('-')) &&
    valuesOf(paging.sort).includes(signed)
    ? { [paging.sort]: signed }
    : null
}

/** Returns the direction of a list that callers cannot sort; null if it cannot have the order. */
export const directionIn = (
  { operation: { order } }: MountedRoute,
  { sort: [first] }: EntryOf<'order'>,
): 'asc' | 'desc' | null => (order && first?.field === order.field ? first.direction : null)

function orderProblem(entry: EntryOf<'order'>, published: Published): string | null {
  const [route] = routesOf(entry, published)
  if (!route) return null
  const { definition } = published
  if (entry.sort.length > 1)
    return 'sort must have one field, because the simulator orders equal values by their creation'
  if (orderIn(route, definition, entry) ?? directionIn(route, entry)) return null
  const own = route.operation.order
  if (own) return `sort must be by ${own.field}, because callers of ${entry.operation} cannot sort it`
  const paging = pagingOf(route, definition)
  const sorts = paging ? ((parametersOf(route)[paging.sort]?.['enum'] ?? []) as readonly string[]) : []
  return sorts.length === 0
    ? `operation must be a list whose order can change; ${entry.operation} has one order`
    : `sort must be an order that callers of ${entry.operation} can ask for: ${sorts.join(', ')}`
}

/** Returns the parameter of the page size of a list; null if it has none. */
export function sizeParameter(route: MountedRoute, definition: LoadedInterface): string | null {
  const name = pagingOf(route, definition)?.limit
  return name !== undefined && name in parametersOf(route) ? name : null
}

function pageProblem(entry: EntryOf<'page'>, published: Published): string | null {
  const routes = routesOf(entry, published)
  const sized = routes.filter((route) => sizeParameter(route, published.definition) !== null)
  if (sized.length === 0) {
    return `operation must be a list whose pages have a size; ${entry.operation ?? published.definition.name} has none`
  }
  if (entry.maximum !== undefined || entry.default === undefined) return null
  for (const route of sized) {
    const name = sizeParameter(route, published.definition) ?? ''
    const maximum = Number(parametersOf(route)[name]?.['maximum'] ?? Infinity)
    if (entry.default > maximum)
      return `default must be at most ${String(maximum)}, the maximum of ${route.operation.id}, or the entry must have maximum`
  }
  return null
}

// ---------------------------------------------------------------- Events and readings

function eventProblem(entry: EntryOf<'eventField'>, published: Published): string | null {
  const payloads = payloadsOf(published)
  const payload = payloads.find(([name]) => name === entry.event)?.[1]
  const known = payloads.map(([name]) => name)
  if (!payload)
    return `event must be an event of ${entry.interface}, not ${entry.event}${suggestion(entry.event, known)}`
  const subject = { words: `the data of ${entry.event}`, schemas: [payload] }
  return fieldProblem(entry.source, namesIn(entry.path), subject)
}

function readingProblem({ name, value }: EntryOf<'reading'>, { readings }: Catalog): string | null {
  const found = readings.find((each) => each.name === name)
  if (!found)
    return `name must be a reading, not ${name}${suggestion(
      name,
      readings.map((each) => each.name),
    )}`
  const values = found.alternatives.map((each) => each.value)
  return values.includes(value) ? null : `value must be ${values.join(' or ')}, not ${value}`
}
