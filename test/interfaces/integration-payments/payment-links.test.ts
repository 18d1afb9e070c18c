/** Specification part 2, "Integration payments: links": the list with its filters, and cancelling. */
import { describe, expect, test } from 'vitest'
import { freshProject, NEXT_NOON, NOON, refusal, statusAndBody } from '../../support/integrationPayments.ts'
import { loadRecords } from '../../support/records.ts'

const LATER = '2026-11-21T12:30:00.000Z'

/** Links of all types and states, oldest first; those of the type one_time have an external source. */
async function variedProject() {
  const project = await freshProject()
  const { addCollectionLink, addPaymentLink, ask, fresh, pull } = project
  const base = {
    linkType: 'one_time',
    currency: 'USD',
    isTest: false,
    requestCustomerEmail: true,
    createdAt: '2026-11-20T12:00:00.000Z',
    updatedAt: '2026-11-20T12:00:00.000Z',
    expiresAt: '2027-01-01T12:00:00.000Z',
  }
  const [records] = fresh.dump() as [{ 'integration-payments': { links: object[] } }]
  records['integration-payments'].links.push(
    {
      ...base,
      id: 'link_open',
      hashUrl: 'open',
      customerName: 'Feria',
      paymentMethods: ['card', 'wallet_1'],
    },
    {
      ...base,
      id: 'link_wallet',
      hashUrl: 'wallet',
      customerName: 'Wallet Ña',
      paymentProvider: 'wallet_1',
      status: 'completed',
      completedAt: '2026-11-20T12:01:00.000Z',
    },
  )
  await loadRecords(fresh.app, fresh.workspace, records)
  const named = (name: string) => ({ customer: { name } })
  const { hashUrl: cancelled } = await addCollectionLink(named('Cancelled'))
  await ask('PATCH', `/v1/payment-links/${cancelled}/cancel`)
  const { hashUrl: paid } = await addPaymentLink(named('Paid Ana'))
  await pull('link.complete', { hashUrl: paid })
  const { hashUrl: slow } = await addPaymentLink(named('Slow'))
  await pull('link.process', { hashUrl: slow })
  await addCollectionLink({ ...named('Test anabel'), isTest: true })
  await addPaymentLink(named('Fresh'))
  return project
}

const ALL = ['Fresh', 'Test anabel', 'Slow', 'Paid Ana', 'Cancelled', 'Wallet Ña', 'Feria']

