/** Operations in the published documents: parameters, bodies and answers. */
import { OptionalKind } from '@sinclair/typebox'
import { assumed } from '../../state/model/fidelity.ts'
import type { LoadedInterface, MountedRoute } from '../definition/definition.ts'
import { scopesOf, type Operation } from '../definition/operation.ts'
import { areaScope } from '../definition/unlistedScopes.ts'
import { RATE_LIMIT_HEADERS, type RateLimit } from '../lifecycle/rateLimits.ts'
import { LONGEST_PARAMETER } from '../schemas/limits.ts'
import { ofMediaType, type JsonObject } from './components.ts'
import { contentOf, fidelityWords } from './contents.ts'
import { securityOf, securityOverride } from './credentials.ts'
import type { DocumentPart, PublishedOperation } from './documentParts.ts'
import { readingNames, readingsOf } from './readings.ts'
import { permissionWords, queryProperties } from './reasons.ts'
import { refusalsOf, statusWords } from './refusals.ts'

export function publishedOperation(documentPart: DocumentPart, route: MountedRoute): PublishedOperation {
  const { definition, names, schemas } = documentPart
  const { operation, schema } = route
  const parameters = [...pathParameters(documentPart, route), ...queryParameters(documentPart, route)]
  const scopes = scopesOf(operation)
  const ofArea = areaScope(route, documentPart.routes)
  return {
    operationId: names.operationId(operation.id),
    summary: operation.summary,
    description: descriptionOf(definition, route, ofArea),
    tags: [names.tag(operation.tag)],
    ...fidelityWords(operation.fidelity),
    ...readingNames(readingsOf(definition, route, documentPart.routes)),
    ...(scopes.length > 0 && { 'x-scope': scopes }),
    ...(ofArea !== undefined && { 'x-scope-reading': { area: [ofArea], any: [] } }),
    ...(operation.orScope !== undefined && { 'x-scope-alternative': operation.orScope }),
    ...(operation.limit && {
      'x-rate-limit': { limit: operation.limit.max, windowSeconds: operation.limit.windowMs / 1000 },
    }),
    ...securityOverride(documentPart, operation.open ? [] : securityOf(definition)),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && {
      requestBody: {
        required: !(OptionalKind in schema.body),
        content: contentOf(schemas, schema.body, 'sent'),
      },
    }),
    responses: responsesOf(documentPart, route),
  }
}

function responsesOf(documentPart: DocumentPart, route: MountedRoute): Record<string, JsonObject> {
  const responses = { ...answersOf(documentPart, route), ...refusalsOf(documentPart, route) }
  return route.operation.describe?.(responses, documentPart) ?? responses
}

function descriptionOf(
  definition: LoadedInterface,
  { operation }: MountedRoute,
  ofArea: string | undefined,
): string {
  const sentences = [operation.description, permissionWords(operation, definition, ofArea)]
  if (operation.limit) sentences.push(limitWords(operation.limit))
  const { module, moduleIf } = operation
  if (module) {
    const condition = moduleIf ? ` (reading \`${moduleIf.reading.name}\`: ${moduleIf.is})` : ''
    sentences.push(`Refused if the ${module} module is inactive${condition}.`)
  }
  if (operation.plan) sentences.push('Refused if the plan of the workspace does not include it.')
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

const limitWords = ({ max, windowMs, per }: RateLimit): string =>
  `At most ${String(max)} calls in ${String(windowMs / 1000)} seconds for each ${per}, unless the server was started without rate limits.`

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
    const { default: value, ...rest } = property as { default?: unknown }
    const published = schemas.publish(rest, LONGEST_PARAMETER)
    // Client generators keep a parameter with a default optional, unlike a field of a body.
    return parameter(
      'query',
      name,
      { ...published, ...(value !== undefined && { default: value }) },
      isRequired,
    )
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

function answersOf({ schemas }: DocumentPart, { operation }: MountedRoute): Record<string, JsonObject> {
  const answers = Object.entries(operation.answers).map(([status, schema]) => [
    status,
    {
      description: statusWords(Number(status)),
      ...(operation.assumedStatus !== undefined && fidelityWords(assumed(operation.assumedStatus))),
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
