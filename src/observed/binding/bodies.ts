/** The bodies of one interface as they were observed: the schemas of answers and event data, and the changes of each. */
import type { TSchema } from '@sinclair/typebox'
import type { MountedRoute, Published } from '../../http/definition/definition.ts'
import type { BodyChange } from './answers.ts'
import { answersOf, isNamed, isTime, routesOf } from '../check.ts'
import { SHAPES, type Entry, type EntryOf, type Source } from '../format.ts'
import { namesIn } from '../parse.ts'
import {
  editAt,
  editEverywhere,
  emptyTypeOf,
  namesIn as schemaNames,
  orEmpty,
  orNull,
  placesIn,
  schemaAt,
  schemaOf,
  schemasAt,
  withField,
  withOptional,
  type Words,
} from '../schemas.ts'
import { addField, fillOf, replaceAt, setNothing, timeIn, withDecimals, type Nothing } from '../values.ts'
import { observedLabel } from '../words.ts'

/** A body that is published: its schema, and its changes in the order of the entries. */
interface Body {
  /** The operation that answers it, and the status. */
  readonly route?: MountedRoute
  readonly status?: number
  /** The event whose data it is. */
  readonly event?: string
  /** Whether it is made from other bodies, so that only its schema changes. */
  readonly isDerived?: boolean
  schema: Words
  readonly changes: BodyChange[]
}

type PlaceEntry = EntryOf<'field'> | EntryOf<'nullability'> | EntryOf<'eventField'>

export class Bodies {
  readonly #published: Published
  readonly #bodies: readonly Body[]
  readonly #errors: Body
  /** The names of the schemas of requests. */
  readonly #sent: ReadonlySet<string>

  constructor(published: Published, entries: readonly Entry[]) {
    const { definition, routes } = published
    this.#published = published
    const sent = routes.flatMap(({ schema }) => (schema.body ? [schema.body as Words] : []))
    this.#sent = new Set(sent.flatMap((schema) => [...schemaNames(schema)]))
    this.#errors = { schema: definition.dialect.errorSchema, changes: [] }
    this.#bodies = [
      ...routes.flatMap((route) =>
        answersOf(route).map(([status, schema]): Body => ({
          route,
          status: Number(status),
          schema,
          changes: [],
        })),
      ),
      ...(definition.events ?? []).flatMap(({ name, payload, otherBody }): Body[] => [
        { event: name, schema: payload, changes: [] },
        ...(otherBody ? [{ event: name, isDerived: true, schema: otherBody, changes: [] }] : []),
      ]),
    ]
    const placed = entries.filter(
      (entry): entry is PlaceEntry =>
        entry.kind === 'field' || entry.kind === 'nullability' || entry.kind === 'eventField',
    )
    // Components first, as long as the schemas still have their names.
    for (const component of new Set(placed.flatMap((entry) => componentOf(entry) ?? []))) {
      this.#everywhere(
        component,
        placed.filter((entry) => componentOf(entry) === component),
      )
    }
    for (const entry of placed) if (componentOf(entry) === undefined) this.#atPlace(entry)
    // Last, so that extra fields have the form of the others.
    for (const entry of entries) if (entry.kind === 'precision') this.#precision(entry)
  }

  /** Returns the schemas of the answers of an operation. */
  answers(route: MountedRoute): Record<number, TSchema | null> {
    const own = this.#bodies.filter((body) => body.route === route)
    return {
      ...route.operation.answers,
      ...Object.fromEntries(own.map(({ status, schema }) => [status, schema])),
    } as Record<number, TSchema | null>
  }

  /** Returns the changes of the answers of an operation by status. */
  changes(route: MountedRoute): Map<number, readonly BodyChange[]> {
    const own = this.#bodies.filter((body) => body.route === route && body.changes.length > 0)
    return new Map(own.map(({ status = 0, changes }) => [status, changes]))
  }

  get errorSchema(): Words {
    return this.#errors.schema
  }

  /** Returns the changes of the bodies of refusals. */
  ofErrors(): readonly BodyChange[] {
    return this.#errors.changes
  }

  /** The changes of the data of events. */
  get events(): Map<string, readonly BodyChange[]> {
    const own = this.#bodies.filter(({ event, changes }) => event !== undefined && changes.length > 0)
    return new Map(own.map(({ event = '', changes }) => [event, changes]))
  }

  /** The schemas of events. */
  get payloads(): Map<string, { payload?: TSchema; otherBody?: TSchema }> {
    const found = new Map<string, { payload?: TSchema; otherBody?: TSchema }>()
    for (const { event, isDerived = false, schema } of this.#bodies) {
      if (event === undefined) continue
      const name = isDerived ? 'otherBody' : 'payload'
      found.set(event, { ...found.get(event), [name]: schema as unknown as TSchema })
    }
    return found
  }

  /** Raises the bounds of the answers of a list for larger pages. */
  raise(route: MountedRoute, size: string, maximum: number): void {
    for (const body of this.#bodies.filter((each) => each.route === route)) {
      for (const place of placesIn(body.schema, () => true)) {
        const bounded = (word: string): boolean =>
          schemasAt(body.schema, place).some((each) => Number(each[word] ?? Infinity) < maximum)
        if (place.at(-1) === size && bounded('maximum'))
          body.schema = editAt(body.schema, place, (found) => ({ ...found, maximum }))
        else if (bounded('maxItems') && place.length <= 2)
          body.schema = editAt(body.schema, place, (found) => ({ ...found, maxItems: maximum }))
      }
    }
  }

  /** Follows the entries of a component wherever it occurs. */
  #everywhere(component: string, entries: readonly PlaceEntry[]): void {
    const fits = isNamed(component)
    const edited = new Map<object, Words>()
    const withEntries = (schema: Words): Words =>
      entries.reduce((changed, entry) => withEntry(changed, namesIn(entry.path), entry), schema)
    for (const body of this.#bodies) {
      for (const place of body.isDerived === true ? [] : placesIn(body.schema, fits)) {
        for (const entry of entries) this.#change(body, entry, [...place, ...namesIn(entry.path)], place)
      }
      body.schema = editEverywhere(
        body.schema,
        (found, original) => (fits(original) ? withEntries(found) : found),
        edited,
        this.#sent,
      )
    }
  }

  /** Follows an entry in the answers of its operations, or in the data of its event. */
  #atPlace(entry: PlaceEntry): void {
    const names = namesIn(entry.path)
    const routes = entry.kind === 'eventField' ? [] : routesOf(entry, this.#published)
    for (const body of this.#bodies) {
      const isMeant =
        entry.kind === 'eventField'
          ? body.event === entry.event && body.isDerived !== true
          : body.route !== undefined && routes.includes(body.route)
      if (!isMeant || schemasAt(body.schema, names.slice(0, -1)).length === 0) continue
      this.#change(body, entry, names, [])
      body.schema = withEntry(body.schema, names, entry)
    }
  }

  /** Adds the change of a body; `before` is the place where the paths of the entry begin. */
  #change(body: Body, entry: PlaceEntry, names: readonly string[], before: readonly string[]): void {
    if (entry.kind === 'nullability') {
      const form = nothingOf(entry, schemasAt(body.schema, names))
      body.changes.push({ entry, run: (value) => setNothing(value, names, form) })
      return
    }
    const fill = fillOf(withPrefix(entry.source, before))
    body.changes.push({ entry, run: (value) => addField(value, names, fill) })
  }

  #precision(entry: EntryOf<'precision'>): void {
    const { path, decimals } = entry
    const label = observedLabel(entry)
    const routes = routesOf(entry, this.#published)
    const replace =
      decimals === undefined
        ? (value: unknown) => (typeof value === 'string' ? timeIn(entry, value) : null)
        : (value: unknown) => withDecimals(decimals, value)
    const change = (body: Body, places: readonly (readonly string[])[]): void => {
      if (places.length === 0) return
      const run = (value: unknown): boolean =>
        places.map((names) => replaceAt(value, names, replace)).includes(true)
      body.changes.push({ entry, run })
    }
    if (path === undefined && entry.operations === undefined) {
      const edited = new Map<object, Words>()
      for (const body of [...this.#bodies, this.#errors]) {
        if (body.isDerived !== true) change(body, placesIn(body.schema, isTime))
        body.schema = editEverywhere(
          body.schema,
          (found) => (isTime(found) ? { ...found, ...label } : found),
          edited,
          this.#sent,
        )
      }
      return
    }
    for (const body of this.#bodies) {
      if (!body.route || !routes.includes(body.route)) continue
      const places =
        path === undefined
          ? placesIn(body.schema, isTime)
          : [namesIn(path)].filter((names) => schemasAt(body.schema, names).length > 0)
      change(body, places)
      for (const names of places)
        body.schema = editAt(body.schema, names, (found) => ({ ...found, ...label }))
    }
  }
}

