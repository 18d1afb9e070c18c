/** The hosted payment pages over HTTP: content, input, and that no card data is stored. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { TEST_CARDS } from '@suite-sim/kit/calls/testCards'
import type { AppOptions } from '../../../src/app.ts'
import { freshApp, type Answer, type FreshApp } from '../../support/app.ts'
import {
  asForm,
  cardFields,
  formIdIn,
  nextOf,
  pathOf,
  redirectOf,
  titleOf,
  visibleTextOf,
  withoutIds,
} from '../../support/payers.ts'
import { scratchFolder } from '../../support/process.ts'
import { eventsOf } from '../../support/events.ts'

interface Link {
  readonly id: string
  readonly url: string
  readonly status: string
}

interface Transaction {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly payment_method: string
  readonly card_last_four: string | null
  readonly customer: object
  readonly receipt_url: string | null
}

interface Setup extends FreshApp {
  /** Creates a link; 12.50 dollars for a standing desk by default. */
  readonly link: (fields?: object) => Promise<Link>
  readonly find: (link: Link) => Promise<Link>
  readonly transactions: () => Promise<Transaction[]>
  readonly open: (link: Link) => Promise<Answer>
  /** Submits the form; with the approved test card by default. */
  readonly send: (link: Link, fields?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly trigger: (name: string, body: object) => Promise<Answer>
}

