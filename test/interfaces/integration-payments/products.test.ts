/** Specification part 2, "Integration payments: product": the fields of a product, and the filters of the list. */
import { describe, expect, test } from 'vitest'
import { freshProject, NOON, type ProductBody } from '../../support/integrationPayments.ts'

const PLAN = { productCode: 'plan', paymentType: 'recurring', billingPeriod: 'month' }

test('shows all fields of a product', async () => {
  const { addProduct, ask, fresh } = await freshProject()
  const product = await addProduct({
    ...PLAN,
    name: 'Care plan',
    description: 'Each quarter.',
    price: 18000,
    currency: 'PAB',
    billingInterval: 3,
    status: 'inactive',
  })
  expect(product).toEqual({
    id: expect.stringMatching(/^prod_[A-Za-z0-9]{20}$/) as unknown,
    projectId: fresh.workspace.id,
    productCode: 'plan',
    name: 'Care plan',
    description: 'Each quarter.',
    paymentType: 'recurring',
    requiresSubscription: false,
    price: 18000,
    currency: 'PAB',
    billingPeriod: 'month',
    billingInterval: 3,
    status: 'inactive',
    createdAt: NOON,
    updatedAt: NOON,
  })
  expect(await ask('GET', '/v1/products/plan')).toEqual({ product })
  expect(await ask<{ products: ProductBody[] }>('GET', '/v1/products')).toMatchObject({
    products: [product, { productCode: 'setup-fee' }],
    total: 2,
  })
})

test('shows no period for a one_time product, which is active and not an addon by default', async () => {
  const { ask } = await freshProject()
  expect(await ask('GET', '/v1/products/setup-fee')).toMatchObject({
    product: {
      description: null,
      requiresSubscription: false,
      billingPeriod: null,
      billingInterval: null,
      status: 'active',
    },
  })
})

test('finds a code only in its exact case', async () => {
  const { addProduct, ask } = await freshProject()
  await addProduct({ productCode: 'año/1 %' })
  const path = `/v1/products/${encodeURIComponent('año/1 %')}`
  expect(await ask('GET', path)).toMatchObject({ product: { productCode: 'año/1 %' } })
})

describe('list', () => {
  test.each([
    ['', ['plan', 'old', 'addon', 'setup-fee']],
    ['?status=active', ['plan', 'addon', 'setup-fee']],
    ['?status=archived', ['old']],
    ['?status=inactive', []],
    ['?paymentType=recurring', ['plan', 'old']],
    ['?paymentType=one_time', ['addon', 'setup-fee']],
    ['?paymentType=recurring&status=active', ['plan']],
    ['?lim=2', ['plan', 'old']],
    ['?lim=2&off=1', ['old', 'addon']],
  ])('filters with "%s"', async (query, codes) => {
    const { addProduct, ask } = await freshProject()
    await addProduct({ productCode: 'addon', requiresSubscription: true })
    await addProduct({ ...PLAN, productCode: 'old', status: 'archived' })
    await addProduct(PLAN)
    const { products } = await ask<{ products: ProductBody[] }>('GET', `/v1/products${query}`)
    expect(products.map(({ productCode }) => productCode)).toEqual(codes)
  })
})
