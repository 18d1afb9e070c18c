/** The page of an invoice in Spanish, and the e-mail with it. */
import { expect, test } from 'vitest'
import { PAYMENT_TYPES } from '../../../src/state/lite-invoicing/tables.ts'
import { emailsOf, inSpanish, SPANISH } from '../../support/languages.ts'
import { CANAL, freshLiteInvoicing } from '../../support/liteInvoicing.ts'
import { pathOf, titleOf, visibleTextOf } from '../../support/payers.ts'

const DATA = [
  'Canal Logistics',
  'Silla',
  'Chair',
  'Zoe Miller',
  'AB-1',
  'B/.',
  'Cheque',
  'El cliente no la aceptó',
]

test('an invoice and its cancellation are shown in Spanish, with separated thousands', async () => {
  const { issue, cancel, fresh } = await freshLiteInvoicing()
  const types = Object.keys(PAYMENT_TYPES)
  const { id, documentUrl } = await issue({
    client: { taxReceiverType: '01', ...CANAL },
    items: [{ description: 'Silla', qty: 1000, price: 1250.5, taxes: [{ code: '01' }] }],
    payments: types.map((type, index) => ({ type, amount: index === 0 ? 1_338_025 : 1 })),
  })
  const path = pathOf(documentUrl)
  const page = await inSpanish(fresh.call, path, DATA)
  expect(titleOf(page)).toBe('Factura 0000000001')
  const shown = visibleTextOf(page)
  expect(shown).toContain('21 de noviembre de 2026 a las 12:00 p.m. GMT-5 Receptor Canal Logistics')
  expect(shown).toContain('Silla 1,000 1,250.5 7 % 1,250,500.00 Subtotal B/. 1,250,500.00')
  expect(shown).toContain('Total B/. 1,338,035.00')
  await cancel({ id, reason: 'El cliente no la aceptó' })
  const canceled = await inSpanish(fresh.call, path, DATA)
  expect(titleOf(canceled)).toBe('Anulada: Factura 0000000001')
  expect(visibleTextOf(canceled)).toMatch(/Anulada el 21 de noviembre de 2026 .*: El cliente no la aceptó/)
})

test.each([{ foreignTaxId: 'AB-1' }, { passport: 'AB-1' }])(
  'a foreigner with %j is named in Spanish',
  async (id) => {
    const { issue, fresh } = await freshLiteInvoicing()
    const client = { taxReceiverType: '04', taxName: 'Zoe Miller', country: 'US', ...id }
    const page = await inSpanish(fresh.call, pathOf((await issue({ client })).documentUrl), DATA)
    expect(visibleTextOf(page)).toContain('País Estados Unidos')
  },
)

test('an e-mail has the language of the call that issues the invoice, else English', async () => {
  const { call, fresh } = await freshLiteInvoicing()
  const issue = async (headers: Readonly<Record<string, string>>): Promise<void> => {
    const body = {
      branchId: '0001',
      client: { taxReceiverType: '02', taxName: 'Rosa', email: 'rosa@example.com' },
      items: [{ description: 'Silla', qty: 2, price: 1250 }],
      payments: [{ type: '02', amount: 2500 }],
    }
    expect(await call('POST', '/invoicing/lite', { body, headers })).toMatchObject({ status: 200 })
  }
  await issue(SPANISH)
  await issue({})
  const [english, spanish] = await emailsOf(fresh)
  expect(spanish?.subject).toBe('Factura 1 de Test workspace')
  expect(spanish?.text).toMatch(
    /^Hola, Rosa:\n\nSe emitió su factura 1 por B\/\. 2,500\.00\.\n\nCUFE: \S+\n$/,
  )
  expect(english?.subject).toBe('Invoice 2 of Test workspace')
  expect(english?.text).toMatch(/^Rosa,\n\nyour invoice 2 over B\/\. 2,500\.00 has been issued\.\n/)
})