async function setup(options: AppOptions = {}): Promise<Setup> {
  const fresh = await freshApp(options)
  fresh.setClock('2026-11-22T15:00:00Z')
  const payments = fresh.at<{ data: unknown }>('payments')
  return {
    ...fresh,
    link: async (fields = {}) => {
      const body = { amount: 1250, currency: 'USD', description: 'Standing desk', ...fields }
      return (await payments('POST', '/payment-links', { body })).body.data as Link
    },
    find: async ({ id }) => (await payments('GET', `/payment-links/${id}`)).body.data as Link,
    transactions: async () => (await payments('GET', '/transactions')).body.data as Transaction[],
    open: ({ url }) => fresh.call('GET', pathOf(url)),
    send: ({ url }, fields = cardFields('4242424242424242')) =>
      fresh.call('POST', pathOf(url), asForm(fields)),
    trigger: (name, body) =>
      fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/payments.${name}`, { body }),
  }
}

describe('page of a link', () => {
  test('shows the item, the merchant, the amount and the expiry', async () => {
    const { link, open } = await setup()
    const made = await link({ reference: 'INV-42', expires_at: '2026-12-01T05:00:00Z' })
    const page = await open(made)
    expect([page.status, titleOf(page)]).toEqual([200, 'Pay $12.50 – Standing desk'])
    expect(visibleTextOf(page)).toContain(
      'Pay to Test workspace Standing desk $12.50 Reference INV-42 Can be paid until December 1, 2026 at 5:00 AM UTC',
    )
    expect(visibleTextOf(page)).toMatch(/Pay \$12\.50 Suite Simulator\. No money moves here\./)
  })

  test('shows times in the time zone of the workspace and amounts with their currency symbol', async () => {
    const { link, open, workspace } = await setup()
    workspace.change({ timezone: 'America/Panama' })
    const page = await open(await link({ currency: 'PAB', expires_at: '2026-12-01T04:30:00Z' }))
    expect(visibleTextOf(page)).toContain('Standing desk PAB 12.50')
    expect(visibleTextOf(page)).toContain('November 30, 2026 at 11:30 PM EST')
  })

  test('asks for an open amount', async () => {
    const { link, open } = await setup()
    const page = await open(await link({ amount: undefined, open_amount: true }))
    expect(page.text).toMatch(/<input\s+id="field-amount"[^>]*inputmode="decimal"/)
    expect((await open(await link())).text).not.toContain('name="amount"')
  })

  test('offers the payment methods of the link, all cards as one', async () => {
    const { link, open } = await setup()
    const ways = (page: Answer) =>
      [...page.text.matchAll(/name="method"\s+value="(\w+)"/g)].map(([, way]) => way)
    expect(ways(await open(await link()))).toEqual(['card', 'wallet_1', 'wallet_2', 'ach'])
    const some = await link({ payment_methods: ['ach', 'network_2', 'network_1'] })
    expect(ways(await open(some))).toEqual(['ach', 'card'])
    const one = await open(await link({ payment_methods: ['wallet_2'] }))
    expect(ways(one)).toEqual(['wallet_2'])
    expect(one.text).not.toContain('type="radio"')
  })

  test('lists the test cards of the accepted networks with their outcomes', async () => {
    const { link, open } = await setup()
    const page = visibleTextOf(await open(await link()))
    for (const [number, network, outcome] of [
      ['4242 4242 4242 4242', 'network_1', 'Approved'],
      ['5555 5555 5555 4444', 'network_2', 'Approved'],
      ['3782 822463 10005', 'network_3', 'Approved'],
      ['4000 0000 0000 0002', 'network_1', 'Declined'],
      ['4000 0000 0000 9995', 'network_1', 'Insufficient funds'],
      ['4000 0000 0000 0077', 'network_1', 'Pending'],
    ]) {
      expect(page).toContain(`${String(number)} ${String(network)} ${String(outcome)}`)
    }
    const other = visibleTextOf(await open(await link({ payment_methods: ['network_2'] })))
    expect(other).toContain('5555 5555 5555 4444')
    expect(other).not.toContain('4242 4242')
  })

  test('lists the test values of wallets and bank accounts', async () => {
    const { link, open } = await setup()
    const page = visibleTextOf(await open(await link({ payment_methods: ['wallet_1', 'ach'] })))
    expect(page).toContain('60000001 Approved 60000002 Declined 60000003 Insufficient funds 60000004 Pending')
    expect(page).toContain('000123456789 Approved 000111111116 Declined')
    expect(page).not.toContain('Test cards')
  })

  test('escapes all texts of the link', async () => {
    const { link, open } = await setup()
    const page = await open(await link({ description: '<script>alert(1)</script>', reference: '"><b>' }))
    expect(page.text).not.toContain('<script>alert')
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.text).toContain('&quot;&gt;&lt;b&gt;')
  })

  test('shows the logo of a link with an alternative text', async () => {
    const { link, open, call, workspace } = await setup()
    const made = await link()
    expect((await open(made)).text).not.toContain('<img')
    const path = `/_sim/workspaces/${workspace.id}/snapshot`
    const snapshot = (await call('GET', path)).body as { payments: { links: object[] } }
    snapshot.payments.links = snapshot.payments.links.map((each) => ({
      ...each,
      logoUrl: 'https://shop.example/a"b.png',
    }))
    expect((await call('PUT', path, { body: snapshot })).status).toBe(204)
    expect((await open(made)).text).toContain(
      '<img class="logo" src="https://shop.example/a&quot;b.png" alt="Test workspace" />',
    )
  })

  test('changes nothing when it is opened', async () => {
    const { link, open, dump } = await setup()
    const made = await link()
    const before = dump()
    await open(made)
    await open(made)
    expect(dump()).toEqual(before)
  })

  test('exists only in its own workspace', async () => {
    const { link, call, tenant } = await setup()
    const made = await link()
    for (const path of [`/pay/links/${tenant().workspace.id}/${made.id}`, `${pathOf(made.url)}x`]) {
      const page = await call('GET', path)
      expect([page.status, titleOf(page)]).toEqual([404, 'Page not found'])
      expect((await call('POST', path, asForm(cardFields('4242424242424242')))).status).toBe(404)
    }
  })
})

describe('a link without further payments', () => {
  const CLOSED: readonly [string, string, (setup: Setup, link: Link) => Promise<unknown>][] = [
    ['paid', 'Already paid', ({ trigger }, { id }) => trigger('link.pay', { link_id: id })],
    [
      'expired',
      'This link has expired',
      async ({ setClock }) => {
        setClock('2026-12-01T00:00:00Z')
      },
    ],
    [
      'disabled',
      'This link was disabled',
      ({ at }, { id }) => at('payments')('DELETE', `/payment-links/${id}`),
    ],
    [
      'waiting for a payment',
      'A payment is being processed',
      ({ trigger }, { id }) => trigger('link.pay', { link_id: id, outcome: 'pending' }),
    ],
  ]

  test.each(CLOSED)('shows that it is %s', async (_state, heading, close) => {
    const open = await setup()
    const made = await open.link({ expires_at: '2026-12-01T00:00:00Z' })
    await close(open, made)
    const page = await open.open(made)
    expect([page.status, titleOf(page)]).toEqual([200, `${heading} – Standing desk`])
    expect(page.text).not.toContain('<form')
  })

  test.each(CLOSED)('shows that it is %s to a form that was opened earlier', async (_s, heading, close) => {
    const open = await setup()
    const made = await open.link({ expires_at: '2026-12-01T00:00:00Z' })
    await close(open, made)
    const before = open.dump()
    for (const number of ['4242424242424242', '4000000000000002', 'nonsense']) {
      const page = await open.send(made, cardFields(number))
      expect([page.status, titleOf(page)]).toEqual([409, `${heading} – Standing desk`])
    }
    expect(open.dump()).toEqual(before)
  })

  test('accepts payments up to its maximum number', async () => {
    const { link, send, find, open, transactions } = await setup()
    const made = await link({ max_payments: 2 })
    expect((await send(made)).status).toBe(303)
    expect((await find(made)).status).toBe('active')
    expect((await send(made)).status).toBe(303)
    expect((await find(made)).status).toBe('paid')
    expect((await send(made)).status).toBe(409)
    expect(visibleTextOf(await open(made))).toContain('All 2 payments were completed on November 22, 2026')
    expect(await transactions()).toHaveLength(2)
  })
})

describe('paying by card', () => {
  test.each(TEST_CARDS.filter(({ outcome }) => outcome === 'approved'))(
    '$number of $network leads to the receipt of a completed payment',
    async ({ number, network }) => {
      const { link, send, find, transactions, call } = await setup()
      const made = await link()
      const answer = await send(made, {
        ...cardFields(number),
        name: ' Ana Pérez ',
        email: 'ana@example.com',
      })
      const [paid] = await transactions()
      expect(paid).toMatchObject({
        status: 'completed',
        amount: 1250,
        payment_method: network,
        card_last_four: number.slice(-4),
        customer: { name: 'Ana Pérez', email: 'ana@example.com' },
      })
      expect(answer.status).toBe(303)
      expect(redirectOf(answer, pathOf(made.url))).toBe(pathOf(paid?.receipt_url ?? ''))
      const receipt = await call('GET', redirectOf(answer, pathOf(made.url)))
      expect([receipt.status, titleOf(receipt)]).toEqual([200, 'Payment completed: $12.50'])
      expect((await find(made)).status).toBe('paid')
    },
  )

  test('leaves the customer empty without input', async () => {
    const { link, send, transactions } = await setup()
    await send(await link(), { ...cardFields('4242424242424242'), name: ' ', email: '' })
    expect((await transactions())[0]?.customer).toEqual({ name: null, email: null })
  })

  test('with a slow card leads to a receipt of a pending payment', async () => {
    const { link, send, transactions, call, trigger, find } = await setup()
    const made = await link()
    const answer = await send(made, cardFields('4000 0000 0000 0077'))
    const [pending] = await transactions()
    expect(pending).toMatchObject({ status: 'pending', payment_method: 'network_1', card_last_four: '0077' })
    const path = redirectOf(answer, pathOf(made.url))
    expect(titleOf(await call('GET', path))).toBe('Payment pending: $12.50')
    await trigger('transaction.settle', { transaction_id: pending?.id, outcome: 'completed' })
    expect(titleOf(await call('GET', path))).toBe('Payment completed: $12.50')
    expect((await find(made)).status).toBe('paid')
  })

  test.each([
    ['4000000000000002', 'The payment was declined.', '0002'],
    ['4000000000009995', 'The payment was declined: there are not enough funds.', '9995'],
  ])('with %s fails, is recorded, and allows another try', async (number, message, lastFour) => {
    const { link, send, open, find, transactions } = await setup()
    const made = await link()
    const attempt = formIdIn(await open(made))
    const typed = { ...cardFields(number), name: 'Ana', email: 'ana@example.com', attempt }
    const answer = await send(made, typed)
    expect([answer.status, titleOf(answer)]).toEqual([402, 'Declined: Pay $12.50 – Standing desk'])
    expect(answer.text).toMatch(/role="alert"[^>]*autofocus/)
    expect(visibleTextOf(answer)).toContain(`${message} Nothing was charged.`)
    expect(answer.text).toMatch(/name="email"[^>]*value="ana@example.com"/)
    expect(await transactions()).toMatchObject([
      { status: 'failed', card_last_four: lastFour, receipt_url: null, customer: { name: 'Ana' } },
    ])
    expect((await find(made)).status).toBe('active')

    // A used form returns the same result again, and the new one pays.
    expect((await send(made, typed)).status).toBe(402)
    expect(await transactions()).toHaveLength(1)
    expect(formIdIn(answer)).toMatch(/^[\w-]{32}$/)
    expect(formIdIn(answer)).not.toBe(attempt)
    expect((await send(made, { ...cardFields('4242424242424242'), attempt: formIdIn(answer) })).status).toBe(
      303,
    )
  })

  test('of another network is refused without a record', async () => {
    const { link, send, transactions } = await setup()
    const answer = await send(await link({ payment_methods: ['network_1'] }), cardFields('5555555555554444'))
    expect(answer.status).toBe(422)
    expect(visibleTextOf(answer)).toContain('Cards of network_2 are not accepted here.')
    expect(await transactions()).toEqual([])
  })
})

describe('paying by other methods', () => {
  test.each([
    ['wallet_1', 'wallet_1_phone', '6000-0001', 'completed'],
    ['wallet_1', 'wallet_1_phone', '60000004', 'pending'],
    ['wallet_2', 'wallet_2_phone', '60000001', 'completed'],
    ['ach', 'ach_account', '000123456789', 'completed'],
    ['ach', 'ach_account', '000 333 333 335', 'pending'],
  ])('by %s with %s %s is %s', async (method, field, value, status) => {
    const { link, send, transactions } = await setup()
    expect((await send(await link(), { method, [field]: value })).status).toBe(303)
    expect(await transactions()).toMatchObject([{ status, payment_method: method, card_last_four: null }])
  })

  test.each([
    ['wallet_1', 'wallet_1_phone', '60000002', 'The payment was declined.'],
    ['wallet_2', 'wallet_2_phone', '60000003', 'there are not enough funds'],
    ['ach', 'ach_account', '000111111116', 'The payment was declined.'],
    ['ach', 'ach_account', '000222222227', 'there are not enough funds'],
  ])('by %s with %s %s fails', async (method, field, value, message) => {
    const { link, send, transactions } = await setup()
    const answer = await send(await link(), { method, [field]: value })
    expect(answer.status).toBe(402)
    expect(visibleTextOf(answer)).toContain(message)
    expect(await transactions()).toMatchObject([{ status: 'failed', payment_method: method }])
    // The chosen method stays selected.
    expect(answer.text).toMatch(new RegExp(`value="${method}"\\s+checked`))
  })

  test.each([
    ['wallet_1', 'wallet_1_phone', '', 'Give the phone number.'],
    ['wallet_1', 'wallet_1_phone', '66666666', 'only its test values are taken as phone number'],
    ['ach', 'ach_account', '', 'Give the account number.'],
    ['ach', 'ach_account', '123', 'only its test values are taken as account number'],
  ])('by %s with %s "%s" is refused', async (method, field, value, message) => {
    const { link, send, transactions } = await setup()
    const answer = await send(await link(), { method, [field]: value })
    expect(answer.status).toBe(422)
    expect(visibleTextOf(answer)).toContain(message)
    expect(answer.text).toContain(`href="#field-${field}"`)
    expect(await transactions()).toEqual([])
  })

  test.each(['', 'network_1', 'cash', 'wallet_2', '__proto__'])(
    'by "%s", which the link does not allow, is refused',
    async (method) => {
      const { link, send, transactions } = await setup()
      const made = await link({ payment_methods: ['network_1', 'ach'] })
      const answer = await send(made, { ...cardFields('4242424242424242'), method })
      expect(answer.status).toBe(422)
      expect(visibleTextOf(answer)).toContain('Choose how to pay.')
      expect(await transactions()).toEqual([])
    },
  )
})

describe('open amount', () => {
  test.each([
    ['12.50', 1250],
    ['12,5', 1250],
    [' 12 ', 1200],
    ['0.01', 1],
    ['007.10', 710],
    ['0.29', 29],
    ['1.15', 115],
    ['999999.99', 99_999_999],
  ])('typed as "%s" is %i cents', async (amount, cents) => {
    const { link, send, transactions } = await setup()
    const made = await link({ amount: undefined, open_amount: true })
    expect((await send(made, { ...cardFields('4242424242424242'), amount })).status).toBe(303)
    expect(await transactions()).toMatchObject([{ amount: cents }])
  })

  test.each<[string, string]>([
    ['', 'Enter the amount to pay.'],
    ['0', 'The amount must be more than zero.'],
    ['0.00', 'The amount must be more than zero.'],
    ['1000000', 'The amount must be at most $999,999.99.'],
    ['9'.repeat(400), 'The amount must be at most $999,999.99.'],
    ...['-1', '+1', '1.234', '1,250.00', '$5', '1e3', '.5', '5.', '0x10', 'NaN', '١٢', '1 0', 'ten'].map(
      (typed): [string, string] => [typed, 'Enter the amount in digits with at most two decimals, such as'],
    ),
  ])('typed as "%s" is refused', async (amount, message) => {
    const { link, send, transactions } = await setup()
    const answer = await send(await link({ amount: undefined, open_amount: true }), {
      ...cardFields('4242424242424242'),
      amount,
    })
    expect([answer.status, titleOf(answer)]).toEqual([422, 'Error: Pay – Standing desk'])
    expect(visibleTextOf(answer)).toContain(message)
    expect(answer.text).toMatch(/id="field-amount"[^>]*aria-invalid="true"/)
    expect(await transactions()).toEqual([])
  })

  test('is ignored for a link with a fixed amount', async () => {
    const { link, send, transactions } = await setup()
    expect((await send(await link(), { ...cardFields('4242424242424242'), amount: '1' })).status).toBe(303)
    expect(await transactions()).toMatchObject([{ amount: 1250 }])
  })
})

describe('invalid input', () => {
  test.each([
    ['card_number', '', 'Give the number of the card.'],
    ['card_number', '4242424242424241', 'This is not the number of a card.'],
    ['card_number', '4111111111111111', 'This is a simulator: only its test cards are taken.'],
    ['card_expiry', '', 'Give the expiry date as month and year: MM/YY.'],
    ['card_expiry', '13/40', 'Give the expiry date as month and year: MM/YY.'],
    ['card_expiry', '10/26', 'The card has expired.'],
    ['card_cvc', '', 'Give the security code: 3 digits.'],
    ['card_cvc', '1234', 'Give the security code: 3 digits.'],
    ['email', 'ana@example', 'Enter an e-mail address such as name@example.com, or leave it empty.'],
    ['email', `${'a'.repeat(250)}@example.com`, 'Enter an e-mail address such as name@example.com'],
    ['name', 'x'.repeat(121), 'Use at most 120 characters.'],
  ])('in %s, "%s", is reported at the field and above the form', async (field, value, message) => {
    const { link, send, transactions } = await setup()
    const answer = await send(await link(), { ...cardFields('4242424242424242'), [field]: value })
    expect([answer.status, titleOf(answer)]).toEqual([422, 'Error: Pay $12.50 – Standing desk'])
    expect(answer.text).toMatch(new RegExp(`<a href="#field-${field}">${message.replace(/[.*?]/g, '\\$&')}`))
    const input = new RegExp(`<input\\s+id="field-${field}"[^>]*>`).exec(answer.text)?.[0]
    expect(input).toMatch(new RegExp(`aria-describedby="[^"]*field-${field}-problem"`))
    expect(input).toContain('aria-invalid="true"')
    expect(answer.text).toContain(`id="field-${field}-problem"`)
    expect(await transactions()).toEqual([])
  })

  test('is reported for all fields together', async () => {
    const { link, send } = await setup()
    const answer = await send(await link({ amount: undefined, open_amount: true }), {
      method: 'card',
      email: 'x',
    })
    expect([...answer.text.matchAll(/<a href="#field-(\w+)">/g)].map(([, field]) => field)).toEqual([
      'amount',
      'card_number',
      'card_expiry',
      'card_cvc',
      'email',
    ])
  })

  test('keeps valid values in the form, but not the number and code of the card', async () => {
    const { link, send } = await setup()
    const typed = { method: 'card', amount: '7.5', name: 'Ana "A" Pérez', email: 'ana@example.com' }
    const card = { card_number: '4000-0000-0000-0002', card_expiry: '12/40', card_cvc: '98765' }
    const answer = await send(await link({ amount: undefined, open_amount: true }), { ...typed, ...card })
    const value = (field: string) =>
      new RegExp(`<input[^>]*name="${field}"[^>]*?value="([^"]*)"`).exec(answer.text)?.[1]
    expect(['amount', 'name', 'email', 'card_expiry', 'card_number', 'card_cvc'].map(value)).toEqual([
      '7.5',
      'Ana &quot;A&quot; Pérez',
      'ana@example.com',
      '12/40',
      '',
      '',
    ])
    expect(answer.text).not.toContain('98765')
    expect(answer.text).not.toContain('4000-0000-0000-0002')
  })

  test('does not include a name of 120 characters', async () => {
    const { link, send } = await setup()
    const name = 'x'.repeat(120)
    expect((await send(await link(), { ...cardFields('4242424242424242'), name })).status).toBe(303)
  })

  test('of any kind never returns 500', async () => {
    const { link, call, open, transactions } = await setup()
    const made = await link({ amount: undefined, open_amount: true })
    for (const nasty of [
      '\ud800',
      '%',
      '🧾'.repeat(2000),
      '<>&"\'',
      '../..',
      '{}',
      'constructor',
      '\u202e\ufeff',
    ]) {
      for (const field of [
        'method',
        'amount',
        'card_number',
        'card_expiry',
        'card_cvc',
        'email',
        'name',
        'attempt',
      ]) {
        const fields = { ...cardFields('4000000000000002'), amount: '1', [field]: nasty }
        const { status } = await call('POST', pathOf(made.url), asForm(fields))
        expect([402, 422, 413], `${field}: ${nasty.slice(0, 10)}`).toContain(status)
      }
    }
    expect((await call('POST', pathOf(made.url), { raw: 'amount=1%00', ...TYPE })).status).toBe(400)
    expect((await call('POST', pathOf(made.url), { raw: '', ...TYPE })).status).toBe(422)
    expect((await call('POST', pathOf(made.url))).status).toBe(422)
    expect((await open(made)).status).toBe(200)
    expect((await transactions()).every(({ status }) => status === 'failed')).toBe(true)
  })
})

