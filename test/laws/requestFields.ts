/** The fields of a request as its published document describes them, at any depth, with values at and beyond each bound. */
import { Ajv, type ValidateFunction } from 'ajv'
import type { OpenApiDocument } from '../../src/http/openapi/documentParts.ts'
import { FORMATS } from '../../src/http/schemas/validation.ts'
import { FORM_TYPE } from '../../src/http/uploads/multipart.ts'
import { exampleBody } from '../support/examples.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly format?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly 'x-max-size'?: number
  /** True if the items are checked one by one, with the schema of another operation. */
  readonly 'x-items-apart'?: boolean
  readonly anyOf?: readonly unknown[]
  readonly 'x-fidelity'?: string
  readonly 'x-assumed-values'?: readonly unknown[]
}

/** The part of a path that stands for the items of a list. */
export const ITEM = '[]'

export interface Field {
  readonly place: 'body' | 'query'
  /** ["stages", "[]", "name"] */
  readonly path: readonly string[]
  readonly schema: Schema
  readonly isRequired: boolean
}

type Body = Readonly<Record<string, unknown>>

/** A value, and what it is: "maxLength 200". A field that is absent has the value undefined. */
export type Case = readonly [what: string, value: unknown]

const bodies = new WeakMap<object, Schema>()

/** The request body of an operation, without references; undefined if it takes none. */
export function bodyOf(document: OpenApiDocument, method: string, path: string): Schema | undefined {
  const operation = document.paths[path]?.[method.toLowerCase()] ?? {}
  const body = bodies.get(operation) ?? findBody(document, method, path)
  if (body) bodies.set(operation, body)
  return body
}

function findBody(document: OpenApiDocument, method: string, path: string): Schema | undefined {
  const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const content = requestBody?.['content'] as Readonly<Record<string, { schema: Schema }>> | undefined
  const schema = (content?.['application/json'] ?? content?.[FORM_TYPE])?.schema
  return schema && resolved(document, schema)
}

/** The schema without references. */
function resolved(document: OpenApiDocument, value: Schema): Schema {
  if (value.$ref !== undefined) {
    const named = resolved(
      document,
      document.components.schemas[value.$ref.split('/').at(-1) ?? ''] as Schema,
    )
    const { 'x-fidelity': fidelity = named['x-fidelity'] } = value
    return { ...named, ...(fidelity !== undefined && { 'x-fidelity': fidelity }) }
  }
  if (value['x-items-apart'] === true) return { ...value, items: {} }
  const entries = Object.entries(value).map(([word, held]): [string, unknown] => [
    word,
    word !== 'examples' &&
    word !== 'enum' &&
    typeof held === 'object' &&
    held !== null &&
    !Array.isArray(held)
      ? resolved(document, held as Schema)
      : held,
  ])
  return Object.fromEntries(entries)
}

const known = new WeakMap<object, Field[]>()

/** Every field of the request: the query parameters, and the properties and items of the body. */
export function fieldsOf(document: OpenApiDocument, method: string, path: string): Field[] {
  const operation = document.paths[path]?.[method.toLowerCase()] ?? {}
  const fields = known.get(operation) ?? findFields(document, method, path)
  known.set(operation, fields)
  return fields
}

function findFields(document: OpenApiDocument, method: string, path: string): Field[] {
  const { parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {}
  const body = bodyOf(document, method, path)
  return [
    ...parameters
      .filter((each) => each['in'] === 'query')
      .map((each): Field => ({
        place: 'query',
        path: [String(each['name'])],
        schema: resolved(document, each['schema'] as Schema),
        isRequired: each['required'] === true,
      })),
    ...(body ? fieldsIn(body, [], exampleBody(document, method, path)) : []),
  ]
}

/** The fields of an object or a list. Items that are checked apart from the request are those of another operation. */
function fieldsIn(
  { properties = {}, required = [], items, 'x-items-apart': apart }: Schema,
  path: readonly string[],
  example: unknown,
): Field[] {
  const parts = Object.entries(properties).map(([name, schema]) => ({ name, schema }))
  if (items && !apart) parts.push({ name: ITEM, schema: items })
  return parts.flatMap(({ name, schema }) => {
    const own = [...path, name]
    const shown = valueAt(example, [name])
    const field: Field = {
      place: 'body',
      path: own,
      schema: withItem(schema, shown),
      isRequired: required.includes(name),
    }
    return [field, ...fieldsIn(schema, own, shown)]
  })
}

/** The schema of a list with the first item of the example as an example. */
const withItem = (schema: Schema, list: unknown): Schema =>
  Array.isArray(list) && list.length > 0 && schema.items
    ? { ...schema, items: { ...schema.items, examples: [list[0]] } }
    : schema

const LIMITS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/** The type and bounds of a field on one line. */
export function boundsText({ path, schema, isRequired }: Field): string {
  const { type, enum: values, format, pattern, additionalProperties } = schema
  const limits = LIMITS.flatMap(([least, most]) => {
    const [min, max] = [schema[least], schema[most]]
    if (min === undefined && max === undefined) return []
    return [`${String(min ?? '')}..${String(max ?? '')}`]
  })
  return [
    `${path.join('.')}${isRequired ? '*' : ''}`,
    [type ?? 'any'].flat().join('|'),
    ...(schema.exclusiveMinimum === undefined ? [] : [`above ${String(schema.exclusiveMinimum)}`]),
    ...limits,
    ...(schema['x-max-size'] === undefined ? [] : [`JSON ..${String(schema['x-max-size'])}`]),
    ...(schema.uniqueItems === true ? ['unique'] : []),
    ...(format === undefined ? [] : [format]),
    ...(pattern === undefined ? [] : [`/${pattern}/`]),
    ...(values ? [`(${values.map(String).join(' ')})`] : []),
    ...(additionalProperties === false ? ['closed'] : []),
    ...(schema.anyOf === undefined ? [] : ['one of several']),
  ].join(' ')
}

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat())

