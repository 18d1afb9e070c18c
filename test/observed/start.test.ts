/** Starts with an overlay: what is refused, what is ignored, and that nothing else changes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/observed/format.ts'
import { ObservedError } from '../../src/observed/parse.ts'
import { pagingOf, problemOf, sizeParameter, type Catalog } from '../../src/observed/check.ts'
import { loadReadings } from '../../src/app/createRegistry.ts'
import { specifiedCatalog } from '../../src/observed/observe.ts'
import { observing as extensionOf } from '../../src/app.ts'
import type { Published } from '../../src/http/definition/definition.ts'
import { startSimulator } from '@suite-sim/library/index'
import { iso } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { credentialHeader } from '../support/app.ts'
import { casesOf, IS_FULL } from '../support/extent.ts'
import { scratchFolder } from '../support/process.ts'
import { buildApp } from '../support/subject.ts'
import { ofKind, overlayOf } from './overlays.ts'
import { observing, startObserving } from './observing.ts'

const DAY = 86_400_000

const field = ofKind('field', {
  interface: 'payments',
  operations: ['listPaymentLinks'],
  path: '/data/*/legacy_id',
  source: { copy: '/data/*/id' },
})
const header = ofKind('header', { interface: 'crm', name: 'x-powered-by', value: 'Suite' })
const reading = ofKind('reading', {
  interface: 'payments',
  name: 'payments.refund_event',
  value: 'requested',
})

const refusalOf = async (...entries: readonly unknown[]): Promise<string> => {
  try {
    await extensionOf({ observed: overlayOf(...(entries as Entry[])) })
    return 'started'
  } catch (error) {
    expect(error).toBeInstanceOf(ObservedError)
    return (error as Error).message
  }
}

const order = ofKind('order', {
  interface: 'crm',
  operation: 'listContacts',
  sort: [{ field: 'name', direction: 'asc' }],
})
const page = ofKind('page', { interface: 'crm', operation: 'listContacts', default: 10 })
const event = ofKind('eventField', {
  interface: 'payments',
  event: 'payment.completed',
  path: '/transaction/origin',
  source: { constant: 'web' },
})
const refusal = ofKind('refusal', { interface: 'payments', when: { status: 404 }, status: 410 })
const precision = ofKind('precision', { interface: 'crm', fraction: 0 })
const nullability = ofKind('nullability', {
  interface: 'payments',
  operations: ['listPaymentLinks'],
  path: '/data/*/expires_at',
  is: 'absent',
})

const UNKNOWN: readonly (readonly [string, object])[] = [
  [
    'operations must be operations of payments, not listPaymentLink; did you mean listPaymentLinks?',
    { ...field, operations: ['listPaymentLink'] },
  ],
  [
    'path must name a place that exists: the answer of listPaymentLinks has no dta; did you mean data?',
    { ...field, path: '/dta/*/x' },
  ],
  [
    'path must name an extra field: the answer of listPaymentLinks always has id',
    { ...field, path: '/data/*/id' },
  ],
  ['path must end with the name of the field', { ...field, path: '/data/*' }],
  [
    'source.copy must name a place that exists: /data/* of the answer of listPaymentLinks has no idd; did you mean id?',
    { ...field, source: { copy: '/data/*/idd' } },
  ],
  [
    'source.copy must begin like path up to its last *',
    { ...field, path: '/other', source: { copy: '/data/*/id' } },
  ],
  [
    'source.copy must name a text, a number or a boolean, because objects and lists are not copied',
    { ...field, source: { copy: '/data/*' } },
  ],
  [
    'component must be a schema of the answers of payments, not Lnk',
    { ...field, operations: undefined, component: 'Lnk', path: '/x' },
  ],
  [
    'path must name a place that exists: /data/* of the answer of listPaymentLinks has no expires; did you mean',
    { ...nullability, path: '/data/*/expires' },
  ],
  [
    'is must be null or absent, because no value of amount is empty',
    { ...nullability, path: '/data/*/amount', is: 'empty' },
  ],
  ['when.status must be the status of a refusal of payments: 400', { ...refusal, when: { status: 418 } }],
  [
    'sort must be an order that callers of listContacts can ask for: created_at, name',
    { ...order, sort: [{ field: 'nam', direction: 'asc' }] },
  ],
  [
    'sort must be by created_at, because callers of listPaymentLinks cannot sort it',
    { ...order, interface: 'payments', operation: 'listPaymentLinks' },
  ],
  ['sort must have one field', { ...order, sort: [...order.sort, ...order.sort] }],
  [
    'operation must be a list whose order can change; getContact has one order',
    { ...order, operation: 'getContact' },
  ],
  [
    'operation must be a list whose pages have a size; getContact has none',
    { ...page, operation: 'getContact' },
  ],
  ['default must be at most', { ...page, default: 5000 }],
  ['path must name times in an answer of crm', { ...precision, path: '/data/*/name' }],
  [
    'path must name numbers in an answer of crm',
    { ...precision, fraction: undefined, path: '/data/*/tags', decimals: 2 },
  ],
  [
    'event must be an event of payments, not payment.complete; did you mean payment.completed?',
    { ...event, event: 'payment.complete' },
  ],
  [
    'path must name a place that exists: the data of payment.completed has no transactions; did you mean transaction?',
    { ...event, path: '/transactions/x' },
  ],
  [
    'name must be a reading, not payments.refund_evnt; did you mean payments.refund_event?',
    { ...reading, name: 'payments.refund_evnt' },
  ],
  ['value must be ', { ...reading, value: 'nope' }],
  ['observedAt must be in the past', { ...header, observedAt: '9999-01-01T00:00:00Z' }],
]

