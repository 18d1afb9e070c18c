/**
 * Remembered answers: everything that can be read is asked for again and again, so that its answer is kept, and then
 * something is done. The next answer has to be the one that somebody gets who meets the same records for the first time.
 */
import { expect, test } from 'vitest'
import type { FreshApp } from '../support/app.ts'
import { everyOperation, inWords, type Done, type Subject } from '../support/examples.ts'
import { IS_FULL } from '../support/extent.ts'
import {
  answersAt,
  attemptsOf,
  cloneOf,
  everyAddress,
  everyExample,
  everyTrigger,
  furnishedDemo,
  inAccount,
  passing,
  pullsOf,
  send,
  type Deed,
} from './everything.ts'
import { LOOKED_AT } from './filled.ts'

/**
 * The first of the deeds that is taken. If none is, they are tried again after a day, and again after a reset, because what
 * was made before may exclude all of them.
 */
const firstTaken = (fresh: FreshApp, title: string, of: string, deeds: () => Deed[]): Deed => ({
  title,
  interface: of,
  async do() {
    const refused: string[] = []
    for (const prepare of [null, passing(fresh, 1), reset(fresh)]) {
      await prepare?.do()
      for (const deed of deeds()) {
        const done = await deed.do()
        if (done.status < 300) return done
        refused.push(inWords(done))
      }
    }
    throw new Error([`${title} is never taken. Tried:`, ...refused.slice(-MAX_SHOWN)].join('\n  '))
  },
})

/** Calls in a message. */
const MAX_SHOWN = 20

const deed = (title: string, act: () => Promise<Done>): Deed => ({ title, do: act })

const reset = (fresh: FreshApp): Deed =>
  deed('a reset', async () => {
    const done = await send(fresh.call, 'POST', `/_sim/workspaces/${fresh.workspace.id}/reset`)
    fresh.setClock(LOOKED_AT)
    return done
  })

/** What the control plane does to a workspace as a whole. */
function settings(fresh: FreshApp): Deed[] {
  const path = `/_sim/workspaces/${fresh.workspace.id}`
  return [
    deed('another time zone', () => send(fresh.call, 'PATCH', path, { body: { timezone: 'Asia/Tokyo' } })),
    deed('another currency', () => send(fresh.call, 'PATCH', path, { body: { currency: 'EUR' } })),
    deed('users with other names', async () => {
      const { users, ...rest } = (await fresh.call('GET', `${path}/snapshot`)).body as { users: object[] }
      const renamed = users.map((user, index) => ({ ...user, name: `Somebody ${String(index)}` }))
      return send(fresh.call, 'PUT', `${path}/snapshot`, { body: { ...rest, users: renamed } })
    }),
    deed('a clock that is set back', () =>
      send(fresh.call, 'PUT', `${path}/clock`, { body: { now: '2026-11-21T18:00:00.000Z', frozen: true } }),
    ),
    reset(fresh),
  ]
}

/** A POST that only reads, of a part that no column of a record names. */
const READS = ['meetings POST /public/meetings/{publicMeetingId}/sessions/{cfSessionId}/fetch-transcript']

/** May remove the agent whose key the law uses, which no later call of the interface would survive. */
const LAST = 'conversations DELETE /accounts/{account_id}/agents/{id}'

/** Each example, and time that passes; in the full run each operation on a record of the demo data and each trigger as well. */
async function deedsOf(fresh: FreshApp): Promise<Deed[]> {
  const examples = [passing(fresh, 0.1), ...everyExample(fresh)]
  const others = [passing(fresh, 3), passing(fresh, 30), ...settings(fresh)]
  if (!IS_FULL) return [...examples, ...others]
  const triggers = await everyTrigger()
  const onDemoRecords = everyOperation().filter(
    ({ route, title }) =>
      route.method !== 'GET' && inAccount(route.path).includes('{') && !READS.includes(title),
  )
  const deedOf = (subject: Subject): Deed =>
    firstTaken(fresh, subject.title, subject.route.interface, () => attemptsOf(fresh, subject))
  return [
    ...examples,
    ...triggers.map((trigger) =>
      firstTaken(fresh, `trigger ${trigger.name}`, trigger.name.split('.')[0] ?? '', () =>
        pullsOf(fresh, trigger),
      ),
    ),
    ...onDemoRecords.filter(({ title }) => title !== LAST).map(deedOf),
    ...others,
    ...onDemoRecords.filter(({ title }) => title === LAST).map(deedOf),
  ]
}

/** The addresses whose answers a deed could change: no interface reads the records of another. */
const concernedBy = ({ interface: name }: Deed, addresses: ReadonlyMap<string, string>) =>
  name === undefined
    ? addresses
    : new Map([...addresses].filter(([, operation]) => operation.startsWith(`${name} `)))

/** What was once submitted, stamped or published by an authority stays as it is. */
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

test('whatever has happened, each answer is that of somebody who asks for the first time', async () => {
  const fresh = await furnishedDemo()
  const everywhere = everyAddress(fresh, IS_FULL ? 3 : 1)
  const unchanging = new Set(everywhere.values())
  for (const deed of await deedsOf(fresh)) {
    const { title, do: act } = deed
    const addresses = concernedBy(deed, everywhere)
    const before = await answersAt(fresh, addresses)
    expect(await answersAt(fresh, addresses)).toEqual(before)
    const done = await act()
    expect(done.status, `${title}: ${inWords(done)}`).toBeLessThan(300)
    const after = await answersAt(fresh, addresses)
    expect(after, title).toEqual(await answersAt(await cloneOf(fresh), addresses))
    for (const [address, operation] of addresses) {
      if (after[address] !== before[address]) unchanging.delete(operation)
    }
  }
  // Of an operation whose answers nothing changes the law would say nothing.
  if (IS_FULL) expect([...unchanging]).toEqual(KEPT_AS_THEY_ARE)
})
