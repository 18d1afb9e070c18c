/**
 * Response cache: requests every readable path repeatedly so that it is cached, then runs an action. Each next
 * response must equal the response of a workspace without a cache.
 */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { FreshApp } from '../support/app.ts'
import { everyOperation, describeExchange, type Exchange, type Subject } from '../support/examples.ts'
import { IS_FULL } from '../support/extent.ts'
import {
  responsesAt,
  callsOf,
  cloneOf,
  everyReadablePath,
  everyExample,
  everyTrigger,
  demoWorkspace,
  inAccount,
  timeStep,
  triggerActions,
  send,
  type Action,
} from './allActions.ts'
import { READ_AT } from './filled.ts'

/**
 * The first action that is accepted. If none is, they are tried again after a day, and again after a reset, because
 * earlier records may exclude them.
 */
const firstAccepted = (fresh: FreshApp, title: string, of: string, actions: () => Action[]): Action => ({
  title,
  interface: of,
  async do() {
    const refused: string[] = []
    for (const prepare of [null, timeStep(fresh, 1), reset(fresh)]) {
      await prepare?.do()
      for (const action of actions()) {
        const done = await action.do()
        if (done.status < 300) return done
        refused.push(describeExchange(done))
      }
    }
    throw new Error([`${title} is never taken. Tried:`, ...refused.slice(-MAX_SHOWN)].join('\n  '))
  },
})

/** The maximum number of calls in a message. */
const MAX_SHOWN = 20

const action = (title: string, act: () => Promise<Exchange>): Action => ({ title, do: act })

const reset = (fresh: FreshApp): Action =>
  action('reset', async () => {
    const done = await send(fresh.call, 'POST', `/_sim/workspaces/${fresh.workspace.id}/reset`)
    fresh.setClock(READ_AT)
    return done
  })

/** What the control plane does to a whole workspace. */
function settings(fresh: FreshApp): Action[] {
  const path = `/_sim/workspaces/${fresh.workspace.id}`
  return [
    action('another time zone', () => send(fresh.call, 'PATCH', path, { body: { timezone: 'Asia/Tokyo' } })),
    action('another currency', () => send(fresh.call, 'PATCH', path, { body: { currency: 'EUR' } })),
    action('users with other names', async () => {
      const { users, ...rest } = (await fresh.call('GET', `${path}/snapshot`)).body as { users: object[] }
      const renamed = users.map((user, index) => ({ ...user, name: `Somebody ${String(index)}` }))
      return send(fresh.call, 'PUT', `${path}/snapshot`, { body: { ...rest, users: renamed } })
    }),
    action('a clock that is set back', () =>
      send(fresh.call, 'PUT', `${path}/clock`, { body: { now: '2026-11-21T18:00:00.000Z', frozen: true } }),
    ),
    reset(fresh),
  ]
}

/** A POST that only reads a value that no column contains. */
const READS = ['meetings POST /public/meetings/{publicMeetingId}/sessions/{cfSessionId}/fetch-transcript']

/** May remove the agent whose key this test uses, so that later calls would fail. */
const LAST = 'conversations DELETE /accounts/{account_id}/agents/{id}'

/** Each example and the passing of time; the full run adds each operation on a demo record and each trigger. */
async function actionsOf(fresh: FreshApp): Promise<Action[]> {
  const examples = [timeStep(fresh, 0.1), ...everyExample(fresh)]
  const others = [timeStep(fresh, 3), timeStep(fresh, 30), ...settings(fresh)]
  if (!IS_FULL) return [...examples, ...others]
  const triggers = await everyTrigger()
  const onDemoRecords = everyOperation().filter(
    ({ route, title }) =>
      route.method !== 'GET' && inAccount(route.path).includes('{') && !READS.includes(title),
  )
  const deedOf = (subject: Subject): Action =>
    firstAccepted(fresh, subject.title, subject.route.interface, () => callsOf(fresh, subject))
  return [
    ...examples,
    ...triggers.map((trigger) =>
      firstAccepted(fresh, `trigger ${trigger.name}`, trigger.name.split('.')[0] ?? '', () =>
        triggerActions(fresh, trigger),
      ),
    ),
    ...onDemoRecords.filter(({ title }) => title !== LAST).map(deedOf),
    ...others,
    ...onDemoRecords.filter(({ title }) => title === LAST).map(deedOf),
  ]
}

/** The paths whose responses an action can change: no interface reads the records of another. */
const concernedBy = ({ interface: name }: Action, addresses: ReadonlyMap<string, string>) =>
  name === undefined
    ? addresses
    : new Map([...addresses].filter(([, operation]) => operation.startsWith(`${name} `)))

/** Responses that never change once submitted, stamped or published by an authority. */
const KEPT_AS_THEY_ARE = [
  'forms GET /api/v1/forms/{formId}/responses/{responseId}',
  'tax-invoicing GET /invoices/{invoice_id}/xml',
  'tax-invoicing GET /payment-receipts/{payment_receipt_id}',
  'tax-invoicing GET /payment-receipts/{payment_receipt_id}/xml',
  'tax-invoicing GET /payment-receipts/{payment_receipt_id}/pdf',
  'tax-invoicing GET /sat-catalogs/products',
  'tax-invoicing GET /sat-catalogs/units',
  'tax-invoicing GET /sat-catalogs/tax-regimes',
  'tax-invoicing GET /sat-catalogs/cfdi-uses',
  'tax-invoicing GET /sat-catalogs/payment-forms',
]

test('returns the same as a workspace without a cache after every action', async () => {
  const fresh = await demoWorkspace()
  const everywhere = everyReadablePath(fresh, IS_FULL ? 3 : 1)
  const unchanging = new Set(everywhere.values())
  for (const action of await actionsOf(fresh)) {
    const { title, do: act } = action
    const addresses = concernedBy(action, everywhere)
    const before = await responsesAt(fresh, addresses)
    expect(await responsesAt(fresh, addresses)).toEqual(before)
    const done = await act()
    expect(done.status, `${title}: ${describeExchange(done)}`).toBeLessThan(300)
    const after = await responsesAt(fresh, addresses)
    expect(after, title).toEqual(await responsesAt(await cloneOf(fresh), addresses))
    for (const [address, operation] of addresses) {
      if (after[address] !== before[address]) unchanging.delete(operation)
    }
  }
  // The test proves nothing about an operation whose responses never change.
  if (IS_FULL) expect([...unchanging]).toEqual(KEPT_AS_THEY_ARE)
})

test('returns the same as a workspace without a cache while its clock runs', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(READ_AT) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const fresh = await demoWorkspace()
  fresh.setClock(READ_AT, { frozen: false })
  const addresses = everyReadablePath(fresh, 1)
  for (const seconds of [0.001, 1, 60, 3600, 86_400]) {
    const before = await responsesAt(fresh, addresses)
    expect(await responsesAt(fresh, addresses)).toEqual(before)
    vi.setSystemTime(Date.now() + seconds * 1000)
    const after = await responsesAt(fresh, addresses)
    expect(after, `after ${String(seconds)} s`).toEqual(await responsesAt(await cloneOf(fresh), addresses))
  }
})
