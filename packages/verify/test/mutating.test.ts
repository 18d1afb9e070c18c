/** Each kind of drift of the mutation score does what its description says, and leaves the simulator as it is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendingWith, probeAll } from '../../mutate/test/drift/subject.ts'
import { Connections } from '../../mutate/test/drift/connections.ts'
import { mutationsOf, sampleOf } from '../../mutate/test/drift/instances.ts'
import { isSame, textOf, titleOf, type Answer, type Mutation } from '../../mutate/test/drift/kind.ts'
import { KINDS } from '../../mutate/test/drift/kinds/index.ts'
import { startMutatingProxy } from '../../mutate/test/drift/proxy.ts'
import { readablesIn, type Readable } from '../../mutate/test/drift/readable.ts'
import { shareOf, type Score } from '../../mutate/test/drift/score.ts'
import { PAGE, SCORE_FILE, withScore } from '../../mutate/test/drift/scoreTables.ts'
import { smallDocument, startSmallService } from '../../mutate/test/drift/smallService.ts'
import { OPERATION_ROWS } from '../../../test/support/operationTable.ts'
import { ROOT } from '../../../test/support/root.ts'

let service: Awaited<ReturnType<typeof startSmallService>>
let readables: Readable[]
let connections: Connections

beforeAll(async () => {
  service = await startSmallService()
  readables = readablesIn('crm', smallDocument(service.url))
  connections = new Connections(service.url)
})

afterAll(async () => {
  connections.close()
  await service.close()
})

function mutationFor(name: string, address: string, at: string): Mutation {
  const kind = KINDS.find((each) => each.name === name)
  const readable = readables.find(({ operation }) => operation.address === address)
  if (!kind || !readable) throw new Error(`There is no ${name} at ${address}.`)
  const also = readables.filter((other) => other !== readable && kind.covers?.(other, readable) === true)
  return { kind, readable, at, also }
}

async function get(url: string, path: string): Promise<Answer> {
  const opened = new Connections(url)
  try {
    return await opened.send({ method: 'GET', url: `/v1${path}`, headers: {} })
  } finally {
    opened.close()
  }
}

/** What a case looks at. */
type Look = (answer: Answer) => unknown

interface Row {
  readonly id: string
  readonly [name: string]: unknown
}

const json = ({ json: body }: Answer): Record<string, unknown> => body as Record<string, unknown>
const data = (answer: Answer): readonly Row[] => json(answer)['data'] as Row[]
const status: Look = (answer) => answer.status
const field =
  (name: string): Look =>
  (answer) =>
    json(answer)[name]
const inRow =
  (name: string): Look =>
  (answer) =>
    data(answer)[0]?.[name]
const ids: Look = (answer) => data(answer).map(({ id }) => Number(id.replace(/\D+/, '')))
const keys: Look = (answer) => Object.keys(json(answer))
const header =
  (name: string): Look =>
  (answer) =>
    answer.headers[name]

type Case = readonly [
  kind: string,
  operation: string,
  at: string,
  path: string,
  look: Look,
  before: unknown,
  after: unknown,
]

const LIST = 'GET /things'
const RECORD = 'GET /things/{id}'
const XML = 'GET /things/{id}/xml'
const ENTRIES = 'GET /entries'
const ONE = '/things/thing_1'
const TIME = '2026-01-28T09:30:00.000Z'
const UNKNOWN = '/things/999999999'
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from < to ? from + index : from - index))

