/** Finding records in all sections, and how sections and lists of records describe themselves. */
import { describe, expect, test } from 'vitest'
import { controlApp, makeWorkspace } from '../app.ts'

async function setup(body: object = { fixtures: 'small' }) {
  const app = await controlApp()
  const { id, key } = await makeWorkspace(app, body)
  const of = `/workspaces/${id}/records`
  return {
    ...app,
    of,
    key,
    find: async (query: string) => {
      const { status, body: found } = await app.sim('GET', `${of}/find?${query}`)
      expect(status).toBe(200)
      return found.data as {
        section: string
        id: string
        title: string | null
        state: string | null
        keys: object
      }[]
    },
  }
}

const LINK = 'pl_demo0000000000000001'
const DEAL = 'deal_demo0000000000000001'

describe('a record', () => {
  test('is found by its id in any section', async () => {
    const { find } = await setup()
    expect(await find(`id=${DEAL}`)).toEqual([
      { section: 'crm.deals', id: DEAL, title: 'Desks for forty classrooms', state: 'won', keys: {} },
    ])
    expect((await find(`id=${LINK},${DEAL},unknown`)).map(({ section }) => section)).toEqual([
      'crm.deals',
      'payments.links',
    ])
    expect(await find(`id=${LINK}&id=${DEAL}`)).toHaveLength(2)
    expect(await find('id=unknown')).toEqual([])
  })

  test('is found by another key', async () => {
    const { sim, of, find } = await setup()
    const { body } = await sim('GET', `${of}/forms.forms`)
    const { id, slug } =
      (body.data as { id: string; slug: string | null }[]).find((form) => form.slug !== null) ?? {}
    expect(await find(`id=${String(slug)}`)).toMatchObject([{ section: 'forms.forms', id, keys: { slug } }])
  })

  test('is found by a key that is unique only within its type', async () => {
    const { find } = await setup()
    const taxpayer = { section: 'lite-invoicing.taxpayers', keys: { ruc: 'PE-10-442' } }
    expect(await find('id=PE-10-442')).toMatchObject([taxpayer])
    expect(await find('text=PE-10')).toMatchObject([taxpayer])
  })

  test('is found by a part of its id or title, in any case', async () => {
    const { find } = await setup()
    expect((await find('text=deal_demo&limit=1000')).every(({ id }) => id.startsWith('deal_demo'))).toBe(true)
    expect(await find('text=forty%20CLASS')).toMatchObject([{ id: DEAL }])
    expect((await find('text=000000001&section=crm.deals')).map(({ id }) => id)).toContain(DEAL)
    expect(await find('text=no%20such%20text')).toEqual([])
    expect(await find('text=%25')).toEqual([])
  })

  test('is found by a part of its title with capital letters that have accents', async () => {
    const { find, call, key } = await setup()
    const { body } = await call('POST', '/crm/v1/contacts', key, {
      name: 'Ángela Ñuñez',
      email: 'angela@example.com',
    })
    const found = await find(`text=${encodeURIComponent('ÁNGELA ñUÑEZ')}`)
    expect(found.map(({ id }) => id)).toContain((body as { id: string }).id)
  })

  test.each([
    ['Peña Çelik'.normalize('NFD'), 'pena celik'],
    ['Pena Celik', 'PEÑA ÇELİK'],
    ['Großmann İpek', 'GROSSMANN ipek'],
  ])('called %s is found by %s', async (name, text) => {
    const { call, key, find } = await setup({})
    await call('POST', '/crm/v1/contacts', key, { name })
    expect(await find(`text=${encodeURIComponent(text)}`)).toMatchObject([{ section: 'crm.contacts' }])
  })

  test('is first if it is the newest of its section', async () => {
    const { call, key, find } = await setup()
    expect((await call('POST', '/crm/v1/contacts', key, { name: 'Newest person' })).status).toBe(201)
    const [first] = await find('section=crm.contacts')
    expect(first).toMatchObject({ section: 'crm.contacts', title: 'Newest person' })
    expect(await find('section=crm.contacts&limit=1')).toHaveLength(1)
  })

  test('of another workspace is not found', async () => {
    const { find } = await setup({})
    expect(await find(`id=${DEAL}`)).toEqual([])
    expect(await find('text=demo')).toEqual([])
  })

  test.each([
    ['', 400],
    ['limit=10', 400],
    ['id=a&text=b', 400],
    [`id=${Array.from({ length: 200 }, () => 'x').join()}`, 200],
    [`id=${Array.from({ length: 201 }, () => 'x').join()}`, 400],
    ['id=a&limit=1', 200],
    ['id=a&limit=1000', 200],
    ['id=a&limit=0', 400],
    ['id=a&limit=1001', 400],
    [`text=${'x'.repeat(200)}`, 200],
    [`text=${'x'.repeat(201)}`, 400],
    ['section=payments.links', 200],
    ['section=payments.lniks', 404],
    ['section=catalog.activityEntities', 200],
  ])('is searched with %s, which answers %i', async (query, status) => {
    const { sim, of } = await setup()
    expect((await sim('GET', `${of}/find?${query}`)).status).toBe(status)
  })
})

describe('a list of records', () => {
  test('is of an interface, and internal if no interface returns its records', async () => {
    const { sim, of } = await setup()
    const { data } = (await sim('GET', of)).body
    expect(data).toContainEqual(
      expect.objectContaining({ section: 'payments.links', interface: 'payments', internal: false }),
    )
    const internal = (data as { section: string; internal: boolean }[]).filter((each) => each.internal)
    expect(internal.map(({ section }) => section)).toEqual(
      expect.arrayContaining(['catalog.activityEntities', 'conversations.counters', 'crm.waitingSteps']),
    )
    expect(internal.length).toBeLessThan(data.length / 3)
  })

  test('has the kinds of its columns', async () => {
    const { sim, of } = await setup()
    const columnsOf = async (section: string) =>
      Object.fromEntries(
        ((await sim('GET', `${of}/${section}?limit=1`)).body.columns as { name: string; kind: string }[]).map(
          ({ name, kind }) => [name, kind],
        ),
      )
    expect(await columnsOf('payments.transactions')).toMatchObject({
      id: 'id',
      linkId: 'id',
      amount: 'cents',
      status: 'state',
      currency: 'text',
      createdAt: 'instant',
    })
    expect(await columnsOf('catalog.products')).toMatchObject({
      basePrice: 'money',
      taxRate: 'text',
      metadata: 'json',
      hasVariants: 'flag',
      sortOrder: 'number',
    })
    expect(await columnsOf('tax-invoicing.invoices')).toMatchObject({ total: 'money', tipoCambio: 'text' })
  })

  test('can be read from the newest record', async () => {
    const { sim, of } = await setup()
    const idsOf = async (query: string) => {
      const { data, nextCursor } = (await sim('GET', `${of}/crm.deals?limit=5&${query}`)).body
      return { ids: (data as { id: string }[]).map(({ id }) => id), nextCursor: nextCursor as string | null }
    }
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { ids, nextCursor } = await idsOf(`order=newest${cursor === '' ? '' : `&cursor=${cursor}`}`)
      pages.push(...ids)
      cursor = nextCursor
    }
    const oldest: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { ids, nextCursor } = await idsOf(cursor === '' ? '' : `cursor=${cursor}`)
      oldest.push(...ids)
      cursor = nextCursor
    }
    expect(pages.length).toBeGreaterThan(5)
    expect(pages).toEqual(oldest.toReversed())
    expect((await sim('GET', `${of}/crm.deals?order=random`)).status).toBe(400)
  })
})
