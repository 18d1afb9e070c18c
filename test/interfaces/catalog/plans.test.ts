/** Product plans, which a trigger creates. */
import { expect, test } from 'vitest'
import { freshCatalog } from '../../support/catalog.ts'

async function setup() {
  const { fresh, addProduct, getProduct } = await freshCatalog()
  const define = async (body: object) => {
    const path = `/_sim/workspaces/${fresh.workspace.id}/triggers/catalog.plan.define`
    return fresh.call('POST', path, { body })
  }
  return { addProduct, getProduct, define }
}

test('shows a created plan with its product', async () => {
  const { addProduct, getProduct, define } = await setup()
  const product = await addProduct({ type: 'subscription', currency: 'EUR' })

  const { status, body } = await define({ product_id: product.id, name: 'Basic', price: '49.00' })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    name: 'Basic',
    price: '49.00',
    currency: 'EUR',
    billingPeriod: 'month',
    billingInterval: 1,
    trialDays: 0,
    status: 'active',
  })
  expect(await getProduct(product.id)).toMatchObject({ plans: [body] })
})

test('keeps the id of a plan with the same name, and creates another for a new name', async () => {
  const { addProduct, getProduct, define } = await setup()
  const { id } = await addProduct({ type: 'service' })
  await define({ product_id: id, name: 'Basic', price: '49.00' })
  const sent = { billing_period: 'year', billing_interval: 2, trial_days: 14 }
  await define({ product_id: id, name: 'Basic', price: '59', ...sent })
  await define({ product_id: id, name: 'Plus', price: '99.00' })

  const { plans } = (await getProduct(id)) as unknown as { plans: { id: string }[] }

  expect(plans).toMatchObject([
    { name: 'Basic', price: '59', billingPeriod: 'year', billingInterval: 2, trialDays: 14 },
    { name: 'Plus', billingPeriod: null, billingInterval: null },
  ])
})

test.each<[what: string, fields: object, status: number]>([
  ['an unknown product', { product_id: 'nothing' }, 404],
  ['a price that is not a decimal', { price: 49 }, 400],
  ['a name of 201 characters', { name: 'x'.repeat(201) }, 400],
  ['an interval of 0', { billing_interval: 0 }, 400],
  ['a negative trial', { trial_days: -1 }, 400],
  ['an unknown period', { billing_period: 'decade' }, 400],
])('refuses %s', async (_what, fields, status) => {
  const { addProduct, define } = await setup()
  const { id } = await addProduct({ type: 'digital' })
  expect((await define({ product_id: id, name: 'Basic', price: '49.00', ...fields })).status).toBe(status)
})

test('refuses a physical product, which has no plans', async () => {
  const { addProduct, define } = await setup()
  const { id } = await addProduct({ type: 'physical' })
  const { status, text } = await define({ product_id: id, name: 'Basic', price: '49.00' })
  expect([status, text]).toEqual([400, expect.stringContaining('is a physical product, which has no plans')])
})
