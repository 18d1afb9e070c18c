/** Issuing invoices. Specification part 2, "Lite invoicing". */
import { expect, test } from 'vitest'
import { eventsOf } from '../../support/events.ts'
import { CANAL, freshLiteInvoicing, NOON, refusal } from '../../support/liteInvoicing.ts'

const OF_TEN = { description: 'Chair', qty: 1, price: 10 }
const paid = (...amounts: (number | string)[]) => amounts.map((amount) => ({ type: '02', amount }))

test('authorizes an invoice at once', async () => {
  const { issue, fresh } = await freshLiteInvoicing()
  const invoice = await issue({
    client: { taxReceiverType: '01', ...CANAL },
    items: [{ description: 'Office chair', qty: 2, price: 149.9, taxes: [{ code: '01' }] }],
    payments: paid(320.79),
  })
  const { cufe } = invoice
  expect(invoice).toEqual({
    id: 1,
    number: '0000000001',
    cufe: expect.stringMatching(
      /^FE0120000155700001-2-2021-43000120261121000000000100101 ?2\d{10}$/,
    ) as string,
    status: 'authorized',
    branchId: '0001',
    subTotal: 299.8,
    taxTotal: 20.99,
    total: 320.79,
    issuedAt: NOON,
    documentUrl: `${fresh.app.workspaces.publicUrl.current}/einvoice-external/invoices/${fresh.workspace.id}/${cufe}`,
  })
  expect(cufe).toHaveLength(66)
  expect((await issue()).id).toBe(2)
})

test('includes the day in Panama and the last four digits of the branch in the CUFE', async () => {
  const { issue, fresh } = await freshLiteInvoicing()
  fresh.setClock('2026-11-22T04:59:59.000Z')
  expect((await issue({ branchId: 31_234_567 })).cufe.slice(28, 40)).toBe('456720261121')
  fresh.setClock('2026-11-22T05:00:00.000Z')
  expect((await issue({ branchId: 'main' })).cufe.slice(28, 40)).toBe('000020261122')
})

test.each([
  ['00', 0, 100],
  ['01', 7, 107],
  ['02', 10, 110],
  ['03', 15, 115],
])('computes ITBMS %s of 100 as %d', async (code, tax, total) => {
  const { issue } = await freshLiteInvoicing()
  const items = [{ description: 'Chair', qty: 10, price: 10, taxes: [{ code }] }]
  const invoice = await issue({ items, payments: paid(total) })
  expect(invoice).toMatchObject({ subTotal: 100, taxTotal: tax, total })
})

test.each([
  // 0.1 three times is exactly 0.3.
  [[{ qty: 3, price: 0.1 }], 0.3, 0],
  [[{ qty: '0.5', price: '0.25' }], 0.13, 0],
  [[{ qty: 1.005, price: 1 }], 1.01, 0],
  [[{ qty: 1, price: 0.5, taxes: [{ code: '01' }] }], 0.5, 0.04],
  // Each item is rounded separately: two of 0.035 are two of 0.04.
  [
    [
      { qty: 1, price: 0.5, taxes: [{ code: '01' }] },
      { qty: 1, price: 0.5, taxes: [{ code: '01' }] },
    ],
    1,
    0.08,
  ],
  [[{ qty: 1, price: 0.000001 }], 0, 0],
  [[{ qty: 3, price: 33.333333, taxes: [] }], 100, 0],
])('computes for %j the total %d and the tax %d', async (items, subTotal, taxTotal) => {
  const { issue } = await freshLiteInvoicing()
  const total = Number((subTotal + taxTotal).toFixed(2))
  const invoice = await issue({
    items: items.map((item) => ({ description: 'Chair', ...item })),
    payments: paid(total),
  })
  expect(invoice).toMatchObject({ subTotal, taxTotal, total })
})

test.each([
  [[10], 200],
  [[3.33, 3.33, 3.34], 200],
  [['3.10', 6.9], 200],
  [[0.1, 0.2, 9.7], 200],
  [[10.01], 400],
  [[9.99], 400],
  [[5, 5, 5], 400],
])('for payments of %j of an invoice over 10.00 returns %i', async (amounts, status) => {
  const { send } = await freshLiteInvoicing()
  expect((await send({ payments: paid(...amounts) })).status).toBe(status)
})

