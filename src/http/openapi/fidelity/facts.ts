/**
 * The facts of a published document: its operations, responses, fields, bounds, values, defaults, parameters,
 * statuses, scopes and events, each with its label and compared with the list of documented facts.
 */
import type { JsonObject } from '../components.ts'
import type { OpenApiDocument, PublishedOperation } from '../documentParts.ts'
import {
  parseSpec,
  shownObject,
  type DocumentedList,
  type DocumentedOperation,
  type OperationRow,
  type Shown,
} from '../../schemas/documentedList.ts'
import { Findings, labelIn, UNLABELLED, type Comparison } from './findings.ts'
import { SchemaWalk } from './schemaFacts.ts'
import { escapeRegExp } from '@suite-sim/kit/text/escaping'

/** Compares the published document of an interface with its list and its rows of operations.tsv. */
export function compare(
  document: OpenApiDocument,
  list: DocumentedList,
  rows: readonly OperationRow[],
): Comparison {
  const findings = new Findings()
  const walk = new SchemaWalk(document, findings)
  const published = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      address: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  for (const { address, operation } of published) {
    const row = rows.find(({ method, path }) => address === `${method} ${path}`)
    const shown = list.operations[address]
    if (!row || !shown) findings.fail(`operation ${address} ${UNLABELLED}`)
    else compareOperation({ address, operation, row, shown, list, walk, findings })
  }
  const addresses = new Set(published.map(({ address }) => address))
  for (const address of Object.keys(list.operations)) {
    if (!addresses.has(address)) findings.missing('operation', address)
  }
  compareRefusals(
    document,
    list,
    published.map(({ operation }) => operation),
    findings,
    walk,
  )
  compareEvents(document, list, findings, walk)
  return findings.found
}

interface Compared {
  readonly address: string
  readonly operation: PublishedOperation
  readonly row: OperationRow
  readonly shown: DocumentedOperation
  readonly list: DocumentedList
  readonly walk: SchemaWalk
  readonly findings: Findings
}

function compareOperation(compared: Compared): void {
  const { address, operation, row, shown, list, walk, findings } = compared
  const { records } = list
  const response = parseSpec(shown.response, records)
  const label = labelIn(address, operation)
  // An operation can be labelled as a whole only if neither its status nor its response is shown.
  findings.add({
    kind: 'operation',
    place: address,
    isDocumented: !label || !row.statusIsAssumed || response !== null,
    label,
  })
  compareParameters(compared)
  compareScope(compared)

  const body = schemaOf(operation.requestBody)
  const request = parseSpec(shown.body, records)
  const place = `${address} body`
  if (body) {
    findings.add({ kind: 'request', place, isDocumented: request !== null, label: walk.labelOf(place, body) })
    walk.visit(body, { place, shown: request, direction: row.method === 'POST' ? 'create' : 'update' })
  } else if (request) findings.missing('request', place)

  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 300)
  for (const [status, answer] of successes) {
    const isShown =
      (Number(status) === row.status && !row.statusIsAssumed) || shown.statuses?.includes(Number(status))
    findings.add({
      kind: 'status',
      place: `${address} ${status}`,
      isDocumented: isShown === true,
      label: labelIn(`${address} ${status}`, answer) ?? label,
    })
    const schema = schemaOf(answer)
    if (!schema) continue
    const where = `${address} ${status}`
    const own = walk.labelOf(where, schema) ?? label
    findings.add({ kind: 'response', place: where, isDocumented: response !== null, label: own })
    walk.visit(schema, { place: where, shown: response, direction: 'answered', label: own })
  }
  if (response && successes.every(([, answer]) => !schemaOf(answer))) findings.missing('response', address)
}

function compareParameters({ address, operation, shown, list, walk, findings }: Compared): void {
  const query = parseSpec(shown.query, list.records)
  const parameters = operation.parameters ?? []
  for (const parameter of parameters) {
    const name = String(parameter['name'])
    const isPath = parameter['in'] === 'path'
    const place = isPath ? `${address} {${name}}` : `${address} ?${name}`
    const label = labelIn(place, parameter)
    findings.add({
      kind: 'parameter',
      place,
      isDocumented: isPath || query?.fields.has(name) === true,
      label,
    })
    const schema = { description: parameter['description'], ...(parameter['schema'] as JsonObject) }
    const shownValue = query?.fields.get(name) ?? null
    walk.visit(schema, { place, shown: isPath ? null : shownValue, direction: 'create', label })
  }
  for (const name of query?.fields.keys() ?? []) {
    if (!parameters.some((parameter) => parameter['in'] === 'query' && parameter['name'] === name))
      findings.missing('parameter', `${address} ?${name}`)
  }
}

