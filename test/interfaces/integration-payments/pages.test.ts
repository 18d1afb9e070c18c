/** The hosted checkout over HTTP: content, input, and that no card data is stored. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { AppOptions } from '../../../src/app.ts'
import { TEST_CARDS } from '@suite-sim/kit/calls/testCards'
import { freshApp, type Answer, type FreshApp } from '../../support/app.ts'
import {
  asForm,
  cardFields,
  nextOf,
  pathOf,
  redirectOf,
  titleOf,
  visibleTextOf,
  withoutIds,
} from '../../support/payers.ts'
import { scratchFolder } from '../../support/process.ts'

interface Link {
  readonly hashUrl: string
  readonly paymentLinkUrl: string
  readonly status: string
}

type Found = Readonly<Record<string, unknown>>

interface Setup extends FreshApp {
  readonly collection: (fields?: object) => Promise<Link>
  /** For 1,299.00 dollars for an annual plan by default. */
  readonly payment: (fields?: object) => Promise<Link>
  /** A link of an external source that accepts card and wallet by default. */
  readonly oneTime: (fields?: object) => Promise<Link>
  readonly links: () => Promise<Found[]>
  readonly customers: () => Promise<Found[]>
  readonly open: (link: Link, below?: string) => Promise<Answer>
  /** Submits the form; with the approved test card by default. */
  readonly send: (link: Link, fields?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly trigger: (name: string, body: object) => Promise<Answer>
}

async function setup(options: AppOptions = {}): Promise<Setup> {
  const fresh = await freshApp(options)
  fresh.setClock('2026-11-22T15:00:00Z')
  const { call, workspace } = fresh
  const api = fresh.at<{ data: unknown }>('integration-payments')
  const make = async (path: string, fields: object) => {
    const body = { customer: { name: 'Ana Pérez', email: 'ana@example.com' }, ...fields }
    return (await api('POST', `/v1/collections/${path}`, { body })).body.data as Link
  }
  const trigger: Setup['trigger'] = (name, body) =>
    call('POST', `/_sim/workspaces/${workspace.id}/triggers/integration-payments.${name}`, { body })
  const product = { productCode: 'plan', name: 'Plan', paymentType: 'one_time', price: 1, currency: 'USD' }
  await trigger('product.create', product)
  const payment = (fields = {}) =>
    make('payment-links', { concept: 'Annual plan', amount: 129_900, productCode: 'plan', ...fields })
  return {
    ...fresh,
    trigger,
    payment,
    collection: (fields = {}) => make('links', fields),
    oneTime: async (fields = {}) => {
      const link = await payment()
      const path = `/_sim/workspaces/${workspace.id}/snapshot`
      const snapshot = (await call('GET', path)).body as { 'integration-payments': { links: Found[] } }
      snapshot['integration-payments'].links = snapshot['integration-payments'].links.map((each) =>
        each['hashUrl'] === link.hashUrl
          ? { ...each, linkType: 'one_time', paymentMethods: ['card', 'wallet_1'], ...fields }
          : each,
      )
      expect((await call('PUT', path, { body: snapshot })).status).toBe(204)
      return link
    },
    links: async () =>
      ((await api('GET', '/v1/payment-links')).body.data as { paymentLinks: Found[] }).paymentLinks,
    customers: async () =>
      ((await api('GET', '/v1/customers')).body.data as { customers: Found[] }).customers,
    open: ({ paymentLinkUrl }, below = '') => call('GET', pathOf(paymentLinkUrl) + below),
    send: ({ paymentLinkUrl }, fields = cardFields('4242424242424242')) =>
      call('POST', pathOf(paymentLinkUrl), asForm(fields)),
  }
}

/** The value of an attribute on the page after the checkout. */
const saidTo = (page: Answer, name: 'message' | 'redirect'): string =>
  (new RegExp(`data-${name}="([^"]*)"`).exec(page.text)?.[1] ?? '')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')