test.each([
  [{ branchId: undefined }, 'branchId'],
  [{ items: [{ ...OF_TEN, qty: 0 }] }, 'items.0.qty'],
  [{ items: [{ ...OF_TEN, qty: '0' }] }, 'items.0.qty'],
  [{ items: [{ ...OF_TEN, qty: '00.000' }] }, 'items.0.qty'],
  [{ items: [{ ...OF_TEN, qty: 1.0000001 }] }, 'items.0.qty'],
  [{ items: [OF_TEN, { ...OF_TEN, price: 0.0000001 }] }, 'items.1.price'],
  [{ items: [{ ...OF_TEN, price: '1e3' }] }, 'items.0.price'],
  [{ items: [{ ...OF_TEN, taxes: [{ code: '00' }, { code: '01' }] }] }, 'items.0.taxes'],
  [{ items: [{ ...OF_TEN, qty: 99_999_999, price: 999 }] }, 'items'],
  [{ payments: paid(5, 4.999, 0.001) }, 'payments.1.amount'],
  [{ payments: paid(11, -1) }, 'payments.1.amount'],
  [{ payments: paid(9) }, 'payments'],
])('refuses %j and changes nothing', async (fields, field) => {
  const { send, fresh } = await freshLiteInvoicing()
  const before = fresh.dump()
  expect(await send(fields)).toMatchObject(refusal(400, 'VALIDATION_ERROR', field))
  expect(fresh.dump()).toEqual(before)
})

const TO_CANAL = { taxReceiverType: '01', ...CANAL }
const FOREIGNER = { taxReceiverType: '04', taxName: 'Marta Ibáñez' }

test.each([
  [TO_CANAL],
  [{ ...TO_CANAL, taxDv: '12', taxIdType: 2, passport: null }],
  [{ ...TO_CANAL, taxIdType: '02' }],
  [{ ...TO_CANAL, taxReceiverType: '03' }],
  [{ taxReceiverType: '01', taxName: 'Beatriz Mora', taxId: '8-442-445', taxDv: '08', taxIdType: 1 }],
  [{ taxReceiverType: '03', taxName: 'Ministerio', taxId: '8-NT-1-13178', taxDv: 35, taxIdType: 2 }],
  [{ taxReceiverType: '03', taxName: 'Ministerio', taxId: '8NT-1-13178', taxDv: 35 }],
  [{ taxReceiverType: '03', taxName: 'Alcaldía', taxId: '8-NT-2-4249', taxDv: '08', taxIdType: '02' }],
  [{ taxReceiverType: '01', taxName: 'Ana', taxId: '8-NT-2-4249', taxDv: 77, taxIdType: 1 }],
  [{ taxReceiverType: '01', taxName: 'Chiriquí Land', taxId: '49-572-8631', taxDv: 19 }],
  [{ taxReceiverType: '01', taxName: 'Mora y Compañía', taxId: '8-442-445', taxDv: 20, taxIdType: 2 }],
  [{ taxReceiverType: '01', taxName: 'Mora y Compañía', taxId: '8-0442-00445', taxDv: 20 }],
  [{ taxReceiverType: '02' }],
  [{ taxReceiverType: '02', taxName: 'Beatriz Mora', taxId: '8-442-445' }],
  [{ taxReceiverType: '02', taxId: '8-442-445', taxDv: 8 }],
  [{ taxReceiverType: '02', taxId: 'CIP-000-000-0000' }],
  [{ taxReceiverType: '02', taxId: ' cip-000-000-0000', taxDv: null, taxIdType: null }],
  [{ ...FOREIGNER, foreignTaxId: 'ES-B12345678' }],
  [{ ...FOREIGNER, passport: 'XDA112233', country: 'ES' }],
  [{ ...FOREIGNER, foreignTaxId: 'ES-B12345678', country: 'ES' }],
])('accepts the recipient %j', async (client) => {
  const { sendTo } = await freshLiteInvoicing()
  expect((await sendTo(client)).status).toBe(200)
})

const without = (of: object, field: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(of).filter(([name]) => name !== field))

