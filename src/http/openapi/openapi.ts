/**
 * The published documents: OpenAPI 3.1 of one interface, and of all. They are built from the TypeBox values
 * that validate. The responses include every possible refusal; `x-fidelity` says whether the specification
 * shows a part.
 */
import { STATUS_CODES } from 'node:http'
import { OptionalKind } from '@sinclair/typebox'
import type { Fidelity } from '../../state/model/fidelity.ts'
import type { Reason } from '../../state/model/refusal.ts'
import { ofMediaType, PublishedSchemas, type JsonObject } from './components.ts'
import { exampleOf } from './examples.ts'
import type {
  LoadedInterface,
  MountedRoute,
  Published,
  PublishedAddress,
  PublishedEvent,
} from '../definition/definition.ts'
import { LONGEST_PARAMETER, LONGEST_TEXT } from '../schemas/limits.ts'
import { scopesOf, type Operation } from '../definition/operation.ts'
import { RATE_LIMIT_HEADERS, RATE_LIMITED_HEADERS, type RateLimit } from '../lifecycle/rateLimits.ts'
import { permissionWords, queryProperties, reasonsOf, refusalExample, whenRefused } from './reasons.ts'
import { capitalized } from '../schemas/wording.ts'

export interface DocumentOptions {
  /** The server's URL without a trailing slash: "http://127.0.0.1:4012". */
  readonly serverUrl: string
  readonly version: string
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: JsonObject
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  /** The credentials that an operation needs, unless it has its own. */
  readonly security: readonly JsonObject[]
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>
  readonly webhooks?: Readonly<Record<string, JsonObject>>
  readonly components: Components
  /** Addresses that are no operations, as full paths: WebSockets and pages. */
  readonly 'x-addresses'?: Readonly<Record<string, JsonObject>>
  readonly 'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[]
}

interface Tag {
  readonly name: string
  readonly description: string
}

export interface Components {
  readonly schemas: Readonly<Record<string, JsonObject>>
  readonly responses: Readonly<Record<string, JsonObject>>
  readonly parameters: Readonly<Record<string, JsonObject>>
  readonly securitySchemes: Readonly<Record<string, JsonObject>>
}

export interface PublishedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly JsonObject[]
  readonly requestBody?: JsonObject
  readonly responses: Readonly<Record<string, JsonObject>>
  readonly [word: string]: unknown
}

/** Returns the document of one interface; paths are relative to its base path. */
export function interfaceDocument(
  { definition, routes }: Published,
  { serverUrl, version }: DocumentOptions,
): OpenApiDocument {
  const security = securityOf(definition)
  const part = publishedPart({ definition, routes }, PLAIN, security)
  return {
    openapi: '3.1.0',
    info: {
      title: definition.title,
      version,
      description: definition.description,
      ...(definition.specification !== undefined && { 'x-specification': definition.specification }),
      ...ABOUT,
    },
    servers: [{ url: serverUrl + definition.basePath, description: 'The simulator' }],
    security,
    ...part,
  }
}

/** Returns the document of all interfaces, with full paths and names prefixed by the interface. */
export function suiteDocument(
  published: readonly Published[],
  { serverUrl, version }: DocumentOptions,
): OpenApiDocument {
  const [first] = published
  const security = first ? securityOf(first.definition) : []
  const parts = published.map((each) => publishedPart(each, namesWithin(each.definition), security))
  const components = mergedComponents(parts.map((part) => part.components))
  const webhooks = merged(parts.map((part) => part.webhooks ?? {}))
  const addresses = merged(parts.map((part) => part['x-addresses'] ?? {}))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Suite Simulator',
      version,
      description: 'A simulator of the HTTP/JSON interfaces of a business software suite.',
      ...ABOUT,
    },
    servers: [{ url: serverUrl, description: 'The simulator' }],
    security,
    tags: parts.flatMap((part) => part.tags),
    paths: merged(parts.map((part) => part.paths)),
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components,
    ...(Object.keys(addresses).length > 0 && { 'x-addresses': addresses }),
    'x-tagGroups': parts.map((part, index) => ({
      name: published[index]?.definition.title ?? '',
      tags: part.tags.map((tag) => tag.name),
    })),
  }
}

const ABOUT = {
  contact: { name: 'Suite Simulator' },
  license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
}

/** The naming of a document. */
interface Names {
  /** The prefix of component names: "" or "Catalog". */
  readonly prefix: string
  path(path: string): string
  operationId(id: string): string
  tag(tag: string): string
  event(name: string): string
}

const same = (text: string): string => text

const PLAIN: Names = { prefix: '', path: same, operationId: same, tag: same, event: same }

