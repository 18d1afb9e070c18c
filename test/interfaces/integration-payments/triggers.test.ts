/** OPERATING.md, "Triggers": events of integration payments outside of their interface. */
import { describe, expect, test } from 'vitest'
import { CARD, freshProject, type LinkBody, type ProductBody } from '../../support/integrationPayments.ts'

const PRODUCT = { productCode: 'x', name: 'X', paymentType: 'one_time', price: 1, currency: 'USD' }
const PLAN = { ...PRODUCT, paymentType: 'recurring', billingPeriod: 'year' }

const invalid = (field: string) => ({
  status: 400,
  body: { error: { code: 'validation_error', details: [{ field }] } },
})

describe('product.create', () => {
  test('returns the product as the interface shows it', async () => {
    const { ask, pull } = await freshProject()
    const answer = await pull('product.create', { ...PRODUCT, requiresSubscription: true, price: 0 })
    expect(answer.status).toBe(200)
    const { product } = await ask<{ product: ProductBody }>('GET', '/v1/products/x')
    expect(answer.body).toEqual({ ...product, product })
    expect(answer.body).toMatchObject({ product: { requiresSubscription: true, price: 0 } })
  })

  test('sets the interval of a recurring product to 1 by default', async () => {
    const { addProduct } = await freshProject()
    expect(await addProduct(PLAN)).toMatchObject({ billingPeriod: 'year', billingInterval: 1 })
    expect(await addProduct({ ...PLAN, productCode: 'y', billingInterval: 6 })).toMatchObject({
      billingInterval: 6,
    })
  })

  test('accepts null for missing fields', async () => {
    const { addProduct } = await freshProject()
    const nothing = { description: null, billingPeriod: null, billingInterval: null }
    expect(await addProduct({ ...PRODUCT, ...nothing })).toMatchObject(nothing)
  })

  test('refuses a code of another product', async () => {
    const { fresh, pull } = await freshProject()
    const before = fresh.dump()
    const answer = await pull('product.create', { ...PRODUCT, productCode: 'setup-fee' })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(fresh.dump()).toEqual(before)
  })

  test('accepts the same code in another workspace', async () => {
    const { fresh, addProduct } = await freshProject()
    await addProduct(PRODUCT)
    const { workspace } = fresh.tenant()
    const path = `/_sim/workspaces/${workspace.id}/triggers/integration-payments.product.create`
    expect((await fresh.call('POST', path, { body: PRODUCT })).status).toBe(200)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a recurring product without a period', { ...PLAN, billingPeriod: undefined }, 'billingPeriod'],
    ['a recurring addon', { ...PLAN, requiresSubscription: true }, 'requiresSubscription'],
    ['a one_time product with a period', { ...PRODUCT, billingPeriod: 'day' }, 'billingPeriod'],
    ['a one_time product with an interval', { ...PRODUCT, billingInterval: 1 }, 'billingInterval'],
    ['no code', { ...PRODUCT, productCode: undefined }, 'productCode'],
    ['a blank name', { ...PRODUCT, name: ' ' }, 'name'],
    ['another type', { ...PRODUCT, paymentType: 'weekly' }, 'paymentType'],
    ['a negative price', { ...PRODUCT, price: -1 }, 'price'],
    ['half a cent', { ...PRODUCT, price: 0.5 }, 'price'],
    ['an unknown currency', { ...PRODUCT, currency: 'XXQ' }, 'currency'],
    ['another status', { ...PRODUCT, status: 'draft' }, 'status'],
    ['an interval of 0', { ...PLAN, billingInterval: 0 }, 'billingInterval'],
  ])('refuses %s', async (_what, body, field) => {
    const { fresh, pull } = await freshProject()
    const before = fresh.dump()
    expect(await pull('product.create', body)).toMatchObject(invalid(field))
    expect(fresh.dump()).toEqual(before)
  })
})

describe('link.process', () => {
  test('returns the link, which is processing', async () => {
    const { addPaymentLink, findLink, pull } = await freshProject()
    const { hashUrl } = await addPaymentLink()
    const answer = await pull('link.process', { hashUrl, card: CARD })
    expect(answer.status).toBe(200)
    const link = await findLink(hashUrl)
    expect(answer.body).toEqual({ ...link, link })
    expect(answer.body).toMatchObject({ link: { status: 'processing' } })
  })
})

describe('link.complete', () => {
  test('returns the link and the new customer', async () => {
    const { addPaymentLink, ask, findLink, pull } = await freshProject()
    const { hashUrl } = await addPaymentLink()
    const answer = await pull('link.complete', { hashUrl, card: CARD })
    expect(answer.status).toBe(200)
    const body = answer.body as { link: LinkBody; customer_id: string }
    const link = await findLink(hashUrl)
    expect(body).toEqual({
      ...link,
      link,
      customer_id: expect.stringMatching(/^cus_/) as unknown,
      order_id: expect.stringMatching(/^ord_/) as unknown,
    })
    expect(await ask('GET', `/v1/customers/${body.customer_id}`)).toMatchObject({
      customer: { cardLast4: '4444', cardBrand: 'network_2', cardBin: '555555', cardExp: '0830' },
    })
  })
})

describe.each(['link.process', 'link.complete'])('%s', (name) => {
  test('refuses an unknown link', async () => {
    const { pull } = await freshProject()
    expect(await pull(name, { hashUrl: 'nothing' })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', message: 'There is no payment link nothing.' } },
    })
  })

  test.each([
    ['hashUrl', { hashUrl: undefined }],
    ['card.last4', { card: { ...CARD, last4: '44' } }],
    ['card.bin', { card: { ...CARD, bin: '5555555555554444' } }],
    ['card.exp', { card: { ...CARD, exp: '1330' } }],
    ['card.brand', { card: { ...CARD, brand: ' ' } }],
    ['card.brand', { card: { last4: '4444', bin: '555555', exp: '0830' } }],
  ])('refuses a wrong %s', async (field, more) => {
    const { addPaymentLink, fresh, pull } = await freshProject()
    const { hashUrl } = await addPaymentLink()
    const before = fresh.dump()
    expect(await pull(name, { hashUrl, ...more })).toMatchObject(invalid(field))
    expect(fresh.dump()).toEqual(before)
  })
})
