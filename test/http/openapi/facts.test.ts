/** The comparison of documents with lists finds each kind of difference (src/http/openapi/fidelity). */
import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../src/http/openapi/documentParts.ts'
import { parseSpec, type DocumentedList } from '../../../src/http/schemas/documentedList.ts'
import { compare, matches, sentenceFor } from '../../../src/http/openapi/fidelity/facts.ts'

type Json = Readonly<Record<string, unknown>>

const assumed = { 'x-fidelity': 'assumed', 'x-fidelity-why': 'Not shown.' }

const content = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

/** A document of two operations and one event that equals its list. */
interface Toy {
  readonly pet: Json
  readonly create: Json
  readonly get: Json
  readonly post: Json
  readonly parameter: Json
  readonly answer: Json
  readonly refusals: Json
  readonly tooLarge: Json
  readonly event: Json
  readonly envelope: Json
}

const EQUAL: Toy = {
  pet: {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 20 },
      kind: { type: 'string', enum: ['cat', 'dog'] },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
  create: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 20,
        'x-limits': 'assumed',
        'x-documented-limits': ['maxLength'],
      },
      kind: { type: ['string', 'null'], enum: ['cat', 'dog', null], 'x-default': 'cat' },
    },
  },
  get: { 'x-scope': ['pets:read'] },
  post: {},
  parameter: {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', maximum: 100, default: 25 },
  },
  answer: {},
  refusals: { 429: { description: 'Later.' } },
  tooLarge: assumed,
  event: {},
  envelope: { type: 'object', properties: { id: {}, data: { type: 'object', properties: { name: {} } } } },
}

const documentOf = (changes: Partial<Toy>): OpenApiDocument => {
  const { pet, create, get, post, parameter, answer, refusals, tooLarge, event, envelope } = {
    ...EQUAL,
    ...changes,
  }
  const common = { ...refusals, 413: { $ref: '#/components/responses/TooLarge' } }
  const document: Json = {
    paths: {
      '/pets': {
        get: {
          ...get,
          parameters: [parameter],
          responses: {
            200: content({
              type: 'object',
              properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
            }),
            ...common,
          },
        },
        post: {
          ...post,
          requestBody: content(create),
          responses: {
            201: { ...assumed, ...content({ $ref: '#/components/schemas/Pet', ...assumed, ...answer }) },
            ...common,
          },
        },
      },
    },
    components: {
      schemas: { Pet: pet },
      responses: { TooLarge: { ...tooLarge, ...content({ type: 'object', properties: { error: {} } }) } },
    },
    webhooks: { 'pet.sold': { post: { ...event, requestBody: content(envelope) } } },
  }
  return document as unknown as OpenApiDocument
}

const LIST: DocumentedList = {
  records: {
    Pet: { name: 'maxLength 20', kind: 'one of cat, dog; default cat', tags: [''] },
    Page: { limit: 'maximum 100; default 25' },
  },
  operations: {
    'GET /pets': { query: { '...': 'Page' }, response: { data: ['Pet'] } },
    'POST /pets': { body: 'Pet(name, kind)', response: null },
  },
  statuses: [429],
  error: { error: '' },
  delivery: { id: '' },
  events: { 'pet.sold': { name: '' } },
  notShown: [{ sentence: 'Response of POST /pets: not shown.', covers: ['response POST /pets *'] }],
}

const ROWS = [
  {
    interface: 'pets',
    method: 'GET',
    path: '/pets',
    scopes: ['pets:read'],
    status: 200,
    statusIsAssumed: false,
  },
  { interface: 'pets', method: 'POST', path: '/pets', scopes: [], status: 201, statusIsAssumed: true },
]

const failuresOf = (changes: Partial<Toy>, list: Partial<DocumentedList> = {}): readonly string[] =>
  compare(documentOf(changes), { ...LIST, ...list }, ROWS).failures

const withField = (field: Json): Json => ({
  ...EQUAL.pet,
  properties: { ...(EQUAL.pet['properties'] as Json), ...field },
})