function namesWithin({ name, basePath }: LoadedInterface): Names {
  const prefix = name.split('-').map(capitalized).join('')
  return {
    prefix,
    path: (path) => basePath + path,
    operationId: (id) => prefix.charAt(0).toLowerCase() + prefix.slice(1) + capitalized(id),
    tag: (tag) => `${name}: ${tag}`,
    event: (event) => `${name}: ${event}`,
  }
}

type Part = Pick<OpenApiDocument, 'tags' | 'paths' | 'webhooks' | 'components' | 'x-addresses'>

/** The state of writing the part of one interface. */
interface DocumentPart {
  readonly definition: LoadedInterface
  readonly names: Names
  readonly schemas: PublishedSchemas
  /** The credentials of the document, for operations without their own. */
  readonly security: readonly JsonObject[]
  readonly responses: Record<string, JsonObject>
  /** The reasons to refuse by status, of all operations of the interface. */
  readonly reasons: ReadonlyMap<number, readonly Reason[]>
}

function publishedPart(
  { definition, routes }: Published,
  names: Names,
  security: readonly JsonObject[],
): Part {
  const documentPart: DocumentPart = {
    definition,
    names,
    schemas: new PublishedSchemas(names.prefix),
    security,
    responses: {},
    reasons: reasonsByStatus(definition, routes),
  }
  const events = definition.events ?? []
  const paths: Record<string, Record<string, PublishedOperation>> = {}
  for (const route of routes) {
    const operations = (paths[names.path(route.path)] ??= {})
    operations[route.method.toLowerCase()] = publishedOperation(documentPart, route)
  }
  const webhooks = Object.fromEntries(
    events.map((event) => [names.event(event.name), delivery(documentPart, event)]),
  )
  return {
    tags: tagsOf(definition, routes, names),
    paths,
    ...(events.length > 0 && { webhooks }),
    components: {
      schemas: documentPart.schemas.components,
      responses: documentPart.responses,
      parameters: events.length > 0 ? deliveryHeaders(names) : {},
      securitySchemes: securityScheme(definition),
    },
    ...(definition.addresses && { 'x-addresses': addressesOf(definition.addresses) }),
  }
}

const addressesOf = (addresses: readonly PublishedAddress[]): Record<string, JsonObject> =>
  Object.fromEntries(
    addresses.map(({ path, summary, fidelity, details }) => [
      path,
      { summary, ...fidelityWords(fidelity), ...details },
    ]),
  )

// ---------------------------------------------------------------- operations

function publishedOperation(documentPart: DocumentPart, route: MountedRoute): PublishedOperation {
  const { definition, names, schemas } = documentPart
  const { operation, schema } = route
  const parameters = [...pathParameters(documentPart, route), ...queryParameters(documentPart, route)]
  const scopes = scopesOf(operation)
  return {
    operationId: names.operationId(operation.id),
    summary: operation.summary,
    description: descriptionOf(definition, route),
    tags: [names.tag(operation.tag)],
    ...fidelityWords(operation.fidelity),
    ...(scopes.length > 0 && { 'x-scope': scopes }),
    ...(operation.orScope !== undefined && { 'x-scope-alternative': operation.orScope }),
    ...securityOverride(documentPart, operation.open ? [] : securityOf(definition)),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && {
      requestBody: {
        required: !(OptionalKind in schema.body),
        content: contentOf(schemas, schema.body, 'sent'),
      },
    }),
    responses: { ...answersOf(documentPart, route), ...refusalsOf(documentPart, route) },
  }
}

function descriptionOf(definition: LoadedInterface, { operation }: MountedRoute): string {
  const sentences = [operation.description, permissionWords(operation, definition)]
  if (operation.limit) sentences.push(limitWords(operation.limit))
  if (operation.module) sentences.push(`Refused if the ${operation.module} module is inactive.`)
  if (operation.plan) sentences.push('Refused if the plan of the workspace does not include it.')
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

const limitWords = ({ max, windowMs, per }: RateLimit): string =>
  `At most ${String(max)} calls in ${String(windowMs / 1000)} seconds for each ${per}, unless the server was started without rate limits.`

const fidelityWords = (fidelity: Fidelity): JsonObject => ({
  'x-fidelity': fidelity.status,
  ...(fidelity.why !== undefined && { 'x-fidelity-why': fidelity.why }),
})

function pathParameters({ schemas }: DocumentPart, { path, schema }: MountedRoute): JsonObject[] {
  const { properties = {} }: { properties?: Record<string, object> } = schema.params ?? {}
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter('path', name, schemas.publish(properties[name] ?? { type: 'string' }, LONGEST_PARAMETER), true),
  )
}