describe('checkout', () => {
  test('of a payment shows the item, the customer, the amount and the expiry', async () => {
    const { payment, open } = await setup()
    const page = await open(await payment())
    expect([page.status, titleOf(page)]).toEqual([200, 'Pay $1,299.00 – Annual plan – Test workspace'])
    expect(visibleTextOf(page)).toContain(
      'Pay to Test workspace Annual plan $1,299.00 Customer Ana Pérez Valid until November 23, 2026 at 3:00 PM UTC',
    )
    expect(visibleTextOf(page)).toContain('Pay $1,299.00 Your card is stored for later payments.')
    expect(visibleTextOf(page)).toContain('Suite Simulator. No money moves here.')
  })

  test('of a collection link shows that nothing is charged', async () => {
    const { collection, open } = await setup()
    const page = await open(await collection())
    expect(titleOf(page)).toBe('Save your card – Test workspace')
    expect(visibleTextOf(page)).toContain(
      'Save your card Your card is stored for later payments to Test workspace. Nothing is charged now.',
    )
    expect(visibleTextOf(page)).toContain('Save card')
    expect(page.text).not.toContain('$')
  })

  test.each(['collection', 'payment'] as const)(
    'of a %s link has a banner if isTest is set',
    async (kind) => {
      const { [kind]: make, open } = await setup()
      expect(visibleTextOf(await open(await make({ isTest: true })))).toContain('Test mode.')
      expect(visibleTextOf(await open(await make()))).not.toContain('Test mode.')
    },
  )

  test('keeps its banner in every state', async () => {
    const { payment, send, open, trigger } = await setup()
    const link = await payment({ isTest: true })
    await send(link, cardFields('4000000000000077'))
    expect(visibleTextOf(await open(link))).toContain('Test mode.')
    await trigger('link.complete', { hashUrl: link.hashUrl })
    expect(visibleTextOf(await open(link))).toContain('Test mode.')
  })

  test('requires an e-mail address if none is known', async () => {
    const { collection, payment, open, send, customers } = await setup()
    const known = await payment({ customer: { name: 'Ana', email: 'ana@example.com' } })
    expect((await open(known)).text).not.toContain('name="email"')
    await send(known, { ...cardFields('4242424242424242'), email: 'other@example.com' })
    for (const make of [payment, collection]) {
      const knownCustomer = await make({ customer: { name: 'Ana' } })
      expect((await open(knownCustomer)).text).toContain('name="email"')
      expect((await open(knownCustomer)).text).not.toContain('(optional)')
      const without = await send(knownCustomer)
      expect([without.status, visibleTextOf(without)]).toEqual([
        422,
        expect.stringContaining('Enter an e-mail address.'),
      ])
      await send(knownCustomer, { ...cardFields('4242424242424242'), email: ' eva@example.com ' })
    }
    expect((await customers()).map(({ email }) => email)).toEqual([
      'eva@example.com',
      'eva@example.com',
      'ana@example.com',
    ])
  })

  test('lists every test card with its outcome', async () => {
    const { collection, open } = await setup()
    const page = visibleTextOf(await open(await collection()))
    for (const { network, number } of TEST_CARDS) {
      expect(page.replace(/ /g, '')).toContain(`${number}${network}`)
    }
  })

  test('offers the wallet only for one-time links that allow it', async () => {
    const { payment, oneTime, open } = await setup()
    const ways = async (link: Link) =>
      [...(await open(link)).text.matchAll(/name="method"\s+value="(\w+)"/g)].map(([, way]) => way)
    expect(await ways(await payment())).toEqual(['card'])
    expect(await ways(await oneTime())).toEqual(['card', 'wallet_1'])
    expect(await ways(await oneTime({ paymentMethods: ['wallet_1'] }))).toEqual(['wallet_1'])
    expect(await ways(await oneTime({ paymentMethods: null }))).toEqual(['card'])
    expect(await ways(await oneTime({ linkType: 'customer_payment' }))).toEqual(['card'])
  })

  test('escapes all texts of the link', async () => {
    const { payment, open } = await setup()
    const page = await open(await payment({ concept: '<script>1</script>', customer: { name: '"><b>' } }))
    expect(page.text).not.toMatch(/<script>1|<b>/)
    expect(page.text).toContain('&lt;script&gt;1&lt;/script&gt;')
  })

  test('changes nothing when it is opened', async () => {
    const { payment, open, dump } = await setup()
    const link = await payment()
    const before = dump()
    for (const below of ['', '/done', '']) await open(link, below)
    expect(dump()).toEqual(before)
  })

  test('exists only in its own workspace', async () => {
    const { payment, call, tenant, workspace } = await setup()
    const path = pathOf((await payment()).paymentLinkUrl)
    for (const wrong of [path.replace(workspace.id, tenant().workspace.id), `${path}x`, `${path}x/done`]) {
      const page = await call('GET', wrong)
      expect([page.status, titleOf(page)]).toEqual([404, 'Page not found'])
    }
    expect((await call('POST', `${path}x`, asForm(cardFields('4242424242424242')))).status).toBe(404)
  })
})