/** Compares the scope only if the specification shows one. */
function compareScope({ address, operation, row, findings }: Compared): void {
  if (row.scopes.length === 0) return
  const published = (operation['x-scope'] ?? []) as readonly string[]
  const scope = row.scopes.join(' and ')
  if (published.join(' and ') === scope)
    findings.add({ kind: 'scope', place: address, detail: scope, isDocumented: true, label: null })
  else findings.missing('scope', address, scope)
}

function compareRefusals(
  document: OpenApiDocument,
  list: DocumentedList,
  operations: readonly PublishedOperation[],
  findings: Findings,
  walk: SchemaWalk,
): void {
  const error = parseSpec(list.error, list.records)
  const published = new Set<number>()
  for (const [address, operation] of addressed(document)) {
    const own = list.operations[address]?.statuses ?? []
    for (const [text, answer] of Object.entries(operation.responses)) {
      const status = Number(text)
      if (status < 300) continue
      published.add(status)
      const response = walk.resolve(answer)
      const place = own.includes(status) ? `${address} ${text}` : text
      findings.add({
        kind: 'status',
        place,
        isDocumented: list.statuses.includes(status) || own.includes(status),
        label: labelIn(place, response),
      })
      const schema = schemaOf(response)
      if (!schema) continue
      const label = walk.labelOf('Error', schema)
      findings.add({ kind: 'response', place: 'Error', isDocumented: error !== null, label })
      walk.visit(schema, { place: 'Error', shown: error, direction: 'answered', label })
    }
    for (const status of own) {
      if (!(String(status) in operation.responses)) findings.missing('status', `${address} ${String(status)}`)
    }
  }
  for (const status of list.statuses) {
    if (!published.has(status)) findings.missing('status', String(status))
  }
  // A rate limit applies to every operation.
  const isEverywhere = operations.every((operation) => '429' in operation.responses)
  if (list.statuses.includes(429) && !isEverywhere) findings.missing('status', '429 of every operation')
}

function* addressed(document: OpenApiDocument): Generator<[string, PublishedOperation]> {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods))
      yield [`${method.toUpperCase()} ${path}`, operation]
  }
}

function compareEvents(
  document: OpenApiDocument,
  list: DocumentedList,
  findings: Findings,
  walk: SchemaWalk,
): void {
  const delivery = parseSpec(list.delivery, list.records)
  const published = document.webhooks ?? {}
  for (const [name, item] of Object.entries(published)) {
    const post = item['post'] as JsonObject
    const label = labelIn(name, post)
    findings.add({ kind: 'event', place: name, isDocumented: Object.hasOwn(list.events, name), label })
    const data = parseSpec(list.events[name], list.records)
    // Data that is not shown can have a label.
    const shown: Shown | null =
      delivery && shownObject(data ? new Map([...delivery.fields, ['data', data]]) : delivery.fields)
    const schema = schemaOf(post['requestBody'] as JsonObject | undefined)
    if (!schema) continue
    const own = walk.labelOf(name, schema) ?? label
    findings.add({ kind: 'response', place: name, isDocumented: shown !== null, label: own })
    walk.visit(schema, { place: name, shown, direction: 'answered', label: own })
  }
  for (const name of Object.keys(list.events)) if (!(name in published)) findings.missing('event', name)
}

/** Not the "form" in "openxmlformats", the type of spreadsheets. */
const JSON_OR_FORM = /json|[/-]form-/

/** Returns the schema of the JSON and form bodies of a request or a response; undefined if it has neither. */
function schemaOf(holder: JsonObject | undefined): JsonObject | undefined {
  const content = (holder?.['content'] ?? {}) as Record<string, { schema: JsonObject }>
  const schemas = Object.entries(content).flatMap(([type, { schema }]) =>
    JSON_OR_FORM.test(type) ? [schema] : [],
  )
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0]
}

/** Returns the first sentence of the specification that leaves the fact or move open; undefined if none does. */
export const sentenceFor = (list: DocumentedList, subject: string): string | undefined =>
  list.notShown.find(({ covers }) => covers.some((pattern) => matches(pattern, subject)))?.sentence

/** Checks a pattern such as `field Product.plans*`, in which `*` stands for any characters. */
export const matches = (pattern: string, subject: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`).test(subject)