const TYPE = { contentType: 'application/x-www-form-urlencoded' } as const

describe('a form that is submitted twice', () => {
  test.each(['4242424242424242', '4000000000000077'])('with %s pays once', async (number) => {
    const { link, open, send, transactions } = await setup()
    const made = await link({ max_payments: 5 })
    const form = { ...cardFields(number), attempt: formIdIn(await open(made)) }
    const answers = await Promise.all([send(made, form), send(made, form), send(made, form)])
    expect(new Set(answers.map((answer) => redirectOf(answer, pathOf(made.url))))).toHaveProperty('size', 1)
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await transactions()).toHaveLength(1)
  })

  test('leads to the receipt even if that payment has closed the link', async () => {
    const { link, open, send, find } = await setup()
    const made = await link()
    const form = { ...cardFields('4242424242424242'), attempt: formIdIn(await open(made)) }
    const first = await send(made, form)
    expect((await find(made)).status).toBe('paid')
    const second = await send(made, form)
    expect([second.status, second.headers['location']]).toEqual([303, first.headers['location']])
  })

  test('is different each time the page is opened', async () => {
    const { link, open } = await setup()
    const made = await link()
    expect(formIdIn(await open(made))).not.toBe(formIdIn(await open(made)))
  })

  test('keeps its id while fields are corrected', async () => {
    const { link, open, send } = await setup()
    const made = await link()
    const attempt = formIdIn(await open(made))
    expect(formIdIn(await send(made, { ...cardFields('1'), attempt }))).toBe(attempt)
    expect(formIdIn(await send(made, { ...cardFields('1'), attempt: '"><x' }))).toMatch(/^[\w-]{32}$/)
  })

  test('is refused for another link', async () => {
    const { link, open, send, transactions } = await setup()
    const [one, other] = [await link(), await link()]
    const form = { ...cardFields('4242424242424242'), attempt: formIdIn(await open(one)) }
    await send(one, form)
    const answer = await send(other, form)
    expect([answer.status, titleOf(answer)]).toEqual([409, 'Not possible'])
    expect(await transactions()).toHaveLength(1)
  })
})