describe('paying at the checkout', () => {
  test('by card completes the link, creates the customer and leads to the end', async () => {
    const { payment, send, links, customers } = await setup()
    const link = await payment({ customer: { name: 'Ana', email: 'ana@example.com' } })
    const answer = await send(link, cardFields('378282246310005'))
    expect(answer.status).toBe(303)
    expect(redirectOf(answer, pathOf(link.paymentLinkUrl))).toBe(`${pathOf(link.paymentLinkUrl)}/done`)
    expect(await links()).toMatchObject([{ status: 'completed', completedAt: '2026-11-22T15:00:00.000Z' }])
    expect(await customers()).toMatchObject([
      {
        name: 'Ana',
        email: 'ana@example.com',
        paymentProvider: 'processor_a',
        cardBrand: 'network_3',
        cardBin: '378282',
        cardLast4: '0005',
        cardExp: '1240',
      },
    ])
  })

  test('by wallet completes a one-time link without a card', async () => {
    const { oneTime, send, open, links, customers } = await setup()
    const link = await oneTime()
    expect((await send(link, { method: 'wallet_1', wallet_1_phone: '60000001' })).status).toBe(303)
    expect(await links()).toMatchObject([{ status: 'completed' }])
    expect(await customers()).toEqual([])
    const done = await open(link, '/done')
    expect(JSON.parse(saidTo(done, 'message'))).toMatchObject({ type: 'sim_paid', card: null })
    expect(visibleTextOf(done)).not.toContain('ending in')
  })

  test.each(['4000000000000077', 'wallet'])('with a slow %s waits for the end', async (means) => {
    const { oneTime, send, open, links, trigger } = await setup()
    const link = await oneTime()
    const typed = means === 'wallet' ? { method: 'wallet_1', wallet_1_phone: '60000004' } : cardFields(means)
    expect((await send(link, typed)).status).toBe(303)
    expect(await links()).toMatchObject([{ status: 'processing' }])
    for (const below of ['', '/done']) {
      const page = await open(link, below)
      expect([page.status, titleOf(page)]).toEqual([200, 'Your payment is being processed – Test workspace'])
      expect(page.text).toContain('id="processing"')
    }
    // A repeated submission leads to the same end and changes nothing.
    expect((await send(link)).headers['location']).toBe(`${link.hashUrl}/done`)
    expect(await links()).toMatchObject([{ status: 'processing' }])
    await trigger('link.complete', { hashUrl: link.hashUrl })
    const done = await open(link, '/done')
    expect(titleOf(done)).toBe('Payment completed – Test workspace')
    const { card } = JSON.parse(saidTo(done, 'message')) as { card: unknown }
    expect(card).toEqual(means === 'wallet' ? null : { brand: 'network_1', last4: '0077' })
  })

  test.each([
    [cardFields('4000000000000002'), 'The payment was declined.'],
    [cardFields('4000000000009995'), 'there are not enough funds'],
    [{ method: 'wallet_1', wallet_1_phone: '60000002' }, 'The payment was declined.'],
    [{ method: 'wallet_1', wallet_1_phone: '60000003' }, 'there are not enough funds'],
  ])('with a declined card keeps the form and changes no records', async (typed, message) => {
    const { oneTime, send, dump } = await setup()
    const link = await oneTime({ customerEmail: null, requestCustomerEmail: true })
    const before = dump()
    const page = await send(link, { ...typed, email: 'ana@example.com' })
    expect([page.status, titleOf(page)]).toEqual([
      402,
      'Declined: Pay $1,299.00 – Annual plan – Test workspace',
    ])
    expect(visibleTextOf(page)).toContain(message)
    expect(page.text).toMatch(/name="email"[^>]*value="ana@example.com"/)
    expect(dump()).toEqual(before)
    expect((await send(link)).status).toBe(303)
  })

  test.each([
    ['card_number', '4111111111111111', 'only its test cards are taken'],
    ['card_number', '', 'Give the number of the card.'],
    ['card_expiry', '10/26', 'The card has expired.'],
    ['card_cvc', '12', 'Give the security code: 3 digits.'],
    ['email', 'ana', 'Enter an e-mail address'],
    ['method', 'wallet_1', 'Choose how to pay.'],
    ['method', '', 'Choose how to pay.'],
  ])('with %s "%s" shows the error and changes nothing', async (field, value, message) => {
    const { payment, send, dump } = await setup()
    const link = await payment({ customer: { name: 'Ana' } })
    const before = dump()
    const typed = { ...cardFields('4242424242424242'), email: 'ana@example.com', [field]: value }
    const page = await send(link, typed)
    expect(page.status).toBe(422)
    expect(titleOf(page)).toMatch(/^Error: /)
    expect(visibleTextOf(page)).toContain(message)
    expect(page.text).toContain(`href="#field-${field}"`)
    expect(dump()).toEqual(before)
  })

  test('with any invalid input never returns 500', async () => {
    const { payment, call, open, links } = await setup()
    const link = await payment({ customer: { name: 'Ana' } })
    const path = pathOf(link.paymentLinkUrl)
    for (const nasty of [
      '\ud800',
      '%',
      '🧾'.repeat(500),
      '<>&"\'',
      '../..',
      '{}',
      'constructor',
      '\u202e\ufeff',
    ]) {
      for (const field of ['method', 'card_number', 'card_expiry', 'card_cvc', 'email']) {
        const { status } = await call(
          'POST',
          path,
          asForm({ ...cardFields('4000000000000002'), [field]: nasty }),
        )
        expect(status, `${field}: ${nasty.slice(0, 10)}`).toBe(422)
      }
    }
    expect((await call('POST', path, { raw: 'email=%00', contentType: FORM })).status).toBe(400)
    expect((await call('POST', path, { raw: '', contentType: FORM })).status).toBe(422)
    expect((await call('POST', path)).status).toBe(422)
    expect((await call('POST', path, { body: {} })).status).toBe(415)
    expect((await open(link)).status).toBe(200)
    expect(await links()).toMatchObject([{ status: 'pending' }])
  })
})

