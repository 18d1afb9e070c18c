/** Payment links: their fields, rules, states and list. Specification part 2, "Payments v1". */
import { beforeEach, describe, expect, test } from 'vitest'
import { iso } from '@suite-sim/kit/time/instants'
import { PAYMENT_METHODS } from '../../../src/state/payments/tables.ts'
import {
  freshPayments,
  INVALID_AMOUNT,
  INVALID_AMOUNTS,
  NOON,
  refusal,
  type LinkBody,
  type PageBody,
  type Payments,
} from '../../support/payments.ts'

let payments: Payments

beforeEach(async () => {
  payments = await freshPayments()
})

const post = (body: unknown) => payments.call('POST', '/payment-links', { body })
const total = async () => (await payments.ask<PageBody<LinkBody>>('GET', '/payment-links')).meta.total

describe('new link', () => {
  test('requires only an amount', async () => {
    const { status, body } = await post({ amount: 12500 })
    expect(status).toBe(201)
    const { id, ...fields } = (body as { data: LinkBody }).data
    expect(id).toMatch(/^pl_[A-Za-z0-9]{20}$/)
    expect(fields).toEqual({
      amount: 12500,
      currency: 'USD',
      description: null,
      url: `http://127.0.0.1:4012/pay/links/${payments.fresh.workspace.id}/${id}`,
      status: 'active',
      payment_methods: [...PAYMENT_METHODS],
      logo_url: null,
      expires_at: null,
      max_payments: null,
      reference: null,
      metadata: {},
      created_at: NOON,
      paid_at: null,
    })
  })

  test('keeps every known field, and ignores unknown ones', async () => {
    const sent = {
      amount: 1,
      currency: 'PAB',
      description: 'Invoice F-2031',
      payment_methods: ['ach', 'wallet_2'],
      expires_at: '2026-11-22T07:00:00-05:00',
      max_payments: 3,
      reference: 'F-2031',
      metadata: { order: 7, nested: { list: [1, null, 'x'] } },
    }
    const link = await payments.addLink({ ...sent, status: 'paid', id: 'pl_mine', paid_at: NOON, url: 'x' })
    expect(link).toMatchObject({
      ...sent,
      expires_at: '2026-11-22T12:00:00.000Z',
      status: 'active',
      paid_at: null,
    })
    expect(link.id).not.toBe('pl_mine')
    expect(await payments.getLink(link.id)).toEqual(link)
  })

  test.each([
    ['the currency of the workspace', 'PAB', 'PAB'],
    ['dollars if the workspace has another currency', 'EUR', 'USD'],
  ])('is in %s by default', async (_which, currency, expected) => {
    payments.fresh.workspace.change({ currency })
    expect((await payments.addLink()).currency).toBe(expected)
  })

  test('has an open amount if it is requested', async () => {
    const answer = await post({ open_amount: true })
    expect(answer).toMatchObject({ status: 201, body: { data: { amount: null } } })
    expect(answer.body).not.toHaveProperty('data.open_amount')
  })

  test('has a URL below the public URL', async () => {
    const { addLink } = await freshPayments({ publicUrl: 'https://pay.example.com/sim/' })
    expect((await addLink()).url).toMatch(/^https:\/\/pay\.example\.com\/sim\/pay\/links\/[^/]+\/pl_\w+$/)
  })

  test.each(INVALID_AMOUNTS)('may not have %j cents', async (amount) => {
    for (const fields of [{}, { open_amount: false }]) {
      const answer = await post({ amount, ...fields })
      expect([answer.status, answer.body]).toEqual([422, INVALID_AMOUNT])
    }
    expect(await total()).toBe(0)
  })

  test.each([
    [{ amount: 100_000_000 }, 'amount must be at most 99999999'],
    [{}, 'amount is required unless open_amount is true'],
    [{ open_amount: false }, 'amount is required unless open_amount is true'],
    [{ amount: 5, open_amount: true }, 'open_amount must be false if an amount is sent'],
    [{ amount: null, open_amount: true }, INVALID_AMOUNT.message],
  ])('is refused with %j', async (body, message) => {
    const answer = await post(body)
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({ error: 'invalid_amount', message, status: 422 })
    expect(await total()).toBe(0)
  })

  test.each([
    ['currency', 'EUR', 'invalid_currency'],
    ['currency', null, 'invalid_currency'],
    ['payment_methods', [], 'invalid_payment_method'],
    ['payment_methods', null, 'invalid_payment_method'],
    ['payment_methods', ['cash'], 'invalid_payment_method'],
    ['payment_methods', ['ach', 'ach'], 'invalid_payment_method'],
    ['expires_at', NOON, 'invalid_expiry'],
    ['expires_at', '2026-11-21T11:59:59.999Z', 'invalid_expiry'],
    ['expires_at', 'tomorrow', 'invalid_expiry'],
    ['expires_at', 1_800_000_000, 'invalid_expiry'],
    ['expires_at', '2026-02-30T00:00:00Z', 'invalid_expiry'],
    ['max_payments', '2', 'invalid_data'],
    ['description', 'd'.repeat(501), 'invalid_data'],
    ['reference', [], 'invalid_data'],
    ['metadata', 'text', 'invalid_data'],
    ['open_amount', 'yes', 'invalid_amount'],
  ] as const)('is refused with %s %j', async (field, value, code) => {
    const answer = await post({ amount: 100, [field]: value })
    expect(answer).toMatchObject(refusal(422, code, expect.stringContaining(field)))
    expect(Object.keys(answer.body as object)).toEqual(['error', 'message', 'status'])
    expect(await total()).toBe(0)
  })

  test.each([
    ['expires_at', '2026-11-21T12:00:00.001Z'],
    ['payment_methods', [...PAYMENT_METHODS].reverse()],
  ])('is accepted with %s %j', async (field, value) => {
    expect(await payments.addLink({ [field]: value })).toMatchObject({ [field]: value })
  })

  test('reports all invalid fields with the code of the first', async () => {
    const answer = await post({ amount: 100, reference: 7, currency: 'EUR' })
    expect(answer).toMatchObject(refusal(422, 'invalid_currency'))
    const { message } = answer.body as { message: string }
    expect(message).toMatch(/currency must be one of USD, PAB/)
    expect(message).toMatch(/reference must be/)
  })
})

