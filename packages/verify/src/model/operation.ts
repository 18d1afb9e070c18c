/** The operations of a published document, as `verify` needs them. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { JsonObject, OpenApiDocument, PublishedOperation } from '../../../../src/published.ts'

/** A parameter of the path or of the query, with its resolved schema. */
export interface Parameter {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: JsonObject
}

export interface Operation {
  readonly interface: InterfaceName
  readonly id: string
  /** "GET" */
  readonly method: string
  /** "/payment-links/{link_id}", relative to the base path */
  readonly path: string
  /** "GET /payment-links/{link_id}": the beginning of the places of its facts. */
  readonly address: string
  readonly inPath: readonly Parameter[]
  readonly inQuery: readonly Parameter[]
  /** The statuses below 300 of the document. */
  readonly successes: readonly number[]
  readonly published: PublishedOperation
  readonly document: OpenApiDocument
}

export function operationsOf(name: InterfaceName, document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, published]): Operation => {
      const parameters = (published.parameters ?? []).map((parameter) => resolve(document, parameter))
      const placed = (place: string): Parameter[] =>
        parameters
          .filter((parameter) => parameter['in'] === place)
          .map((parameter) => ({
            name: String(parameter['name']),
            isRequired: parameter['required'] === true,
            schema: resolve(document, (parameter['schema'] ?? {}) as JsonObject),
          }))
      return {
        interface: name,
        id: published.operationId,
        method: method.toUpperCase(),
        path,
        address: `${method.toUpperCase()} ${path}`,
        inPath: placed('path'),
        inQuery: placed('query'),
        successes: Object.keys(published.responses)
          .map(Number)
          .filter((status) => status < 300),
        published,
        document,
      }
    }),
  )
}

/** Returns the object that a reference names, with the words next to the reference. */
export function resolve(document: OpenApiDocument, words: JsonObject): JsonObject {
  const { $ref, ...rest } = words
  if (typeof $ref !== 'string') return words
  let target: unknown = document
  for (const part of $ref.slice(2).split('/')) target = (target as Record<string, unknown>)[part]
  return resolve(document, { ...(target as JsonObject), ...rest })
}

/** Returns the schema of the JSON body of a response; undefined if it has none. */
export function responseSchema(operation: Operation, status: number): JsonObject | undefined {
  const answer = operation.published.responses[String(status)]
  if (!answer) return undefined
  const content = (resolve(operation.document, answer)['content'] ?? {}) as Record<string, JsonObject>
  return content['application/json']?.['schema'] as JsonObject | undefined
}