test('finds no difference between a document and its list', () => {
  const { facts, failures } = compare(documentOf({}), LIST, ROWS)
  expect(failures).toEqual([])
  expect(facts).toContainEqual({
    kind: 'bound',
    place: 'Pet.name',
    at: ['POST /pets body.name'],
    detail: 'minLength 1',
    isDocumented: false,
    label: { place: 'Pet.name', why: 'The specification gives no such limit.' },
  })
})

describe('a fact that is neither documented nor labelled', () => {
  test.each<[string, Partial<Toy>, string]>([
    ['field', { pet: withField({ age: {} }) }, 'field Pet.age'],
    ['bound', { pet: withField({ tags: { type: 'array', maxItems: 3 } }) }, 'bound Pet.tags maxItems 3'],
    ['value', { pet: withField({ kind: { enum: ['cat', 'dog', 'fox'] } }) }, 'value Pet.kind fox'],
    [
      'default',
      { create: withField({ name: { type: 'string', maxLength: 20, 'x-default': 'Rex' } }) },
      'default Pet.name Rex',
    ],
    ['parameter', { parameter: { ...EQUAL.parameter, name: 'max' } }, 'parameter GET /pets ?max'],
    ['status', { refusals: { 429: {}, 404: {} } }, 'status 404'],
    ['response', { answer: { 'x-fidelity': 'documented' } }, 'response POST /pets 201'],
  ])('is reported: %s', (_kind, changes, subject) => {
    expect(failuresOf(changes)).toContain(`${subject} is neither documented nor labelled`)
  })

  test('is reported: event', () => {
    expect(failuresOf({}, { events: {} })).toContain('event pet.sold is neither documented nor labelled')
  })

  test('is reported: operation', () => {
    expect(failuresOf({}, { operations: {} })).toContain(
      'operation GET /pets is neither documented nor labelled',
    )
  })

  test('is reported: request and success status', () => {
    const operations = { ...LIST.operations, 'POST /pets': {} }
    expect(failuresOf({}, { operations })).toContain(
      'request POST /pets body is neither documented nor labelled',
    )
    const rows = ROWS.map((row) => ({ ...row, statusIsAssumed: true }))
    expect(compare(documentOf({}), LIST, rows).failures).toEqual([
      'status GET /pets 200 is neither documented nor labelled',
    ])
  })
})

describe('a documented fact that is labelled as assumed', () => {
  test.each<[string, Partial<Toy>, string]>([
    ['field', { pet: withField({ name: { maxLength: 20, ...assumed } }) }, 'field Pet.name'],
    [
      'bound',
      { pet: withField({ name: { maxLength: 20, 'x-limits': 'assumed' } }) },
      'bound Pet.name maxLength 20',
    ],
    [
      'value',
      { pet: withField({ kind: { enum: ['cat', 'dog'], 'x-assumed-values': ['dog'] } }) },
      'value Pet.kind dog',
    ],
    [
      'default',
      { parameter: { ...EQUAL.parameter, schema: { maximum: 100, default: 25, 'x-assumed-default': true } } },
      'default GET /pets ?limit 25',
    ],
    ['parameter', { parameter: { ...EQUAL.parameter, ...assumed } }, 'parameter GET /pets ?limit'],
    ['status', { refusals: { 429: assumed } }, 'status 429'],
    ['operation', { get: { ...EQUAL.get, ...assumed } }, 'operation GET /pets'],
    ['event', { event: assumed }, 'event pet.sold'],
  ])('is reported: %s', (_kind, changes, subject) => {
    expect(failuresOf(changes).some((each) => each.startsWith(`${subject} is documented but labelled`))).toBe(
      true,
    )
  })

  test('is reported: response', () => {
    const operations = { ...LIST.operations, 'POST /pets': { body: 'Pet(name, kind)', response: 'Pet' } }
    expect(failuresOf({}, { operations })).toContain(
      'response POST /pets 201 is documented but labelled as assumed: Not shown.',
    )
  })

  test('allows the label of an operation of which neither the status nor the response is shown', () => {
    expect(failuresOf({ post: assumed })).toEqual([])
  })
})

