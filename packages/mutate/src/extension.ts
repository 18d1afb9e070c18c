/**
 * The extension that a simulator of a run loads (docs/decisions/0034-mutations-in-the-simulator.md): it records what is
 * answered and sent, or follows one mutation. The bundle `mutation.cjs` has only this.
 */
import { appendFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'
import type { Extension, InterfaceDefinition, Wire } from '../../../src/published.ts'
import { CALLER_HEADER, isOwnCaller } from '@suite-sim/kit/calls/callerName'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { kindOf } from './kinds/index.ts'
import { isBeyond, withLimit } from './kinds/limits.ts'
import type { Example, LogLine, Mutation, Plan, Sending } from './mutation.ts'
import { Novelty } from './novelty.ts'
import type { JsonObject } from './places.ts'

/** Returns the function that makes an extension record, or follow the mutation. */
export const following =
  (plan: Plan) =>
  (base: Extension): Extension => {
    const own = plan.mutation ? new Following(plan.mutation, plan.log) : new Recording(plan.log)
    return {
      ...base,
      extend: (definition) => extended(base.extend(definition), own),
      outbox: (outbox) => own.outbox(base.outbox(outbox)),
    }
  }

type Outbox = Parameters<Extension['outbox']>[0]

/** An interface, and how it speaks. */
interface Part extends Pick<Wire, 'dialect'> {
  readonly name: string
}

/** What the extension does at each place of a server. */
interface Own {
  outbox(outbox: Outbox): Outbox
  route(name: string, route: RouteOptions): void
  request(name: string, request: FastifyRequest): void
  /** Returns the payload that is sent. */
  answer(part: Part, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown
}

const extended = (definition: InterfaceDefinition, own: Own): InterfaceDefinition => ({
  ...definition,
  load: async () => prepared(await definition.load(), definition, own),
})

const prepared = (wire: Wire, { name, basePath }: InterfaceDefinition, own: Own): Wire => ({
  ...wire,
  prepare(server) {
    wire.prepare?.(server)
    server.addHook('onRoute', (route) => {
      own.route(name, route)
    })
    const onSend: onSendHookHandler = (request, reply, payload, done) => {
      done(null, own.answer({ name, dialect: wire.dialect }, request, reply, payload))
    }
    // To the scope of the operations, before its own hooks: the journal has the answers as they are sent.
    server.addHook('onRegister', (scope, { prefix }) => {
      if (prefix !== basePath) return
      scope.addHook('onSend', onSend)
      scope.addHook('preValidation', (request, _reply, done) => {
        own.request(name, request)
        done()
      })
    })
  },
})

const operationOf = (request: FastifyRequest): string | undefined => request.routeOptions.config.operation?.id

/** Returns the body of a JSON answer; undefined for any other. */
function jsonOf(reply: FastifyReply, payload: unknown): unknown {
  const text = Buffer.isBuffer(payload) ? payload.toString() : payload
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
  return typeof text === 'string' && text !== '' && isJson ? JSON.parse(text) : undefined
}

/** Makes an answer without JSON, such as a file, one with JSON. */
function replaceFile(reply: FastifyReply, payload: unknown): void {
  if (payload instanceof Readable) payload.destroy()
  for (const name of ['content-length', 'content-disposition', 'etag']) void reply.removeHeader(name)
  void reply.type('application/json; charset=utf-8')
}

/** Answers of injected faults are those that the test chose, and calls of `reach` are not its own. */
const isChosen = ({ isFaultAnswer, headers }: FastifyRequest): boolean =>
  isFaultAnswer === true || isOwnCaller(String(headers[CALLER_HEADER]))

const write = (log: string, line: LogLine): void => {
  appendFileSync(log, `${JSON.stringify(line)}\n`)
}

/** A request as it was sent: its validation adds defaults. */
interface Sent {
  readonly query: JsonObject
  readonly body: unknown
}

const sentOf = ({ query, sentText }: FastifyRequest): Sent => ({
  query: { ...(query as JsonObject) },
  body: sentText ? JSON.parse(sentText) : undefined,
})

/** Writes down what the run meets, each fact once. */
class Recording implements Own {
  readonly #log: string
  readonly #novelty = new Novelty()
  readonly #sent = new WeakMap<FastifyRequest, Sent>()

  constructor(log: string) {
    this.#log = log
  }

  outbox(outbox: Outbox): Outbox {
    return (workspace, event, source) => {
      const { data } = event
      // Only the outbox of an event with subscriptions reads its data.
      const read = (): JsonObject => {
        this.#see({ met: 'event', interface: event.interface as InterfaceName, event: event.name, data })
        return data
      }
      outbox(workspace, withData(event, read), source)
    }
  }

  route(): void {
    // Routes stay as they are.
  }

  request(_name: string, request: FastifyRequest): void {
    this.#sent.set(request, sentOf(request))
  }

  answer({ name }: Part, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const operation = operationOf(request)
    if (operation !== undefined && !isChosen(request)) {
      this.#see({
        met: 'answer',
        interface: name as InterfaceName,
        operation,
        status: reply.statusCode,
        // A call that is refused earlier has nothing that limits could be about.
        ...(this.#sent.get(request) ?? { query: {}, body: undefined }),
        json: jsonOf(reply, payload),
      })
    }
    return payload
  }

  #see(line: LogLine): void {
    if (this.#novelty.isNew(line)) write(this.#log, line)
  }
}

/** The body of an error of the interface with the status 500, in place of the answer to a call with a key. */
const failureOf = (dialect: Part['dialect'], request: FastifyRequest): unknown =>
  dialect.body({
    reason: 'internal',
    status: 500,
    code: dialect.refusals.internal.code,
    message: 'Internal server error',
    details: undefined,
    facts: undefined,
    at: request.workspace.now(),
  })

function withData<Event extends { readonly data: unknown }>(event: Event, read: () => JsonObject): Event {
  return Object.defineProperty({ ...event }, 'data', { get: read, enumerable: true })
}

/** Characters that are added to new ids. */
const LONGER = 'x7q'

type IdsOf = Record<'nano' | 'cuid2' | 'prefixed', (...all: never[]) => string>

/** Follows one mutation, and writes the first change down. */
class Following implements Own {
  readonly #mutation: Mutation
  readonly #log: string
  readonly #longer = new WeakSet<object>()
  /** The requests that are beyond a stricter limit. */
  readonly #beyond = new WeakSet<FastifyRequest>()
  #isKnown = false

  constructor(mutation: Mutation, log: string) {
    this.#mutation = mutation
    this.#log = log
  }

  outbox(outbox: Outbox): Outbox {
    const change = kindOf(this.#mutation.kind)?.event
    return (workspace, event, source) => {
      if (event.interface !== this.#mutation.interface) {
        outbox(workspace, event, source)
        return
      }
      this.#lengthenIds(workspace.ids)
      if (!change) {
        outbox(workspace, event, source)
        return
      }
      const copy = JSON.parse(JSON.stringify(event.data)) as JsonObject
      const before: Sending = { event: event.name, data: copy, times: 1 }
      const after = this.#isAbout(event.name)
        ? change({ ...before, data: structuredClone(copy) }, this.#mutation)
        : before
      const read = (): JsonObject => {
        this.#note(event.name, before, after)
        return after.data
      }
      // An event that is never sent is met if it would have been.
      if (after.times === 0) this.#note(event.name, before, after)
      for (let time = 0; time < after.times; time += 1) outbox(workspace, withData(event, read), source)
    }
  }

  /** Mutations of a whole interface have no places, or those of all its events. */
  #isAbout(event: string): boolean {
    const { places } = this.#mutation
    return places.length === 0 || places.some((place) => 'event' in place && place.event === event)
  }

  route(name: string, route: RouteOptions): void {
    const { kind, operations } = this.#mutation
    const id = route.config?.operation?.id ?? ''
    if (kind !== 'limit-stricter' || name !== this.#mutation.interface || !operations.includes(id)) return
    route.schema = withLimit(route.schema ?? {}, this.#mutation)
  }

  request(name: string, request: FastifyRequest): void {
    if (name !== this.#mutation.interface) return
    this.#lengthenIds(request.workspace.ids)
    const { kind, operations } = this.#mutation
    if (kind !== 'limit-stricter' || !operations.includes(operationOf(request) ?? '')) return
    // Before its validation, which adds defaults.
    if (isBeyond(request, this.#mutation)) this.#beyond.add(request)
  }

  answer({ name, dialect }: Part, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const operation = operationOf(request)
    if (operation === undefined || name !== this.#mutation.interface || isChosen(request)) return payload
    if (this.#mutation.kind === 'limit-stricter') {
      if (this.#beyond.has(request) && reply.statusCode >= 400) {
        this.#noteExample({
          where: operation,
          before: 'accepted',
          after: `refused with ${String(reply.statusCode)}`,
        })
      }
      return payload
    }
    const change = kindOf(this.#mutation.kind)?.answer
    const { operations } = this.#mutation
    if (!change || !operations.includes(operation)) return payload
    const json = jsonOf(reply, payload)
    const failure = (): unknown => failureOf(dialect, request)
    const before = { operation, status: reply.statusCode, headers: {}, json, failure }
    const after = change({ ...before, json: structuredClone(json) }, this.#mutation)
    this.#note(operation, before, after)
    if (after.status !== before.status) void reply.code(after.status)
    for (const [header, value] of Object.entries(after.headers)) void reply.header(header, value)
    if (JSON.stringify(json) === JSON.stringify(after.json)) return payload
    if (json === undefined) replaceFile(reply, payload)
    return JSON.stringify(after.json)
  }

  #note(where: string, before: object, after: object): void {
    if (JSON.stringify(before) !== JSON.stringify(after)) this.#noteExample({ where, before, after })
  }

  #noteExample(example: Example): void {
    if (this.#isKnown) return
    this.#isKnown = true
    write(this.#log, { met: 'change', example })
  }

  /** Ids of new records of a workspace have more characters from now on. */
  #lengthenIds(ids: object): void {
    if (this.#mutation.kind !== 'ids-longer' || this.#longer.has(ids)) return
    this.#longer.add(ids)
    const own = ids as IdsOf
    for (const name of ['nano', 'cuid2', 'prefixed'] as const) {
      const draw = own[name].bind(own)
      own[name] = (...all) => {
        const id = draw(...all)
        this.#noteExample({ where: 'new records', before: id, after: id + LONGER })
        return id + LONGER
      }
    }
  }
}