const CASES: readonly Case[] = [
  ['field-removed', RECORD, '/note', ONE, field('note'), null, undefined],
  ['field-renamed', RECORD, '/is_open', ONE, field('isOpen'), undefined, true],
  ['field-added', LIST, '/data/*', '/things', inRow('legacy_id'), undefined, 1],
  ['number-as-text', RECORD, '/price', ONE, field('price'), 12.5, '12.5'],
  ['decimals-as-text', RECORD, '/price', ONE, field('price'), 12.5, '12.50'],
  ['text-as-number', RECORD, '/rate', ONE, field('rate'), '7.00', 7],
  ['boolean-as-text', RECORD, '/is_open', ONE, field('is_open'), true, 'true'],
  ['boolean-as-number', RECORD, '/is_open', ONE, field('is_open'), true, 1],
  ['null-for-value', RECORD, '/name', ONE, field('name'), 'Lll of it', null],
  ['absent-for-null', LIST, '/data/*/note', '/things', inRow('note'), null, undefined],
  ['empty-for-null', RECORD, '/note', ONE, field('note'), null, ''],
  ['object-as-id', RECORD, '/owner', ONE, field('owner'), { id: 'user_1', name: 'Ana' }, 'user_1'],
  ['list-as-text', RECORD, '/tags', ONE, field('tags'), ['new', 'red'], 'new,red'],
  ['list-emptied', RECORD, '/tags', ONE, field('tags'), ['new', 'red'], []],
  ['null-for-empty-list', RECORD, '/parts', ONE, field('parts'), [], null],
  ['word-unknown', RECORD, '/status=active', ONE, field('status'), 'active', 'active_v2'],
  ['word-case', RECORD, '/status=active', ONE, field('status'), 'active', 'ACTIVE'],
  ['word-swapped', LIST, '/data/*/status=active', '/things', inRow('status'), 'active', 'closed'],
  ['text-uppercase', RECORD, '/name', ONE, field('name'), 'Lll of it', 'LLL OF IT'],
  ['row-shortened', LIST, '/data/*/name', '/things', inRow('name'), 'Lll of it', 'Lll of…'],
  ['time-without-fraction', RECORD, '/created_at', ONE, field('created_at'), TIME, '2026-01-28T09:30:00Z'],
  [
    'time-in-microseconds',
    RECORD,
    '/created_at',
    ONE,
    field('created_at'),
    TIME,
    '2026-01-28T09:30:00.000000Z',
  ],
  [
    'time-with-offset',
    RECORD,
    '/created_at',
    ONE,
    field('created_at'),
    TIME,
    '2026-01-28T09:30:00.000+00:00',
  ],
  ['time-without-zone', RECORD, '/created_at', ONE, field('created_at'), TIME, '2026-01-28T09:30:00.000'],
  ['time-as-day', RECORD, '/created_at', ONE, field('created_at'), TIME, '2026-01-28'],
  ['time-in-seconds', RECORD, '/created_at', ONE, field('created_at'), TIME, 1_769_592_600],
  ['seconds-as-time', RECORD, '/seen_at', ONE, field('seen_at'), 1_770_000_000, '2026-02-02T02:40:00.000Z'],
  ['day-as-time', RECORD, '/due_day', ONE, field('due_day'), '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['decimals-rounded', RECORD, '/price', ONE, field('price'), 12.5, 13],
  ['decimals-trimmed', RECORD, '/rate', ONE, field('rate'), '7.00', '7'],
  ['money-in-cents', RECORD, '/price', ONE, field('price'), 12.5, 1250],
  ['figure-off', 'GET /reports/sum', '/total', '/reports/sum', field('total'), 41.5, 42.5],
  ['count-off', RECORD, '/parts_count', ONE, field('parts_count'), 0, 1],
  ['id-form', LIST, '/data/*/id', ONE, field('id'), 'thing_1', 'v2-thing_1'],
  ['success-status', RECORD, '', ONE, status, 200, 202],
  ['media-type', XML, '', `${ONE}/xml`, header('content-type'), 'application/xml', 'text/xml'],
  [
    'header-removed',
    XML,
    'content-disposition',
    `${ONE}/xml`,
    header('content-disposition'),
    'attachment; filename="thing.xml"',
    undefined,
  ],
  ['document-empty', XML, '', `${ONE}/xml`, ({ raw }) => raw.length, 41, 0],
  [
    'format-version',
    XML,
    '',
    `${ONE}/xml`,
    ({ raw }) => raw.toString().slice(21),
    '<doc Version="4.0"/>',
    '<doc Version="3.3"/>',
  ],
  ['error-status', RECORD, '404', UNKNOWN, status, 404, 400],
  [
    'error-code',
    RECORD,
    '404',
    UNKNOWN,
    (answer) => (json(answer)['error'] as Row)['code'],
    'not_found',
    'not_found_error',
  ],
  ['error-shape', RECORD, '404', UNKNOWN, keys, ['error'], ['errors']],
  [
    'error-as-text',
    RECORD,
    '404',
    UNKNOWN,
    (answer) => textOf(answer).toString().slice(0, 8),
    '{"error"',
    'There is',
  ],
  ['unknown-id-accepted', RECORD, '404', UNKNOWN, status, 404, 200],
  ['bad-value-accepted', LIST, 'status', '/things?status=zz', status, 422, 200],
  ['parameter-refused', LIST, 'search', '/things?search=L', status, 200, 422],
  [
    'setting-ignored',
    'GET /reports/sum',
    'group_by',
    '/reports/sum?group_by=day',
    field('group'),
    'day',
    'all',
  ],
  ['record-lost', RECORD, '', ONE, status, 200, 404],
  ['list-renamed', LIST, '/data', '/things', keys, ['data', 'meta'], ['items', 'meta']],
  ['list-bare', LIST, '', '/things', ({ json: body }) => Array.isArray(body), false, true],
  ['list-wrapped', 'GET /words', '', '/words', ({ json: body }) => Array.isArray(body), true, false],
  ['list-empty', LIST, '', '/things', ids, range(1, 12), []],
  ['order-reversed', LIST, '', '/things?page=2&per_page=5', ids, range(6, 10), range(7, 3)],
  ['order-by-name', LIST, '', '/things?per_page=3', ids, [1, 2, 3], [12, 11, 10]],
  ['last-row-dropped', ENTRIES, '', '/entries?cursor=c10', ids, [11, 12], [11]],
  ['rows-repeated', ENTRIES, '', '/entries?cursor=c5', ids, range(6, 10), range(5, 9)],
  ['sort-ignored', LIST, 'sort_by', '/things?sort_by=name&per_page=2', ids, [12, 11], [1, 2]],
  ['filter-ignored', LIST, 'status', '/things?status=closed', ids, [3, 6, 9, 12], range(1, 12)],
  ['search-ignored', LIST, 'search', '/things?search=L', ids, [1], range(1, 12)],
  ['page-size-default', LIST, 'per_page', '/things', ids, range(1, 12), range(1, 10)],
  ['page-size-ignored', LIST, 'per_page', '/things?per_page=2', ids, [1, 2], range(1, 12)],
  ['page-maximum-lower', LIST, 'per_page', '/things?per_page=20', status, 200, 422],
  ['page-maximum-ignored', LIST, 'per_page', '/things?per_page=21', status, 422, 200],
  ['page-ignored', LIST, 'page', '/things?page=2&per_page=2', ids, [3, 4], [1, 2]],
  ['pages-from-zero', LIST, 'page', '/things?page=1&per_page=2', ids, [1, 2], [3, 4]],
  ['cursor-refused', ENTRIES, 'cursor', '/entries?cursor=c5', status, 200, 422],
  [
    'more-pages-denied',
    ENTRIES,
    '/pagination',
    '/entries',
    (answer) => (json(answer)['pagination'] as Row)['hasMore'],
    true,
    false,
  ],
  [
    'total-off',
    LIST,
    '/meta/total_count',
    '/things',
    field('meta'),
    { total_count: 12 },
    { total_count: 13 },
  ],
  ['total-removed', LIST, '/meta/total_count', '/things', field('meta'), { total_count: 12 }, {}],
  [
    'total-of-page',
    LIST,
    '/meta/total_count',
    '/things?per_page=2',
    field('meta'),
    { total_count: 12 },
    { total_count: 2 },
  ],
]

describe('the kind', () => {
  test.each(CASES)('%s changes %s %s', async (name, address, at, path, look, before, after) => {
    const proxy = await startMutatingProxy({ target: service.url, mutation: mutationFor(name, address, at) })
    const direct = await get(service.url, path)
    expect(look(direct)).toEqual(before)

    expect(look(await get(proxy.url, path))).toEqual(after)
    expect(proxy.journal).toMatchObject({ calls: 1, matched: 1, changed: 1 })
    await proxy.close()
    // The drift was only in the proxy.
    expect(isSame(await get(service.url, path), direct)).toBe(true)
  })

  test('order-unstable changes the order of the second read', async () => {
    const proxy = await startMutatingProxy({
      target: service.url,
      mutation: mutationFor('order-unstable', LIST, ''),
    })
    expect(ids(await get(proxy.url, '/things?per_page=2'))).toEqual([1, 2])
    expect(ids(await get(proxy.url, '/things?per_page=2'))).toEqual([2, 1])
    expect(proxy.journal).toMatchObject({ matched: 2, changed: 1 })
    await proxy.close()
  })

  test('id-form accepts the ids of its lists in requests', async () => {
    const proxy = await startMutatingProxy({
      target: service.url,
      mutation: mutationFor('id-form', LIST, '/data/*/id'),
    })
    const [first] = data(await get(proxy.url, '/things'))
    expect(first?.id).toBe('v2-thing_1')
    expect(json(await get(proxy.url, `/things/${String(first?.id)}`))).toEqual(first)
    await proxy.close()
  })

  test('has a case here', () => {
    const tested = new Set([...CASES.map(([name]) => name), 'order-unstable'])
    expect(KINDS.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([])
    expect(KINDS.length).toBeGreaterThanOrEqual(24)
  })
})

describe('the proxy', () => {
  test('changes no other operation, and nothing without a mutation', async () => {
    const mutation = mutationFor('success-status', RECORD, '')
    for (const proxy of [
      await startMutatingProxy({ target: service.url, mutation }),
      await startMutatingProxy({ target: service.url, mutation: null }),
    ]) {
      for (const path of ['/things', '/entries', `${ONE}/xml`, '/nothing']) {
        expect(isSame(await get(proxy.url, path), await get(service.url, path)), path).toBe(true)
      }
      expect(proxy.journal).toMatchObject({ calls: 4, matched: 0, changed: 0, changes: [] })
      await proxy.close()
    }
  })

  test('says that nothing was changed if the answers do not show the drift', async () => {
    const proxy = await startMutatingProxy({
      target: service.url,
      mutation: mutationFor('sort-ignored', LIST, 'sort_by'),
    })
    await get(proxy.url, '/things')
    await get(proxy.url, '/things?sort_by=created_at')
    expect(proxy.journal).toMatchObject({ matched: 2, changed: 0 })
    await proxy.close()
  })

  test('answers 502 if the service is gone', async () => {
    const other = await startSmallService()
    const proxy = await startMutatingProxy({ target: other.url, mutation: null })
    await other.close()
    expect((await get(proxy.url, '/things')).status).toBe(502)
    await proxy.close()
  })
})

describe('the choice of mutations', () => {
  test('has each kind, changes an answer with each, and is the same in each run', async () => {
    const send = sendingWith(connections, {})
    const probed = await probeAll(readables, send)
    const mutations = await mutationsOf(probed, send, { places: 2 })
    expect(
      KINDS.filter((kind) => !mutations.some((each) => each.kind === kind)).map(({ name }) => name),
    ).toEqual([])
    expect(new Set(mutations.map(titleOf)).size).toBe(mutations.length)

    const again = await mutationsOf(await probeAll(readables, send), send, { places: 2 })
    expect(again.map(titleOf)).toEqual(mutations.map(titleOf))
    const sample = sampleOf(mutations, KINDS.length)
    expect(new Set(sample.map(({ kind }) => kind.name)).size).toBe(KINDS.length)
    expect(sampleOf(again, KINDS.length).map(titleOf)).toEqual(sample.map(titleOf))
    expect(sampleOf(mutations, 10_000)).toHaveLength(mutations.length)
  })
})

describe('the published score', () => {
  const score = JSON.parse(readFileSync(join(ROOT, SCORE_FILE), 'utf8')) as Score

  test('is that of the last measurement', async () => {
    const page = readFileSync(join(ROOT, PAGE), 'utf8')
    expect(page, 'run `npm run verify:score -- --write`').toBe(await withScore(page, score))
  })

  // The few mutations of a kind or an operation may all have changed nothing, and are then not counted.
  test('covers nearly all kinds and operations that can be read, and is at least 95 %', () => {
    expect(score.byKind.length).toBeGreaterThanOrEqual(KINDS.length - 1)
    const readable = OPERATION_ROWS.filter(({ method }) => method === 'GET').length
    expect(score.operations).toBeGreaterThanOrEqual(readable - 1)
    expect(shareOf(score)).toBeGreaterThanOrEqual(0.95)
    expect(score.survivors).toHaveLength(score.mutations - score.found)
  })
})
