/** Specification part 2, "Integration payments: links": the fields of a new link. */
import { describe, expect, test } from 'vitest'
import {
  freshProject,
  NEXT_NOON,
  NOON,
  PAYMENT,
  refusal,
  statusAndBody,
  type Project,
} from '../../support/integrationPayments.ts'

const anything = expect.any(String) as unknown
const naming = (words: string): unknown => expect.stringContaining(words)

const checkout = ({ fresh }: Project, hashUrl: string): string =>
  `http://127.0.0.1:4012/integration-pay/checkout/${fresh.workspace.id}/${hashUrl}`

describe('collection link', () => {
  test('shows the given fields, the URL of its checkout, and its expiry', async () => {
    const project = await freshProject()
    const body = {
      customer: { name: 'Ana Castillo', email: 'ana@example.com' },
      isTest: true,
      redirectUrl: 'https://shop.example.com/done?order=1',
      metadata: { orderRef: 'A-1', lines: [1, 2], nested: { deep: null } },
    }
    const answer = await project.call('POST', '/v1/collections/links', { body })
    expect(answer.status).toBe(201)
    const { data } = answer.body as { data: { hashUrl: string } }
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^link_[A-Za-z0-9]{20}$/) as unknown,
        paymentLinkUrl: checkout(project, data.hashUrl),
        hashUrl: expect.stringMatching(/^[\w-]{21}$/) as unknown,
        customerName: 'Ana Castillo',
        customerEmail: 'ana@example.com',
        status: 'pending',
        isTest: true,
        expiresAt: NEXT_NOON,
        createdAt: NOON,
        redirectUrl: 'https://shop.example.com/done?order=1',
      },
      message: 'Collection link created',
      timestamp: NOON,
    })
    expect(await project.findLink(data.hashUrl)).toMatchObject({ metadata: body.metadata })
    expect(project.events()).toEqual([])
  })

  test('requires only the name of the customer', async () => {
    const { addCollectionLink } = await freshProject()
    expect(await addCollectionLink()).toMatchObject({
      customerEmail: null,
      isTest: false,
      redirectUrl: null,
    })
  })

  test('is at the public URL of the server', async () => {
    const { addCollectionLink, fresh } = await freshProject({ publicUrl: 'https://sim.example.com/' })
    const { paymentLinkUrl, hashUrl } = await addCollectionLink()
    expect(paymentLinkUrl).toBe(
      `https://sim.example.com/integration-pay/checkout/${fresh.workspace.id}/${hashUrl}`,
    )
  })

  test('has a unique hash', async () => {
    const { addCollectionLink } = await freshProject()
    expect((await addCollectionLink()).hashUrl).not.toBe((await addCollectionLink()).hashUrl)
  })
})

describe('payment link', () => {
  test('shows its concept and amount as well', async () => {
    const project = await freshProject()
    const answer = await project.call('POST', '/v1/collections/payment-links', { body: PAYMENT })
    expect(answer.status).toBe(201)
    const { data } = answer.body as { data: { hashUrl: string } }
    expect(data).toEqual({
      id: expect.stringMatching(/^link_/) as unknown,
      paymentLinkUrl: checkout(project, data.hashUrl),
      hashUrl: anything,
      customerName: 'Ana Castillo',
      customerEmail: null,
      concept: 'Setup',
      amount: 4900,
      status: 'pending',
      isTest: false,
      expiresAt: NEXT_NOON,
      createdAt: NOON,
      redirectUrl: null,
    })
  })

  test('requires an amount', async () => {
    const { call } = await freshProject()
    const body = { ...PAYMENT, amount: undefined }
    expect(statusAndBody(await call('POST', '/v1/collections/payment-links', { body }))).toEqual(
      refusal(400, 'ERR_VALIDATION', 'amount is required'),
    )
  })

  test('accepts an addon, because it is a one_time product', async () => {
    const { addPaymentLink, addProduct } = await freshProject()
    await addProduct({ productCode: 'addon', requiresSubscription: true })
    expect(await addPaymentLink({ productCode: 'addon' })).toMatchObject({ status: 'pending' })
  })

  test.each([
    ['that is unknown', {}, 404, 'ERR_PRODUCT_NOT_FOUND'],
    [
      'that is recurring',
      { paymentType: 'recurring', billingPeriod: 'month' },
      400,
      'ERR_PRODUCT_NOT_ONE_TIME',
    ],
    ['that is inactive', { status: 'inactive' }, 400, 'ERR_PRODUCT_NOT_ACTIVE'],
    ['that is archived', { status: 'archived' }, 400, 'ERR_PRODUCT_NOT_ACTIVE'],
  ])('refuses a product %s', async (_which, fields, status, code) => {
    const { addProduct, call, fresh } = await freshProject()
    if (Object.keys(fields).length > 0) await addProduct({ productCode: 'other', ...fields })
    const before = fresh.dump()
    const body = { ...PAYMENT, productCode: 'other' }
    expect(statusAndBody(await call('POST', '/v1/collections/payment-links', { body }))).toEqual(
      refusal(status, code, naming('other')),
    )
    expect(fresh.dump()).toEqual(before)
  })
})

describe.each([
  ['/v1/collections/links', { customer: { name: 'Ana' } }],
  ['/v1/collections/payment-links', PAYMENT],
])('POST %s', (path, valid) => {
  /** Exactly this many characters of JSON. */
  const metadataOf = (characters: number) => ({ x: 'a'.repeat(characters - '{"x":""}'.length) })

  test.each<[string, Record<string, unknown>]>([
    ['a redirect over http', { redirectUrl: 'http://localhost:3000/done' }],
    ['20000 characters of metadata', { metadata: metadataOf(20_000) }],
    ['unknown fields', { nonsense: 1, status: 'completed', hashUrl: 'mine' }],
  ])('accepts %s', async (_what, more) => {
    const { call } = await freshProject()
    const answer = await call('POST', path, { body: { ...valid, ...more } })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ data: { status: 'pending' } })
    expect(answer.text).not.toContain('"mine"')
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a redirect without a host', { redirectUrl: '/done' }, 'redirectUrl'],
    ['a redirect to a script', { redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    ['a redirect with another protocol', { redirectUrl: 'ftp://a.co/' }, 'redirectUrl'],
    ['20001 characters of metadata', { metadata: metadataOf(20_001) }, 'metadata'],
  ])('refuses %s', async (_what, more, field) => {
    const { call, fresh } = await freshProject()
    const before = fresh.dump()
    expect(statusAndBody(await call('POST', path, { body: { ...valid, ...more } }))).toEqual(
      refusal(400, 'ERR_VALIDATION', naming(field)),
    )
    expect(fresh.dump()).toEqual(before)
  })
})
