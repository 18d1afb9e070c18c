/** Builds a request from the published example of an operation, using only the document. */
import type { OpenApiDocument, PublishedOperation } from '../../src/http/openapi/documentParts.ts'
import { pointedAt, sentContent, type DocumentedOperation, type Json, type Sent } from './documents.ts'

export interface ExampleRequest {
  /** Relative to the server URL of the document, with the query. */
  readonly path: string
  readonly init: RequestInit
}

/** Returns null if a required value has no example, because the demo workspace has no such record. */
export function exampleRequest(
  document: OpenApiDocument,
  { method, path, operation }: DocumentedOperation,
  key: string,
): ExampleRequest | null {
  const { parameters = [] } = operation
  const withExamples = parameters.filter((each) => exampleOf(each) !== undefined)
  if (parameters.some((each) => each['required'] === true && !withExamples.includes(each))) return null
  const textsIn = (where: string): [string, string][] =>
    withExamples
      .filter((each) => each['in'] === where)
      .map((each) => [String(each['name']), String(exampleOf(each))])
  const query = new URLSearchParams(textsIn('query')).toString()
  const filled = textsIn('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const body = exampleBody(document, operation)
  return {
    path: query === '' ? filled : `${filled}?${query}`,
    init: {
      method,
      headers: {
        ...credential(document, operation, key),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      body,
    },
  }
}

const exampleOf = ({ schema }: Json): unknown => (schema as { examples?: readonly unknown[] }).examples?.[0]

function exampleBody(document: OpenApiDocument, operation: PublishedOperation): string | FormData | null {
  const { 'application/json': json, 'multipart/form-data': form } = sentContent(operation)
  if (form) return exampleForm(document, form)
  return json ? JSON.stringify(json.example) : null
}

function exampleForm(document: OpenApiDocument, { schema, example }: Sent): FormData {
  const { $ref } = schema as { $ref?: string }
  const { properties } = ($ref === undefined ? schema : pointedAt(document, $ref)) as {
    properties: Readonly<Record<string, Json>>
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(example)) {
    if (properties[name]?.['format'] === 'binary') form.append(name, new Blob([String(value)]), name)
    else if (Array.isArray(value)) for (const each of value) form.append(`${name}[]`, String(each))
    else form.append(name, String(value))
  }
  return form
}

/** The header of the first security scheme of the operation, or nothing if it needs no credential. */
function credential(
  { security, components }: OpenApiDocument,
  operation: PublishedOperation,
  key: string,
): Record<string, string> {
  const requirements = (operation['security'] ?? security) as readonly Json[]
  const [name] = requirements.some((each) => Object.keys(each).length === 0)
    ? []
    : Object.keys(requirements[0] ?? {})
  if (name === undefined) return {}
  const scheme = components.securitySchemes[name] ?? {}
  return scheme['type'] === 'apiKey' ? { [String(scheme['name'])]: key } : { authorization: `Bearer ${key}` }
}
