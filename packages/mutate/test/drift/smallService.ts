/** A service with a list of each form, small enough to write down what each kind of drift does to it. */
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { OpenApiDocument } from '../../../../src/published.ts'

const text = { type: 'string' }
const integer = { type: 'integer', minimum: 1 }

const THING = {
  type: 'object',
  properties: {
    id: text,
    name: text,
    status: { type: 'string', enum: ['active', 'closed'] },
    price: { type: 'number' },
    rate: text,
    is_open: { type: 'boolean' },
    note: { type: ['string', 'null'] },
    owner: { type: 'object', properties: { id: text, name: text } },
    tags: { type: 'array', items: text },
    parts: { type: 'array', items: { type: 'object', properties: { id: text } } },
    parts_count: { type: 'integer' },
    due_day: text,
    seen_at: { type: 'integer' },
    created_at: { type: 'string', format: 'date-time' },
  },
}

/** The rows, newest first: every third is closed. */
export const THINGS = Array.from({ length: 12 }, (_, index) => ({
  id: `thing_${String(index + 1)}`,
  name: `${'LKJIHGFEDCBA'[index] ?? ''}ll of it`,
  status: index % 3 === 2 ? 'closed' : 'active',
  price: 12.5 + index,
  rate: '7.00',
  is_open: true,
  note: null,
  owner: { id: 'user_1', name: 'Ana' },
  tags: ['new', 'red'],
  parts: [],
  parts_count: 0,
  due_day: '2026-03-01',
  seen_at: 1_770_000_000,
  created_at: `2026-01-${String(28 - index)}T09:30:00.000Z`,
}))

const parameter = (name: string, schema: object): object => ({ name, in: 'query', required: false, schema })
const inPath = { name: 'id', in: 'path', required: true, schema: { type: 'string', examples: ['thing_1'] } }

const reads = (operationId: string, schema: object, parameters: readonly object[] = []): object => ({
  get: {
    operationId,
    parameters,
    responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
  },
})

const listOf = (more: object): object => ({
  type: 'object',
  properties: { data: { type: 'array', items: THING }, ...more },
})

const PATHS = {
  '/things': reads(
    'listThings',
    listOf({ meta: { type: 'object', properties: { total_count: { type: 'integer' } } } }),
    [
      parameter('page', integer),
      parameter('per_page', { ...integer, maximum: 20, default: 12 }),
      parameter('status', { type: 'string', enum: ['active', 'closed'] }),
      parameter('search', text),
      parameter('sort_by', { type: 'string', enum: ['name', 'created_at'] }),
    ],
  ),
  '/things/{id}': reads('getThing', THING, [inPath]),
  '/things/{id}/xml': {
    get: {
      operationId: 'getXml',
      parameters: [inPath],
      responses: { 200: { description: 'OK', content: { 'application/xml': {} } } },
    },
  },
  '/entries': reads(
    'listEntries',
    listOf({
      pagination: {
        type: 'object',
        properties: { nextCursor: { type: ['string', 'null'] }, hasMore: { type: 'boolean' } },
      },
    }),
    [parameter('cursor', text), parameter('limit', { ...integer, maximum: 10, default: 5 })],
  ),
  '/words': reads('listWords', { type: 'array', items: THING }),
  '/reports/sum': reads(
    'getSum',
    { type: 'object', properties: { group: text, total: { type: 'number' } } },
    [parameter('group_by', { type: 'string', enum: ['day', 'month'] })],
  ),
}

export const smallDocument = (url: string): OpenApiDocument =>
  ({
    openapi: '3.1.0',
    info: {},
    servers: [{ url: `${url}/v1`, description: '' }],
    security: [],
    tags: [],
    paths: PATHS,
    components: { schemas: {}, responses: {}, parameters: {}, securitySchemes: {} },
  }) as unknown as OpenApiDocument

type Result = readonly [status: number, body: unknown]

const refused: Result = [422, { error: { code: 'validation_error', message: 'A value is wrong.' } }]
const missing: Result = [404, { error: { code: 'not_found', message: 'There is no such thing.' } }]

/** Returns a whole number of the query within bounds, or null if it is wrong. */
function whole(query: URLSearchParams, name: string, initial: number, maximum: number): number | null {
  const value = Number(query.get(name) ?? initial)
  return Number.isInteger(value) && value >= 1 && value <= maximum ? value : null
}

function listThings(query: URLSearchParams): Result {
  const [page, size] = [whole(query, 'page', 1, 1000), whole(query, 'per_page', 12, 20)]
  const status = query.get('status')
  if (page === null || size === null || !['active', 'closed', null].includes(status)) return refused
  const found = THINGS.filter((thing) => status === null || thing.status === status).filter(({ name }) =>
    name.startsWith(query.get('search') ?? ''),
  )
  if (query.get('sort_by') === 'name') found.sort((one, other) => (one.name < other.name ? -1 : 1))
  return [200, { data: found.slice((page - 1) * size, page * size), meta: { total_count: found.length } }]
}

function listEntries(query: URLSearchParams): Result {
  const [start, size] = [Number(query.get('cursor')?.slice(1) ?? 0), whole(query, 'limit', 5, 10)]
  if (size === null || !Number.isInteger(start)) return refused
  const hasMore = start + size < THINGS.length
  return [
    200,
    {
      data: THINGS.slice(start, start + size),
      pagination: { nextCursor: hasMore ? `c${String(start + size)}` : null, hasMore },
    },
  ]
}

function answerTo({ pathname, searchParams: query }: URL): Result {
  if (pathname === '/v1/things') return listThings(query)
  if (pathname === '/v1/entries') return listEntries(query)
  if (pathname === '/v1/words') return [200, THINGS.slice(0, 2)]
  if (pathname === '/v1/reports/sum') return [200, { group: query.get('group_by') ?? 'all', total: 41.5 }]
  const thing = THINGS.find(({ id }) => pathname.split('/')[3] === id)
  if (!thing) return missing
  return [200, pathname.endsWith('/xml') ? '<?xml version="1.0"?><doc Version="4.0"/>' : thing]
}

function send(response: ServerResponse, [status, body]: Result): void {
  if (typeof body === 'string') {
    response.writeHead(status, {
      'content-type': 'application/xml',
      'content-disposition': 'attachment; filename="thing.xml"',
    })
    response.end(body)
  } else {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }
}

export async function startSmallService(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    send(response, answerTo(new URL(request.url ?? '/', 'http://small')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