const FORM = 'application/x-www-form-urlencoded'

describe('end of the checkout', () => {
  test.each([
    ['payment', 'sim_paid', 'completed', 'Payment completed'],
    ['collection', 'sim_collected', 'collected', 'Card saved'],
  ] as const)('of a %s link contains the message for the opener', async (kind, type, status, heading) => {
    const { [kind]: make, send, open } = await setup()
    const link = await make({
      customer: { name: 'Ana', email: '"a\'<b>"@example.com' },
      redirectUrl: "https://shop.example:8443/thanks?a=1&b='2'",
    })
    await send(link)
    const page = await open(link, '/done')
    expect([page.status, titleOf(page)]).toEqual([200, `${heading} – Test workspace`])
    expect(JSON.parse(saidTo(page, 'message'))).toEqual({
      type,
      status,
      orderId: expect.stringMatching(/^ord_/) as string,
      customerEmail: '"a\'<b>"@example.com',
      card: { brand: 'network_1', last4: '4242' },
    })
    expect(saidTo(page, 'redirect')).toBe('https://shop.example:8443/thanks?a=1&b=%272%27')
    expect(page.text).toContain(
      '<noscript><meta http-equiv="refresh" content="0; url=https://shop.example:8443/thanks?a=1&amp;b=%272%27" /></noscript>',
    )
    expect(page.text).toContain('>Continue to shop.example:8443</a>')
  })

  test('has no redirect without redirectUrl', async () => {
    const { payment, send, open } = await setup()
    const link = await payment()
    await send(link)
    const page = await open(link, '/done')
    expect(saidTo(page, 'redirect')).toBe('')
    expect(page.text).not.toContain('refresh')
    expect(visibleTextOf(page)).toContain('You can close this page.')
  })

  test('is the same each time, and completes nothing twice', async () => {
    const { payment, send, open, dump } = await setup()
    const link = await payment()
    await send(link)
    const before = dump()
    const first = await open(link, '/done')
    expect((await open(link, '/done')).text).toBe(first.text)
    // Another submission, even with another card, reports the completed state and no new success.
    for (const number of ['4242424242424242', '5555555555554444', '4000000000000002']) {
      const answer = await send(link, cardFields(number))
      expect([answer.status, titleOf(answer)]).toEqual([409, 'Already paid – Test workspace'])
      expect(answer.text).not.toContain('data-message')
      expect(answer.text).toContain(`href="${link.hashUrl}/done?receipt"`)
    }
    const receipt = await open(link, '/done?receipt')
    expect(visibleTextOf(receipt)).toContain('This is your receipt.')
    expect(saidTo(receipt, 'message')).toBe('')
    expect(dump()).toEqual(before)
  })
})

