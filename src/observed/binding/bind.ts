/** Binds the entries of one interface to its operations, schemas and events. */
import type { FastifyInstance, preHandlerHookHandler, RouteOptions } from 'fastify'
import type { TSchema } from '@sinclair/typebox'
import type { InterfaceDefinition, MountedRoute, Published, Wire } from '../../http/definition/definition.ts'
import type { Operation } from '../../http/definition/operation.ts'
import type { RateLimit } from '../../http/lifecycle/rateLimits.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import type { EventRenderer } from '../../state/workspace/events.ts'
import { answerChanger, type AnswerPlan, type ParameterChange } from './answers.ts'
import { directionIn, orderIn, parametersOf, refusedStatuses, routesOf, sizeParameter } from '../check.ts'
import { Bodies } from './bodies.ts'
import type { Entry, EntryOf, Kind } from '../format.ts'
import { namesIn } from '../parse.ts'
import { describing, type ObservedRefusal } from './responses.ts'
import { editAt, schemaOf, withField, withOptional, type Words } from '../schemas.ts'
import { observedLabel } from '../words.ts'

/** Returns the definition of an interface that follows the entries. */
export function followingDefinition(
  definition: InterfaceDefinition,
  published: Published,
  entries: readonly Entry[],
): InterfaceDefinition {
  const bound = new BoundInterface(published, entries)
  const render = definition.renderEvent
  return {
    ...definition,
    renderEvent: bound.hasEvents ? bound.renderer(render) : render,
    load: async () => bound.wire(await definition.load()),
  }
}

/** A changed operation: what is published of it, and its query. */
interface BoundOperation {
  readonly operation: Operation
  readonly querystring: object | undefined
  /** The direction of a list that callers cannot sort. */
  readonly direction: 'asc' | 'desc' | null
}

class BoundInterface {
  readonly #published: Published
  readonly #entries: readonly Entry[]
  readonly #bodies: Bodies
  readonly #operations = new Map<string, BoundOperation>()
  readonly #plans = new Map<string, AnswerPlan>()
  readonly #unknown: AnswerPlan

  constructor(published: Published, entries: readonly Entry[]) {
    this.#published = published
    this.#entries = entries
    this.#bodies = new Bodies(published, entries)
    for (const route of published.routes) this.#bind(route)
    this.#unknown = {
      bodies: new Map(),
      refusals: this.#of('refusal').filter(({ operation }) => operation === undefined),
      errors: this.#bodies.ofErrors(),
      headers: this.#of('header').filter(({ operation }) => operation === undefined),
      parameters: [],
      limit: undefined,
      order: undefined,
    }
  }

  #of<Name extends Kind>(kind: Name): EntryOf<Name>[] {
    return this.#entries.filter((entry) => entry.kind === kind) as EntryOf<Name>[]
  }

  /** Returns the entries of a kind that apply to an operation. */
  #for<Name extends Kind>(kind: Name, route: MountedRoute): EntryOf<Name>[] {
    return this.#of(kind).filter((entry) => routesOf(entry as Entry, this.#published).includes(route))
  }

  #bind(route: MountedRoute): void {
    const { operation } = route
    const query = this.#query(route)
    const limit = operation.open ? undefined : this.#for('rateLimit', route).at(-1)
    const headers = this.#for('header', route)
    const refusals = this.#refusals(route)
    const answers = this.#bodies.answers(route)
    const bodies = this.#bodies.changes(route)
    const errors = this.#bodies.ofErrors()
    const direction = (entry: EntryOf<'order'>): 'asc' | 'desc' | null =>
      orderIn(route, this.#published.definition, entry) ? null : directionIn(route, entry)
    const order = this.#for('order', route).find((entry) => direction(entry) !== null)
    const isDocumentedSo = refusals.length > 0 || headers.length > 0 || order !== undefined
    this.#operations.set(operation.id, {
      operation: {
        ...operation,
        answers,
        ...(limit && { limit: limitOf(limit) }),
        ...(isDocumentedSo && {
          describe: describing(
            {
              refusals,
              headers: headerWords(headers),
              ...(order && { label: observedLabel(order) }),
            },
            operation,
          ),
        }),
      },
      querystring: query.schema,
      direction: order ? direction(order) : null,
    })
    const plan: AnswerPlan = {
      bodies,
      refusals: this.#for('refusal', route),
      errors,
      headers,
      parameters: query.changes,
      limit,
      order,
    }
    const isEmpty =
      bodies.size === 0 &&
      !limit &&
      !order &&
      [plan.refusals, errors, headers, query.changes].every((list) => list.length === 0)
    if (!isEmpty) this.#plans.set(operation.id, plan)
  }

  /** Returns the query with its observed defaults and maxima. */
  #query(route: MountedRoute): { schema: object | undefined; changes: ParameterChange[] } {
    const { definition } = this.#published
    const { querystring } = route.schema as { querystring?: Words }
    const changes: ParameterChange[] = []
    let properties = parametersOf(route)
    const set = (name: string, words: Words): void => {
      properties = { ...properties, [name]: { ...properties[name], ...words } }
    }
    for (const entry of this.#for('order', route)) {
      for (const [name, value] of Object.entries(orderIn(route, definition, entry) ?? {})) {
        set(name, { default: value, 'x-assumed-default': false, ...observedLabel(entry) })
        changes.push({ entry, name, hasDefault: true })
      }
    }
    const size = sizeParameter(route, definition)
    for (const entry of size === null ? [] : this.#for('page', route)) {
      const name = size ?? ''
      const was = Number(properties[name]?.['maximum'] ?? Infinity)
      const is = entry.maximum ?? was
      const before = properties[name]?.['default']
      const initial = entry.default ?? (typeof before === 'number' ? Math.min(before, is) : undefined)
      set(name, {
        ...(is !== Infinity && { maximum: is }),
        ...(initial !== undefined && { default: initial, 'x-assumed-default': false }),
        ...observedLabel(entry),
      })
      this.#bodies.raise(route, name, is)
      changes.push({
        entry,
        name,
        hasDefault: initial !== before,
        ...(entry.maximum !== undefined && { maximum: { was, is } }),
      })
    }
    return {
      schema: changes.length === 0 ? undefined : { ...querystring, properties },
      changes,
    }
  }

  #refusals(route: MountedRoute): ObservedRefusal[] {
    const { definition } = this.#published
    const statuses = refusedStatuses(route, definition)
    return this.#for('refusal', route)
      .filter(({ when }) => statuses.includes(when.status))
      .map((entry) => ({
        instead: entry.when.status,
        status: entry.status ?? entry.when.status,
        isPartial: entry.when.code !== undefined,
        schema: patchedError(this.#bodies.errorSchema, entry),
        label: observedLabel(entry),
      }))
  }

  get hasEvents(): boolean {
    return this.#bodies.events.size > 0
  }

  /** Returns a renderer whose data have the observed changes. */
  renderer(render: EventRenderer): EventRenderer {
    const { events } = this.#bodies
    const changed: EventRenderer = (workspace, event) => {
      const data = render(workspace, event)
      const changes = events.get(event.name)
      if (!changes) return data
      // The data may be those of the state.
      const copy = JSON.parse(JSON.stringify(data)) as typeof data
      for (const { run } of changes) run(copy)
      return copy
    }
    return Object.assign(changed, render.names && { names: render.names })
  }

  wire(wire: Wire): Wire {
    const payloads = this.#bodies.payloads
    return {
      ...wire,
      dialect: { ...wire.dialect, errorSchema: this.#bodies.errorSchema as unknown as TSchema },
      ...(wire.events && {
        events: wire.events.map((event) => ({ ...event, ...payloads.get(event.name) })),
      }),
      prepare: (server) => {
        wire.prepare?.(server)
        this.#prepare(server)
      },
    }
  }

  #prepare(server: FastifyInstance): void {
    const { basePath } = this.#published.definition
    const changeAnswer = answerChanger((id) => (id === undefined ? this.#unknown : this.#plans.get(id)))
    server.addHook('onRoute', (route) => {
      this.#changeRoute(route)
    })
    // To the scope of the operations, before its own hooks: the journal has the answers as they are sent.
    server.addHook('onRegister', (scope, { prefix }) => {
      if (prefix === basePath) scope.addHook('onSend', changeAnswer)
    })
  }

  #changeRoute(route: RouteOptions): void {
    const id = route.config?.operation?.id
    const bound = id === undefined ? undefined : this.#operations.get(id)
    if (!bound) return
    route.config = { ...route.config, operation: bound.operation }
    if (bound.direction !== null) {
      route.preHandler = [route.preHandler ?? [], sortedBy(bound.direction)].flat()
    }
    if (bound.querystring) route.schema = { ...route.schema, querystring: bound.querystring }
  }
}