function queryParameters({ schemas }: DocumentPart, route: MountedRoute): JsonObject[] {
  const { required = [] } = (route.schema.querystring ?? {}) as { required?: readonly string[] }
  return Object.entries(queryProperties(route)).map(([name, property]) => {
    // A property with a default is required in the handler's query, but not in the caller's.
    const isRequired = required.includes(name) && !('default' in property)
    return parameter('query', name, schemas.publish(property, LONGEST_PARAMETER), isRequired)
  })
}

function parameter(
  where: 'path' | 'query',
  name: string,
  published: JsonObject,
  required: boolean,
): JsonObject {
  const { description, 'x-fidelity': fidelity, 'x-fidelity-why': why, ...schema } = published
  return {
    name,
    in: where,
    required,
    ...(description !== undefined && { description }),
    ...(fidelity !== undefined && { 'x-fidelity': fidelity, 'x-fidelity-why': why }),
    schema,
  }
}

/**
 * Returns the content of a body with its example. The media type is the schema's `contentMediaType`, or else
 * JSON.
 */
function contentOf(schemas: PublishedSchemas, schema: object, direction: 'sent' | 'answered'): JsonObject {
  const {
    contentMediaType = 'application/json',
    type,
    'x-form': form,
  } = schema as {
    contentMediaType?: string
    type?: string
    'x-form'?: object
  }
  const published = { schema: schemas.publish(schema, direction === 'sent' ? LONGEST_TEXT : undefined) }
  // An object with its own media type is a form.
  if ('contentMediaType' in schema && type !== 'object') return { [contentMediaType]: published }
  return {
    [contentMediaType]: { ...published, example: exampleOf(schema, direction) },
    ...(form && contentOf(schemas, form, direction)),
  }
}

function answersOf({ schemas }: DocumentPart, { operation }: MountedRoute): Record<string, JsonObject> {
  const answers = Object.entries(operation.answers).map(([status, schema]) => [
    status,
    {
      description: statusWords(Number(status)),
      ...(operation.limit && { headers: RATE_LIMIT_HEADERS }),
      ...(schema && {
        content: {
          ...contentOf(schemas, schema, 'answered'),
          ...(status === '200' && filesOf(operation)),
        },
      }),
    },
  ])
  return Object.fromEntries(answers) as Record<string, JsonObject>
}

const filesOf = ({ files = [] }: Operation): JsonObject =>
  Object.fromEntries(
    files.map((contentMediaType) => [contentMediaType, { schema: ofMediaType({ contentMediaType }) }]),
  )

const statusWords = (status: number): string => STATUS_CODES[status] ?? `Status ${String(status)}`

// ---------------------------------------------------------------- refusals

function reasonsByStatus(
  { dialect }: LoadedInterface,
  routes: readonly MountedRoute[],
): Map<number, Reason[]> {
  const byStatus = new Map<number, Reason[]>()
  for (const reason of new Set(routes.flatMap((route) => reasonsOf(route, dialect)))) {
    const { status } = dialect.refusals[reason]
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason])
  }
  return byStatus
}

function refusalsOf(documentPart: DocumentPart, route: MountedRoute): Record<string, JsonObject> {
  const { dialect } = documentPart.definition
  const statuses = new Set(reasonsOf(route, dialect).map((reason) => dialect.refusals[reason].status))
  const references = [...statuses]
    .sort((a, b) => a - b)
    .map((status) => [
      String(status),
      { $ref: `#/components/responses/${sharedRefusal(documentPart, status)}` },
    ])
  return Object.fromEntries(references) as Record<string, JsonObject>
}

/** Returns the name of the shared response of this status; writes it on first use. */
function sharedRefusal(documentPart: DocumentPart, status: number): string {
  const name = documentPart.names.prefix + statusWords(status).replaceAll(/\W/g, '')
  if (!documentPart.responses[name]) {
    const { dialect } = documentPart.definition
    const reasons = documentPart.reasons.get(status) ?? []
    documentPart.responses[name] = {
      description: reasons.map(whenRefused).join(' '),
      ...(status === 401 &&
        challenges(documentPart.definition) && {
          headers: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
        }),
      ...(status === 429 && { headers: RATE_LIMITED_HEADERS }),
      content: {
        'application/json': {
          schema: documentPart.schemas.publish(dialect.errorSchema),
          examples: Object.fromEntries(
            reasons.map((reason) => [
              reason,
              { summary: whenRefused(reason), value: refusalExample(dialect, reason) },
            ]),
          ),
        },
      },
    }
  }
  return name
}

// ---------------------------------------------------------------- credentials