describe('list', () => {
  test('shows a payment link with all its fields', async () => {
    const { addPaymentLink, listLinks } = await freshProject()
    const { id, hashUrl, paymentLinkUrl } = await addPaymentLink({
      customer: { name: 'Ana Castillo', email: 'ana@example.com' },
      redirectUrl: 'https://shop.example.com/',
      metadata: { orderRef: 'A-1' },
    })
    expect(await listLinks()).toEqual({
      paymentLinks: [
        {
          id,
          hashUrl,
          paymentLinkUrl,
          linkType: 'customer_payment',
          customerName: 'Ana Castillo',
          concept: 'Setup',
          amount: 4900,
          status: 'pending',
          isTest: false,
          requestCustomerEmail: false,
          redirectUrl: 'https://shop.example.com/',
          metadata: { orderRef: 'A-1' },
          createdAt: NOON,
          expiresAt: NEXT_NOON,
        },
      ],
      total: 1,
    })
  })

  test('omits missing fields of a collection link, and its concept and amount', async () => {
    const { addCollectionLink, listLinks } = await freshProject()
    const { id, hashUrl, paymentLinkUrl } = await addCollectionLink()
    expect((await listLinks()).paymentLinks).toEqual([
      {
        id,
        hashUrl,
        paymentLinkUrl,
        linkType: 'customer_collection',
        customerName: 'Ana Castillo',
        concept: null,
        amount: null,
        status: 'pending',
        isTest: false,
        requestCustomerEmail: true,
        createdAt: NOON,
        expiresAt: NEXT_NOON,
      },
    ])
  })

  test('shows the completion or cancellation time, and the payment methods of an external link', async () => {
    const { listLinks } = await variedProject()
    const { paymentLinks } = await listLinks()
    const variableFields = paymentLinks.map(({ customerName, completedAt, cancelledAt, paymentMethods }) => [
      customerName,
      { completedAt, cancelledAt, paymentMethods },
    ])
    expect(Object.fromEntries(variableFields)).toEqual({
      Fresh: {},
      'Test anabel': {},
      Slow: {},
      'Paid Ana': { completedAt: NOON },
      Cancelled: { cancelledAt: NOON },
      'Wallet Ña': { completedAt: '2026-11-20T12:01:00.000Z' },
      Feria: { paymentMethods: ['card', 'wallet_1'] },
    })
  })

  test.each([
    ['', ALL],
    ['?status=pending', ['Fresh', 'Test anabel', 'Feria']],
    ['?status=processing', ['Slow']],
    ['?status=completed', ['Paid Ana', 'Wallet Ña']],
    ['?status=cancelled', ['Cancelled']],
    ['?status=expired', []],
    ['?isTest=true', ['Test anabel']],
    ['?isTest=false', ALL.filter((name) => name !== 'Test anabel')],
    ['?paymentProvider=wallet_1', ['Wallet Ña']],
    ['?paymentProvider=card', ['Fresh', 'Test anabel', 'Slow', 'Paid Ana', 'Cancelled']],
    ['?linkType=one_time', ['Wallet Ña', 'Feria']],
    ['?linkType=customer_collection', ['Test anabel', 'Cancelled']],
    ['?linkType=customer_payment', ['Fresh', 'Slow', 'Paid Ana']],
    ['?search=ANA', ['Test anabel', 'Paid Ana']],
    ['?search=t%20%C3%B1A', ['Wallet Ña']],
    ['?search=%C3%B1A', ['Test anabel', 'Paid Ana', 'Wallet Ña']],
    ['?search=%25', []],
    ['?search=_', []],
    ['?search=', ALL],
    [
      '?search=ana&isTest=false&status=completed&linkType=customer_payment&paymentProvider=card',
      ['Paid Ana'],
    ],
    ['?unknown=1', ALL],
  ])('filters with "%s"', async (query, names) => {
    const { listLinks } = await variedProject()
    const { paymentLinks, total } = await listLinks(query)
    expect(paymentLinks.map(({ customerName }) => customerName)).toEqual(names)
    expect(total).toBe(names.length)
  })
})

describe('cancelling', () => {
  test('returns the compact link and emits an event', async () => {
    const { addPaymentLink, call, events, findLink, setClock } = await freshProject()
    const { hashUrl } = await addPaymentLink({ metadata: { orderRef: 'A-1' } })
    setClock(LATER)
    const answer = await call('PATCH', `/v1/payment-links/${hashUrl}/cancel`)
    expect(statusAndBody(answer)).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          paymentLink: {
            hashUrl,
            customerName: 'Ana Castillo',
            concept: 'Setup',
            amount: 4900,
            status: 'cancelled',
            createdAt: NOON,
            cancelledAt: LATER,
          },
        },
        message: 'Payment link cancelled',
        timestamp: LATER,
      },
    })
    const link = await findLink(hashUrl)
    expect(link).toMatchObject({ status: 'cancelled', cancelledAt: LATER })
    expect(events()).toEqual([
      { name: 'payment_link.cancelled', data: { paymentLink: link, metadata: { orderRef: 'A-1' } } },
    ])
  })

  test('works for a collection link, whose concept and amount are null', async () => {
    const { addCollectionLink, ask } = await freshProject()
    const { hashUrl } = await addCollectionLink()
    expect(await ask('PATCH', `/v1/payment-links/${hashUrl}/cancel`)).toMatchObject({
      paymentLink: { concept: null, amount: null, status: 'cancelled' },
    })
  })

  test('refuses an unknown hash and the id of a link', async () => {
    const { addPaymentLink, call } = await freshProject()
    const { id } = await addPaymentLink()
    for (const hash of ['nothing', id]) {
      expect(statusAndBody(await call('PATCH', `/v1/payment-links/${hash}/cancel`))).toEqual(
        refusal(404, 'ERR_PAYMENT_LINK_NOT_FOUND', `There is no payment link ${hash}.`),
      )
    }
  })
})
