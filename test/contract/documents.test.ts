/** Rules for every published document, so that validators accept it and generators create correct clients. */
import { createHash } from 'node:crypto'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../src/http/openapi/documentParts.ts'
import { PUBLISHED_EXTENSIONS } from '../../src/http/openapi/components.ts'
import {
  everyDocument,
  pointedAt,
  sentContent,
  sentSchemas,
  type DocumentedOperation,
  type Json,
  type PublishedDocument,
} from '../support/documents.ts'

const documents = everyDocument()

/** A validator that refuses formats and keywords that JSON Schema does not define, except the documented extensions. */
function strictValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, strictTuples: false })
  addFormats.default(ajv)
  ajv.addVocabulary([...PUBLISHED_EXTENSIONS])
  return ajv
}

/** Every schema of a parameter, header, request or response. */
function schemasWithin(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const { schema } = value as { schema?: object }
  const below = Object.entries(value).flatMap(([word, each]) =>
    ['schema', 'example', 'examples'].includes(word) ? [] : schemasWithin(each),
  )
  return schema === undefined ? below : [schema, ...below]
}

/** The URL of the components in the validators, each of which is a schema that is compiled once. */
const COMPONENTS = 'https://example.com/components/'

/** The schema as text, with references to these URLs. */
const referring = (schema: object): string =>
  JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', `"$ref":"${COMPONENTS}`)

/** The schemas that a strict validator has compiled: the document of the suite has those of the interfaces again. */
const compiled = new Set<string>()

/** The schema as text, in which each reference is a hash of what it refers to, or the depth of a schema that refers to itself. */
function wholeText(document: OpenApiDocument, schema: object, within: readonly string[] = []): string {
  return JSON.stringify(schema).replaceAll(/(?<="\$ref":"#\/components\/schemas\/)[^"]+/g, (name) => {
    if (within.includes(name)) return String(within.indexOf(name))
    const target = wholeText(document, document.components.schemas[name] ?? {}, [...within, name])
    return createHash('sha1').update(target).digest('hex')
  })
}

/** Request schemas inside the server, before a handler sees the fields. */
interface Inner {
  readonly properties?: Readonly<Record<string, InnerField>>
}

interface InnerField extends Inner {
  readonly default?: unknown
  readonly format?: string
  readonly contentMediaType?: string
}

const bodyOf = ({ route }: DocumentedOperation): Inner => route.schema.body ?? {}
const queryOf = ({ route }: DocumentedOperation): Inner => route.schema.querystring ?? {}

const fieldsOf = ({ properties = {} }: Inner): [string, InnerField][] => Object.entries(properties)

/** The complete published schema of a body. */
function publishedBody({ document }: PublishedDocument, { operation }: DocumentedOperation): Json {
  const [content] = Object.values(sentContent(operation))
  const { $ref } = (content?.schema ?? {}) as { $ref?: string }
  return $ref === undefined ? (content?.schema ?? {}) : pointedAt(document, $ref)
}

const parameterOf = ({ operation }: DocumentedOperation, name: string): Json =>
  operation.parameters?.find((each) => each['in'] === 'query' && each['name'] === name) ?? {}