/** A validator without the server's own keywords, which the values test. */
const ajv = new Ajv({
  strict: false,
  validateSchema: false,
  allErrors: true,
  formats: Object.fromEntries(Object.entries(FORMATS).map(([name, { check }]) => [name, check])),
  keywords: [
    { keyword: 'x-max-size', validate: (max: number, value: unknown) => JSON.stringify(value).length <= max },
  ],
})

/** Many fields of many operations have the same schema, and compiling it takes the longest. */
const compiled = new Map<string, ValidateFunction>()
const validators = new WeakMap<Schema, ValidateFunction>()

/** Returns the validator of a field. */
export function validatorOf(schema: Schema): ValidateFunction {
  let validator = validators.get(schema)
  if (!validator) {
    const { examples: _, ...rest } = schema
    const text = JSON.stringify(rest)
    validator = compiled.get(text) ?? ajv.compile(rest)
    compiled.set(text, validator)
    validators.set(schema, validator)
  }
  return validator
}

const isValid = (schema: Schema, value: unknown): boolean => validatorOf(schema)(value)

/** The smallest valid value, or the published example. */
export function sampleOf(schema: Schema): unknown {
  const { examples, enum: values, properties = {}, required = [], items = {} } = schema
  if (examples?.[0] !== undefined) return examples[0]
  if (values) return values[0]
  const [type] = typesOf(schema)
  switch (type) {
    case 'string':
      return textOf(schema.minLength ?? 1, schema)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return listOf(schema.minItems ?? 1, items)
    default:
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
  }
}

/** A valid text with this many characters, if the pattern and the format allow one. */
function textOf(length: number, schema: Schema): string | undefined {
  const known = (schema.examples?.[0] as string | undefined) ?? ''
  const domain = `@${'x'.repeat(63)}.${'x'.repeat(63)}.`
  const starts = [known || 'PA', '', 'https://example.com/', `${'x'.repeat(64)}${domain}`]
  return starts
    .flatMap((start) =>
      ['x', '1', 'A'].map((letter) => start + letter.repeat(Math.max(0, length - start.length))),
    )
    .find((text) => text.length === length && isValid(schema, text))
}

/** A list with this many different items, if the schema allows as many. */
function listOf(length: number, items: Schema): unknown[] {
  return Array.from({ length }, (_, index) => {
    if (items.enum) return items.enum[index % items.enum.length]
    const sample = sampleOf(items)
    const different = `${String(sample)}${String(index)}`
    return typeof sample === 'string' && isValid(items, different) ? different : sample
  })
}

const EMOJI = '😀'

/** The object with only its required names. */
const leastOf = (schema: Schema): Body => sampleOf({ ...schema, examples: [] }) as Body

/** An object with this many names. */
function namesOf(count: number, schema: Schema): object {
  const others = Array.from({ length: count }, (_, index) => [`a${String(index)}`, 1] as const)
  return Object.fromEntries([...Object.entries(leastOf(schema)), ...others].slice(0, count))
}

/** An object with this many characters as JSON. */
function sizeOf(size: number, schema: Schema): object {
  const empty = { ...leastOf(schema), a: '' }
  return { ...empty, a: 'x'.repeat(size - JSON.stringify(empty).length) }
}

/** The smallest difference between two numbers of the schema. */
const stepOf = (schema: Schema): number => (typesOf(schema).includes('integer') ? 1 : 0.01)