/** Returns the hook that gives the caller a direction; the same object for the same caller, which caches compare. */
function sortedBy(direction: 'asc' | 'desc'): preHandlerHookHandler {
  const callers = new WeakMap<Caller, Caller>()
  return (request, _reply, done) => {
    const { caller } = request
    let sorted = callers.get(caller)
    if (!sorted) callers.set(caller, (sorted = { ...caller, direction }))
    request.caller = sorted
    done()
  }
}

const limitOf = (entry: EntryOf<'rateLimit'>): RateLimit => ({
  name: `${entry.interface}.observed${entry.operation === undefined ? '' : `.${entry.operation}`}`,
  max: entry.limit,
  windowMs: entry.windowSeconds * 1000,
  per: 'key',
})

const headerWords = (entries: readonly EntryOf<'header'>[]): Record<string, object> =>
  Object.fromEntries(
    entries.map((entry) => [
      entry.name,
      { schema: { type: 'string', const: entry.value }, ...observedLabel(entry) },
    ]),
  )

/** Returns the schema of an error body with the changes of a refusal. */
function patchedError(schema: Words, entry: EntryOf<'refusal'>): Words {
  const label = observedLabel(entry)
  return (entry.body ?? []).reduce((changed, { path, value, remove }) => {
    const names = namesIn(path)
    const name = names.at(-1) ?? ''
    return editAt(withParents(changed, names), names.slice(0, -1), (parent) =>
      remove === true
        ? withOptional(parent, name, label)
        : withField(parent, name, { ...anyOf(parent, name, value), ...label }),
    )
  }, schema)
}

/** The value of a refusal beside the schema of the others, which may have another code. */
function anyOf(parent: Words, name: string, value: unknown): Words {
  const properties = (parent['properties'] ?? {}) as Readonly<Record<string, Words>>
  const before = Object.hasOwn(properties, name) ? properties[name] : undefined
  return before === undefined ? schemaOf(value) : { anyOf: [schemaOf(value), before] }
}

/** Adds the objects on the way to a place that the schema does not have. */
function withParents(schema: Words, names: readonly string[]): Words {
  return names.slice(0, -1).reduce((changed, name, index) => {
    if (name === '*') return changed
    return editAt(changed, names.slice(0, index), (parent) =>
      Object.hasOwn(parent['properties'] ?? {}, name)
        ? parent
        : withField(parent, name, { type: 'object', properties: {} }),
    )
  }, schema)
}