describe('a start is refused', () => {
  test.each(UNKNOWN)('because %s', async (message, entry) => {
    const found = await refusalOf(header, entry)
    expect(found).toContain(`observed: entries[1].${message}`)
    expect(found).not.toContain('\n')
  })

  test('with a file that does not exist, is too large or is a folder', async () => {
    const folder = scratchFolder()
    const file = join(folder, 'o.json')
    await expect(extensionOf({ observed: file })).rejects.toThrow(`${file}: the file does not exist`)
    await expect(extensionOf({ observed: folder })).rejects.toThrow(`${folder}: an overlay must be a file`)
    writeFileSync(file, ' '.repeat(5_000_000))
    await expect(extensionOf({ observed: file })).rejects.toThrow(`${file}: an overlay must have at most`)
    writeFileSync(file, '['.repeat(1_000_000))
    await expect(extensionOf({ observed: file })).rejects.toThrow(`${file}: an overlay must be JSON, but it`)
  })

  test('by the library, for options that are no overlay', async () => {
    await expect(startSimulator({ observed: '' })).rejects.toThrow('observed must be the path of an overlay')
    await expect(startSimulator({ prefer: 'observed' })).rejects.toThrow('prefer needs observed')
    await expect(startSimulator({ observed: {} })).rejects.toThrow('observed: format is required')
    const endless: Record<string, unknown> = {}
    endless['self'] = endless
    await expect(startSimulator({ observed: endless })).rejects.toThrow('observed: an overlay must be JSON')
  })
})

describe('an entry is ignored', () => {
  const at = (ms: number): string => iso(systemNow() - ms)

  test('after 180 days', async () => {
    const { app, control } = await observing(
      { ...header, observedAt: at(180 * DAY - 60_000) },
      { ...field, observedAt: at(180 * DAY) },
    )
    expect(await control('GET', '/observed')).toMatchObject({
      data: [{ index: 0, kind: 'header', subject: 'the header x-powered-by' }],
      ignored: [{ index: 1, kind: 'field', because: 'expired', expiresAt: expect.any(String) }],
    })
    expect(app.extension.summary).toBe(
      '1 entry followed; not followed: 1 expired (older than 180 days): entries[1]',
    )
  })

  test('if it contradicts the specification, unless the observed is preferred', async () => {
    const entries = [
      { ...field, claim: 'field Link.id', fidelity: 'documented' as const },
      { ...header, claim: 'x', fidelity: 'assumed' as const },
    ]
    const { app, call, control } = await observing(...entries)
    const { text } = await call('payments', 'GET', '/payment-links')
    expect(text).not.toContain('legacy_id')
    expect(await control('GET', '/observed')).toMatchObject({
      data: [{ kind: 'header' }],
      ignored: [{ because: 'contradicts', entry: { claim: 'field Link.id', evidence: [{ status: 200 }] } }],
    })
    expect(app.extension.summary).toContain(
      'not followed: 1 against the specification (--prefer observed follows it): entries[0]',
    )
    const preferring = await startObserving({ observed: overlayOf(...entries), prefer: 'observed' })
    expect((await preferring.call('payments', 'GET', '/payment-links')).text).toContain('legacy_id')
    expect(await preferring.control('GET', '/observed')).toMatchObject({ ignored: [] })
  })
})