const componentOf = (entry: PlaceEntry): string | undefined =>
  entry.kind === 'eventField' ? undefined : entry.component

/** Returns a source whose copied place begins at `before`. */
const withPrefix = (source: Source, before: readonly string[]): Source =>
  'copy' in source && before.length > 0
    ? {
        copy: `${before.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}${source.copy}`,
      }
    : source

function nothingOf({ is }: EntryOf<'nullability'>, schemas: readonly Words[]): Nothing {
  return is === 'empty' ? (emptyTypeOf(schemas) ?? 'null') : is
}

/** Returns the schema with the place of an entry changed. */
function withEntry(schema: Words, names: readonly string[], entry: PlaceEntry): Words {
  const label = observedLabel(entry)
  if (entry.kind === 'nullability') return withNothing(schema, names, entry, label)
  const { source } = entry
  const name = names.at(-1) ?? ''
  const own =
    'constant' in source
      ? schemaOf(source.constant)
      : 'shape' in source
        ? SHAPES[source.shape]
        : { ...schemaAt(schema, namesIn(source.copy)) }
  return editAt(schema, names.slice(0, -1), (parent) => {
    const properties = (parent['properties'] ?? {}) as Readonly<Record<string, Words>>
    const before = Object.hasOwn(properties, name) ? properties[name] : undefined
    return withField(parent, name, { ...(before ? { anyOf: [before, own] } : own), ...label })
  })
}

function withNothing(
  schema: Words,
  names: readonly string[],
  entry: EntryOf<'nullability'>,
  label: Words,
): Words {
  const form = nothingOf(entry, schemasAt(schema, names))
  if (form === 'absent') {
    return editAt(schema, names.slice(0, -1), (parent) => withOptional(parent, names.at(-1) ?? '', label))
  }
  return editAt(schema, names, (found) =>
    form === 'null' ? orNull(found, label) : orEmpty(found, form, label),
  )
}