describe('a documented fact that is not published', () => {
  const without = (name: string): Json => ({
    ...EQUAL.pet,
    properties: Object.fromEntries(
      Object.entries(EQUAL.pet['properties'] as Json).filter(([each]) => each !== name),
    ),
  })
  test.each<[string, Partial<Toy>, Partial<DocumentedList>, string]>([
    ['field', { pet: without('tags') }, {}, 'field Pet.tags'],
    [
      'bound',
      { parameter: { ...EQUAL.parameter, schema: { maximum: 50, 'x-limits': 'assumed', default: 25 } } },
      {},
      'bound GET /pets ?limit maximum 100',
    ],
    ['value', { pet: withField({ kind: { enum: ['cat'] } }) }, {}, 'value Pet.kind dog'],
    [
      'default',
      { parameter: { ...EQUAL.parameter, schema: { maximum: 100 } } },
      {},
      'default GET /pets ?limit 25',
    ],
    [
      'parameter',
      { parameter: { ...EQUAL.parameter, ...assumed, name: 'max' } },
      {},
      'parameter GET /pets ?limit',
    ],
    ['scope', { get: { 'x-scope': ['pets:write'] } }, {}, 'scope GET /pets pets:read'],
    ['status', {}, { statuses: [429, 409] }, 'status 409'],
    ['status of every operation', { refusals: {} }, {}, 'status 429 of every operation'],
    ['event', {}, { events: { ...LIST.events, 'pet.born': null } }, 'event pet.born'],
    ['operation', {}, { operations: { ...LIST.operations, 'DELETE /pets': {} } }, 'operation DELETE /pets'],
  ])('is reported: %s', (_kind, changes, list, subject) => {
    expect(failuresOf(changes, list)).toContain(`${subject} is documented but not published`)
  })

  test('is reported: request', () => {
    const operations = { ...LIST.operations, 'GET /pets': { ...LIST.operations['GET /pets'], body: 'Pet' } }
    expect(failuresOf({}, { operations })).toEqual(['request GET /pets body is documented but not published'])
  })

  test('is reported: response', () => {
    const { paths, ...rest } = documentOf({})
    const answers = { 200: {}, 413: {}, 429: {} }
    const get = { ...paths['/pets']?.['get'], responses: answers }
    const empty = { ...rest, paths: { '/pets': { ...paths['/pets'], get } } } as unknown as OpenApiDocument
    expect(compare(empty, LIST, ROWS).failures).toContain(
      'response GET /pets is documented but not published',
    )
  })

  test('is reported: the status of one operation', () => {
    const operations = {
      ...LIST.operations,
      'GET /pets': { ...LIST.operations['GET /pets'], statuses: [404] },
    }
    expect(failuresOf({}, { operations })).toEqual(['status GET /pets 404 is documented but not published'])
  })
})

test('reports labels of values that are not published', () => {
  const kind = { enum: ['cat', 'dog'], 'x-assumed-values': ['fox'] }
  expect(failuresOf({ pet: withField({ kind }) })).toContain(
    'value Pet.kind fox is labelled but not published',
  )
})

test('accepts a field that one of several body types has', () => {
  const file = { type: 'object', properties: { kind: (EQUAL.create['properties'] as Json)['kind'] } }
  const { paths, ...rest } = documentOf({})
  const post = {
    ...paths['/pets']?.['post'],
    requestBody: {
      content: { 'application/json': { schema: EQUAL.create }, 'multipart/form-data': { schema: file } },
    },
  }
  const both = { ...rest, paths: { '/pets': { ...paths['/pets'], post } } } as unknown as OpenApiDocument
  expect(compare(both, LIST, ROWS).failures).toEqual([])
})