describe('receipt', () => {
  test('shows the item, the time in the time zone of the workspace, the method and the payer', async () => {
    const { link, send, call, workspace, transactions } = await setup()
    workspace.change({ timezone: 'America/Panama' })
    const made = await link({ reference: 'INV-42' })
    const answer = await send(made, { ...cardFields('5555555555554444'), name: 'Ana Pérez' })
    const receipt = visibleTextOf(await call('GET', redirectOf(answer, pathOf(made.url))))
    const [paid] = await transactions()
    expect(receipt).toContain(
      'Payment completed $12.50 Thank you. This is your receipt. Paid to Test workspace For Standing desk ' +
        'Reference INV-42 Date November 22, 2026 at 10:00 AM EST Method Card (network_2) ending in 4444 ' +
        `Paid by Ana Pérez Transaction ${String(paid?.id)}`,
    )
  })

  test('shows partial and full refunds', async () => {
    const { link, send, call, at, transactions, workspace } = await setup()
    workspace.change({ readings: { 'payments.refund_event': 'requested' } })
    const made = await link()
    const path = redirectOf(await send(made), pathOf(made.url))
    const [paid] = await transactions()
    const refund = (amount: number) =>
      at('payments')('POST', `/transactions/${String(paid?.id)}/refund`, { body: { amount } })
    await refund(250)
    const part = await call('GET', path)
    expect(titleOf(part)).toBe('Payment partly refunded: $12.50')
    expect(visibleTextOf(part)).toContain('Refunded $2.50 Kept $10.00')
    await refund(1000)
    const whole = await call('GET', path)
    expect(titleOf(whole)).toBe('Payment refunded: $12.50')
    expect(visibleTextOf(whole)).toContain('Refunded $12.50 Transaction')
  })

  test('of a failed payment leads back to the link while it accepts payments', async () => {
    const { link, send, call, transactions, workspace } = await setup()
    const made = await link()
    await send(made, cardFields('4000000000009995'))
    const [failed] = await transactions()
    const path = `/pay/links/${workspace.id}/receipts/${String(failed?.id)}`
    const page = await call('GET', path)
    expect(titleOf(page)).toBe('Payment failed: $12.50')
    expect(visibleTextOf(page)).toContain('there are not enough funds')
    const [, way = ''] = /<a class="button" href="([^"]+)"/.exec(page.text) ?? []
    expect(new URL(way, `http://127.0.0.1${path}`).pathname).toBe(pathOf(made.url))
    await send(made)
    expect((await call('GET', path)).text).not.toContain('Try again')
  })

  test('exists only in its own workspace', async () => {
    const { link, send, call, tenant, workspace } = await setup()
    const made = await link()
    const path = redirectOf(await send(made), pathOf(made.url))
    expect((await call('GET', path.replace(workspace.id, tenant().workspace.id))).status).toBe(404)
    expect((await call('GET', `${path}x`)).status).toBe(404)
  })
})

