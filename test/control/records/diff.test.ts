/** What changed in a workspace since a snapshot. */
import { describe, expect, test } from 'vitest'
import { withoutBlocking } from '../../support/loopDelay.ts'
import { controlApp, error, makeWorkspace, type ControlApp, type Made, type Method } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'
const CONTACTS = '/crm/v1/contacts'
const PRODUCT = 'demo-product-00000001'
const LINKS = '/pay/v1/payment-links'

interface Changed {
  readonly section: string
  readonly id: string
  readonly change: 'added' | 'changed' | 'removed'
  readonly fields: readonly { path: string; before: unknown; after: unknown; volatile?: true }[]
  readonly causes: readonly { kind: string; id: string; title: string }[]
}

async function setup(body?: object) {
  const app = await controlApp()
  const made = await makeWorkspace(app, body)
  return { ...app, ...helpersOf(app, made), app, made }
}

function helpersOf({ sim, call }: ControlApp, { id, key }: Made) {
  const of = `/workspaces/${id}`
  const diff = async (query = '') => {
    const answer = await sim('GET', `${of}/diff${query}`)
    expect(answer.status).toBe(200)
    return answer.body as {
      summary: Record<string, number>
      data: readonly Changed[]
      nextCursor: string | null
    }
  }
  return {
    of,
    diff,
    save: (name: string) => sim('POST', `${of}/snapshots`, { body: { name } }),
    restore: (name: string) => sim('POST', `${of}/snapshots/${name}/restore`),
    reset: () => sim('POST', `${of}/reset`),
    request: (method: Method, path: string, sent?: unknown) => call(method, path, key, sent),
    addProduct: async (name: string, more: object = {}) => {
      const { status, body } = await call('POST', PRODUCTS, key, { name, type: 'physical', ...more })
      expect(status).toBe(201)
      return body.data.id as string
    },
    /** "section change": how often. */
    counted: async (query = '') => {
      const { data } = await diff(`?limit=1000${query}`)
      const counts: Record<string, number> = {}
      for (const { section, change } of data) {
        const name = `${section} ${change}`
        counts[name] = (counts[name] ?? 0) + 1
      }
      return counts
    },
  }
}

const NOTHING = { summary: { added: 0, changed: 0, removed: 0 }, data: [], nextCursor: null }

const field = (of: Pick<Changed, 'fields'> | undefined, path: string) =>
  of?.fields.find((each) => each.path === path)

/** A workspace whose due jobs ran, so that later changes come from calls only, and its snapshot `before`. */
async function prepared() {
  const made = await setup({ fixtures: 'small' })
  await made.diff()
  expect((await made.save('before')).status).toBe(201)
  return { ...made, since: (query = '') => made.diff(`?from=before${query}`) }
}

