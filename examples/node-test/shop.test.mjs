import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { receiveWebhooks, startSimulator } from 'suite-simulator'
import { Shop } from '../shop/shop.mjs'

let simulator, workspace, shop

before(async () => {
  simulator = await startSimulator() // or, where one runs already: await connect('http://127.0.0.1:4012')
})
after(() => simulator.close())

beforeEach(async () => {
  workspace = await simulator.workspaces.create({ fixtures: 'demo' })
  shop = new Shop({ url: workspace.urlOf('payments'), key: workspace.key })
})
afterEach(() => workspace.delete())

const ORDER = { amount: 44900, currency: 'USD', description: 'Standing desk' }

test('an order is paid', async () => {
  const { id } = await shop.sell(ORDER)
  const paid = workspace.records.wait('payments.links', id, { until: 'status:paid' })
  await workspace.trigger('payments.link.pay', { link_id: id })
  assert.equal((await paid).state, 'paid')
  assert.equal(await shop.isPaid(id), true)
})

test('a webhook comes again until it is taken', async () => {
  const receiver = await receiveWebhooks({ answer: ({ attempt }) => (attempt < 3 ? 500 : 200) })
  await receiver.subscribe(workspace, { interface: 'payments' })
  const { id } = await shop.sell(ORDER)
  await workspace.trigger('payments.link.pay', { link_id: id })
  await receiver.wait(1)
  await workspace.clock.advance('PT10M') // an hour's retries in a moment
  const attempts = await receiver.wait(3)
  assert.deepEqual(
    attempts.map(({ attempt, status, verified }) => [attempt, status, verified]),
    [
      [1, 500, true],
      [2, 500, true],
      [3, 200, true],
    ],
  )
  await receiver.close()
})

test('what is sold without an amount is refused in the words of the suite', async () => {
  await assert.rejects(shop.sell({ ...ORDER, amount: -1 }), /amount/)
  const [refused] = await workspace.requests({ status: '4xx' })
  assert.equal(refused.operation, 'createPaymentLink')
})