test('stores, logs and returns only the network and the last four digits of a card', async () => {
  const folder = scratchFolder()
  const logged: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  const { link, open, send, call, dump, workspace } = await setup({ db: join(folder, 'sim.sqlite'), logger })
  const made = await link({ max_payments: 9 })
  const answers: string[] = []
  for (const { number } of [...TEST_CARDS, { number: '4111111111111111' }]) {
    const attempt = formIdIn(await open(made))
    const sent = { ...cardFields(number), attempt, email: 'ana@example.com' }
    const answer = await send(made, sent)
    answers.push(answer.text, JSON.stringify(answer.headers))
    if (answer.status === 303) answers.push((await call('GET', redirectOf(answer, pathOf(made.url)))).text)
  }
  answers.push((await call('GET', `/_sim/workspaces/${workspace.id}/deliveries`)).text)
  answers.push((await call('GET', `/_sim/workspaces/${workspace.id}/snapshot`)).text)
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  const places = { answers: answers.join('\n'), logs: logged.join('\n'), records: JSON.stringify(dump()) }
  expect(places.records).toContain('"9995"')
  expect(files.join('')).toContain('ana@example.com')
  for (const { number } of [...TEST_CARDS, { number: '4111111111111111' }]) {
    for (const [place, text] of Object.entries({ ...places, files: files.join('') })) {
      // Checks the number, and the digits between the first six and the last four.
      expect(text.includes(number), `${number} in the ${place}`).toBe(false)
      // A duration in the log may contain such digits.
      expect(text, `the beginning of ${number} in the ${place}`).not.toMatch(
        new RegExp(`(?<![\\d.])${number.slice(0, 8)}`),
      )
    }
  }
  for (const [place, text] of Object.entries(places)) {
    if (place !== 'answers') expect(withoutIds(text), place).not.toMatch(/cvc/i)
  }
  expect(places.answers).not.toMatch(/name="card_cvc"[^>]*value="[^"]/)
})

