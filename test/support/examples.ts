/**
 * Valid calls derived from the published examples. The body is the example of the document; a record in the path is
 * created first with the example of its own operation. Other records in examples exist in the demo.
 */
import { fileURLToPath } from 'node:url'
import { readBuiltIn, type BuiltIn } from '../../src/control/snapshots/builtIn/fixtures.ts'
import { FORM_TYPE } from '../../src/http/uploads/multipart.ts'
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import type { OpenApiDocument } from '../../src/http/openapi/documentParts.ts'
import type { App } from '../../src/app.ts'
import type { Answer, Call, CallOptions, FreshApp } from './app.ts'
import { contractOf } from './contract.ts'
import { formOf } from './forms.ts'
import { PUBLISHED } from './published.ts'
import { copyRecords, scopeOf } from './records.ts'

/** One operation of one interface, as a row of a test table. */
export interface Subject {
  /** "catalog GET /products" */
  readonly title: string
  readonly route: MountedRoute
  readonly document: OpenApiDocument
}

/** Every operation of the server, in order. */
export const everyOperation = (): Subject[] =>
  PUBLISHED.flatMap((published) => {
    const { document } = contractOf(published)
    return published.routes.map((route) => ({
      title: `${route.interface} ${route.method} ${route.path}`,
      route,
      document,
    }))
  })

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url))

/** Read once, because it is the same for every app. */
let demo: BuiltIn | undefined

/** The records of the demo by app and interface, which workspaces get as copies. */
const furniture = new WeakMap<App, Map<string, Promise<number>>>()

function furnitureOf({ app }: FreshApp, name: string): Promise<number> {
  const scopes = furniture.get(app) ?? new Map<string, Promise<number>>()
  furniture.set(app, scopes)
  const fixture = (demo ??= readBuiltIn('demo', FIXTURES, app.records, Date.now()))
  const scope = scopes.get(name) ?? scopeOf(app, { files: fixture?.['files'], [name]: fixture?.[name] })
  scopes.set(name, scope)
  return scope
}

const loaded = new WeakSet<FreshApp>()

/** Marks the workspace as holding the records that examples refer to, so that they are not loaded over others. */
export function markFurnished(fresh: FreshApp): void {
  loaded.add(fresh)
}

/** Loads the demo records of the interface that its examples refer to, once per app. */
async function furnish(fresh: FreshApp, { route }: Subject): Promise<void> {
  if (loaded.has(fresh)) return
  loaded.add(fresh)
  const { app, workspace } = fresh
  const scope = await furnitureOf(fresh, route.interface)
  for (const { id, name, email } of demo?.users ?? []) workspace.addUser({ id, name, email })
  await copyRecords(app, workspace, scope, ['files', route.interface])
  // Runs due jobs of the demo now, so that they change nothing during the test.
  void workspace.runDueJobs()
}

/** The published example of the request body; undefined if the operation takes none. */
export function exampleBody(
  document: OpenApiDocument,
  method: string,
  path: string,
): Record<string, unknown> | undefined {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const content = requestBody?.['content'] as Content | undefined
  return content?.['application/json']?.example
}

type Content = Readonly<Record<string, { readonly example: Record<string, unknown> }>>

/** True if the operation takes a form instead of JSON. */
export const takesForm = ({ document, route: { method, path } }: Subject): boolean =>
  hasForm(document, method, path)

function hasForm(document: OpenApiDocument, method: string, path: string): boolean {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const content = (requestBody?.['content'] ?? {}) as Content
  // An operation that accepts both is called with JSON.
  return FORM_TYPE in content && !('application/json' in content)
}

/** The published example of the request in the format of the operation. */
export const exampleOf = (document: OpenApiDocument, method: string, path: string): CallOptions =>
  hasForm(document, method, path)
    ? exampleForm(document, method, path)
    : { body: exampleBody(document, method, path) }

/** The published example of an uploaded file, as a form, with other fields. */
export function exampleForm(
  document: OpenApiDocument,
  method: string,
  path: string,
  others: Readonly<Record<string, string>> = {},
): CallOptions {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const content = requestBody?.['content'] as Content | undefined
  const [field = 'file', text] = Object.entries(content?.[FORM_TYPE]?.example ?? {})[0] ?? []
  return formOf({ [field]: { filename: 'example.csv', content: String(text) }, ...others })
}