describe.each(documents.map((each) => [each.name, each] as const))('document of %s', (_name, published) => {
  const { document, operations } = published

  test('has no `default` in schemas of bodies, because generators then treat the field as always present', () => {
    for (const { title, operation } of operations) {
      const saying = sentSchemas(document, { ...operation, parameters: [] }).filter(
        (schema) => 'default' in schema,
      )
      expect(saying, title).toEqual([])
    }
  })

  test('requires nothing that the server fills in, and shows the default: of fields in words and as x-default', () => {
    for (const each of operations) {
      const { required = [], properties = {} } = publishedBody(published, each) as {
        required?: string[]
        properties?: Readonly<Record<string, Json>>
      }
      for (const [name, field] of fieldsOf(bodyOf(each)).filter((entry) => 'default' in entry[1])) {
        expect(required, each.title).not.toContain(name)
        expect(properties[name]?.['description'], `${each.title} ${name}`).toMatch(/Default/)
        expect(properties[name]?.['x-default'], `${each.title} ${name}`).toEqual(field.default)
      }
      for (const [name, field] of fieldsOf(queryOf(each)).filter((entry) => 'default' in entry[1])) {
        const parameter = parameterOf(each, name)
        expect(parameter['required'], each.title).toBe(false)
        expect((parameter['schema'] as Json)['default'], `${each.title} ${name}`).toEqual(field.default)
      }
    }
  })

  test('requires no response-only field in a request', () => {
    for (const { title, operation } of operations) {
      const answered = sentSchemas(document, operation).filter((schema) => schema['readOnly'] === true)
      expect(answered, title).toEqual([])
    }
  })

  test('describes an uploaded file as binary form data', () => {
    for (const each of operations) {
      const files = fieldsOf(bodyOf(each)).filter(([, field]) => field.contentMediaType !== undefined)
      if (files.length === 0) continue
      expect(Object.keys(sentContent(each.operation)), each.title).toEqual(['multipart/form-data'])
      const { properties } = publishedBody(published, each) as {
        properties: Readonly<Record<string, Json>>
      }
      for (const [name] of files) {
        expect(properties[name], each.title).toMatchObject({ type: 'string', format: 'binary' })
      }
    }
    expect(JSON.stringify(document)).not.toContain('"contentMediaType"')
  })

  test('has schemas that a strict validator compiles', () => {
    const ajv = strictValidator()
    const { components, paths, webhooks } = document
    for (const [name, schema] of Object.entries(components.schemas))
      ajv.addSchema(JSON.parse(referring(schema)) as object, COMPONENTS + name)
    const schemas = [...Object.values(components.schemas), ...schemasWithin({ components, paths, webhooks })]
    for (const schema of schemas) {
      const text = wholeText(document, schema)
      if (compiled.has(text)) continue
      expect(() => ajv.compile(JSON.parse(referring(schema)) as object), referring(schema)).not.toThrow()
      compiled.add(text)
    }
  })

  test('requires no date-time, because a strict validator would refuse a date', () => {
    for (const { operation, title } of operations) {
      const dateTimes = sentSchemas(document, operation).filter(({ format }) => format === 'date-time')
      expect(dateTimes, title).toEqual([])
    }
  })

  test('accepts a date for a query parameter that is a point in time, and documents it', () => {
    const ajv = strictValidator()
    for (const each of operations) {
      for (const [name] of fieldsOf(queryOf(each)).filter(([, { format }]) => format === 'instant')) {
        const { schema, description } = parameterOf(each, name)
        const fits = ajv.compile(schema as object)
        expect([fits('2026-01-31'), fits('2026-01-31T09:30:00Z'), fits('2026-01-31T09:30:00-05:00')]).toEqual(
          [true, true, true],
        )
        expect(fits('yesterday')).toBe(false)
        expect(description, `${each.title} ${name}`).toMatch(/\bdate\b/)
      }
    }
  })

  test('documents the credential at the top, and per operation only if it differs', () => {
    expect(document.security).toBeInstanceOf(Array)
    for (const { operation, title, route } of operations) {
      expect(operation['security'], title).not.toEqual(document.security)
      if (route.operation.open) expect(operation['security'] ?? document.security, title).toEqual([])
      for (const requirement of (operation['security'] ?? document.security) as object[]) {
        expect(Object.keys(document.components.securitySchemes), title).toEqual(
          expect.arrayContaining(Object.keys(requirement)),
        )
      }
    }
  })

  test('describes an operation with words that its summary does not contain', () => {
    for (const { operation, title } of operations) {
      const { summary = '', description = '' } = operation as { summary?: string; description?: string }
      expect(words(description), title).not.toBe('')
      expect(words(description).startsWith(words(summary)), `${title}: ${description}`).toBe(false)
    }
  })

  test('describes each group of operations by its content', () => {
    const { description: ofAll } = document.info as { description: string }
    for (const { name, description } of document.tags) {
      const [group = ''] = name.split(': ').slice(-1)
      expect(description).not.toContain(ofAll)
      expect(words(description).startsWith(`${words(group)} `), description).toBe(false)
    }
  })
})

/** The words only, without case and punctuation. */
const words = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
