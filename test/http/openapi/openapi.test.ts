import { Type } from '@sinclair/typebox'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { COMMON_REFUSALS, type Credential, type Dialect } from '../../../src/http/definition/dialect.ts'
import type { LoadedInterface, MountedRoute } from '../../../src/http/definition/definition.ts'
import type { Operation } from '../../../src/http/definition/operation.ts'
import { under, reading } from '../../../src/state/model/reading.ts'
import type { OpenApiDocument } from '../../../src/http/openapi/documentParts.ts'
import { interfaceDocument, suiteDocument } from '../../../src/http/openapi/openapi.ts'
import { File, Form } from '../../../src/http/uploads/multipart.ts'
import {
  Assumed,
  assumedDefault,
  assumedValues,
  Currency,
  documentedLimits,
  FreeObject,
  named,
  OneOf,
} from '../../../src/http/schemas/schemas.ts'
import { FORMATS } from '../../../src/http/schemas/validation.ts'
import { assumed, documented } from '../../../src/state/model/fidelity.ts'
import { loadedInterface } from '../../support/definitions.ts'
import { CONTROL, PUBLISHED } from '../../support/published.ts'

const OPTIONS = { serverUrl: 'http://127.0.0.1:4012', version: '1.2.3' }

const Pet = named(
  'Pet',
  Type.Object({
    id: Type.String({ readOnly: true }),
    name: Type.String({ maxLength: 5, 'x-wording': 'a word for the validator' }),
    secret: Type.String({ writeOnly: true }),
    mood: Assumed('Nobody shows moods.', Type.String()),
  }),
)

const dialect = (credential: Credential): Dialect => ({
  credential,
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'invalid' },
    invalid_query: { status: 422, code: 'invalid' },
  },
  body: ({ code, details }) => ({ code, ...(details && { details }) }),
  errorSchema: named(
    'Error',
    Type.Object({ code: Type.String(), details: Type.Optional(Type.Array(Type.Object({}))) }),
  ),
})

const definition = (more: Partial<LoadedInterface> = {}): LoadedInterface =>
  loadedInterface({
    name: 'pet-shop',
    title: 'Pet shop',
    description: 'Pets.',
    basePath: '/pets/v1',
    dialect: dialect({ kind: 'header', header: 'X-Pet-Key' }),
    resources: [],
    ...more,
  })

const route = (method: string, path: string, more: Partial<Operation> = {}, schema = {}): MountedRoute => ({
  interface: 'pet-shop',
  method,
  path,
  schema,
  operation: {
    id: `${method.toLowerCase()}Pet`,
    summary: 'A pet',
    tag: 'Pets',
    fidelity: documented,
    answers: { 200: Pet },
    ...more,
  },
})

const documentOf = (routes: MountedRoute[], more: Partial<LoadedInterface> = {}): OpenApiDocument =>
  interfaceDocument({ definition: definition(more), routes }, OPTIONS)

/** The security of GET /pets: its own or that of the whole document. */
const securityOf = (document: OpenApiDocument): unknown =>
  document.paths['/pets']?.['get']?.['security'] ?? document.security

const EVERY = [...PUBLISHED, CONTROL].map((published) => [published.definition.name, published] as const)

