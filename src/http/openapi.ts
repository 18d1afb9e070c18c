/**
 * The published documents: OpenAPI 3.1 of one interface, and of all. They are made from the same TypeBox values that
 * validate, so that what is published is what is checked. Every refusal that can happen is among the responses, and
 * `x-fidelity` says of operations, fields and events whether the specification shows them.
 */
import { STATUS_CODES } from 'node:http'
import { OptionalKind } from '@sinclair/typebox'
import type { Fidelity } from '../state/fidelity.ts'
import type { Reason } from '../state/refusal.ts'
import { ofMediaType, PublishedSchemas, type JsonObject } from './components.ts'
import { exampleOf } from './examples.ts'
import type {
  InterfaceDefinition,
  MountedRoute,
  Published,
  PublishedAddress,
  PublishedEvent,
} from './definition.ts'
import { LONGEST_PARAMETER, LONGEST_TEXT } from './limits.ts'
import { scopesOf, type Operation } from './operation.ts'
import { RATE_LIMIT_HEADERS, RATE_LIMITED_HEADERS, type RateLimit } from './rateLimits.ts'
import { permissionWords, queryProperties, reasonsOf, refusalExample, whenRefused } from './reasons.ts'
import { capitalized } from './wording.ts'

export interface DocumentOptions {
  /** Where the server is reached, without a slash at the end: "http://127.0.0.1:4012". */
  readonly serverUrl: string
  readonly version: string
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: JsonObject
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  /** What an operation asks for unless it says otherwise. */
  readonly security: readonly JsonObject[]
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>
  readonly webhooks?: Readonly<Record<string, JsonObject>>
  readonly components: Components
  /** Addresses that are no operations, full: WebSockets and pages. */
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

/** The document of one interface: paths relative to where it is mounted. */
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

/** The document of all interfaces: full paths, and every name with its interface before it. */
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
      description: 'The HTTP/JSON interfaces of a business software suite, as one server stands in for them.',
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

/** How names are formed in a document. */
interface Names {
  /** Before the names of components: "" or "Catalog". */
  readonly prefix: string
  path(path: string): string
  operationId(id: string): string
  tag(tag: string): string
  event(name: string): string
}

const same = (text: string): string => text

const PLAIN: Names = { prefix: '', path: same, operationId: same, tag: same, event: same }

function namesWithin({ name, basePath }: InterfaceDefinition): Names {
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

/** What one interface contributes to a document. */
interface Writing {
  readonly definition: InterfaceDefinition
  readonly names: Names
  readonly schemas: PublishedSchemas
  /** What the document asks for where an operation does not say otherwise. */
  readonly security: readonly JsonObject[]
  readonly responses: Record<string, JsonObject>
  /** The reasons to refuse by status, over all operations of the interface. */
  readonly reasons: ReadonlyMap<number, readonly Reason[]>
}

function publishedPart(
  { definition, routes }: Published,
  names: Names,
  security: readonly JsonObject[],
): Part {
  const writing: Writing = {
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
    operations[route.method.toLowerCase()] = publishedOperation(writing, route)
  }
  const webhooks = Object.fromEntries(
    events.map((event) => [names.event(event.name), delivery(writing, event)]),
  )
  return {
    tags: tagsOf(definition, routes, names),
    paths,
    ...(events.length > 0 && { webhooks }),
    components: {
      schemas: writing.schemas.components,
      responses: writing.responses,
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

function publishedOperation(writing: Writing, route: MountedRoute): PublishedOperation {
  const { definition, names, schemas } = writing
  const { operation, schema } = route
  const parameters = [...pathParameters(writing, route), ...queryParameters(writing, route)]
  const scopes = scopesOf(operation)
  return {
    operationId: names.operationId(operation.id),
    summary: operation.summary,
    description: descriptionOf(definition, route),
    tags: [names.tag(operation.tag)],
    ...fidelityWords(operation.fidelity),
    ...(scopes.length > 0 && { 'x-scope': scopes }),
    ...(operation.orScope !== undefined && { 'x-scope-alternative': operation.orScope }),
    ...ownSecurity(writing, operation.open ? [] : securityOf(definition)),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && {
      requestBody: {
        required: !(OptionalKind in schema.body),
        content: contentOf(schemas, schema.body, 'sent'),
      },
    }),
    responses: { ...answersOf(writing, route), ...refusalsOf(writing, route) },
  }
}

function descriptionOf(definition: InterfaceDefinition, { operation }: MountedRoute): string {
  const sentences = [operation.description, permissionWords(operation, definition)]
  if (operation.limit) sentences.push(limitWords(operation.limit))
  if (operation.module) sentences.push(`Refused while the ${operation.module} module is switched off.`)
  if (operation.plan) sentences.push('Refused where the plan of the workspace does not include it.')
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

const limitWords = ({ max, windowMs, per }: RateLimit): string =>
  `At most ${String(max)} calls in ${String(windowMs / 1000)} seconds for each ${per}, unless the server was started without rate limits.`

const fidelityWords = (fidelity: Fidelity): JsonObject => ({
  'x-fidelity': fidelity.status,
  ...(fidelity.why !== undefined && { 'x-fidelity-why': fidelity.why }),
})

function pathParameters({ schemas }: Writing, { path, schema }: MountedRoute): JsonObject[] {
  const { properties = {} }: { properties?: Record<string, object> } = schema.params ?? {}
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter('path', name, schemas.publish(properties[name] ?? { type: 'string' }, LONGEST_PARAMETER), true),
  )
}

function queryParameters({ schemas }: Writing, route: MountedRoute): JsonObject[] {
  const { required = [] } = (route.schema.querystring ?? {}) as { required?: readonly string[] }
  return Object.entries(queryProperties(route)).map(([name, property]) => {
    // A property with a default is required of the handler's query, not of the caller's.
    const isAsked = required.includes(name) && !('default' in property)
    return parameter('query', name, schemas.publish(property, LONGEST_PARAMETER), isAsked)
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

/** A body and its example. What says of itself what it is (`contentMediaType`) is sent as that, all else as JSON. */
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
  // An object with a media type of its own is a form.
  if ('contentMediaType' in schema && type !== 'object') return { [contentMediaType]: published }
  return {
    [contentMediaType]: { ...published, example: exampleOf(schema, direction) },
    ...(form && contentOf(schemas, form, direction)),
  }
}

function answersOf({ schemas }: Writing, { operation }: MountedRoute): Record<string, JsonObject> {
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
  { dialect }: InterfaceDefinition,
  routes: readonly MountedRoute[],
): Map<number, Reason[]> {
  const byStatus = new Map<number, Reason[]>()
  for (const reason of new Set(routes.flatMap((route) => reasonsOf(route, dialect)))) {
    const { status } = dialect.refusals[reason]
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason])
  }
  return byStatus
}

function refusalsOf(writing: Writing, route: MountedRoute): Record<string, JsonObject> {
  const { dialect } = writing.definition
  const statuses = new Set(reasonsOf(route, dialect).map((reason) => dialect.refusals[reason].status))
  const references = [...statuses]
    .sort((a, b) => a - b)
    .map((status) => [String(status), { $ref: `#/components/responses/${sharedRefusal(writing, status)}` }])
  return Object.fromEntries(references) as Record<string, JsonObject>
}

/** The name of the response that all operations of the interface share for this status; written when first needed. */
function sharedRefusal(writing: Writing, status: number): string {
  const name = writing.names.prefix + statusWords(status).replaceAll(/\W/g, '')
  if (!writing.responses[name]) {
    const { dialect } = writing.definition
    const reasons = writing.reasons.get(status) ?? []
    writing.responses[name] = {
      description: reasons.map(whenRefused).join(' '),
      ...(status === 401 &&
        challenges(writing.definition) && {
          headers: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
        }),
      ...(status === 429 && { headers: RATE_LIMITED_HEADERS }),
      content: {
        'application/json': {
          schema: writing.schemas.publish(dialect.errorSchema),
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

function securityScheme({ dialect: { credential }, guard }: InterfaceDefinition): Record<string, JsonObject> {
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
  description: 'The token that the server was started with; one that was started without asks for none.',
}

/** What one of must be shown; nothing at all is enough for a guard that has no token. */
function securityOf(definition: InterfaceDefinition): JsonObject[] {
  const shown = Object.keys(securityScheme(definition)).map((name) => ({ [name]: [] }))
  return definition.dialect.credential.kind === 'open' && definition.guard ? [...shown, {}] : shown
}

/** What an operation asks for, where that is not what the whole document asks for. */
const ownSecurity = ({ security }: Writing, asked: readonly JsonObject[]): JsonObject =>
  JSON.stringify(asked) === JSON.stringify(security) ? {} : { security: asked }

const challenges = ({ dialect: { credential }, guard }: InterfaceDefinition): boolean =>
  credential.kind === 'bearer' || (credential.kind === 'open' && guard !== undefined)

// ---------------------------------------------------------------- tags

function tagsOf(definition: InterfaceDefinition, routes: readonly MountedRoute[], names: Names): Tag[] {
  const tags = new Set(routes.map((route) => route.operation.tag))
  const described = [...tags].map((tag) => ({
    name: names.tag(tag),
    description: contentsOf(routes.filter((route) => route.operation.tag === tag)),
  }))
  if (!definition.events?.length) return described
  return [
    ...described,
    { name: names.tag(EVENTS), description: 'What the server sends to the webhooks that subscribed to it.' },
  ]
}

/** "List products; create a product; delete a product." */
function contentsOf(routes: readonly MountedRoute[]): string {
  const [first = '', ...others] = routes.map(({ operation }) => operation.summary)
  const rest = others.map((summary) => summary.charAt(0).toLowerCase() + summary.slice(1))
  return `${[first, ...rest].join('; ')}.`
}

// ---------------------------------------------------------------- events

const EVENTS = 'Events'

/** A delivery as a receiver sees it. */
function delivery(writing: Writing, event: PublishedEvent): JsonObject {
  const { definition, names, schemas } = writing
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
      ...ownSecurity(writing, []),
      parameters: Object.keys(deliveryHeaders(names)).map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      requestBody: { required: true, content: contentOf(schemas, envelope, 'answered') },
      responses: {
        '2XX': { description: 'Taken. Any other answer, or none within ten seconds, is tried again later.' },
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

// ---------------------------------------------------------------- putting together

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