/** A link in each state. */
const inState: Readonly<Record<LinkBody['status'], () => Promise<LinkBody>>> = {
  active: () => payments.addLink(),
  async paid() {
    const link = await payments.addLink()
    await payments.pay(link.id)
    return payments.getLink(link.id)
  },
  async expired() {
    const link = await payments.addLink({ expires_at: '2026-11-21T13:00:00Z' })
    payments.setClock('2026-11-21T13:00:00Z')
    return payments.getLink(link.id)
  },
  async disabled() {
    const link = await payments.addLink()
    return (await payments.ask<{ data: LinkBody }>('DELETE', `/payment-links/${link.id}`)).data
  },
}

describe('disabling a link', () => {
  test.each([
    ['active', 200],
    ['disabled', 200],
    ['paid', 409],
    ['expired', 409],
  ] as const)('in %s returns %i', async (state, status) => {
    const link = await inState[state]()
    expect(link.status).toBe(state)
    const answer = await payments.call('DELETE', `/payment-links/${link.id}`)
    if (status === 200) {
      expect(answer).toMatchObject({ status, body: { data: { ...link, status: 'disabled' } } })
    } else {
      expect(answer).toMatchObject(refusal(409, 'link_not_active', expect.stringContaining(state)))
      expect(await payments.getLink(link.id)).toEqual(link)
    }
  })

  test('keeps completed payments', async () => {
    const link = await payments.addLink({ max_payments: 2 })
    const transaction = await payments.pay(link.id)
    await payments.ask('DELETE', `/payment-links/${link.id}`)
    expect(await payments.getTransaction(transaction.id)).toEqual(transaction)
  })
})

describe('paying a link', () => {
  test.each([
    ['active', 200],
    ['paid', 409],
    ['expired', 409],
    ['disabled', 409],
  ] as const)('in %s returns %i', async (state, status) => {
    const link = await inState[state]()
    const answer = await payments.pull('link.pay', { link_id: link.id })
    expect(answer.status).toBe(status)
    const { meta } = await payments.ask<PageBody<unknown>>('GET', `/transactions?link_id=${link.id}`)
    expect(meta.total).toBe(state === 'active' || state === 'paid' ? 1 : 0)
  })
})