describe('document of an interface', () => {
  test('states its server URL and version', () => {
    const { openapi, info, servers } = documentOf([route('GET', '/pets')])
    expect(openapi).toBe('3.1.0')
    expect(info).toMatchObject({ title: 'Pet shop', version: '1.2.3', description: 'Pets.' })
    expect(servers).toEqual([{ url: 'http://127.0.0.1:4012/pets/v1', description: 'The simulator' }])
  })

  test('defines a named schema once and refers to it, also for copies made by TypeBox', () => {
    const document = documentOf([
      route('GET', '/pets', {
        answers: { 200: Type.Object({ pet: Type.Optional(Pet), pets: Type.Array(Pet) }) },
      }),
    ])
    const answer = document.paths['/pets']?.['get']?.responses['200']
    const $ref = '#/components/schemas/Pet'
    expect(answer).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: { pet: { $ref }, pets: { type: 'array', items: { $ref } } },
            required: ['pets'],
          },
        },
      },
    })
    expect(Object.keys(document.components.schemas)).toEqual(['Pet', 'Error'])
  })

  test('keeps keywords next to a reference to a named schema', () => {
    const document = documentOf([
      route('GET', '/pets', { answers: { 200: Type.Object({ pet: Assumed('Why not.', Pet) }) } }),
    ])
    expect(document.paths['/pets']?.['get']?.responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              pet: {
                $ref: '#/components/schemas/Pet',
                'x-fidelity': 'assumed',
                'x-fidelity-why': 'Why not.',
              },
            },
          },
        },
      },
    })
  })

  test('refuses two different schemas with one name', () => {
    const other = named('Pet', Type.Object({ id: Type.Integer() }))
    const routes = [route('GET', '/pets'), route('POST', '/pets', { answers: { 201: other } })]
    expect(() => documentOf(routes)).toThrow('Two schemas are named Pet.')
  })

  test('publishes x-fidelity and its reason, and no internal keywords', () => {
    const document = documentOf([route('GET', '/pets')])
    expect(document.components.schemas['Pet']?.['properties']).toEqual({
      id: { type: 'string', readOnly: true },
      name: { type: 'string', maxLength: 5, 'x-limits': 'assumed' },
      secret: { type: 'string', writeOnly: true },
      mood: { type: 'string', 'x-fidelity': 'assumed', 'x-fidelity-why': 'Nobody shows moods.' },
    })
  })

  test('writes records and tuples in the 2020-12 draft', () => {
    const answer = Type.Object({ free: FreeObject(), pair: Type.Tuple([Type.String(), Type.Integer()]) })
    const document = documentOf([route('GET', '/pets', { answers: { 200: answer } })])
    expect(document.paths['/pets']?.['get']?.responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              free: { type: 'object', additionalProperties: true },
              pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
            },
          },
          example: { free: {}, pair: ['Pair', 1] },
        },
      },
    })
  })

  test('omits response fields from requests and request fields from responses', () => {
    const document = documentOf([route('POST', '/pets', {}, { body: Pet })])
    const operation = document.paths['/pets']?.['post']
    expect(operation?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { example: { name: 'Name', secret: 'Secret', mood: 'Mood' } } },
    })
    expect(operation?.responses['200']).toMatchObject({
      content: { 'application/json': { example: { id: 'Id', name: 'Name', mood: 'Mood' } } },
    })
  })

  test('marks a query parameter as required only if it is required and has no default', () => {
    const querystring = Type.Object({
      limit: Type.Integer({ default: 25, description: 'How many.' }),
      from: Type.String(),
      to: Type.Optional(Type.String()),
    })
    const document = documentOf([route('GET', '/pets', {}, { querystring })])
    expect(document.paths['/pets']?.['get']?.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many.',
        schema: { type: 'integer', default: 25 },
      },
      {
        name: 'from',
        in: 'query',
        required: true,
        schema: { type: 'string', maxLength: 1000, 'x-limits': 'assumed' },
      },
      {
        name: 'to',
        in: 'query',
        required: false,
        schema: { type: 'string', maxLength: 1000, 'x-limits': 'assumed' },
      },
    ])
  })

  test('describes the default of a field in words and in x-default, and does not require the field', () => {
    const body = Type.Object({
      name: Type.String(),
      size: OneOf(['small', 'large'], { default: 'small', description: 'How big.' }),
      toys: Type.Optional(Type.Array(Type.String(), { default: [] })),
      color: Type.Optional(Type.String({ 'x-default': 'red', description: 'Defaults to red.' })),
    })
    const document = documentOf([route('POST', '/pets', {}, { body })])
    expect(document.paths['/pets']?.['post']?.requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['name'],
            properties: {
              size: {
                type: 'string',
                enum: ['small', 'large'],
                description: 'How big. Default is small.',
                'x-default': 'small',
              },
              toys: {
                type: 'array',
                items: { type: 'string' },
                description: 'Default is [].',
                'x-default': [],
              },
              color: { type: 'string', description: 'Defaults to red.', 'x-default': 'red' },
            },
          },
          example: { name: 'Name', size: 'small', toys: [] },
        },
      },
    })
    expect(JSON.stringify(document)).not.toContain('"default"')
  })

  test('adds the default of a copied named schema after the description of the schema', () => {
    const Size = named('Size', OneOf(['small', 'large'], { description: 'How big.' }))
    const body = Type.Object({ size: { ...Size, default: 'small' } })
    const document = documentOf([route('POST', '/pets', {}, { body })])
    expect(document.paths['/pets']?.['post']?.requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              size: {
                $ref: '#/components/schemas/Size',
                description: 'How big. Default is small.',
                'x-default': 'small',
              },
            },
          },
        },
      },
    })
    expect(document.components.schemas['Size']).toEqual({
      type: 'string',
      enum: ['small', 'large'],
      description: 'How big.',
    })
  })

  test('publishes a pattern instead of a format that validators do not know', () => {
    const answer = Type.Object({
      price: Currency({ description: 'Of the pet.' }),
      zone: Type.String({ format: 'timezone' }),
    })
    const document = documentOf([route('GET', '/pets', { answers: { 200: answer } })])
    expect(document.paths['/pets']?.['get']?.responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              price: {
                type: 'string',
                pattern: '^[A-Z]{3}$',
                description: 'An ISO 4217 currency code. Of the pet.',
                examples: ['USD'],
              },
              zone: {
                type: 'string',
                pattern: '^[A-Za-z0-9_+:/-]{1,64}$',
                description: 'An IANA time zone.',
              },
            },
          },
        },
      },
    })
    const odd = Type.Object({ colour: Type.String({ format: 'colour' }) })
    expect(() => documentOf([route('GET', '/pets', { answers: { 200: odd } })])).toThrow('the format colour')
  })

  test('publishes a request instant as one that may be a date', () => {
    const querystring = Type.Object({ from: Type.String({ format: 'instant', description: 'The first.' }) })
    const document = documentOf([route('GET', '/pets', {}, { querystring })])
    expect(document.paths['/pets']?.['get']?.parameters).toEqual([
      {
        name: 'from',
        in: 'query',
        required: true,
        description: 'A date, such as 2026-01-31, or a date-time. The first.',
        schema: { type: 'string', pattern: expect.stringMatching(/^\^.*\$$/) },
      },
    ])
  })

  test('publishes a form with its file as bytes, and an example of both', () => {
    const body = Form({ picture: File('Of the pet.', 'bits'), name: Type.String() })
    const document = documentOf([route('POST', '/pets', {}, { body })])
    expect(document.paths['/pets']?.['post']?.requestBody).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['picture', 'name'],
            properties: {
              picture: { type: 'string', format: 'binary', description: 'Of the pet.', examples: ['bits'] },
              name: { type: 'string', maxLength: 65_536, 'x-limits': 'assumed' },
            },
          },
          example: { picture: 'bits', name: 'Name' },
        },
      },
    })
  })

  test('describes a group by its operations, not by its name', () => {
    const document = documentOf([
      route('GET', '/pets', { summary: 'List pets' }),
      route('POST', '/pets', { summary: 'Create a pet' }),
    ])
    expect(document.tags).toEqual([{ name: 'Pets', description: 'List pets; create a pet.' }])
  })

  test('marks every path parameter as required', () => {
    const document = documentOf([route('GET', '/pets/{pet_id}/toys/{toy_id}')])
    expect(document.paths['/pets/{pet_id}/toys/{toy_id}']?.['get']?.parameters).toEqual([
      {
        name: 'pet_id',
        in: 'path',
        required: true,
        schema: { type: 'string', maxLength: 1000, 'x-limits': 'assumed' },
      },
      {
        name: 'toy_id',
        in: 'path',
        required: true,
        schema: { type: 'string', maxLength: 1000, 'x-limits': 'assumed' },
      },
    ])
  })

  test('publishes an empty response without content', () => {
    const document = documentOf([route('DELETE', '/pets/{id}', { answers: { 204: null } })])
    expect(document.paths['/pets/{id}']?.['delete']?.responses['204']).toEqual({ description: 'No Content' })
  })

  test('publishes a file response with its own content type', () => {
    const file = Type.String({ contentMediaType: 'application/pdf' })
    const document = documentOf([route('GET', '/pets/{id}', { answers: { 200: file } })])
    expect(document.paths['/pets/{id}']?.['get']?.responses['200']).toEqual({
      description: 'OK',
      content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
    })
  })

  test('publishes scopes, fidelity and the permission in words for the operation', () => {
    const document = documentOf([
      route('GET', '/pets', {
        scope: ['pets:read', 'toys:read'],
        orScope: 'pets:read:own',
        module: 'products',
        fidelity: assumed('It was not shown.'),
      }),
    ])
    expect(document.paths['/pets']?.['get']).toMatchObject({
      operationId: 'getPet',
      tags: ['Pets'],
      description:
        'Needs the permission `pets:read` and `toys:read`, or `pets:read:own` instead. Refused if the products module is inactive.',
      'x-scope': ['pets:read', 'toys:read'],
      'x-scope-alternative': 'pets:read:own',
      'x-fidelity': 'assumed',
      'x-fidelity-why': 'It was not shown.',
    })
  })
})