test.each([
  ['4000000000000069', 'expired_card', 'the card has expired'],
  ['4000000000000127', 'wrong_code', 'the security code is wrong'],
  ['4000000000000119', 'processing_error', 'could not be processed'],
])('with the card %s fails as %s', async (number, reason, words) => {
  const { link, send, events } = await failing()
  const page = await send(await link(), cardFields(number))
  expect([page.status, visibleTextOf(page)]).toEqual([402, expect.stringContaining(words)])
  expect(events()).toEqual([reason])
})

test('asks for a confirmation of the cardholder, and completes or fails the payment', async () => {
  const { call, link, send, transactions, events } = await failing()
  const made = await link({ max_payments: 2 })
  const path = pathOf(made.url)
  const next = nextOf(await send(made, { ...cardFields('4000000000003220'), name: 'Ana' }), path)
  const challenge = await call('GET', next)
  expect([challenge.status, visibleTextOf(challenge)]).toEqual([
    200,
    expect.stringContaining('Confirm that it is you'),
  ])
  expect(next).not.toContain('Ana')
  expect(challenge.text).toContain('name="name" value="Ana"')
  expect(challenge.text).not.toMatch(/\d{12}|card_cvc/)
  // The address belongs to this link alone.
  const other = await call('GET', next.replace(path, pathOf((await link()).url)))
  expect(visibleTextOf(other)).not.toContain('Confirm that it is you')
  expect(await transactions()).toEqual([])
  const step = { method: 'card', card_expiry: '12/40', authentication: '3220', name: 'Ana' }
  expect((await send(made, { ...step, decision: 'refuse' })).status).toBe(402)
  expect(events()).toEqual(['authentication_failed'])
  expect((await send(made, { ...step, decision: 'confirm' })).status).toBe(303)
  expect(visibleTextOf(await call('GET', next))).toContain('Confirm that it is you')
  await send(made)
  expect(visibleTextOf(await call('GET', next))).toContain('Already paid')
  expect(await transactions()).toMatchObject([
    { status: 'completed' },
    { status: 'completed', card_last_four: '3220' },
    { status: 'failed' },
  ])
})