describe('a link that can no longer be used', () => {
  const CLOSED: readonly [string, string, (setup: Setup, link: Link) => Promise<unknown>][] = [
    [
      'expired',
      'This link has expired',
      async ({ setClock }) => {
        setClock('2026-11-23T15:00:00Z')
      },
    ],
    [
      'cancelled',
      'This link was cancelled',
      ({ at }, { hashUrl }) => at('integration-payments')('PATCH', `/v1/payment-links/${hashUrl}/cancel`),
    ],
  ]

  test.each(CLOSED)('shows that it is %s, and accepts nothing', async (_state, heading, close) => {
    const open = await setup()
    const link = await open.payment()
    await close(open, link)
    const before = open.dump()
    const page = await open.open(link)
    expect([page.status, titleOf(page)]).toEqual([200, `${heading} – Test workspace`])
    expect(page.text).not.toContain('<form')
    for (const number of ['4242424242424242', '4000000000000002', '4000000000000077', '1']) {
      const answer = await open.send(link, cardFields(number))
      expect([answer.status, titleOf(answer)]).toEqual([409, `${heading} – Test workspace`])
    }
    const end = await open.open(link, '/done')
    expect([end.status, redirectOf(end, `${pathOf(link.paymentLinkUrl)}/done`)]).toEqual([
      303,
      pathOf(link.paymentLinkUrl),
    ])
    expect(open.dump()).toEqual(before)
  })

  test.each([
    ['payment', 'Already paid'],
    ['collection', 'Card already saved'],
  ] as const)('shows that its %s is completed', async (kind, heading) => {
    const { [kind]: make, send, open } = await setup()
    const link = await make()
    await send(link)
    const page = await open(link)
    expect([page.status, titleOf(page)]).toEqual([200, `${heading} – Test workspace`])
    expect(page.text).not.toMatch(/<form|<script/)
  })
})