describe('changes of a workspace', () => {
  test('are none when it is new, except those of jobs that are already due', async () => {
    const { diff, reset } = await setup()
    expect(await diff()).toEqual(NOTHING)
    await reset()
    expect(await diff()).toEqual(NOTHING)
    const small = await setup({ fixtures: 'small' })
    const { data } = await small.diff()
    expect(data.filter(({ causes }) => causes[0]?.kind !== 'job')).toEqual([])
  })

  test('are added and soft-deleted records with their fields', async () => {
    const { since, addProduct, request } = await prepared()
    const id = await addProduct('Desk')
    const { summary, data } = await since()
    expect(summary).toEqual({ added: 1, changed: 0, removed: 0 })
    expect(data).toMatchObject([{ section: 'catalog.products', id, change: 'added' }])
    const [desk] = data
    expect(field(desk, 'name')).toEqual({ path: 'name', before: null, after: 'Desk' })
    expect(field(desk, 'id')).toEqual({ path: 'id', before: null, after: id, volatile: true })
    expect(field(desk, 'createdAt')).toMatchObject({ before: null, volatile: true })
    expect(field(desk, 'deletedAt')).toBeUndefined()

    await request('DELETE', `${PRODUCTS}/${PRODUCT}`)
    const after = await since('&section=catalog.products')
    expect(after.summary).toEqual({ added: 1, changed: 1, removed: 0 })
    const deleted = after.data.find((each) => each.id === PRODUCT)
    expect(field(deleted, 'deletedAt')).toMatchObject({ before: null, volatile: true })
  })

  test('are single values of objects and lists', async () => {
    const { since, request } = await prepared()
    const contact = `${CONTACTS}/con_demo0000000000000001`
    const changes = { tags: ['school', 'gold', 'north'], custom_fields: { students: 700, 'floor no.': 2 } }
    expect((await request('PATCH', contact, changes)).status).toBe(200)
    const { data } = await since('&section=crm.contacts')
    expect(data).toHaveLength(1)
    expect(data[0]?.fields.filter(({ volatile }) => !volatile)).toEqual([
      { path: 'tags[1]', before: 'vip', after: 'gold' },
      { path: 'tags[2]', before: null, after: 'north' },
      { path: 'customFields.students', before: 640, after: 700 },
      { path: 'customFields["floor no."]', before: null, after: 2 },
    ])
  })

  test('have removed records, also of tables without ids, and of several interfaces', async () => {
    const { since, request, counted } = await prepared()
    expect((await request('DELETE', `${CONTACTS}/con_demo0000000000000001`)).status).toBe(204)
    expect((await request('DELETE', `${LINKS}/pl_demo0000000000000002`)).status).toBe(200)
    const counts = await counted('&from=before')
    expect(counts).toMatchObject({ 'crm.contacts removed': 1, 'payments.links changed': 1 })
    expect(counts['crm.deals removed']).toBeGreaterThan(0)
    const { data } = await since('&section=crm.contacts')
    expect(data[0]).toMatchObject({ id: 'con_demo0000000000000001', change: 'removed' })
    expect(field(data[0], 'name')).toEqual({ path: 'name', before: 'Beatriz Mora', after: null })
    expect(data[0]?.causes).toMatchObject([{ kind: 'request', title: expect.stringContaining('DELETE') }])
    // The deals were removed with their contact.
    const gone = (await since('&section=crm&limit=1000')).data.filter(({ change }) => change === 'removed')
    expect(new Set(gone.map(({ causes }) => causes[0]?.id))).toEqual(new Set([data[0]?.causes[0]?.id]))

    const activities = (await since('&section=catalog')).data
    expect(activities).toEqual([])
    expect(Object.keys(await counted('&from=before&section=payments'))).toEqual(['payments.links changed'])
  })

  test('name the calls, triggers and jobs that caused them', async () => {
    const { since, request, sim, of } = await prepared()
    const created = await request('POST', LINKS, { amount: 1000, currency: 'USD', description: 'Desk' })
    const id = created.body.data.id as string
    await sim('POST', `${of}/triggers/payments.link.pay`, { body: { link_id: id } })
    const { data } = await since('&section=payments.links')
    expect(data).toMatchObject([
      {
        id,
        change: 'added',
        causes: [
          { kind: 'request', title: `POST ${LINKS} 201` },
          { kind: 'trigger', title: 'payments.link.pay' },
        ],
      },
    ])
    const { body } = await sim('GET', `${of}/timeline`)
    const known = (body.data as { id: string }[]).map((entry) => entry.id)
    for (const cause of data[0]?.causes ?? []) expect(known).toContain(cause.id)
    const [transaction] = (await since('&section=payments.transactions')).data
    expect(field(transaction, 'linkId')).toEqual({ path: 'linkId', before: null, after: id, volatile: true })
  })

  test('have no causes from refused calls, and do not contain them', async () => {
    const { since, request } = await prepared()
    expect((await request('POST', LINKS, { amount: -1, currency: 'USD' })).status).toBe(422)
    expect(await since()).toEqual(NOTHING)
  })

  test('are caused by what happened after the snapshot, also after a restore', async () => {
    const { diff, save, restore, request, sim, of } = await prepared()
    const { body } = await request('POST', LINKS, { amount: 1000, currency: 'USD', description: 'Desk' })
    const id = body.data.id as string
    await save('created')
    await sim('POST', `${of}/triggers/payments.link.pay`, { body: { link_id: id } })
    const titles = async (from: string) =>
      (await diff(`?from=${from}&section=payments.links`)).data
        .filter((each) => each.id === id)
        .flatMap(({ causes }) => causes.map(({ title }) => title))
    const created = `POST ${LINKS} 201`
    expect(await titles('created')).toEqual(['payments.link.pay'])
    expect(await titles('before')).toEqual([created, 'payments.link.pay'])
    await restore('created')
    expect(await titles('created')).toEqual([])
    await request('DELETE', `${LINKS}/${id}`)
    expect(await titles('created')).toEqual([`DELETE ${LINKS}/${id} 200`])
    expect(await titles('before')).toEqual([`DELETE ${LINKS}/${id} 200`])
    await save('deleted')
    await request('POST', LINKS, { amount: 1000, currency: 'USD', description: 'Desk' })
    expect(await titles('deleted')).toEqual([])
  })

  test('of a move of the clock are those of its jobs', async () => {
    const { since, request, sim, of } = await prepared()
    const { body } = await request('POST', LINKS, {
      amount: 1000,
      currency: 'USD',
      description: 'Desk',
      expires_at: '2099-01-01T00:00:00Z',
    })
    const id = body.data.id as string
    await sim('PUT', `${of}/clock`, { body: { now: '2099-01-02T00:00:00Z' } })
    const { data } = await since('&section=payments.links&limit=1000')
    const expired = data.find((each) => each.id === id)
    expect(expired?.causes.map(({ kind }) => kind)).toEqual(['request', 'job'])
    expect(field(expired, 'status')).toMatchObject({ after: 'expired' })
  })
})