describe('a link expires', () => {
  test.each([
    ['UTC', '2026-11-22', '2026-11-22T23:59:59.999Z'],
    ['UTC', '2026-11-21', '2026-11-21T23:59:59.999Z'],
    ['America/Panama', '2026-11-22', '2026-11-23T04:59:59.999Z'],
    ['UTC', '2026-11-22T00:00', '2026-11-22T00:00:00.000Z'],
  ])('in %s at the end of the day %s', async (timezone, expires_at, shown) => {
    payments.fresh.workspace.change({ timezone })
    const link = await payments.addLink({ expires_at })
    expect(link.expires_at).toBe(shown)
    payments.setClock(iso(Date.parse(shown) - 1))
    expect((await payments.getLink(link.id)).status).toBe('active')
    payments.setClock(shown)
    expect((await payments.getLink(link.id)).status).toBe('expired')
  })

  test('exactly at its time', async () => {
    const { id } = await payments.addLink({ expires_at: '2026-11-21T13:00:00Z' })
    payments.setClock('2026-11-21T12:59:59.999Z')
    expect((await payments.getLink(id)).status).toBe('active')
    payments.setClock('2026-11-21T13:00:00.000Z')
    expect((await payments.getLink(id)).status).toBe('expired')
  })

  test('in order when the clock is moved far', async () => {
    const late = await payments.addLink({ expires_at: '2026-11-23T12:00:00Z' })
    const early = await payments.addLink({ expires_at: '2026-11-22T12:00:00Z' })
    const never = await payments.addLink()
    const path = `/_sim/workspaces/${payments.fresh.workspace.id}/clock/advance`
    await payments.fresh.call('POST', path, { body: { duration: 'P1D' } })
    expect((await payments.getLink(early.id)).status).toBe('expired')
    expect((await payments.getLink(late.id)).status).toBe('active')
    await payments.fresh.call('POST', path, { body: { duration: 'P30D' } })
    expect((await payments.getLink(late.id)).status).toBe('expired')
    expect((await payments.getLink(never.id)).status).toBe('active')
  })

  test.each(['paid', 'disabled'] as const)('not when it is %s', async (state) => {
    const link = await payments.addLink({ expires_at: '2026-11-21T13:00:00Z' })
    if (state === 'paid') await payments.pay(link.id)
    else await payments.ask('DELETE', `/payment-links/${link.id}`)
    payments.setClock('2026-11-22T13:00:00Z')
    expect((await payments.getLink(link.id)).status).toBe(state)
  })

  test('in a snapshot that is put after its time', async () => {
    const { id } = await payments.addLink({ expires_at: '2026-11-21T13:00:00Z' })
    const path = `/_sim/workspaces/${payments.fresh.workspace.id}/snapshot`
    const { body } = await payments.fresh.call('GET', path)
    payments.setClock('2026-11-22T00:00:00Z')
    await payments.fresh.call('PUT', path, { body })
    expect((await payments.getLink(id)).status).toBe('expired')
  })
})

describe('list of links', () => {
  const ids = async (query: string) =>
    (await payments.ask<PageBody<LinkBody>>('GET', `/payment-links?${query}`)).data.map(({ id }) => id)

  test('shows the same as get', async () => {
    const [first, second] = [await payments.addLink(), await payments.addLink({ amount: 5 })]
    expect(await payments.ask('GET', '/payment-links')).toEqual({
      data: [second, first],
      meta: { total: 2, page: 1, per_page: 20 },
    })
    await payments.pay(first.id)
    const { data } = await payments.ask<PageBody<LinkBody>>('GET', '/payment-links')
    expect(data[1]).toMatchObject({ id: first.id, status: 'paid', paid_at: NOON })
  })

  test('is filtered by a period including both ends', async () => {
    const { id } = await payments.addLink()
    expect(await ids(`from=${NOON}&to=${NOON}`)).toEqual([id])
    expect(await ids('from=2026-11-21T12:00:00.001Z')).toEqual([])
    expect(await ids('to=2026-11-21T11:59:59.999Z')).toEqual([])
    expect(await ids('from=2026-11-21T07:00:00-05:00')).toEqual([id])
    expect(await ids(`status=active&from=${NOON}`)).toEqual([id])
    expect(await ids(`status=paid&from=${NOON}`)).toEqual([])
  })

  test('treats a date as the complete day in the time zone of the workspace', async () => {
    payments.fresh.workspace.change({ timezone: 'America/Panama' })
    payments.setClock('2026-11-22T04:59:59.999Z')
    const { id } = await payments.addLink()
    expect(await ids('from=2026-11-21&to=2026-11-21')).toEqual([id])
    expect(await ids('from=2026-11-22')).toEqual([])
    expect(await ids('to=2026-11-20')).toEqual([])
  })

  test.each(['from=yesterday', 'to=2026-13-01', 'from=2026-11-22&to=2026-11-21'])(
    'refuses %s',
    async (query) => {
      expect(await payments.call('GET', `/payment-links?${query}`)).toMatchObject(
        refusal(400, 'invalid_parameters', expect.stringContaining('Query: ')),
      )
    },
  )
})