test('stores, logs and returns only brand, bin, last four and expiry of a card', async () => {
  const folder = scratchFolder()
  const logged: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  const { payment, send, call, open, dump, workspace } = await setup({
    db: join(folder, 'sim.sqlite'),
    logger,
  })
  const answers: string[] = []
  const numbers = [...TEST_CARDS.map(({ number }) => number), '4111111111111111']
  for (const number of numbers) {
    const link = await payment()
    const answer = await send(link, { ...cardFields(number), email: 'ana@example.com' })
    answers.push(answer.text, JSON.stringify(answer.headers), (await open(link, '/done')).text)
  }
  answers.push((await call('GET', `/_sim/workspaces/${workspace.id}/snapshot`)).text)
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  const places = { answers: answers.join('\n'), logs: logged.join('\n'), records: JSON.stringify(dump()) }
  expect(places.records).toContain('"424242"')
  expect(files.join('')).toContain('ana@example.com')
  for (const number of numbers) {
    for (const [place, text] of Object.entries({ ...places, files: files.join('') })) {
      // Checks the number and any prefix longer than the bin; a duration in the log may contain such digits.
      expect(text.includes(number), `${number} in the ${place}`).toBe(false)
      expect(text, `the beginning of ${number} in the ${place}`).not.toMatch(
        new RegExp(`(?<![\\d.])${number.slice(0, 8)}`),
      )
    }
  }
  expect(withoutIds(places.logs + places.records)).not.toMatch(/cvc/i)
})

test('reports after a declined collection that no card was saved', async () => {
  const { collection, payment, send } = await setup()
  const saved = visibleTextOf(await send(await collection(), cardFields('4000000000000002')))
  expect(saved).toContain('The card was declined. No card was saved.')
  expect(saved).not.toContain('charged. Try')
  const paid = visibleTextOf(await send(await payment(), cardFields('4000000000000002')))
  expect(paid).toContain('The payment was declined. Nothing was charged.')
})

test('leads back from a cancelled checkout, and changes nothing of a completed one', async () => {
  const { payment, open, send } = await setup()
  const link = await payment({ redirectUrl: 'https://shop.example.com/thanks' })
  const page = await open(link, '/cancelled')
  expect([page.status, visibleTextOf(page)]).toEqual([200, expect.stringContaining('Nothing was paid')])
  expect(JSON.parse(saidTo(page, 'message'))).toMatchObject({ type: 'sim_cancelled', status: 'cancelled' })
  expect(saidTo(page, 'redirect')).toBe('')
  await send(link)
  expect((await open(link, '/cancelled')).headers['location']).toBe(`../${link.hashUrl}`)
})

describe('a card that requires a confirmation of the cardholder', () => {
  const challengeCard = { ...cardFields('4000000000003220'), card_expiry: '12/40' }

  test.each([
    ['confirm', 303, 'completed'],
    ['refuse', 402, 'pending'],
    ['', 402, 'pending'],
  ])('with the reply "%s" returns %i', async (decision, status, state) => {
    const { call, payment, send, links } = await setup()
    const link = await payment()
    const next = nextOf(await send(link, challengeCard), pathOf(link.paymentLinkUrl))
    const page = await call('GET', next)
    expect([page.status, visibleTextOf(page)]).toEqual([
      200,
      expect.stringContaining('Confirm that it is you'),
    ])
    expect(page.text).not.toMatch(/\d{12}|name="card_cvc"/)
    expect(await links()).toMatchObject([{ status: 'pending' }])
    const { card_expiry: expiry } = challengeCard
    const step = { method: 'card', card_expiry: expiry, authentication: '3220', decision }
    expect((await send(link, step)).status).toBe(status)
    expect(await links()).toMatchObject([{ status: state }])
    expect(visibleTextOf(await call('GET', next))).toContain(
      state === 'completed' ? 'Already paid' : 'Confirm that it is you',
    )
  })

  test('is refused without a card', async () => {
    const { payment, send } = await setup()
    const link = await payment()
    for (const authentication of ['4242', '20', '', '0002']) {
      const step = { method: 'card', card_expiry: '12/40', authentication, decision: 'confirm' }
      expect((await send(link, step)).status).toBe(422)
    }
  })
})