test('a later entry about the same place supersedes an earlier one, and other parts stay', async () => {
  const { call, control } = await observing(
    { ...header, value: 'first' },
    ofKind('page', { interface: 'crm', operation: 'listContacts', maximum: 4 }),
    ofKind('page', { interface: 'crm', operation: 'listContacts', default: 3 }),
    { ...header, name: 'X-Powered-By', value: 'second' },
  )
  const { headers, body } = await call<{ data: object[] }>('crm', 'GET', '/contacts')
  expect(headers['x-powered-by']).toBe('second')
  expect(body.data).toHaveLength(3)
  expect((await call('crm', 'GET', '/contacts?per_page=5')).status).toBeGreaterThanOrEqual(400)
  expect(await control('GET', '/observed')).toMatchObject({
    ignored: [{ index: 0, because: 'superseded' }],
  })
})

test('the control plane and the library list nothing without an overlay', async () => {
  await using simulator = await startSimulator({ fixtures: 'none' })
  expect(await simulator.observed()).toEqual({ data: [], ignored: [] })
})

test('the library follows an object and a file', async () => {
  const file = join(scratchFolder(), 'o.json')
  writeFileSync(file, JSON.stringify(overlayOf(header)))
  for (const observed of [file, overlayOf(header)]) {
    await using simulator = await startSimulator({ fixtures: 'small', observed })
    const { data, measured, ...rest } = await simulator.observed()
    expect(data).toHaveLength(1)
    expect(measured).toMatchObject({ target: 'https://suite.example.com' })
    expect(rest.file).toBe(observed === file ? file : undefined)
    const answer = await (await simulator.workspaces.get('demo')).fetch('crm', '/contacts')
    expect(answer.headers.get('x-powered-by')).toBe('Suite')
  }
})

test('a reading of the flag wins over an observed one', async () => {
  const { control } = await startObserving({
    observed: overlayOf(reading),
    readings: { 'payments.refund_event': 'completed' },
  })
  expect(await control('GET', '/workspaces/{id}')).toMatchObject({
    readings: { 'payments.refund_event': 'completed' },
  })
})

/** The interfaces whose documents take most of the time: all in the full run. */
const NAMES = casesOf(INTERFACE_NAMES, 3)

/** The addresses whose answers are compared. */
const ADDRESSES = [
  ...NAMES.map((name) => `/_sim/openapi/${name}.json`),
  ...(IS_FULL ? ['/_sim/openapi.json'] : []),
  '/_sim/openapi/control.json',
  '/pay/v1/payment-links?per_page=3',
  '/pay/v1/payment-links/pl_demo0000000000000001',
  '/pay/v1/payment-links/nope',
  '/pay/v1/nope',
  '/crm/v1/contacts?per_page=nope',
  '/workspace/public/v1/products',
]

test('a start with an empty overlay is byte for byte a start without one', async () => {
  const plain = await startObserving({ seed: 'same' })
  const empty = await startObserving({ seed: 'same', observed: overlayOf() })
  // An overlay for another interface does not change these.
  const other = await startObserving({
    seed: 'same',
    observed: overlayOf(ofKind('header', { interface: 'meetings', name: 'x-a', value: 'b' })),
  })
  for (const url of ADDRESSES) {
    const read = async ({ app }: typeof plain) => {
      const answer = await app.fastify.inject({ url, headers: { authorization: 'Bearer demo-key' } })
      const { date: _date, 'x-request-id': _id, ...headers } = answer.headers
      return { status: answer.statusCode, headers, text: answer.payload }
    }
    const expected = await read(plain)
    expect(await read(empty), url).toEqual(expected)
    if (!/openapi\.json|meetings/.test(url)) expect(await read(other), url).toEqual(expected)
  }
})

interface Query {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, object>>
}

/** The parameters that a caller must send; those with a default are filled in. */
const requiredIn = ({ required = [], properties = {} }: Query = {}): readonly string[] =>
  required.filter((name) => !('default' in (properties[name] ?? {})))

/** The lists of an interface that need nothing but a key: their operations and paths. */
const listsOf = ({ routes, definition }: Published) =>
  routes.flatMap((route) => {
    const { method, path, operation, schema } = route
    const required = requiredIn(schema.querystring)
    const isPlain = method === 'GET' && !path.includes('{') && required.length === 0
    if (!isPlain || !(200 in operation.answers)) return []
    const items = sizeParameter(route, definition) === null ? undefined : pagingOf(route, definition)?.items
    return [{ id: operation.id, path, items, order: operation.order }]
  })

