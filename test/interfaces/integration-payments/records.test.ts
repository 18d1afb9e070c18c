/** All records of integration payments: snapshots, resets, and the demo. */
import { describe, expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'
import { CARD, freshProject, type LinkBody } from '../../support/integrationPayments.ts'

async function busyProject() {
  const project = await freshProject()
  await project.addProduct({ productCode: 'plan', paymentType: 'recurring', billingPeriod: 'week' })
  await project.addCustomer()
  await project.addCollectionLink({ metadata: { a: [1] }, redirectUrl: 'https://shop.example.com/' })
  const { hashUrl } = await project.addPaymentLink()
  await project.pull('link.complete', { hashUrl, card: CARD })
  const path = `/_sim/workspaces/${project.fresh.workspace.id}`
  return { ...project, path, everything: () => everythingOf(project) }
}

const everythingOf = async ({ ask }: Awaited<ReturnType<typeof freshProject>>) => ({
  products: await ask('GET', '/v1/products'),
  customers: await ask('GET', '/v1/customers'),
  links: await ask('GET', '/v1/payment-links'),
})

test('restores all records from a snapshot', async () => {
  const { addPaymentLink, ask, everything, fresh, listLinks, path, setClock } = await busyProject()
  const before = await everything()
  const { body } = await fresh.call('GET', `${path}/snapshot`)
  const sections = (body as Record<string, Record<string, unknown[]>>)['integration-payments'] ?? {}
  expect(Object.entries(sections).map(([name, rows]) => [name, rows.length])).toEqual([
    ['products', 2],
    ['customers', 2],
    ['links', 2],
    ['charges', 1],
  ])
  const { hashUrl } = await addPaymentLink()
  await ask('PATCH', `/v1/payment-links/${hashUrl}/cancel`)
  expect((await fresh.call('PUT', `${path}/snapshot`, { body })).status).toBe(204)
  expect(await everything()).toEqual(before)
  // Restored records become due as well.
  setClock('2026-11-22T12:00:00.000Z')
  expect((await listLinks('?status=expired')).total).toBe(1)
})

describe('a snapshot', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['with the digits of a card', 'links', { cardLast4: '4242424242424242' }],
    ['with the digits of a card as a bin', 'customers', { cardBin: '4242424242424242' }],
    ['with a redirect to a script', 'links', { redirectUrl: 'javascript:alert(1)' }],
    ['with a hash that no URL can contain', 'links', { hashUrl: 'a/b' }],
    ['with an unknown state', 'links', { status: 'paid' }],
    ['with an unknown method', 'links', { paymentMethods: ['wallet_2'] }],
    ['with half a cent', 'products', { price: 0.5 }],
  ])('%s is refused', async (_why, name, fields) => {
    const { fresh, path } = await busyProject()
    const { body } = await fresh.call('GET', `${path}/snapshot`)
    const rows = (body as Record<string, Record<string, object[]>>)['integration-payments']?.[name] ?? []
    Object.assign(rows[0] ?? {}, fields)
    const before = fresh.dump()
    const answer = await fresh.call('PUT', `${path}/snapshot`, { body })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`integration-payments.${name}.0.${Object.keys(fields)[0] ?? ''}`)
    expect(fresh.dump()).toEqual(before)
  })
})

test('creates the same ids and URLs with the same seed', async () => {
  const hashes = async () => {
    const { addCollectionLink } = await freshProject({ seed: 'spring' })
    const { id, hashUrl } = await addCollectionLink()
    return [id, hashUrl]
  }
  expect(await hashes()).toEqual(await hashes())
})

test('has products of every kind and status, and links of every type and state in the demo', async () => {
  const fresh = await freshApp({ fixtures: 'demo' })
  const get = async <Data>(path: string): Promise<Data> => {
    const answer = await fresh.at('integration-payments')('GET', path, { key: 'demo-key' })
    if (answer.status !== 200) throw new Error(answer.text)
    return (answer.body as { data: Data }).data
  }
  const total = async (path: string) => (await get<{ total: number }>(path)).total
  expect(await total('/v1/products')).toBe(8)
  for (const status of ['active', 'inactive', 'archived']) {
    expect(await total(`/v1/products?status=${status}`)).toBeGreaterThan(0)
  }
  expect(await get('/v1/products/extra-visit')).toMatchObject({ product: { requiresSubscription: true } })
  expect(await total('/v1/products?paymentType=recurring')).toBe(3)
  expect(await total('/v1/customers')).toBe(5)
  expect(await total('/v1/customers?status=inactive')).toBe(1)
  const { paymentLinks } = await get<{ paymentLinks: LinkBody[] }>('/v1/payment-links?lim=100')
  expect(new Set(paymentLinks.map(({ status }) => status)).size).toBe(5)
  expect(new Set(paymentLinks.map(({ linkType }) => linkType)).size).toBe(3)
  for (const link of paymentLinks) {
    expect('completedAt' in link, link.hashUrl).toBe(link.status === 'completed')
    expect('cancelledAt' in link, link.hashUrl).toBe(link.status === 'cancelled')
  }
})