function securityScheme({ dialect: { credential }, guard }: LoadedInterface): Record<string, JsonObject> {
  switch (credential.kind) {
    case 'bearer':
      return { Bearer: { type: 'http', scheme: 'bearer', description: 'A key of a workspace.' } }
    case 'header':
      return {
        [credential.header]: {
          type: 'apiKey',
          in: 'header',
          name: credential.header,
          description: 'A key of a workspace.',
        },
      }
    case 'open':
      return guard ? { Token: GUARDED } : {}
  }
}

const GUARDED = {
  type: 'http',
  scheme: 'bearer',
  description: 'The token that the server was started with. A server without a token needs none.',
}

/** Lists the accepted credentials; no credential is also accepted for a guard without a token. */
function securityOf(definition: LoadedInterface): JsonObject[] {
  const schemes = Object.keys(securityScheme(definition)).map((name) => ({ [name]: [] }))
  return definition.dialect.credential.kind === 'open' && definition.guard ? [...schemes, {}] : schemes
}

/** Returns the credentials of an operation if they differ from the document's. */
const securityOverride = ({ security }: DocumentPart, wantedSecurity: readonly JsonObject[]): JsonObject =>
  JSON.stringify(wantedSecurity) === JSON.stringify(security) ? {} : { security: wantedSecurity }

const challenges = ({ dialect: { credential }, guard }: LoadedInterface): boolean =>
  credential.kind === 'bearer' || (credential.kind === 'open' && guard !== undefined)

// ---------------------------------------------------------------- tags

function tagsOf(definition: LoadedInterface, routes: readonly MountedRoute[], names: Names): Tag[] {
  const tags = new Set(routes.map((route) => route.operation.tag))
  const described = [...tags].map((tag) => ({
    name: names.tag(tag),
    description: contentsOf(routes.filter((route) => route.operation.tag === tag)),
  }))
  if (!definition.events?.length) return described
  return [
    ...described,
    { name: names.tag(EVENTS), description: 'The server sends these events to subscribed webhooks.' },
  ]
}

/** Returns the summaries as one sentence: "List products; create a product; delete a product." */
function contentsOf(routes: readonly MountedRoute[]): string {
  const [first = '', ...others] = routes.map(({ operation }) => operation.summary)
  const rest = others.map((summary) => summary.charAt(0).toLowerCase() + summary.slice(1))
  return `${[first, ...rest].join('; ')}.`
}

// ---------------------------------------------------------------- events

const EVENTS = 'Events'

/** Describes a delivery as a receiver gets it. */
function delivery(documentPart: DocumentPart, event: PublishedEvent): JsonObject {
  const { definition, names, schemas } = documentPart
  const { eventTime = 'createdAt' } = definition
  const envelope = {
    type: 'object',
    required: ['id', 'event', eventTime, 'data'],
    properties: {
      id: {
        type: 'string',
        description: 'The same in every attempt.',
        examples: ['tz4a98xxat96iws9zmbrgj3a'],
      },
      event: { type: 'string', const: event.name },
      [eventTime]: { type: 'string', format: 'date-time' },
      data: event.payload,
    },
  }
  return {
    post: {
      operationId: names.operationId(`on${event.name.split(/\W+|_/).map(capitalized).join('')}`),
      summary: event.title,
      description: `Sent to every active subscription that names \`${event.name}\`.`,
      tags: [names.tag(EVENTS)],
      ...fidelityWords(event.fidelity),
      ...securityOverride(documentPart, []),
      parameters: Object.keys(deliveryHeaders(names)).map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      requestBody: { required: true, content: contentOf(schemas, envelope, 'answered') },
      responses: {
        '2XX': {
          description:
            'Accepted. After any other response, or none within ten seconds, the server retries later.',
        },
      },
    },
  }
}

const deliveryHeaders = ({ prefix }: Names): Record<string, JsonObject> => ({
  [`${prefix}EventHeader`]: {
    name: 'X-Service-Event',
    in: 'header',
    required: true,
    description: 'The name of the event.',
    schema: { type: 'string' },
  },
  [`${prefix}SignatureHeader`]: {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    description: "HMAC-SHA256 of the body's bytes with the subscription's secret: sha256=HEX.",
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  },
})

// ---------------------------------------------------------------- merging

function mergedComponents(all: readonly Components[]): Components {
  return {
    schemas: merged(all.map((each) => each.schemas)),
    responses: merged(all.map((each) => each.responses)),
    parameters: merged(all.map((each) => each.parameters)),
    securitySchemes: merged(all.map((each) => each.securitySchemes)),
  }
}

const merged = <Value>(all: readonly Readonly<Record<string, Value>>[]): Record<string, Value> =>
  Object.fromEntries(all.flatMap((each) => Object.entries(each)))
