/** Specification part 2, "Integration payment links", "Integration payments events": the results of a checkout. */
import { describe, expect, test } from 'vitest'
import { completeLink, processLink, type Payer } from '../../../src/state/integration-payments/completion.ts'
import {
  CARD,
  freshProject,
  NOON,
  type CustomerBody,
  type Project,
} from '../../support/integrationPayments.ts'
import { loadRecords } from '../../support/records.ts'

const id = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}[A-Za-z0-9]{20}$`))

const complete = ({ fresh }: Project, hashUrl: string, payer?: Payer) =>
  completeLink(fresh.workspace, hashUrl, payer)

const customersOf = async ({ ask }: Project): Promise<CustomerBody[]> =>
  (await ask<{ customers: CustomerBody[] }>('GET', '/v1/customers')).customers

describe('a paid payment link', () => {
  test('creates a customer with a stored card', async () => {
    const project = await freshProject()
    const { hashUrl } = await project.addPaymentLink({ customer: { name: 'Ana', email: 'ana@example.com' } })
    const { customer } = complete(project, hashUrl, { card: CARD })
    const customers = await customersOf(project)
    expect(customers).toEqual([
      {
        id: customer?.id,
        projectId: project.fresh.workspace.id,
        name: 'Ana',
        email: 'ana@example.com',
        phone: null,
        status: 'active',
        paymentProvider: 'processor_a',
        customerVaultId: id('vault_'),
        cardLast4: '4444',
        cardBrand: 'network_2',
        cardBin: '555555',
        cardExp: '0830',
        createdAt: NOON,
        updatedAt: NOON,
      },
    ])
  })

  test('emits customer.created, payment.success and charge.succeeded, in this order', async () => {
    const project = await freshProject()
    const metadata = { orderRef: 'A-1', nested: { list: [1, 'ü'] } }
    const made = await project.addPaymentLink({ isTest: true, metadata })
    project.setClock('2026-11-21T12:10:00.000Z')
    const { orderId } = complete(project, made.hashUrl, { card: CARD, customerEmail: 'ana@example.com' })
    const paymentLink = await project.findLink(made.hashUrl)
    expect(paymentLink).toMatchObject({
      id: made.id,
      status: 'completed',
      completedAt: '2026-11-21T12:10:00.000Z',
    })
    const [customer] = await customersOf(project)
    const payment = {
      orderId,
      concept: 'Setup',
      amount: 4900,
      currency: 'USD',
      productCode: 'setup-fee',
      card: { brand: 'network_2', last4: '4444' },
      isTest: true,
    }
    expect(orderId).toEqual(id('ord_'))
    expect(project.events()).toEqual([
      { name: 'customer.created', data: { customer, paymentLink, metadata } },
      {
        name: 'payment.success',
        data: {
          payment: { ...payment, method: 'card', customerEmail: 'ana@example.com' },
          customer,
          paymentLink,
          metadata,
        },
      },
      {
        name: 'charge.succeeded',
        data: {
          charge: {
            ...payment,
            id: id('ch_'),
            projectId: project.fresh.workspace.id,
            customerId: customer?.id,
            paymentLinkId: made.id,
            paymentProvider: 'processor_a',
            status: 'succeeded',
            createdAt: '2026-11-21T12:10:00.000Z',
          },
          metadata,
        },
      },
    ])
  })

  test('records the charge in the currency of the product', async () => {
    const project = await freshProject()
    await project.addProduct({ productCode: 'local', currency: 'PAB' })
    const { hashUrl } = await project.addPaymentLink({ productCode: 'local' })
    complete(project, hashUrl)
    const [records] = project.fresh.dump() as [{ 'integration-payments': { charges: unknown[] } }]
    expect(records['integration-payments'].charges).toMatchObject([
      { amount: 4900, currency: 'PAB', productCode: 'local', cardLast4: '4242' },
    ])
  })

  test('emits empty metadata if it has none', async () => {
    const project = await freshProject()
    complete(project, (await project.addPaymentLink()).hashUrl)
    expect(project.events().map(({ data }) => data['metadata'])).toEqual([{}, {}, {}])
  })

  test('is paid once, whatever is tried afterwards', async () => {
    const project = await freshProject()
    const { hashUrl } = await project.addPaymentLink()
    complete(project, hashUrl)
    const before = project.fresh.dump()
    expect(() => complete(project, hashUrl)).toThrow('is completed')
    expect(project.fresh.dump()).toEqual(before)
    expect(project.events()).toHaveLength(3)
  })
})

describe('a completed collection link', () => {
  test('creates a customer, emits only customer.created, and charges nothing', async () => {
    const project = await freshProject()
    const { hashUrl } = await project.addCollectionLink({ metadata: { ref: 7 } })
    const { orderId } = complete(project, hashUrl, { card: CARD })
    const [customer] = await customersOf(project)
    expect(customer).toMatchObject({ cardLast4: '4444', email: 'payer@example.com' })
    expect(orderId).toEqual(id('ord_'))
    expect(project.events()).toEqual([
      {
        name: 'customer.created',
        data: { customer, paymentLink: await project.findLink(hashUrl), metadata: { ref: 7 } },
      },
    ])
    expect(project.fresh.dump()).toMatchObject([{ 'integration-payments': { charges: [] } }])
  })
})

describe('card', () => {
  test('is an approved test card that has not expired by default', async () => {
    const project = await freshProject()
    complete(project, (await project.addCollectionLink()).hashUrl)
    expect(await customersOf(project)).toMatchObject([
      { cardBrand: 'network_1', cardBin: '424242', cardLast4: '4242', cardExp: '1229' },
    ])
  })

  test('is that of the started payment by default', async () => {
    const project = await freshProject()
    const { hashUrl } = await project.addPaymentLink()
    processLink(project.fresh.workspace, hashUrl, { card: CARD, customerEmail: 'ana@example.com' })
    expect(project.events()).toEqual([])
    complete(project, hashUrl)
    expect(await customersOf(project)).toMatchObject([{ cardLast4: '4444', email: 'ana@example.com' }])
  })

  test('of the completion replaces that one', async () => {
    const project = await freshProject()
    const { hashUrl } = await project.addPaymentLink()
    processLink(project.fresh.workspace, hashUrl, { card: CARD })
    complete(project, hashUrl, { card: { ...CARD, last4: '0005' } })
    expect(await customersOf(project)).toMatchObject([{ cardLast4: '0005' }])
  })

  test('is stored without additional data', async () => {
    const project = await freshProject()
    const typed = { ...CARD, number: '5555555555554444', cvc: '987' }
    const { hashUrl } = await project.addPaymentLink()
    processLink(project.fresh.workspace, hashUrl, { card: typed })
    complete(project, hashUrl, { card: typed })
    const stateBefore = JSON.stringify([project.fresh.dump(), project.events()])
    expect(stateBefore).not.toContain('5555555555554444')
    expect(stateBefore).not.toContain('987"')
  })
})

describe('a one_time link', () => {
  async function withLink(fields: Record<string, unknown>) {
    const project = await freshProject()
    const link = {
      id: 'link_1',
      hashUrl: 'one',
      linkType: 'one_time',
      customerName: 'Feria',
      concept: 'Deposit',
      amount: 500,
      currency: 'USD',
      isTest: false,
      requestCustomerEmail: false,
      createdAt: NOON,
      updatedAt: NOON,
      expiresAt: '2027-01-01T00:00:00.000Z',
      ...fields,
    }
    await loadRecords(project.fresh.app, project.fresh.workspace, {
      'integration-payments': { links: [link] },
    })
    return project
  }

  test('emits only payment.success, because it stores no card', async () => {
    const project = await withLink({ paymentMethods: ['wallet_1'] })
    expect(complete(project, 'one').customer).toBeNull()
    expect(project.events()).toEqual([
      {
        name: 'payment.success',
        data: {
          payment: expect.objectContaining({
            method: 'wallet_1',
            amount: 500,
            card: { brand: null, last4: null },
          }) as unknown,
          paymentLink: await project.findLink('one'),
          metadata: {},
        },
      },
    ])
    expect((await project.listLinks('?paymentProvider=wallet_1')).total).toBe(1)
  })

  test('is paid by card if one is given', async () => {
    const project = await withLink({ paymentMethods: ['wallet_1', 'card'] })
    complete(project, 'one', { card: CARD })
    expect((await project.listLinks('?paymentProvider=card')).total).toBe(1)
    expect(await customersOf(project)).toEqual([])
  })
})

test('refuses a payment link in a snapshot without a charge, and changes nothing', async () => {
  const project = await freshProject()
  const { hashUrl } = await project.addPaymentLink()
  const [records] = project.fresh.dump() as [{ 'integration-payments': { links: { amount: null }[] } }]
  for (const link of records['integration-payments'].links) link.amount = null
  await loadRecords(project.fresh.app, project.fresh.workspace, records)
  const before = project.fresh.dump()
  const answer = await project.pull('link.complete', { hashUrl })
  expect(answer).toMatchObject({ status: 409 })
  expect(project.fresh.dump()).toEqual(before)
})

test('writes all effects of a payment together or not at all', async () => {
  const project = await freshProject()
  const { hashUrl } = await project.addPaymentLink()
  const before = project.fresh.dump()
  project.fresh.app.workspaces.events.follow((_workspace, { name }) => {
    if (name === 'charge.succeeded') throw new Error('nobody listens')
  })
  expect(() => complete(project, hashUrl)).toThrow('nobody listens')
  expect(project.fresh.dump()).toEqual(before)
  expect(project.events()).toEqual([])
})