test.each(['1/30', '01/30', '1-30', '0130', '1/2030'])('accepts the expiry date %s', async (expiry) => {
  const { link, send } = await setup()
  const answer = await send(await link(), { ...cardFields('4242424242424242'), card_expiry: expiry })
  expect(answer.status).toBe(303)
})

test('redirects a paid link to its receipt', async () => {
  const { link, send, open, transactions } = await setup()
  const made = await link()
  await send(made)
  const [transaction] = await transactions()
  expect((await open(made)).text).toContain(`href="receipts/${String(transaction?.id)}"`)
})

/** A link, and the reasons of its failed payments. */
async function failing() {
  const made = await setup()
  const events = () =>
    eventsOf(made.workspace, 'payments').flatMap(({ name, data }) =>
      name === 'payment.failed' ? [data['failure_reason']] : [],
    )
  return { ...made, events }
}

test('records the effects of a submitted form in the timeline, and none of a refused one', async () => {
  const payer = await setup()
  const made = await payer.link()
  const path = pathOf(made.url)
  await payer.send(made, {})
  const timeline = async () => {
    const { body } = await payer.call('GET', `/_sim/workspaces/${payer.workspace.id}/timeline`)
    return (body as { data: { id: string; kind: string; ref: string; causedBy: string | null }[] }).data
  }
  expect((await timeline()).filter(({ kind }) => kind === 'trigger')).toEqual([])
  await payer.send(made)
  const all = await timeline()
  const sent = all.filter(({ kind }) => kind === 'trigger')
  expect(sent).toMatchObject([{ title: `form sent at ${path}`, ref: path, causedBy: null }])
  const refs = all.filter(({ causedBy }) => causedBy === sent[0]?.id).map(({ ref }) => ref)
  expect(refs).toContain(`payments.links/${made.id}`)
  expect(refs).toContainEqual(expect.stringMatching(/^payments\.transactions\//))
})