describe('errors of an operation', () => {
  const statuses = (method: string, path: string, more: Partial<Operation> = {}, schema = {}): string[] => {
    const document = documentOf([route(method, path, more, schema)])
    return Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {})
  }

  test.each([
    ['those of any call', statuses('GET', '/pets'), [200, 400, 401, 403, 500, 503]],
    ['no 401 and 403 without a credential', statuses('GET', '/pets', { open: true }), [200, 400, 500, 503]],
    [
      '404 if the path refers to a record',
      statuses('GET', '/pets/{id}'),
      [200, 400, 401, 403, 404, 500, 503],
    ],
    [
      '413, 415 and 507 if the operation reads a body',
      statuses('POST', '/pets'),
      [200, 400, 401, 403, 413, 415, 500, 503, 507],
    ],
    [
      "the dialect's status of an invalid field",
      statuses('GET', '/pets', {}, { querystring: Type.Object({ a: Type.String() }) }),
      [200, 400, 401, 403, 422, 500, 503],
    ],
    [
      'those that the operation declares',
      statuses('GET', '/pets', { refuses: ['wrong_state', 'rate_limited'] }),
      [200, 400, 401, 403, 409, 429, 500, 503],
    ],
  ])('include %s', (_title, found, expected) => {
    expect(found).toEqual(expected.map(String))
  })

  test('are shared, with an example in the format of the dialect for each reason', () => {
    const document = documentOf([
      route('GET', '/pets', {}, { querystring: Type.Object({ cursor: Type.Optional(Type.String()) }) }),
    ])
    expect(document.paths['/pets']?.['get']?.responses['422']).toEqual({
      $ref: '#/components/responses/UnprocessableEntity',
    })
    expect(document.components.responses['UnprocessableEntity']).toEqual({
      description: 'A parameter of the query breaks a rule.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: {
            invalid_query: {
              summary: 'A parameter of the query breaks a rule.',
              value: {
                code: 'invalid',
                details: [{ field: 'page', code: 'too_small', message: 'Query: page must be at least 1' }],
              },
            },
          },
        },
      },
    })
    const badRequest = document.components.responses['BadRequest'] as { description: string }
    expect(badRequest.description).toBe(
      'The request cannot be read. The cursor was not issued for this query.',
    )
  })
})

