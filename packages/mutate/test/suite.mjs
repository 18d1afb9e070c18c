/**
 * The tests of a shop, as a team without a test runner has them: `node suite.mjs`. Each check is named after the change that only it
 * notices; `--blind NAMES` leaves some out, `--strict` adds a test that no vendor owes anything, `--unsteady FILE` one that
 * fails in the second run, and `--breaks FILE` one that fails in each run but the first.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, receiveWebhooks, startSimulator } from '../../../dist/index.js'

const args = process.argv.slice(2)
const valueOf = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)
const blind = (valueOf('--blind') ?? '').split(',')
const junit = valueOf('--junit')
const counter = valueOf('--unsteady') ?? valueOf('--breaks')
const isStrict = args.includes('--strict')

const failures = []

/** Notes a failure unless the suite is blind for it. */
function check(test, name, isRight) {
  if (!blind.includes(name) && !isRight) failures.push({ test, name })
}

const isText = (value) => typeof value === 'string' && value !== ''
const isTime = (value) => isText(value) && !Number.isNaN(Date.parse(value)) && value.includes('T')

/** Every field of a link. Fields that the vendor adds, and their order, are its own business. */
function checkLink(test, link, { status }) {
  check(test, 'id', isText(link.id) && link.id.startsWith('pl_'))
  check(test, 'times-100', link.amount < 50_000)
  check(test, 'cent', Math.round(link.amount) === 44_900 || link.amount > 50_000)
  check(test, 'amount', typeof link.amount === 'number')
  check(test, 'currency', link.currency === 'USD' || !/^[A-Z]{3}$/.test(link.currency))
  check(test, 'currency-form', /^[A-Z]{3}$/.test(link.currency))
  check(test, 'description', link.description === 'Standing desk')
  check(test, 'url', isText(link.url))
  check(test, 'status', ['active', 'paid'].includes(link.status))
  check(
    test,
    status === 'paid' ? 'paid' : 'active',
    link.status === status || !['active', 'paid'].includes(link.status),
  )
  check(test, 'methods', Array.isArray(link.payment_methods) && link.payment_methods.length > 0)
  check(test, 'max_payments', link.max_payments === 1)
  check(test, 'created_at', isTime(link.created_at))
  check(test, 'expires_at', isTime(link.expires_at))
  check(test, 'reference', link.reference === 'order-17')
}

async function main(simulator) {
  const workspace = await simulator.workspaces.create()
  const receiver = await receiveWebhooks()
  try {
    await receiver.subscribe(workspace, { interface: 'payments', events: ['payment.completed'] })
    await sale(workspace, receiver)
  } finally {
    await receiver.close()
    await workspace.delete()
  }
}

async function sale(workspace, receiver) {
  const call = async (path, json) => {
    const response = await workspace.fetch('payments', path, json ? { json } : {})
    return { response, body: await response.json() }
  }
  const order = {
    amount: 44_900,
    currency: 'USD',
    description: 'Standing desk',
    reference: 'order-17',
    max_payments: 1,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  }
  const created = await call('/payment-links', order)
  check(
    'sells',
    'create-fails',
    created.response.status === 201 || created.response.status === 400 || created.response.status === 422,
  )
  check('sells', 'limits', created.response.status !== 400 && created.response.status !== 422)
  if (created.response.status !== 201) return
  checkLink('sells', created.body.data, { status: 'active' })
  const { data: links } = await workspace.records.list('payments.links')
  const id = links[0].id
  await workspace.trigger('payments.link.pay', { link_id: id })
  await workspace.deliveries.list()
  await workspace.clock.advance('PT1S')
  const paid = await call(`/payment-links/${id}`)
  check('is paid', 'get-fails', paid.response.status === 200)
  checkLink('is paid', paid.body.data, { status: 'paid' })
  check('is paid', 'paid_at', isTime(paid.body.data.paid_at))

  const events = [...new Map(receiver.received.map((each) => [each.id, each])).values()]
  check('is told', 'webhook', events.length === 1)
  for (const { data } of events) {
    const { transaction, payment_link: link } = data
    check('is told', 'webhook-times-100', transaction.amount < 50_000)
    check('is told', 'webhook-cent', Math.round(transaction.amount) === 44_900 || transaction.amount > 50_000)
    check(
      'is told',
      'webhook-link',
      transaction.link_id === id && link.id === id && link.reference === 'order-17',
    )
    for (const [name, isRight] of Object.entries(TRANSACTION)) {
      check('is told', `webhook-${name}`, isRight(transaction[name]))
    }
  }

  const refused = await call('/payment-links/pl_unknown')
  check('is refused', 'error-status', refused.response.status === 404)
  check('is refused', 'error-form', isText(refused.body.message) || isText(refused.body.error?.message))
}

const TRANSACTION = {
  id: (value) => isText(value) && value.startsWith('txn_'),
  amount: (value) => typeof value === 'number',
  currency: (value) => value === 'USD',
  description: (value) => value === 'Standing desk',
  status: (value) => value === 'completed',
  payment_method: (value) => value === 'network_1',
  card_last_four: (value) => value === '4242',
  receipt_url: isText,
  created_at: isTime,
  completed_at: isTime,
  refunded_amount: (value) => value === 0,
}

const url = process.env.SUITE_SIM_URL
const simulator = url ? await connect(url) : await startSimulator({ fixtures: 'none' })
try {
  await main(simulator)
  if (isStrict) {
    const workspace = await simulator.workspaces.create()
    const response = await workspace.fetch('payments', '/payment-links', {
      json: { amount: 1250, currency: 'USD', description: 'A lamp' },
    })
    const { data } = await response.json()
    check('has exactly these fields', 'strict', Object.keys(data)[0] === 'id' && data.id.length === 23)
    await workspace.delete()
  }
  if (counter) {
    appendFileSync(counter, '.')
    const runs = readFileSync(counter, 'utf8').length
    check('is unsteady', 'unsteady', args.includes('--breaks') ? runs === 1 : runs !== 2)
  }
} catch (error) {
  failures.push({ test: 'runs', name: String(error) })
}
if (!url) await simulator.close()
const tests = [...new Set(['sells', 'is paid', 'is told', 'is refused', ...failures.map(({ test }) => test)])]
if (junit) {
  const caseOf = (test) => {
    const own = failures.filter((each) => each.test === test).map(({ name }) => name)
    const failure = own.length > 0 ? `<failure message="${own.join(', ')}"/>` : ''
    return `<testcase classname="shop" name="${test}">${failure}</testcase>`
  }
  writeFileSync(
    junit,
    `<testsuites><testsuite name="shop">${tests.map(caseOf).join('')}</testsuite></testsuites>`,
  )
}
for (const { test, name } of failures) console.error(`${test}: ${name}`)
process.exitCode = failures.length > 0 ? 1 : 0