test('ignores the spreadsheet of a response that is JSON, too', () => {
  const { paths, ...rest } = documentOf({})
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const schema = { $ref: '#/components/schemas/Pet', ...assumed }
  const created = {
    ...assumed,
    content: { 'application/json': { schema }, [sheet]: { schema: { type: 'string' } } },
  }
  const old = paths['/pets']?.['post']
  const post = { ...old, responses: { ...old?.responses, 201: created } }
  const both = { ...rest, paths: { '/pets': { ...paths['/pets'], post } } } as unknown as OpenApiDocument
  expect(compare(both, LIST, ROWS).failures).toEqual([])
})

test('compares the own rules of an object', () => {
  const create = { ...EQUAL.create, minProperties: 1, 'x-limits': 'assumed' }
  expect(failuresOf({ create })).toEqual([])
  const body = { '': 'minProperties 1', '...': 'Pet(name, kind)' }
  const operations = { ...LIST.operations, 'POST /pets': { body, response: null } }
  expect(failuresOf({ create }, { operations })).toContain(
    'bound POST /pets body minProperties 1 is documented but labelled as assumed: The specification gives no such limit.',
  )
  expect(
    failuresOf({ create: { ...create, 'x-documented-limits': ['minProperties'] } }, { operations }),
  ).toEqual([])
})

test('compares the rules of requests', () => {
  const rule = (kind: string) => ({
    operations: { ...LIST.operations, 'POST /pets': { body: { kind }, response: null } },
  })
  const create = (kind: Json, required: readonly string[]) => ({
    create: { ...EQUAL.create, required, properties: { kind } },
  })
  const number = { type: ['integer', 'null'] }
  expect(failuresOf(create(number, ['kind']), rule('required; integer'))).toEqual([])
  expect(failuresOf(create({ type: 'number' }, []), rule('required; integer; format date'))).toEqual([
    'bound POST /pets body.kind integer is documented but not published',
    'bound POST /pets body.kind format date is documented but not published',
    'bound POST /pets body.kind required is documented but not published',
  ])
  const date = { type: 'string', format: 'date' }
  expect(failuresOf(create(date, []), rule('required with name; format date; refuses unknown'))).toEqual([])
})

test('requires a label of event data that is not shown', () => {
  const envelopeWith = (data: Json): Json => ({ type: 'object', properties: { id: {}, data } })
  const events = { 'pet.sold': null }
  expect(failuresOf({ envelope: envelopeWith(assumed) }, { events })).toEqual([])
  expect(failuresOf({ envelope: envelopeWith({}) }, { events })).toEqual([
    'field pet.sold.data is neither documented nor labelled',
  ])
  expect(failuresOf({ envelope: envelopeWith({ ...assumed, properties: { name: {} } }) })).toContain(
    'field pet.sold.data is documented but labelled as assumed: Not shown.',
  )
})

test('covers everything below a label', () => {
  const owner = { ...assumed, properties: { name: { maxLength: 5 }, role: { enum: ['vet'] } } }
  expect(failuresOf({ pet: withField({ owner }) })).toEqual([])
})

test('finds the sentence of the specification for a fact', () => {
  expect(sentenceFor(LIST, 'response POST /pets 201')).toBe('Response of POST /pets: not shown.')
  expect(sentenceFor(LIST, 'response GET /pets 200')).toBeUndefined()
  expect(matches('field Pet.tags[]*', 'field Pet.tags[].name')).toBe(true)
  expect(matches('field Pet', 'field Pet.name')).toBe(false)
})

test('refuses mistakes in a list', () => {
  const records = { Pet: { name: '' }, Loop: { loop: 'Loop' } }
  expect(() => parseSpec('max 20', records)).toThrow('The list has an unknown rule: max 20')
  expect(() => parseSpec('Pet(nam)', records)).toThrow('The record Pet has no field nam.')
  expect(() => parseSpec('Loop', records)).toThrow('A record of the list contains itself.')
})