/** Returns the rows of a page; `*` is the list of an object that has one. */
function rowsAt(body: unknown, items: string): readonly Record<string, unknown>[] {
  let found = body
  for (const name of items.split('.')) {
    const holder = found as Record<string, unknown>
    found = name === '*' ? Object.values(holder).find((each) => Array.isArray(each)) : holder[name]
  }
  return found as readonly Record<string, unknown>[]
}

/** Entries of several kinds for an interface, as far as they fit it. */
function entriesFor(published: Published, catalog: Catalog): Entry[] {
  const name = published.definition.name as InterfaceName
  const lists = listsOf(published)
  const wanted: Entry[] = [
    ofKind('precision', { interface: name, fraction: 0, zone: '+00:00' }),
    ofKind('header', { interface: name, name: 'x-powered-by', value: 'Suite' }),
    ofKind('page', { interface: name, default: 2, maximum: 300 }),
    ofKind('refusal', {
      interface: name,
      when: { status: 404 },
      status: 410,
      body: [
        { path: '/trace', value: 'abc' },
        { path: '/message', remove: true },
      ],
    }),
    ...lists.flatMap(({ id, order }): Entry[] => [
      ...(order
        ? [
            ofKind('order', {
              interface: name,
              operation: id,
              sort: [{ field: order.field, direction: 'asc' }],
            }),
          ]
        : []),
      ofKind('field', { interface: name, operations: [id], path: '/x_top', source: { shape: 'uuid' } }),
      ...['/data/*', '/payload/*', '/*'].map((path) =>
        ofKind('field', {
          interface: name,
          operations: [id],
          path: `${path}/x_row`,
          source: { shape: 'integer' },
        }),
      ),
      ...(['null', 'absent', 'empty'] as const).map((is, index) =>
        ofKind('nullability', {
          interface: name,
          operations: [id],
          path: ['/data/*/description', '/data/*/email', '/data/*/phone'][index] ?? '',
          is,
        }),
      ),
    ]),
    ...(published.definition.events ?? []).map(({ name: event }) =>
      ofKind('eventField', { interface: name, event, path: '/x_event', source: { shape: 'string' } }),
    ),
  ]
  return wanted.filter((entry) => problemOf(entry, catalog) === null)
}

test('with entries of all kinds, every list answers what its documents say', async () => {
  const catalog = await specifiedCatalog(() => buildApp(), loadReadings)
  const chosen = [...catalog.interfaces.values()].filter(({ definition }) =>
    NAMES.includes(definition.name as InterfaceName),
  )
  const entries = chosen.flatMap((published) => entriesFor(published, catalog))
  expect(entries.length).toBeGreaterThan(IS_FULL ? 150 : 30)
  const { app, call, contract } = await observing(...entries)
  let changed = 0
  let pages = 0
  let sorted = 0
  for (const published of chosen) {
    const { name } = published.definition
    const { document } = await contract(name)
    expect(JSON.stringify(document)).toContain('"x-fidelity":"observed"')
    for (const { path, items, order } of listsOf(published)) {
      const { status, text, body } = await call(name, 'GET', path)
      const rows = items === undefined || status !== 200 ? [] : rowsAt(body, items)
      expect(rows.length, `${name} ${path}`).toBeLessThanOrEqual(2)
      if (items !== undefined && rows.length === 2) pages++
      const times = order ? rows.flatMap((row) => String(row[order.field])) : []
      expect(times, `${name} ${path}`).toEqual(times.toSorted())
      if (times.length === 2 && times[0] !== times[1]) sorted++
      if (status === 200 && /"x_(?:top|row)"/.test(text)) changed++
    }
    const { basePath, dialect } = published.definition
    // No operation, so no document shows it.
    const unknown = await app.fastify.inject({
      url: `${basePath}/no-such-path`,
      headers: credentialHeader({ dialect }, 'demo-key'),
    })
    if (dialect.refusals.no_such_path.status !== 404) continue
    expect(unknown.statusCode, name).toBe(410)
    expect(unknown.json(), name).toMatchObject({ trace: 'abc' })
  }
  expect(changed).toBeGreaterThan(IS_FULL ? 20 : 4)
  expect(pages).toBeGreaterThan(IS_FULL ? 15 : 3)
  expect(sorted).toBeGreaterThan(IS_FULL ? 8 : 0)
  if (IS_FULL) expect((await app.fastify.inject({ url: '/_sim/openapi.json' })).statusCode).toBe(200)
})