/** The required query parameters with the documented values: "?pipeline_id=...". */
export function requiredQuery({ document, route: { method, path } }: Subject): string {
  const { parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const required = parameters.filter((each) => each['in'] === 'query' && each['required'] === true)
  const texts = required.map((each) => {
    const { examples } = each['schema'] as { examples: readonly string[] }
    return `${String(each['name'])}=${encodeURIComponent(examples[0] ?? '')}`
  })
  return texts.length === 0 ? '' : `?${texts.join('&')}`
}

/** True if an operation can create the record with its example. */
const isMade = (document: OpenApiDocument, template: string): boolean =>
  exampleBody(document, 'POST', template) !== undefined ||
  (hasForm(document, 'POST', template) && '201' in (document.paths[template]?.['post']?.responses ?? {}))

/**
 * The path with the id of a new record as each parameter. If one cannot be created, uses the documented ids instead,
 * because a new record has no such part yet.
 */
export async function pathOfNewRecord(fresh: FreshApp, subject: Subject): Promise<string> {
  const { route, document } = subject
  const templates = [...route.path.matchAll(/\/\{\w+\}/g)].map(({ index }) => route.path.slice(0, index))
  const canBeMade = templates.every((each) => isMade(document, each))
  let template = ''
  let path = ''
  for (const segment of route.path.split('/').slice(1)) {
    if (!segment.startsWith('{')) path += `/${segment}`
    else if (canBeMade) path += `/${await newRecord(fresh, subject, template, path)}`
    else path += `/${recordOfTheDemo(document, route, template)}`
    template += `/${segment}`
  }
  return path
}

/** A call and its response. */
export interface Exchange extends Answer {
  /** "POST /payment-links {"amount":1250}" */
  readonly request: string
}

export const exchangeOf = (
  method: string,
  path: string,
  { body, raw }: CallOptions,
  answer: Answer,
): Exchange => {
  const sent = raw === undefined ? (JSON.stringify(body) as string | undefined) : String(raw)
  return { ...answer, request: [method, path, ...(sent === undefined ? [] : [sent])].join(' ') }
}

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}...` : text

/** The request and its response on one line. */
export const describeExchange = ({ request, status, text }: Exchange): string =>
  `${shortened(request, 300)} answered ${String(status)} ${shortened(text, 300)}`

/** The example that creates a record was refused, because other records may exclude it. */
export class ExampleRefused extends Error {
  readonly done: Exchange

  constructor(done: Exchange) {
    super(`the example ${describeExchange(done)}`)
    this.done = done
  }
}

async function newRecord(
  fresh: FreshApp,
  { document, route }: Subject,
  template: string,
  path: string,
): Promise<string> {
  const sent = exampleOf(document, 'POST', template)
  const made = await fresh.at(route.interface)('POST', path, sent)
  const existing = (made.body as { error?: { existing_id?: string } } | undefined)?.error?.existing_id
  if (existing !== undefined) return existing
  if (made.status !== 201) throw new ExampleRefused(exchangeOf('POST', path, sent, made))
  const [name = 'id'] = /\w+/.exec(route.path.slice(template.length)) ?? []
  const id = idIn(made.body, name)
  if (id === undefined) throw new Error(`POST ${path} answered without an id: ${made.text}`)
  return id
}

/** The documented value of the parameter after this part of the path, for records that only users create. */
function recordOfTheDemo(
  document: OpenApiDocument,
  { method, path }: MountedRoute,
  template: string,
): string {
  const [name] = /\w+/.exec(path.slice(template.length)) ?? []
  const { parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const documentedParameter = parameters.find((each) => each['in'] === 'path' && each['name'] === name)
  const { examples = [] } = (documentedParameter?.['schema'] ?? {}) as { examples?: readonly string[] }
  if (examples[0] === undefined) throw new Error(`${method} ${path} shows no ${String(name)}`)
  return examples[0]
}

/**
 * The id of a record, bare or in an envelope ({id}, {data: {id}}, {webhook: {id}, secret}), or the field named like
 * the path parameter.
 */
function idIn(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id = (body as Readonly<Record<string, unknown>>)[name] } = body as { id?: unknown }
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  return Object.values(body)
    .map((each) => idIn(each, name))
    .find((each) => each !== undefined)
}

export interface PreparedCall {
  readonly call: Call
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base path of the interface. */
  readonly path: string
  /** The required query parameters, "?pipeline_id=..."; mostly empty. */
  readonly query: string
  readonly body: Record<string, unknown> | undefined
  /** The body or form of the call. */
  readonly sent: CallOptions
}

/** Prepares a valid call of the operation: `call(method, path + query, sent)`. */
export async function preparedCall(fresh: FreshApp, subject: Subject): Promise<PreparedCall> {
  const { route, document } = subject
  await furnish(fresh, subject)
  return {
    call: fresh.at(route.interface),
    method: route.method as PreparedCall['method'],
    path: await pathOfNewRecord(fresh, subject),
    query: requiredQuery(subject),
    body: exampleBody(document, route.method, route.path),
    sent: exampleOf(document, route.method, route.path),
  }
}