describe('credential', () => {
  test('is a bearer token if the interface uses one, and a 401 documents its header', () => {
    const document = documentOf([route('GET', '/pets')], { dialect: dialect({ kind: 'bearer' }) })
    expect(document.components.securitySchemes).toEqual({
      Bearer: { type: 'http', scheme: 'bearer', description: 'A key of a workspace.' },
    })
    expect(securityOf(document)).toEqual([{ Bearer: [] }])
    expect(document.components.responses['Unauthorized']?.['headers']).toEqual({
      'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } },
    })
  })

  test('is a header if the interface has its own', () => {
    const document = documentOf([route('GET', '/pets')])
    expect(document.components.securitySchemes).toEqual({
      'X-Pet-Key': { type: 'apiKey', in: 'header', name: 'X-Pet-Key', description: 'A key of a workspace.' },
    })
    expect(securityOf(document)).toEqual([{ 'X-Pet-Key': [] }])
    expect(document.components.responses['Unauthorized']).not.toHaveProperty('headers')
  })

  test('is not required if the operation or the whole interface is open', () => {
    const open = documentOf([route('GET', '/pets', { open: true })])
    expect(securityOf(open)).toEqual([])
    const allOpen = documentOf([route('GET', '/pets')], { dialect: dialect({ kind: 'open' }) })
    expect(allOpen.components.securitySchemes).toEqual({})
    expect(securityOf(allOpen)).toEqual([])
  })
})