test.each([
  ...(['01', '03'] as const).flatMap((taxReceiverType) =>
    ['taxName', 'taxId', 'taxDv'].map(
      (field) => [without({ ...TO_CANAL, taxReceiverType }, field), field] as const,
    ),
  ),
  [{ ...TO_CANAL, taxDv: 13 }, 'taxDv'],
  [{ ...TO_CANAL, taxDv: 100 }, 'taxDv'],
  [{ ...TO_CANAL, taxId: 'B12345678' }, 'taxId'],
  [{ ...TO_CANAL, taxIdType: 1 }, 'taxIdType'],
  [{ ...TO_CANAL, taxId: 'PE-10-442', taxDv: 50, taxIdType: 2 }, 'taxIdType'],
  [{ ...TO_CANAL, taxId: '8-NT-1-13178', taxDv: 35, taxIdType: 1 }, 'taxDv'],
  [{ ...TO_CANAL, taxId: '8-NT-1-13178', taxDv: 2, taxIdType: 2 }, 'taxDv'],
  [{ ...TO_CANAL, taxId: '8-442-445', taxDv: 8, taxIdType: 2 }, 'taxDv'],
  [{ ...TO_CANAL, taxId: '8-442-445', taxDv: 21 }, 'taxDv'],
  [{ ...TO_CANAL, taxId: '49-572-8631', taxDv: 19, taxIdType: 1 }, 'taxIdType'],
  [{ ...TO_CANAL, foreignTaxId: 'ES-B12345678' }, 'foreignTaxId'],
  [{ ...TO_CANAL, passport: 'XDA112233' }, 'passport'],
  [{ taxReceiverType: '02', taxDv: 8 }, 'taxDv'],
  [{ taxReceiverType: '02', taxId: '8-442-445', taxDv: 9 }, 'taxDv'],
  [{ taxReceiverType: '02', taxId: 'CIP-000-000-0000', taxDv: 0 }, 'taxDv'],
  [{ taxReceiverType: '02', taxId: 'CIP-000-000-0000', taxIdType: 1 }, 'taxIdType'],
  [{ taxReceiverType: '02', taxId: 'CIP-000-000-0001' }, 'taxId'],
  [{ taxReceiverType: '01', taxName: 'Nobody', taxId: 'CIP-000-000-0000', taxDv: 0 }, 'taxId'],
  [{ taxReceiverType: '02', country: 'ES' }, 'country'],
  [FOREIGNER, 'foreignTaxId'],
  [{ taxReceiverType: '04', foreignTaxId: 'ES-B12345678' }, 'taxName'],
  [{ ...FOREIGNER, passport: 'XDA112233' }, 'country'],
  [{ ...FOREIGNER, foreignTaxId: 'ES-B1', passport: 'XDA112233' }, 'country'],
  [{ ...FOREIGNER, passport: 'XDA112233', country: 'XX' }, 'country'],
  [{ ...FOREIGNER, foreignTaxId: 'ES-B1', taxId: '8-442-445' }, 'taxId'],
] as const)('refuses the recipient %j', async (client, field) => {
  const { sendTo, fresh } = await freshLiteInvoicing()
  const before = fresh.dump()
  expect(await sendTo(client)).toMatchObject(refusal(400, 'VALIDATION_ERROR', `client.${field}`))
  expect(fresh.dump()).toEqual(before)
})

test.each([
  [{ taxReceiverType: '01', taxId: '8-0442-00445', taxDv: 8 }, '8-442-445', 8],
  [{ taxReceiverType: '01', taxId: '8-0442-00445', taxDv: 20 }, '8-442-445', 20],
  [{ taxReceiverType: '02', taxId: '08-442-445' }, '8-442-445', 8],
  [{ taxReceiverType: '03', taxId: '8nt-1-13178', taxDv: 35 }, '8-NT-1-13178', 35],
  [{ taxReceiverType: '01', taxId: '8-av-432-658', taxDv: 71 }, '8AV-432-658', 71],
  [{ taxReceiverType: '01', taxId: '61302-14-0123411', taxDv: 22 }, '61302-14-123411', 22],
])('issues an invoice to %j with its canonical RUC %s and DV %i', async (client, taxId, taxDv) => {
  const { issue, fresh } = await freshLiteInvoicing()
  const { documentUrl } = await issue({ client: { taxName: 'Somebody', ...client } })
  const [issued] = eventsOf(fresh.workspace, 'lite-invoicing')
  expect(issued?.data).toMatchObject({ invoice: { client: { taxId, taxDv } } })
  const { text } = await fresh.call('GET', new URL(documentUrl).pathname)
  expect(text).toContain(`${taxId} DV ${String(taxDv).padStart(2, '0')}`)
})

test('restores an invoice to a final consumer without a RUC from a snapshot, and shows a placeholder on its page', async () => {
  const { issue, fresh } = await freshLiteInvoicing()
  const { documentUrl } = await issue({ client: { taxReceiverType: '02', taxId: 'CIP-000-000-0000' } })
  const at = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { body } = await fresh.call('GET', at)
  expect((await fresh.call('PUT', at, { body })).status).toBe(204)
  const { text } = await fresh.call('GET', new URL(documentUrl).pathname)
  expect(text).toContain('CIP-000-000-0000')
})

test('sends the invoice to the e-mail address of the recipient if there is one', async () => {
  const { issue, sendTo, fresh } = await freshLiteInvoicing()
  await issue()
  await sendTo({ taxReceiverType: '02', email: 'ana@example.com' })
  const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/emails`)
  const { data } = body as { data: unknown[] }
  expect(data).toHaveLength(1)
  expect(data[0]).toMatchObject({ interface: 'lite-invoicing', to: 'ana@example.com' })
})

test('assigns a number once, also after a snapshot is put', async () => {
  const { issue, cancel, fresh } = await freshLiteInvoicing()
  await issue()
  const at = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { body } = await fresh.call('GET', at)
  await issue()
  expect((await fresh.call('PUT', at, { body })).status).toBe(204)
  expect((await issue()).id).toBe(2)
  expect((await cancel({ id: 1 })).status).toBe(200)
})
