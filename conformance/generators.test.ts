/**
 * Types and clients generated from each document compile under the strictest settings and keep optional fields
 * optional.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { beforeEach, expect, test, vi } from 'vitest'
import type { OpenApiDocument } from '../src/http/openapi/documentParts.ts'
import {
  everyDocument,
  pointedAt,
  sentContent,
  sentSchemas,
  type DocumentedOperation,
  type Json,
  type PublishedDocument,
  type Sent,
} from '../test/support/documents.ts'
import { scratchFolder } from '../test/support/process.ts'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  skipLibCheck: true,
}

/** The errors of the compiler for these files. */
function complaintsOf(files: readonly string[]): string[] {
  const program = ts.createProgram([...files], OPTIONS)
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${file?.fileName ?? ''}:${String(line)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

/** The file of types that openapi-typescript generates from the document. */
async function typesOf(folder: string, name: string, document: OpenApiDocument): Promise<string> {
  const file = join(folder, `${name}.types.ts`)
  // As JSON, because openapi-typescript has its own type for documents.
  writeFileSync(file, astToString(await openapiTypes(JSON.stringify(document))))
  return file
}

/** The file of the client that orval generates from the document. */
async function clientOf(folder: string, name: string, document: OpenApiDocument): Promise<string> {
  const source = join(folder, `${name}.json`)
  writeFileSync(source, JSON.stringify(document))
  const file = join(folder, `${name}.client.ts`)
  // Loaded lazily, because it captures the current console for its progress output.
  const { generate } = await import('orval')
  await generate({
    input: { target: source },
    output: { target: file, client: 'fetch', mode: 'single', prettier: false },
  })
  return file
}

/** A file that makes each call of the document through the generated code with only the required values. */
function leastCalls(folder: string, { name, document, operations }: PublishedDocument): string {
  const lines = operations.flatMap((each, index) => {
    const number = String(index)
    const { operationId, parameters = [] } = each.operation
    const type = `paths[${JSON.stringify(each.path)}][${JSON.stringify(each.method.toLowerCase())}]`
    const inPath = [...each.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
      isNumber(parameters, name) ? '0' : '"id"',
    )
    const query = JSON.stringify(requiredQuery(each))
    const [sent] = Object.entries(sentContent(each.operation)).map(([mediaType, content]) => ({
      mediaType: JSON.stringify(mediaType),
      body: leastBody(document, content),
    }))
    const passed = [...inPath, ...(sent ? [sent.body] : []), ...(query === '{}' ? [] : [query])]
    const lines = [`export const call${number} = () => client.${operationId}(${passed.join(', ')})`]
    // The generated types treat a file as a string, so uploads are tested with the client only.
    if (sent && !sent.body.includes(A_FILE)) {
      const body = `NonNullable<${type}['requestBody']>['content'][${sent.mediaType}]`
      lines.push(`export const body${number}: ${body} = ${sent.body}`)
    }
    if (parameters.some((parameter) => parameter['in'] === 'query')) {
      lines.push(`export const query${number}: NonNullable<${type}['parameters']['query']> = ${query}`)
    }
    return lines
  })
  const file = join(folder, `${name}.least.ts`)
  const imports = [
    `import type { paths } from './${name}.types'`,
    `import * as client from './${name}.client'`,
  ]
  writeFileSync(file, [...imports, ...lines].join('\n'))
  return file
}

const isNumber = (parameters: readonly Json[], parameterName: string): boolean =>
  parameters.some(({ name, schema }) => name === parameterName && (schema as Json)['type'] === 'integer')

const A_FILE = 'new Blob()'

/** The required fields as an expression. */
function leastBody(document: OpenApiDocument, { schema, example }: Sent): string {
  const { $ref } = schema as { $ref?: string }
  const { required = [], properties = {} } = ($ref === undefined ? schema : pointedAt(document, $ref)) as {
    required?: readonly string[]
    properties?: Readonly<Record<string, Json>>
  }
  const fields = required.map((name) => {
    const value = properties[name]?.['format'] === 'binary' ? A_FILE : JSON.stringify(example[name])
    return `${JSON.stringify(name)}: ${value}`
  })
  return `{ ${fields.join(', ')} }`
}

/** The required query parameters, with the documented example values. */
function requiredQuery({ operation }: DocumentedOperation): Json {
  const requiredParameters = (operation.parameters ?? []).filter(
    (each) => each['in'] === 'query' && each['required'] === true,
  )
  return Object.fromEntries(
    requiredParameters.map(({ name, schema }) => [
      name,
      (schema as { examples: readonly unknown[] }).examples[0],
    ]),
  )
}

/** All files generated from a document, and the calls that must compile with them. */
async function generated(folder: string, published: PublishedDocument): Promise<string[]> {
  const { name, document } = published
  return [
    await typesOf(folder, name, document),
    await clientOf(folder, name, document),
    leastCalls(folder, published),
  ]
}

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})

test('generates types and clients that compile, and that require only the required values', async () => {
  const folder = scratchFolder()
  const files: string[] = []
  for (const published of everyDocument()) files.push(...(await generated(folder, published)))
  expect(complaintsOf(files)).toEqual([])
})

test('fails for a `default` in a request schema', async () => {
  const published = everyDocument().find(({ operations }) =>
    operations.some(({ operation }) => 'application/json' in sentContent(operation)),
  )
  if (!published) throw new Error('no document takes a body')
  const document = structuredClone(published.document)
  for (const { operation } of published.operations) {
    for (const schema of sentSchemas(document, operation)) {
      const { properties = {}, required = [] } = schema as {
        properties?: Record<string, Record<string, unknown>>
        required?: readonly string[]
      }
      for (const [name, property] of Object.entries(properties)) {
        if (!required.includes(name)) property['default'] = null
      }
    }
  }
  const complaints = complaintsOf(await generated(scratchFolder(), { ...published, document }))
  expect(complaints).toContainEqual(expect.stringContaining('is missing the following properties'))
})