test('requires a token of the guard if the server was started with one', () => {
  const guard = (): void => undefined
  const document = documentOf([route('GET', '/pets', { refuses: ['credential_missing'] })], {
    dialect: dialect({ kind: 'open' }),
    guard,
  })
  expect(document.components.securitySchemes).toMatchObject({ Token: { type: 'http', scheme: 'bearer' } })
  expect(securityOf(document)).toEqual([{ Token: [] }, {}])
  expect(document.components.responses['Unauthorized']).toHaveProperty('headers')
})

test('publishes events as webhooks with their envelope and two headers', () => {
  const payload = Type.Object({ pet: Pet })
  const document = documentOf([route('GET', '/pets')], {
    events: [{ name: 'pet.sold', title: 'A pet was sold', payload, fidelity: assumed('Not shown.') }],
  })
  expect(document.webhooks).toMatchObject({
    'pet.sold': {
      post: {
        operationId: 'onPetSold',
        summary: 'A pet was sold',
        tags: ['Events'],
        'x-fidelity': 'assumed',
        'x-fidelity-why': 'Not shown.',
        parameters: [
          { $ref: '#/components/parameters/EventHeader' },
          { $ref: '#/components/parameters/SignatureHeader' },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                required: ['id', 'event', 'createdAt', 'data'],
                properties: {
                  event: { const: 'pet.sold' },
                  data: { properties: { pet: { $ref: '#/components/schemas/Pet' } } },
                },
              },
              example: { event: 'pet.sold', data: { pet: { name: 'Name' } } },
            },
          },
        },
      },
    },
  })
  expect(document.components.parameters).toMatchObject({
    EventHeader: { name: 'X-Service-Event', in: 'header' },
    SignatureHeader: { name: 'X-Service-Signature', in: 'header' },
  })
})

test('publishes the other body of events with the readings that choose it', () => {
  const form = reading({
    name: 'pet-shop.form',
    title: 'The form',
    section: 'part 1',
    default: 'nested',
    alternatives: { nested: 'With the envelope.', flat: 'Without it.' },
  })
  const name = 'pet.sold'
  const event = { name, title: 'A pet was sold', payload: Pet, fidelity: assumed('Not shown.') }
  const events = [
    { ...event, otherBody: named('FlatPet', Type.Object({ event: Type.String() })) },
    { ...event, name: 'pet.fed', readings: [form] },
  ]
  const schemaOf = (document: OpenApiDocument, of: string) =>
    document.webhooks?.[of] as { post: { requestBody: { content: Record<string, object> } } }
  const otherBody = { when: under(form, 'flat'), render: () => ({}) }
  const document = documentOf([route('GET', '/pets')], { events, otherBody })
  expect(schemaOf(document, name).post).toMatchObject({
    'x-reading': ['pet-shop.form'],
    requestBody: {
      content: {
        'application/json': {
          schema: {
            anyOf: [
              { required: ['id', 'event', 'createdAt', 'data'] },
              { $ref: '#/components/schemas/FlatPet' },
            ],
          },
          example: { event: name },
        },
      },
    },
  })
  const plain = documentOf([route('GET', '/pets')], { events })
  expect(schemaOf(plain, name).post).not.toHaveProperty('x-reading')
  expect(schemaOf(plain, 'pet.fed').post).toMatchObject({ 'x-reading': ['pet-shop.form'] })
})