describe('the state to compare with', () => {
  test('is the start or a snapshot; another is refused with the nearest name', async () => {
    const { sim, of, diff, save } = await setup()
    await save('before-checkout')
    expect(await diff('?from=before-checkout')).toEqual(NOTHING)
    expect(await diff('?from=start')).toEqual(NOTHING)
    expect(await sim('GET', `${of}/diff?from=before-chekout`)).toMatchObject({
      status: 404,
      body: error('not_found', 'There is no snapshot before-chekout; did you mean before-checkout?'),
    })
    expect(await sim('GET', `${of}/diff?from=zzzzzzzzzzzzzz`)).toMatchObject({
      status: 404,
      body: error(
        'not_found',
        'There is no snapshot zzzzzzzzzzzzzz; the snapshots are start, before-checkout',
      ),
    })
    expect((await sim('GET', '/workspaces/nowhere/diff')).status).toBe(404)
    expect(await sim('GET', `${of}/diff?section=payment.links`)).toMatchObject({
      status: 400,
      body: error(
        'validation_error',
        'section must be a section or an interface; did you mean payments.links?',
        expect.anything(),
      ),
    })
  })

  test('is restored by a reset, which leaves the changes since a snapshot', async () => {
    const { diff, reset, save, restore, addProduct } = await setup({ fixtures: 'none' })
    const one = await addProduct('One')
    await save('one')
    const two = await addProduct('Two')
    await reset()
    expect(await diff()).toEqual(NOTHING)
    expect((await diff('?from=one')).data).toMatchObject([{ id: one, change: 'removed' }])
    await restore('one')
    expect(await diff('?from=one')).toEqual(NOTHING)
    expect((await diff()).data).toMatchObject([{ id: one, change: 'added' }])
    expect((await diff()).data.map(({ id }) => id)).not.toContain(two)
  })

  test('is another branch after a restore of an older snapshot', async () => {
    const { diff, save, restore, addProduct, request } = await setup()
    const id = await addProduct('First')
    await save('first')
    await request('PUT', `${PRODUCTS}/${id}`, { name: 'Second', type: 'physical' })
    await save('second')
    await restore('first')
    const { data, summary } = await diff('?from=second')
    expect(summary).toEqual({ added: 0, changed: 1, removed: 0 })
    expect(field(data[0], 'name')).toEqual({ path: 'name', before: 'Second', after: 'First' })
  })

  test('does not differ from a record that was written with the same values', async () => {
    const { since, sim, of } = await prepared()
    const { body } = await sim('GET', `${of}/snapshot`)
    expect((await sim('PUT', `${of}/snapshot`, { body })).status).toBe(204)
    expect(await since()).toEqual(NOTHING)
  })
})