/** The values at each bound, each enum value, and null or none if the field may lack a value. */
export function valuesWithin({ schema, isRequired, path }: Field): Case[] {
  if (schema.format === 'binary') return []
  const types = typesOf(schema)
  const cases: Case[] = []
  const add = (what: string, value: unknown): void => {
    if (value !== undefined) cases.push([what, value])
  }
  if (!isRequired && path.at(-1) !== ITEM) cases.push(['none', undefined])
  if (types.includes('null')) add('null', null)
  if (schema.enum)
    return [
      ...cases,
      ...schema.enum.filter((value) => value !== null).map((value): Case => [String(value), value]),
    ]
  if (types.includes('boolean')) cases.push(['true', true], ['false', false])
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, maxProperties } =
    schema
  if (types.includes('string')) {
    add('shortest', textOf(minLength ?? 0, schema))
    add('longest', maxLength !== undefined ? textOf(maxLength, schema) : undefined)
    const emoji = EMOJI.repeat(maxLength ?? 1)
    add('emoji', isValid(schema, emoji) ? emoji : undefined)
  }
  add('least', minimum)
  add('least', exclusiveMinimum !== undefined ? exclusiveMinimum + stepOf(schema) : undefined)
  add('most', maximum)
  const { items } = schema
  if (items) {
    add('fewest', listOf(minItems ?? 0, items))
    const most = listOf(maxItems ?? 0, items)
    add('all', isValid(schema, most) ? most : undefined)
  }
  if (maxProperties !== undefined) add('names', namesOf(maxProperties, schema))
  if (schema['x-max-size'] !== undefined) add('size', sizeOf(schema['x-max-size'], schema))
  return cases
}

/** One value of each JSON type. */
const OF_EACH_TYPE: readonly unknown[] = [null, true, 12.5, 'text', [], {}]

/** Texts that patterns and formats refuse. */
const ODD_TEXTS = [
  '',
  ' ',
  '\n',
  'nonsense',
  'NONSENSE',
  ' 1',
  '1\n',
  '-',
  '9'.repeat(40),
  EMOJI,
  '2026-13-01',
  '2026-01-31T09:30:00+25:00',
  '2026-01-31T09:30:00-14:60',
  'a..b',
  // Like a currency.
  'QQQ',
]

/** The values just beyond each bound, and those of a wrong type, pattern or format. */
export function valuesBeyond({ schema, isRequired }: Field): Case[] {
  if (schema.format === 'binary') return []
  const types = typesOf(schema)
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, maxProperties } =
    schema
  const values: unknown[] = [...OF_EACH_TYPE]
  if (types.includes('string')) {
    values.push(...ODD_TEXTS)
    if (minLength !== undefined) values.push(textOf(minLength - 1, {}))
    if (maxLength !== undefined)
      values.push(
        textOf(maxLength + 1, { ...schema, maxLength: maxLength + 1 }),
        EMOJI.repeat(maxLength),
        EMOJI.repeat(maxLength + 1),
      )
  }
  if (schema.enum)
    values.push(...schema.enum.flatMap((value) => [`${String(value)} `, String(value).toUpperCase()]))
  const step = stepOf(schema)
  if (minimum !== undefined) values.push(minimum - step)
  if (exclusiveMinimum !== undefined) values.push(exclusiveMinimum)
  if (maximum !== undefined) values.push(maximum + step)
  const { items } = schema
  if (items && minItems !== undefined) values.push(listOf(minItems - 1, items))
  if (items && maxItems !== undefined) values.push(listOf(maxItems + 1, items))
  if (items && schema.uniqueItems === true) values.push([sampleOf(items), sampleOf(items)])
  if (maxProperties !== undefined) values.push(namesOf(maxProperties + 1, schema))
  if (schema['x-max-size'] !== undefined) values.push(sizeOf(schema['x-max-size'] + 1, schema))
  const wrong = values.filter((value) => value !== undefined && !isValid(schema, value))
  const texts = new Map(wrong.map((value) => [JSON.stringify(value), value]))
  return [
    ...(isRequired ? [['none', undefined] as const] : []),
    ...[...texts].map(([text, value]): Case => [text.slice(0, 60), value]),
  ]
}

/** The body with this value at the path. Objects and items on the way that the body lacks are added. */
export function withValue(schema: Schema, body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (name === ITEM) {
    const list = Array.isArray(body) && body.length > 0 ? (body as unknown[]) : [sampleOf(schema.items ?? {})]
    return [withValue(schema.items ?? {}, list[0], rest, value), ...list.slice(1)]
  }
  const holder = (typeof body === 'object' && body !== null ? body : leastOf(schema)) as Body
  const own = schema.properties?.[name] ?? {}
  return { ...holder, [name]: withValue(own, holder[name], rest, value) }
}

/** The value at the path, in the first item of each list. */
export const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (value as Body | null | undefined)?.[name === ITEM ? '0' : name],
    body,
  )

/** The value of fields that no body has. */
export const UNKNOWN_VALUE = 'value of an unknown field'

/** The body with these names in each object that has others. */
export function withUnknownNames(schema: Schema, body: unknown, names: readonly string[]): unknown {
  const { properties, items = {} } = schema
  if (Array.isArray(body)) return body.map((item: unknown) => withUnknownNames(items, item, names))
  if (typeof body !== 'object' || body === null || !properties) return body
  const entries = Object.entries(body).map(([name, value]): [string, unknown] => [
    name,
    withUnknownNames(properties[name] ?? {}, value, names),
  ])
  const unknown = names.filter((name) => !(name in properties)).map((name) => [name, UNKNOWN_VALUE] as const)
  return { ...Object.fromEntries(unknown), ...Object.fromEntries(entries) }
}
