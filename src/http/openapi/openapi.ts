/**
 * The published documents: OpenAPI 3.1 of one interface, and of all. They are built from the TypeBox values
 * that validate. The responses include every possible refusal; `x-fidelity` says whether the specification
 * shows a part.
 */
import type { LoadedInterface, MountedRoute, Published, PublishedAddress } from '../definition/definition.ts'
import { capitalized } from '../schemas/wording.ts'
import { PublishedSchemas, type JsonObject } from './components.ts'
import { fidelityWords } from './contents.ts'
import { securityOf, securityScheme } from './credentials.ts'
import type {
  Components,
  DocumentPart,
  Names,
  OpenApiDocument,
  PublishedOperation,
  Tag,
} from './documentParts.ts'
import { delivery, deliveryHeaders, EVENTS } from './events.ts'
import { publishedOperation } from './operations.ts'
import { reasonsByStatus } from './refusals.ts'

export interface DocumentOptions {
  /** The server's URL without a trailing slash: "http://127.0.0.1:4012". */
  readonly serverUrl: string
  readonly version: string
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

function publishedPart(
  { definition, routes }: Published,
  names: Names,
  security: readonly JsonObject[],
): Part {
  const documentPart: DocumentPart = {
    definition,
    routes,
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