describe('a page of changes', () => {
  test('has at most limit records, and the pages have all of them once', async () => {
    const { diff, addProduct } = await setup()
    const ids: string[] = []
    for (let number = 0; number < 5; number++) ids.push(await addProduct(`Product ${String(number)}`))
    const found: string[] = []
    let query = '?limit=2'
    for (let pages = 1; ; pages++) {
      const { summary, data, nextCursor } = await diff(query)
      expect(summary).toEqual({ added: 5, changed: 0, removed: 0 })
      found.push(...data.map(({ id }) => id))
      if (nextCursor === null) {
        expect(pages).toBe(3)
        break
      }
      query = `?limit=2&cursor=${nextCursor}`
    }
    expect(found).toEqual(ids)
  })

  test.each([
    ['limit=1', 200],
    ['limit=1000', 200],
    ['limit=0', 400],
    ['limit=1001', 400],
    ['cursor=0', 400],
    ['cursor=2-000000000000', 400],
    ['cursor=x', 400],
    ['format=json', 200],
    ['format=xml', 400],
    ['limit=1.5', 400],
    ['limit=9007199254740993', 400],
    ['limit=1&limit=2', 400],
    ['cursor=', 200],
    ['cursor=-1-000000000000', 400],
    ['from=', 404],
    ['from=start&from=start', 400],
    ['from=__proto__', 404],
    ["from=start' OR 1=1 --", 404],
    ['section=', 400],
    ['section=constructor', 400],
    ['form=start', 400],
  ])('answers %s with %i', async (query, status) => {
    const { sim, of } = await setup()
    expect((await sim('GET', `${of}/diff?${query}`)).status).toBe(status)
  })

  test('refuses very long values', async () => {
    const { sim, of } = await setup()
    const values = [
      `from=${'x'.repeat(10_000)}`,
      `section=${'%00'.repeat(2000)}`,
      `cursor=${'9'.repeat(400)}-000000000000`,
    ]
    const statuses = await Promise.all(values.map((query) => sim('GET', `${of}/diff?${query}`)))
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400])
  })

  test('has a cursor for this list and these records only', async () => {
    const { sim, of, diff, addProduct } = await setup()
    for (let number = 0; number < 3; number++) await addProduct(`Product ${String(number)}`)
    const { nextCursor } = await diff('?limit=1')
    const status = async (query: string) =>
      (await sim('GET', `${of}/diff?limit=1&cursor=${String(nextCursor)}${query}`)).status
    expect([await status(''), await status('&section=crm')]).toEqual([200, 400])
    await addProduct('Product 3')
    const refused = await sim('GET', `${of}/diff?limit=1&cursor=${String(nextCursor)}`)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_cursor'])
    expect(refused.body.error.message).toContain('records have changed since')
  })

  test('has a cursor for this workspace, snapshot and section, and for no other place', async () => {
    const one = await setup()
    const other = helpersOf(one.app, await makeWorkspace(one.app))
    for (const { addProduct, save } of [one, other]) {
      await save('early')
      for (let number = 0; number < 3; number++) await addProduct(`Product ${String(number)}`)
    }
    const { nextCursor } = await one.diff('?limit=1')
    const cursor = String(nextCursor)
    const [place = '', list = ''] = cursor.split('-')
    expect(place).toBe('1')
    const status = async (of: string, query: string) =>
      (await one.sim('GET', `${of}/diff?limit=1&${query}`)).status
    expect(await status(one.of, `cursor=${cursor}`)).toBe(200)
    expect(await status(other.of, `cursor=${cursor}`)).toBe(400)
    expect(await status(one.of, `cursor=${cursor}&from=early`)).toBe(400)
    expect(await status(one.of, `cursor=${cursor}&section=catalog.products`)).toBe(400)
    for (const offset of ['-1', '0', '2', '99', 'NaN', '1.5'])
      expect([offset, await status(one.of, `cursor=${offset}-${list}`)]).toEqual([offset, 400])
  })

  test('"start" is the state at creation, so no snapshot has this name', async () => {
    const { sim, of } = await setup()
    const refused = await sim('POST', `${of}/snapshots`, { body: { name: 'start' } })
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('not be start'),
    ])
    expect((await sim('POST', `${of}/snapshots`, { body: { name: 'started' } })).status).toBe(201)
  })

  test('ends early if its records are very large', async () => {
    const { diff, addProduct } = await setup()
    const metadata = Object.fromEntries(
      Array.from({ length: 40 }, (_each, index) => [`key${String(index)}`, 'x'.repeat(400)]),
    )
    for (let number = 0; number < 80; number++) await addProduct(`Product ${String(number)}`, { metadata })
    const first = await diff('?limit=1000')
    expect(first.data.length).toBeGreaterThan(10)
    expect(first.data.length).toBeLessThan(80)
    const rest = await diff(`?limit=1000&cursor=${String(first.nextCursor)}`)
    expect(first.data.length + rest.data.length).toBe(80)
  })

  test('can be a readable text', async () => {
    const {
      app: { fastify },
      of,
      request,
    } = await prepared()
    await request('DELETE', `${LINKS}/pl_demo0000000000000002`)
    const text = async (query: string) => {
      const answer = await fastify.inject({
        method: 'GET',
        url: `/_sim${of}/diff?from=before&format=text${query}`,
      })
      expect(answer.headers['content-type']).toMatch(/^text\/plain/)
      return answer.payload
    }
    expect(await text('')).toMatch(
      /^1 change since before: 0 added, 1 changed, 0 removed\n\n~ payments\.links pl_demo0000000000000002\n {4}status: "active" → "\w+"\n {4}by DELETE \S+ 200 \(req_\d+\)\n$/,
    )
    expect(await text('&section=crm')).toBe('0 changes since before: 0 added, 0 changed, 0 removed\n')
  })

  test('has two lines for values that do not fit into 80 columns', async () => {
    const { app, of, save, request, addProduct } = await setup()
    const product = await addProduct('Chair')
    await save('before')
    const lines = async (name: string): Promise<string[]> => {
      await request('PUT', `${PRODUCTS}/${product}`, { name })
      const url = `/_sim${of}/diff?from=before&format=text&section=catalog.products`
      return (await app.fastify.inject({ method: 'GET', url })).payload.split('\n')
    }
    // Four spaces, name, and two quoted values with an arrow between them.
    const longest = 'x'.repeat(80 - '    name: "Chair" → ""'.length)
    expect(await lines(longest)).toContain(`    name: "Chair" → "${longest}"`)
    const long = await lines(`${longest}y`)
    const at = long.indexOf('    name:')
    expect(long.slice(at, at + 3)).toEqual(['    name:', '      - "Chair"', `      + "${longest}y"`])
  })
})

