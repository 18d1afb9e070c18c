/** What the undisturbed run met of one interface: its answers and webhooks, and the declared fields that they had. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { operationsOf, resolve, responseSchema, type Operation } from '@suite-sim/verify/model/operation'
import type { OpenApiDocument } from '../../../src/published.ts'
import { isObject, nameOf, type JsonObject } from './places.ts'
import type { LogLine, MetAnswer, MetEvent, Place } from './mutation.ts'

/** A field of a schema, at every place where the run met it. */
export interface MetField {
  /** "Link.amount"; of an answer without a named schema, "getBalance./data/amount". */
  readonly key: string
  /** "amount" */
  readonly name: string
  readonly schema: JsonObject
  readonly values: unknown[]
  readonly places: Place[]
}

export interface MetOperation {
  readonly operation: Operation
  readonly answers: readonly MetAnswer[]
}

export interface MetInterface {
  readonly name: InterfaceName
  /** In the order of their names, like everything here: the same run leads to the same list. */
  readonly operations: readonly MetOperation[]
  readonly events: readonly { readonly name: string; readonly data: readonly unknown[] }[]
  readonly fields: readonly MetField[]
}

/** Returns what the lines of a log say about an interface with this document. */
export function metOf(
  name: InterfaceName,
  document: OpenApiDocument,
  lines: readonly LogLine[],
): MetInterface {
  const answers = lines.flatMap((line): MetAnswer[] =>
    line.met === 'answer' && line.interface === name ? [line] : [],
  )
  const sent = lines.flatMap((line): MetEvent[] =>
    line.met === 'event' && line.interface === name ? [line] : [],
  )
  const operations = operationsOf(name, document)
    .map((operation) => ({ operation, answers: answers.filter((each) => each.operation === operation.id) }))
    .filter((each) => each.answers.length > 0)
    .toSorted((one, other) => compare(one.operation.id, other.operation.id))
  const events = [...new Set(sent.map(({ event }) => event))].toSorted(compare).map((event) => ({
    name: event,
    data: sent.filter((each) => each.event === event).map(({ data }) => data),
  }))
  return { name, operations, events, fields: fieldsOf(document, operations, events) }
}

/** By code points, so that the list is the same on each machine. */
export const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

function fieldsOf(
  document: OpenApiDocument,
  operations: readonly MetOperation[],
  events: MetInterface['events'],
): MetField[] {
  const fields = new Map<string, MetField>()
  for (const { operation, answers } of operations) {
    for (const { status, json } of answers.filter((each) => each.status < 300)) {
      const schema = responseSchema(operation, status)
      const { id } = operation
      if (schema)
        new Walk(document, fields, (at) => ({ operation: id, at })).visit(schema, json, '', `${id}.`)
    }
  }
  for (const { name, data } of events) {
    const schema = payloadSchema(document, name)
    const walk = new Walk(document, fields, (at) => ({ event: name, at }))
    for (const each of schema ? data : []) walk.visit(schema ?? {}, each, '', `${name}.`)
  }
  return [...fields.values()].toSorted((one, other) => compare(one.key, other.key))
}

interface Webhook {
  readonly post: {
    readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> }
  }
}

function payloadSchema(document: OpenApiDocument, event: string): JsonObject | undefined {
  const webhooks = (document as unknown as { webhooks?: Readonly<Record<string, Webhook>> }).webhooks ?? {}
  const schema = webhooks[event]?.post.requestBody.content['application/json']?.schema
  const alternatives = schema ? [schema, ...((schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonObject[])] : []
  return alternatives
    .map((each) => (resolve(document, each)['properties'] as JsonObject | undefined)?.['data'])
    .find(isObject)
}

/** Walks through a value along its schema, and collects the fields. */
class Walk {
  readonly #document: OpenApiDocument
  readonly #fields: Map<string, MetField>
  readonly #placeOf: (at: string) => Place

  constructor(document: OpenApiDocument, fields: Map<string, MetField>, placeOf: (at: string) => Place) {
    this.#document = document
    this.#fields = fields
    this.#placeOf = placeOf
  }

  /** `key` is that of the value: the name of its schema, and the names of the fields below it. */
  visit(words: JsonObject, value: unknown, at: string, key: string): void {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(words['$ref']))?.[1]
    const schema = resolve(this.#document, words)
    const own = name === undefined ? key : `${name}.`
    for (const each of alternativesOf(schema)) this.visit(each, value, at, own)
    if (Array.isArray(value) && isObject(schema['items'])) {
      for (const each of value) this.visit(schema['items'], each, `${at}/*`, own)
    }
    if (!isObject(value) || !isObject(schema['properties'])) return
    for (const [field, property] of Object.entries(schema['properties'])) {
      if (!Object.hasOwn(value, field) || !isObject(property)) continue
      const place = `${at}/${field}`
      if (isLeaf(value[field])) this.#add(`${own}${field}`, place, property, value[field])
      else this.visit(property, value[field], place, `${own}${field}.`)
    }
  }

  #add(key: string, at: string, property: JsonObject, value: unknown): void {
    const schema = resolve(this.#document, property)
    const field = this.#fields.get(key) ?? { key, name: nameOf(at), schema, values: [], places: [] }
    this.#fields.set(key, field)
    field.values.push(value)
    const place = this.#placeOf(at)
    if (!field.places.some((each) => textOf(each) === textOf(place))) field.places.push(place)
  }
}

const textOf = (place: Place): string => JSON.stringify(place)

const alternativesOf = (schema: JsonObject): JsonObject[] =>
  [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((each) => (each ?? []) as JsonObject[])

/** A value without fields of its own: a scalar, or a list of some. */
const isLeaf = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every((each) => !isContainer(each)) : !isObject(value)

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Returns the words of an enumeration; none for other fields. */
export const wordsOf = (schema: JsonObject): string[] =>
  [schema, ...alternativesOf(schema)]
    .flatMap((each) => (each['enum'] ?? []) as unknown[])
    .filter((word): word is string => typeof word === 'string')
