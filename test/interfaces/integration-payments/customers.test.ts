/** Specification part 2, "Integration payments: customer": customers, their limits, and storing a card. */
import { describe, expect, test } from 'vitest'
import {
  freshProject,
  NOON,
  refusal,
  statusAndBody,
  type CustomerBody,
} from '../../support/integrationPayments.ts'

const CUSTOMER = { name: 'Ana Castillo', email: 'ana@example.com' }
const invalid = (field: string) => refusal(400, 'ERR_VALIDATION', expect.stringContaining(field) as unknown)

describe('customer', () => {
  test('is created without a card', async () => {
    const { call, ask, fresh, events } = await freshProject()
    const made = await call('POST', '/v1/customers', { body: { ...CUSTOMER, phone: '+507 6000 0000' } })
    expect(made.status).toBe(201)
    const { customer } = (made.body as { data: { customer: CustomerBody } }).data
    expect(made.body).toEqual({
      success: true,
      data: {
        customer: {
          id: expect.stringMatching(/^cus_[A-Za-z0-9]{20}$/) as unknown,
          projectId: fresh.workspace.id,
          ...CUSTOMER,
          phone: '+507 6000 0000',
          status: 'active',
          paymentProvider: null,
          customerVaultId: null,
          cardLast4: null,
          cardBrand: null,
          cardBin: null,
          cardExp: null,
          createdAt: NOON,
          updatedAt: NOON,
        },
      },
      message: 'Customer created',
      timestamp: NOON,
    })
    expect(await ask('GET', `/v1/customers/${customer.id}`)).toEqual({ customer })
    // customer.created comes "after a card is stored".
    expect(events()).toEqual([])
  })

  test('has null without a phone', async () => {
    const { addCustomer } = await freshProject()
    expect(await addCustomer()).toMatchObject({ phone: null })
  })

  test('can be sent back as it is shown, with and without a card', async () => {
    const { ask, addCustomer } = await freshProject()
    const shown = await addCustomer()
    expect(await ask('POST', '/v1/customers', shown)).toMatchObject({ customer: { phone: null } })
    const path = `/v1/customers/${shown.id}/vault`
    const first = await ask('POST', path, { ...shown, customerVaultId: 'vault-1' })
    const bare = { cardLast4: null, cardBrand: null, cardBin: null, cardExp: null }
    expect(first).toMatchObject({ customer: { paymentProvider: 'processor_a', ...bare } })
    expect(await ask('POST', path, (first as { customer: CustomerBody }).customer)).toEqual(first)
  })

  test('may have the e-mail address of another', async () => {
    const { addCustomer } = await freshProject()
    expect((await addCustomer()).id).not.toBe((await addCustomer()).id)
  })

  test('returns not found if it is unknown', async () => {
    const { call } = await freshProject()
    const unknown = refusal(404, 'ERR_CUSTOMER_NOT_FOUND', 'There is no customer cus_x.')
    expect(statusAndBody(await call('GET', '/v1/customers/cus_x'))).toEqual(unknown)
    // Found before the body is checked.
    expect(statusAndBody(await call('POST', '/v1/customers/cus_x/vault', { body: {} }))).toEqual(unknown)
  })
})

describe('storing a card', () => {
  const CARD = { cardLast4: '4242', cardBrand: 'network_1', cardBin: '424242', cardExp: '1229' }

  async function vault(fields: Record<string, unknown>) {
    const project = await freshProject()
    const customer = await project.addCustomer()
    project.setClock('2026-11-21T12:05:00.000Z')
    const path = `/v1/customers/${customer.id}/vault`
    const answer = await project.call('POST', path, { body: fields })
    return { ...project, customer, path, answer }
  }

  test('keeps the reference and the public data', async () => {
    const fields = { customerVaultId: 'vault-1', paymentProvider: 'processor_b', ...CARD }
    const { answer, ask, customer } = await vault(fields)
    expect(answer.status).toBe(200)
    const vaulted = { ...customer, ...fields, updatedAt: '2026-11-21T12:05:00.000Z' }
    expect(answer.body).toMatchObject({ message: 'Customer vaulted', data: { customer: vaulted } })
    expect(await ask('GET', `/v1/customers/${customer.id}`)).toEqual({ customer: vaulted })
  })

  test('requires only the reference; the default processor is processor_a', async () => {
    const { answer } = await vault({ customerVaultId: 'vault-1' })
    expect(answer.body).toMatchObject({
      data: {
        customer: {
          customerVaultId: 'vault-1',
          paymentProvider: 'processor_a',
          cardLast4: null,
          cardBrand: null,
          cardBin: null,
          cardExp: null,
        },
      },
    })
  })

  test('again replaces the old card', async () => {
    const { ask, path } = await vault({ customerVaultId: 'vault-1', paymentProvider: 'processor_b', ...CARD })
    expect(await ask('POST', path, { customerVaultId: 'vault-2', cardLast4: '0005' })).toMatchObject({
      customer: {
        customerVaultId: 'vault-2',
        paymentProvider: 'processor_a',
        cardLast4: '0005',
        cardBrand: null,
        cardBin: null,
        cardExp: null,
      },
    })
  })

  test.each([
    ['cardBin', '424242'],
    ['cardBin', '42424242'],
    ['cardExp', '0100'],
    ['cardExp', '1299'],
    ['cardLast4', '0000'],
  ])('accepts the %s %j', async (field, value) => {
    const { answer } = await vault({ customerVaultId: 'v', [field]: value })
    expect(answer.body).toMatchObject({ data: { customer: { [field]: value } } })
  })

  test.each([
    ['cardBin', '42424'],
    ['cardBin', '424242424'],
    ['cardBin', '42424a'],
    ['cardExp', '1329'],
    ['cardExp', '0029'],
    ['cardExp', '12/29'],
    ['cardExp', '122029'],
    ['cardLast4', '424'],
    ['cardLast4', '42424'],
    ['cardLast4', 4242],
  ])('refuses the %s %j', async (field, value) => {
    const { answer, ask, customer } = await vault({ customerVaultId: 'v', [field]: value })
    expect(statusAndBody(answer)).toEqual({
      ...invalid(field),
      body: { ...invalid(field).body, timestamp: '2026-11-21T12:05:00.000Z' },
    })
    expect(await ask('GET', `/v1/customers/${customer.id}`)).toEqual({ customer })
  })
})
