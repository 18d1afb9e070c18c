/**
 * The way round: a service differs, `verify` writes what it observed, a simulator follows it, and the next run finds no
 * difference. Without the overlay, the same run finds it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Entry } from '../../../src/observed/format.ts'
import { readablesOf, type Readable } from '../../mutate/test/drift/readable.ts'
import type { Answer, Called, Kind } from '../../mutate/test/drift/kind.ts'
import { startMutatingProxy } from '../../mutate/test/drift/proxy.ts'
import { startTarget, type Target } from '../../mutate/test/drift/target.ts'
import { startVerifying, type Verifying } from '../../mutate/test/drift/verifying.ts'

let target: Target
let verifying: Verifying
let readables: readonly Readable[]

beforeAll(async () => {
  target = await startTarget()
  verifying = startVerifying()
  readables = await readablesOf(target.url)
})

afterAll(async () => {
  await verifying.close()
  await target.close()
})

interface Drift {
  readonly name: string
  readonly at: InterfaceName
  /** "GET /payment-links"; also operations below it. */
  readonly address: string
  readonly also?: boolean
  readonly apply: Kind['apply']
  readonly entries: readonly object[]
}

type Json = Record<string, unknown>

/** Changes every object with an id in an answer. */
function eachRecord(answer: Answer, change: (record: Json) => void): Answer {
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (typeof value === 'object' && value !== null) {
      if ('id' in value && answer.status < 300) change(value)
      Object.values(value).forEach(visit)
    }
  }
  visit(answer.json)
  return answer
}

const withQuery = (
  { path, query }: Called,
  change: (query: URLSearchParams) => void,
): [string, URLSearchParams] => {
  const changed = new URLSearchParams(query)
  change(changed)
  return [path, changed]
}

const DRIFTS: readonly Drift[] = [
  {
    name: 'a header',
    at: 'payments',
    address: 'GET /payment-links',
    apply: ({ answer }) => ({ ...answer, headers: { ...answer.headers, 'x-api-version': '2026-11' } }),
    entries: [{ kind: 'header', operation: 'listPaymentLinks', name: 'x-api-version', value: '2026-11' }],
  },
  {
    name: 'an extra field with the value of another',
    at: 'forms',
    address: 'GET /api/v1/forms',
    apply: ({ answer }) => eachRecord(answer, (record) => (record['legacy_id'] = record['id'])),
    entries: [
      { kind: 'field', operations: ['listForms'], path: '/data/*/legacy_id', source: { copy: '/data/*/id' } },
    ],
  },
  {
    name: 'an extra field that is always the same',
    at: 'catalog',
    address: 'GET /products',
    apply: ({ answer }) => eachRecord(answer, (record) => (record['livemode'] = false)),
    entries: [
      { kind: 'field', operations: ['listProducts'], path: '/data/*/livemode', source: { constant: false } },
    ],
  },
  {
    name: 'null that is left out',
    at: 'payments',
    address: 'GET /payment-links',
    apply: ({ answer }) =>
      eachRecord(answer, (record) => {
        if (record['logo_url'] === null) delete record['logo_url']
      }),
    entries: [
      { kind: 'nullability', operations: ['listPaymentLinks'], path: '/data/*/logo_url', is: 'absent' },
    ],
  },
  {
    name: 'another default order',
    at: 'catalog',
    address: 'GET /products',
    apply: async ({ call, answer, send }) =>
      call.query.has('sort')
        ? answer
        : await send(
            ...withQuery(call, (query) => {
              query.set('sort', 'name')
              if (!query.has('order')) query.set('order', 'asc')
            }),
          ),
    entries: [{ kind: 'order', operation: 'listProducts', sort: [{ field: 'name', direction: 'asc' }] }],
  },
  {
    name: 'a smaller default page',
    at: 'payments',
    address: 'GET /payment-links',
    apply: async ({ call, answer, send }) =>
      call.query.has('per_page')
        ? answer
        : await send(
            ...withQuery(call, (query) => {
              query.set('per_page', '10')
            }),
          ),
    entries: [{ kind: 'page', operation: 'listPaymentLinks', default: 10 }],
  },
  {
    name: 'a smaller largest page',
    at: 'payments',
    address: 'GET /payment-links',
    apply: async ({ call, answer, send }) =>
      Number(call.query.get('per_page') ?? 1) > 50
        ? await send(
            ...withQuery(call, (query) => {
              query.set('per_page', '101')
            }),
          )
        : answer,
    entries: [{ kind: 'page', operation: 'listPaymentLinks', maximum: 50 }],
  },
  {
    name: 'times without milliseconds',
    at: 'payments',
    address: 'GET /payment-links',
    apply: ({ answer }) =>
      eachRecord(answer, (record) => {
        if (typeof record['created_at'] === 'string')
          record['created_at'] = record['created_at'].replace(/\.\d{3}Z$/, 'Z')
      }),
    entries: [
      {
        kind: 'precision',
        operations: ['listPaymentLinks'],
        path: '/data/*/created_at',
        fraction: 0,
        zone: 'Z',
      },
    ],
  },
  {
    name: 'another refusal',
    at: 'crm',
    address: 'GET /deals/{deal_id}',
    apply: ({ answer }) =>
      answer.status === 404
        ? {
            ...answer,
            status: 410,
            json: { error: { ...(answer.json as { error: Json }).error, code: 'gone' } },
          }
        : answer,
    entries: [
      {
        kind: 'refusal',
        operation: 'getDeal',
        when: { status: 404, code: 'not_found' },
        status: 410,
        body: [{ path: '/error/code', value: 'gone' }],
      },
    ],
  },
  {
    name: 'a rate limit',
    at: 'payments',
    address: 'GET /transactions',
    apply: ({ answer }) => ({
      ...answer,
      headers: {
        ...answer.headers,
        'x-ratelimit-limit': '30',
        'x-ratelimit-remaining': '29',
        'x-ratelimit-reset': '60',
      },
    }),
    entries: [{ kind: 'rateLimit', operation: 'listTransactions', limit: 30, windowSeconds: 60 }],
  },
]

describe('what was observed', () => {
  test.each(DRIFTS)('is found, written and followed: $name', async ({ at, address, apply, entries }) => {
    const readable = readables.find((each) => each.title === `${at} ${address}`)
    if (!readable) throw new Error(`no operation ${at} ${address}`)
    const kind: Kind = { name: 'drift', drift: '', places: () => [''], apply }
    await target.stopClock()
    const proxy = await startMutatingProxy({
      target: target.url,
      mutation: { kind, readable, at: '', also: [] },
    })

    const { differences, overlay } = await verifying.measure(proxy.url, at)
    expect(differences).not.toEqual([])
    expect(overlay.entries).toMatchObject(entries)
    expect(overlay.entries).toHaveLength(entries.length)
    expect(differences.map(({ followedBy, place, aspect }) => [followedBy, place, aspect])).toEqual(
      differences.map(({ place, aspect }) => [(entries[0] as Entry).kind, place, aspect]),
    )

    const following = verifying.following(overlay)
    const second = await following.measure(proxy.url, at)
    expect(second.differences.map(({ place, message }) => `${place}: ${message}`)).toEqual([])
    // What was observed before stays.
    expect(second.overlay.entries).toMatchObject(entries)
    await proxy.close()
  })
})