test('has full paths and prefixed names in the document of all interfaces', () => {
  const document = suiteDocument([{ definition: definition(), routes: [route('GET', '/pets')] }], OPTIONS)
  expect(document.servers).toEqual([{ url: 'http://127.0.0.1:4012', description: 'The simulator' }])
  expect(document.paths['/pets/v1/pets']?.['get']).toMatchObject({
    operationId: 'petShopGetPet',
    tags: ['pet-shop: Pets'],
    responses: { 400: { $ref: '#/components/responses/PetShopBadRequest' } },
  })
  expect(Object.keys(document.components.schemas)).toEqual(['PetShopPet', 'PetShopError'])
  expect(document['x-tagGroups']).toEqual([{ name: 'Pet shop', tags: ['pet-shop: Pets'] }])
})

test('states a different credential per operation in the document of all interfaces', () => {
  const bearer = definition({ name: 'shelter', basePath: '/shelter', dialect: dialect({ kind: 'bearer' }) })
  const document = suiteDocument(
    [definition(), bearer].map((each) => ({ definition: each, routes: [route('GET', '/pets')] })),
    OPTIONS,
  )
  expect(document.security).toEqual([{ 'X-Pet-Key': [] }])
  expect(document.paths['/pets/v1/pets']?.['get']).not.toHaveProperty('security')
  expect(document.paths['/shelter/pets']?.['get']?.['security']).toEqual([{ Bearer: [] }])
})

describe('published documents of this server', () => {
  test('have an operation for each route, with a unique id and its fidelity', () => {
    const operations = Object.values(suiteDocument(PUBLISHED, OPTIONS).paths).flatMap((each) =>
      Object.values(each),
    )
    expect(operations).toHaveLength(PUBLISHED.flatMap(({ routes }) => routes).length)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    for (const operation of operations) {
      expect(operation['x-fidelity']).toBeOneOf(['documented', 'assumed'])
      if (operation['x-fidelity'] === 'assumed') expect(operation['x-fidelity-why']).toBeTypeOf('string')
    }
  })

  test.each(EVERY)('have examples that match their schemas (%s)', (_name, part) => {
    const document = interfaceDocument(part, OPTIONS)
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
    addFormats.default(ajv)
    for (const [format, { check }] of Object.entries(FORMATS)) ajv.addFormat(format, check)
    ajv.addSchema(document, 'document')
    let seen = 0
    for (const { pointer, examples } of mediaTypes(document, 'document#')) {
      for (const example of examples) {
        seen += 1
        const check = ajv.compile({ $ref: `${pointer}/schema` })
        expect(check(example), `${pointer}: ${ajv.errorsText(check.errors)}`).toBe(true)
      }
    }
    expect(seen).toBeGreaterThan(part.routes.length)
  })
})

interface MediaType {
  readonly pointer: string
  readonly examples: readonly unknown[]
}