/** Enough products for the index of revisions. */
const LARGE = 1500

/** Lists of records by section. */
type Snapshot = Readonly<Record<string, Readonly<Record<string, readonly { readonly id?: string }[]>>>>

const SECTIONS = ['catalog', 'crm']

/** Returns the records with an id by section and id. */
function textsOf(snapshot: Snapshot): Map<string, string> {
  const rows = SECTIONS.flatMap((section) =>
    Object.entries(snapshot[section] ?? {}).flatMap(([list, records]) =>
      records.flatMap((record): [string, string][] =>
        record.id === undefined ? [] : [[`${section}.${list} ${record.id}`, JSON.stringify(record)]],
      ),
    ),
  )
  return new Map(rows)
}

/** Returns the changes between two snapshots: "catalog.products p1 changed". */
function changesBetween(before: Snapshot, after: Snapshot): string[] {
  const [old, current] = [textsOf(before), textsOf(after)]
  return [
    ...[...current].flatMap(([key, text]) =>
      !old.has(key) ? [`${key} added`] : old.get(key) === text ? [] : [`${key} changed`],
    ),
    ...[...old.keys()].flatMap((key) => (current.has(key) ? [] : [`${key} removed`])),
  ].toSorted()
}

describe('changes of a large workspace', () => {
  const product = (number: number) => ({
    id: `product-${String(number).padStart(5, '0')}`,
    name: `Product ${String(number)}`,
    type: 'physical',
    ownerId: 'user-1',
    sortOrder: number,
    hasVariants: false,
    metadata: {},
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  })
  const contact = (number: number) => ({
    tags: [],
    customFields: {},
    id: `contact-${String(number).padStart(5, '0')}`,
    name: `Contact ${String(number)}`,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  })
  const numbers = Array.from({ length: LARGE }, (_each, index) => index)
  async function large(contacts: number) {
    const fixtures = {
      format: 'suite-simulator/1',
      users: [{ id: 'user-1', name: 'One', email: 'one@example.com' }],
      catalog: { products: numbers.map(product) },
      crm: { contacts: numbers.slice(0, contacts).map(contact) },
    }
    const made = await setup({ fixtures })
    const { sim, of, request, addProduct, diff } = made
    const snapshot = async () => (await sim('GET', `${of}/snapshot`)).body as Snapshot
    /** Changes, deletes and adds some records. Each round uses others. */
    const work = async (round: number) => {
      for (let step = 0; step < 4; step++) {
        const number = round * 4 + step * 300
        const changed = { name: `Renamed ${String(round)}`, type: 'physical' }
        expect((await request('PUT', `${PRODUCTS}/${product(number).id}`, changed)).status).toBe(200)
        expect((await request('DELETE', `${PRODUCTS}/${product(number + 1).id}`)).status).toBeLessThan(300)
        const person = round * 8 + step * 2
        expect((await request('DELETE', `${CONTACTS}/${contact(person).id}`)).status).toBe(204)
        const renamed = { name: `Person ${String(round)}` }
        expect((await request('PATCH', `${CONTACTS}/${contact(person + 1).id}`, renamed)).status).toBe(200)
        await request('POST', CONTACTS, { name: `New ${String(round)}` })
        await addProduct(`New ${String(round)} ${String(step)}`)
      }
    }
    const found = async (from: string) =>
      (await diff(`?from=${from}&limit=1000`)).data
        .map(({ section, id, change }) => `${section} ${id} ${change}`)
        .toSorted()
    return { ...made, snapshot, work, found }
  }

  // With more than 2,500 records, a reset moves the workspace to another row scope.
  test.each([
    ['replaced', 1500],
    ['reset in place', 50],
  ])('are those between the snapshots if it was %s in between', async (_how, contacts) => {
    const { snapshot, work, found, save, restore, reset } = await large(contacts)
    const start = await snapshot()
    expect(await found('start')).toEqual([])
    await work(0)
    await save('one')
    const one = await snapshot()
    expect(await found('start')).toEqual(changesBetween(start, one))
    expect(await found('one')).toEqual([])
    await work(1)
    const two = await snapshot()
    await save('two')
    expect(await found('two')).toEqual([])
    expect(await found('start')).toEqual(changesBetween(start, two))
    expect(await found('one')).toEqual(changesBetween(one, two))
    await restore('two')
    expect(await found('two')).toEqual([])
    expect(await found('one')).toEqual(changesBetween(one, two))
    await work(4)
    const four = await snapshot()
    expect(await found('start')).toEqual(changesBetween(start, four))
    expect(await found('one')).toEqual(changesBetween(one, four))
    expect(await found('two')).toEqual(changesBetween(two, four))
    await save('four')
    await restore('one')
    expect(await found('four')).toEqual(changesBetween(four, one))
    await work(2)
    const branch = await snapshot()
    expect(await found('four')).toEqual(changesBetween(four, branch))
    expect(await found('two')).toEqual(changesBetween(two, branch))
    expect(await found('one')).toEqual(changesBetween(one, branch))
    expect(await found('start')).toEqual(changesBetween(start, branch))
    await reset()
    expect(await found('start')).toEqual([])
    expect(await found('two')).toEqual(changesBetween(two, start))
    await save('three')
    await work(3)
    const changed = await snapshot()
    await reset()
    expect(await found('three')).toEqual([])
    await work(3)
    expect((await found('three')).length).toBe(changesBetween(start, changed).length)
    expect(await found('one')).toEqual(changesBetween(one, await snapshot()))
  })
  test('are found without blocking the server', async () => {
    const products = Array.from({ length: 20_000 }, (_each, index) => product(index))
    const { sim, of, save, restore, fastify } = await setup({ fixtures: 'none' })
    const body = { format: 'suite-simulator/1', catalog: { products } }
    expect((await sim('PUT', `${of}/snapshot`, { body })).status).toBe(204)
    await save('one')
    await restore('one')
    // After a restore, the rows are compared one by one.
    for (const from of ['start', 'one', 'start']) {
      const { payload } = await withoutBlocking(async () =>
        fastify.inject({ method: 'GET', url: `/_sim${of}/diff?from=${from}` }),
      )
      const added = from === 'start' ? products.length : 0
      expect(JSON.parse(payload)).toMatchObject({ summary: { added, changed: 0, removed: 0 } })
    }
  })
})