/** Every place in the document that has a schema and examples. */
function mediaTypes(value: unknown, pointer: string): MediaType[] {
  if (typeof value !== 'object' || value === null) return []
  const { schema, example, examples } = value as { schema?: unknown; example?: unknown; examples?: object }
  // The examples of a schema are a list of values.
  const named = (Array.isArray(examples) ? [] : Object.values(examples ?? {})).map(
    (each: { value: unknown }) => each.value,
  )
  const here = schema === undefined ? [] : [{ pointer, examples: example === undefined ? named : [example] }]
  const below = Object.entries(value).flatMap(([name, each]) =>
    mediaTypes(each, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`),
  )
  return [...here, ...below]
}

describe('labels of assumed parts', () => {
  test('marks the bounds that the specification does not show', () => {
    const text = { minLength: 1, maxLength: 5 }
    const Sized = Type.Object({
      assumed: Type.String(text),
      mixed: Type.String({ ...text, ...documentedLimits('maxLength') }),
      documented: Type.String({ ...text, ...documentedLimits('minLength', 'maxLength') }),
    })
    const document = documentOf([route('POST', '/pets', {}, { body: named('Sized', Sized) })])
    expect(document.components.schemas['Sized']?.['properties']).toEqual({
      assumed: { type: 'string', ...text, 'x-limits': 'assumed' },
      mixed: { type: 'string', ...text, 'x-limits': 'assumed', 'x-documented-limits': ['maxLength'] },
      documented: { type: 'string', ...text },
    })
  })

  test('marks assumed values and defaults', () => {
    const body = Type.Object({
      kind: OneOf(['cat', 'fox'], assumedValues('Only cats are shown.', 'fox')),
      page: Type.Integer(assumedDefault(1)),
    })
    const document = documentOf([route('POST', '/pets', {}, { body: named('Labelled', body) })])
    expect(document.components.schemas['Labelled']?.['properties']).toEqual({
      kind: {
        type: 'string',
        enum: ['cat', 'fox'],
        'x-assumed-values': ['fox'],
        'x-assumed-values-why': 'Only cats are shown.',
      },
      page: {
        type: 'integer',
        description: 'Default is 1 (assumed).',
        'x-default': 1,
        'x-assumed-default': true,
      },
    })
  })

  test('marks the status of a success on the response', () => {
    const document = documentOf([route('GET', '/pets', { assumedStatus: 'Not shown.' })])
    expect(document.paths['/pets']?.['get']?.responses['200']).toMatchObject({
      'x-fidelity': 'assumed',
      'x-fidelity-why': 'Not shown.',
    })
  })

  test('marks the statuses of errors that neither the dialect nor the operation documents', () => {
    const spoken = { ...dialect({ kind: 'bearer' }), documentedStatuses: [400, 401, 403, 429] }
    const document = documentOf(
      [
        route('POST', '/pets', { documentedStatuses: [409], refuses: ['conflict'] }),
        route('PUT', '/pets', { refuses: ['conflict'] }),
      ],
      { dialect: spoken },
    )
    const { responses } = document.components
    const labelled = Object.keys(responses).filter((name) => responses[name]?.['x-fidelity'] === 'assumed')
    expect(labelled.sort()).toEqual([
      'Conflict',
      'InsufficientStorage',
      'InternalServerError',
      'PayloadTooLarge',
      'ServiceUnavailable',
      'UnsupportedMediaType',
    ])
    expect(document.paths['/pets']?.['post']?.responses['409']).toEqual({
      $ref: '#/components/responses/ConflictDocumented',
    })
    expect(document.paths['/pets']?.['put']?.responses['409']).toEqual({
      $ref: '#/components/responses/Conflict',
    })
  })

  test('publishes a documented rate limit on every operation', () => {
    const spoken = { ...dialect({ kind: 'bearer' }), documentedStatuses: [429] }
    const document = documentOf([route('GET', '/pets'), route('GET', '/pets/{id}')], { dialect: spoken })
    for (const path of ['/pets', '/pets/{id}'])
      expect(document.paths[path]?.['get']?.responses).toHaveProperty('429')
    expect(document.components.responses['TooManyRequests']).toMatchObject({
      description: expect.stringContaining('only an injected fault causes it') as string,
      headers: { 'Retry-After': expect.anything() as object },
    })
  })

  test('marks the body of deliveries that the specification does not show', () => {
    const document = documentOf([route('GET', '/pets')], {
      assumedDelivery: 'Not shown.',
      events: [{ name: 'pet.sold', title: 'A pet was sold', payload: Pet, fidelity: documented }],
    })
    expect(document.webhooks?.['pet.sold']).toMatchObject({
      post: { requestBody: { content: { 'application/json': { schema: { 'x-fidelity': 'assumed' } } } } },
    })
  })
})
