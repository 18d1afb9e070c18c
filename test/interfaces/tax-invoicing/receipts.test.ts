/** Payment receipts: installments, balances, refused payments, and the XML. */
import { describe, expect, test } from 'vitest'
import {
  attributeOf,
  certificateOf,
  isSealed,
  officialText,
  schemaErrors,
  whyNoOfficialFiles,
} from '../../support/authority.ts'
import { multiply } from '../../support/filling.ts'
import { freshPaying, type ReceiptBody } from '../../support/paying.ts'
import { COMPANY, IVA_16, line, PUBLIC, refusalOf } from '../../support/taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

test('carries installments and balances from receipt to receipt, exact to the cent', async () => {
  const { issueLater, pay, tryPay } = await freshPaying()
  const { uuid } = await issueLater()
  const documents = []
  for (const amount of [386.67, 386.67, 386.66]) {
    documents.push((await pay(uuid, amount)).documentos_relacionados[0])
  }
  expect(documents).toMatchObject([
    { num_parcialidad: 1, saldo_anterior: 1160, importe_pagado: 386.67, saldo_insoluto: 773.33 },
    { num_parcialidad: 2, saldo_anterior: 773.33, saldo_insoluto: 386.66 },
    { num_parcialidad: 3, saldo_anterior: 386.66, saldo_insoluto: 0 },
  ])
  expect(refusalOf(await tryPay(uuid, 0.01))).toEqual([
    422,
    'CRP20244',
    'documentos_relacionados.0.importe_pagado',
  ])
})

test('refuses more than the balance and changes nothing', async () => {
  const { issueLater, tryPay, fresh } = await freshPaying()
  const { uuid } = await issueLater()
  const before = fresh.dump()
  expect(refusalOf(await tryPay(uuid, 1160.01))).toEqual([
    422,
    'CRP20244',
    'documentos_relacionados.0.importe_pagado',
  ])
  expect(fresh.dump()).toEqual(before)
  expect((await tryPay(uuid, 1160)).status).toBe(201)
})

test('accepts 999 receipts for an invoice, because the installment number has three digits', async () => {
  const { issueLater, pay, tryPay, fresh } = await freshPaying()
  const { uuid } = await issueLater()
  await pay(uuid, 1)
  multiply(fresh.workspace, 'tax_receipt_documents', 997, { num_parcialidad: 'n + 1' })
  expect((await pay(uuid, 1)).documentos_relacionados).toMatchObject([{ num_parcialidad: 999 }])
  expect(refusalOf(await tryPay(uuid, 1))).toEqual([
    422,
    'validation_error',
    'documentos_relacionados.0.uuid_factura',
  ])
})

test('refuses a receipt for an invoice paid at once', async () => {
  const { issue, tryPay } = await freshPaying()
  const { uuid } = await issue()
  expect(refusalOf(await tryPay(uuid, 100))).toEqual([
    422,
    'validation_error',
    'documentos_relacionados.0.uuid_factura',
  ])
})

test('refuses a receipt for an invoice with a pending cancellation', async () => {
  const { issueLater, tryPay, ask } = await freshPaying()
  const { uuid, id } = await issueLater()
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  expect(refusalOf(await tryPay(uuid, 100))).toEqual([
    422,
    'validation_error',
    'documentos_relacionados.0.uuid_factura',
  ])
})

test('checks the optional fields of a payment', async () => {
  const { issueLater, tryPay } = await freshPaying()
  const { uuid } = await issueLater()
  const right = {
    num_parcialidad: 1,
    saldo_anterior: 1160,
    saldo_insoluto: 1060,
    serie: 'A',
    folio: 1,
    moneda_dr: 'MXN',
  }
  for (const [field, value] of Object.entries({
    num_parcialidad: 2,
    saldo_anterior: 1000,
    saldo_insoluto: 1050,
    serie: 'B',
    folio: 2,
    moneda_dr: 'USD',
  })) {
    const answer = await tryPay(uuid, 100, {}, { ...right, [field]: value })
    expect(refusalOf(answer)[2]).toBe(`documentos_relacionados.0.${field}`)
  }
  expect((await tryPay(uuid, 100, {}, right)).status).toBe(201)
})

test.each<[field: string, code: string, fields: Fields, document: Fields]>([
  ['forma_pago', 'CRP20212', { forma_pago: '99' }, {}],
  ['moneda', 'CRP20213', { moneda: 'XXX' }, {}],
  ['tipo_cambio', 'CRP20215', { tipo_cambio: 2 }, {}],
  ['tipo_cambio', 'CRP20214', { moneda: 'USD' }, { equivalencia_dr: 18 }],
  ['documentos_relacionados.0.equivalencia_dr', 'CRP20238', { moneda: 'USD', tipo_cambio: 18 }, {}],
  ['documentos_relacionados.0.equivalencia_dr', 'CRP20238', {}, { equivalencia_dr: 2 }],
  ['monto', 'CRP20217', { monto: 99.99 }, {}],
  ['rfc_banco_ordenante', 'CRP20221', { forma_pago: '01', rfc_banco_ordenante: 'BBA830831LJ2' }, {}],
  ['cuenta_ordenante', 'CRP20221', { cuenta_ordenante: '123' }, {}],
  ['documentos_relacionados.0.impuestos_dr', 'CRP20246', {}, { objeto_imp_dr: '02', impuestos_dr: {} }],
  [
    'documentos_relacionados.0.impuestos_dr',
    'CRP20247',
    {},
    { objeto_imp_dr: '01', impuestos_dr: { traslados: [{ base: 86.21, ...IVA_16 }] } },
  ],
])('refuses a receipt with an invalid %s with %s', async (field, code, fields, document) => {
  const { issueLater, tryPay } = await freshPaying()
  const { uuid } = await issueLater()
  expect(refusalOf(await tryPay(uuid, 100, fields, document))).toEqual([422, code, field])
})

test('restores the balance when a receipt is cancelled', async () => {
  const { issueLater, pay, ask, call } = await freshPaying()
  const { uuid, id } = await issueLater()
  const first = await pay(uuid, 160)
  expect(await call('POST', `/invoices/${id}/cancel`, { body: { motivo: '02' } })).toMatchObject({
    status: 409,
  })
  expect(await ask('POST', `/invoices/${first.id}/cancel`, { motivo: '02' })).toMatchObject({
    status: 'cancelled',
  })
  const second = await pay(uuid, 1160)
  expect(second.documentos_relacionados).toMatchObject([
    { num_parcialidad: 1, saldo_anterior: 1160, saldo_insoluto: 0 },
  ])
})

test('accepts tax ids of banks and in filters in any case', async () => {
  const { issueLater, pay, ask } = await freshPaying()
  const { uuid } = await issueLater()
  const { id } = await pay(uuid, 10, { rfc_banco_ordenante: 'bba830831lj2' })
  const { data } = await ask<{ data: ReceiptBody[] }>('GET', '/payment-receipts?receptor_rfc=ure-180429-tm6')
  expect(data).toMatchObject([{ id, rfc_banco_ordenante: 'BBA830831LJ2' }])
})

test('assigns each installment number to one active receipt, and frees it with a cancellation', async () => {
  const { issueLater, pay, ask, call } = await freshPaying()
  const { uuid } = await issueLater()
  const cancel = (id: string) => ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  const partOf = (receipt: ReceiptBody) => receipt.documentos_relacionados[0]?.num_parcialidad
  const [first, second, third] = [await pay(uuid, 100), await pay(uuid, 100), await pay(uuid, 100)]
  expect([first, second, third].map(partOf)).toEqual([1, 2, 3])
  await cancel(second.id)
  expect((await call('GET', `/payment-receipts/${second.id}/xml`)).text).toContain('NumParcialidad="2"')
  const again = await pay(uuid, 50, {}, { num_parcialidad: 2, saldo_anterior: 960 })
  expect(partOf(again)).toBe(2)
  expect((await call('GET', `/payment-receipts/${again.id}/xml`)).text).toContain('NumParcialidad="2"')
  expect(partOf(await pay(uuid, 50))).toBe(4)
  await cancel(first.id)
  await cancel(again.id)
  expect([await pay(uuid, 1), await pay(uuid, 1), await pay(uuid, 1)].map(partOf)).toEqual([1, 2, 5])
})

test('stores receipts as invoices of type P, and lists them by recipient, invoice and day', async () => {
  const { issueLater, pay, ask, events } = await freshPaying()
  const { uuid } = await issueLater()
  const receipt = await pay(uuid, 160)
  expect(receipt).toMatchObject({
    type: 'P',
    serie: 'P',
    folio: 1,
    status: 'active',
    monto: 160,
    fecha_pago: '2026-11-19T18:00:00.000Z',
  })
  expect(await ask('GET', '/invoices?type=P')).toMatchObject({
    data: [{ id: receipt.id, total: 0, moneda: 'XXX' }],
  })
  const count = async (query: string) =>
    (await ask<{ meta: { total_count: number } }>('GET', `/payment-receipts?${query}`)).meta.total_count
  expect(await count(`invoice_uuid=${uuid.toLowerCase()}`)).toBe(1)
  expect(await count('invoice_uuid=5F6B7C8D-0000-4000-8000-000000000001')).toBe(0)
  expect(await count(`receptor_rfc=${COMPANY.rfc}`)).toBe(1)
  expect(await count('receptor_rfc=XAXX010101000')).toBe(0)
  expect(await count('from=2026-11-21&to=2026-11-21')).toBe(1)
  expect(await count('to=2026-11-20')).toBe(0)
  expect(events()).toContain('payment_receipt.created')
})

describe.skipIf(whyNoOfficialFiles !== null)('XML of a receipt', () => {
  const RATES = [
    line(),
    line({
      impuestos: {
        traslados: [{ ...IVA_16, tasa: 0.08 }],
        retenciones: [
          { impuesto: '001', tipo_factor: 'Tasa', tasa: '0.0125' },
          { ...IVA_16, tasa: '0.106667' },
        ],
      },
    }),
    line({ impuestos: { traslados: [{ impuesto: '002', tipo_factor: 'Exento' }] } }),
    line({ impuestos: { traslados: [{ ...IVA_16, tasa: 0 }] } }),
  ]
  test.each<[string, Fields, unknown, Fields, Fields]>([
    ['of one full payment', {}, 1160, {}, {}],
    [
      'with many rates',
      { conceptos: RATES },
      1234.56,
      {
        cuenta_ordenante: '012345678901234567',
        rfc_banco_ordenante: 'BBA830831LJ2',
        numero_operacion: 'A&B',
      },
      {},
    ],
    [
      'of an invoice without taxes',
      { conceptos: [line({ objeto_imp: '01', impuestos: null })] },
      1000,
      {},
      {},
    ],
    [
      'in another currency',
      {},
      1160,
      { moneda: 'USD', tipo_cambio: 18.5, monto: 62.71 },
      { equivalencia_dr: 18.5 },
    ],
    ['of an invoice to the public', { receptor: { ...PUBLIC, nombre: 'ANA' } }, 10, {}, {}],
  ])('%s is valid and sealed', async (_what, invoice, amount, fields, document) => {
    const { issueLater, pay, call } = await freshPaying()
    const { uuid } = await issueLater(invoice)
    const { id } = await pay(uuid, amount, fields, document)
    const { text: xml } = await call('GET', `/payment-receipts/${id}/xml`)
    expect(schemaErrors(xml)).toBe('')
    expect(isSealed(officialText(xml), attributeOf(xml, 'Sello'), certificateOf(xml))).toBe(true)
  })
})

describe('a receipt that replaces another', () => {
  const replaces = (...uuids: readonly string[]): Fields => ({
    cfdi_relacionados: [{ tipo_relacion: '04', uuids }],
  })

  test('takes its place, and leaves it when the old one is cancelled', async () => {
    const { issueLater, pay, tryPay, ask, xmlOf } = await freshPaying()
    const { uuid, id } = await issueLater()
    const old = await pay(uuid, 1160)
    expect((await tryPay(uuid, 1160)).status).toBe(422)
    const sent = { num_parcialidad: 1, saldo_anterior: 1160, saldo_insoluto: 0 }
    const replacing = await pay(uuid, 1160, { forma_pago: '02', ...replaces(old.uuid.toLowerCase()) }, sent)
    expect(replacing).toMatchObject({
      cfdi_relacionados: [{ tipo_relacion: '04', uuids: [old.uuid] }],
      documentos_relacionados: [sent],
    })
    const xml = await xmlOf(replacing.id)
    expect(xml).toContain(
      `<cfdi:CfdiRelacionados TipoRelacion="04"><cfdi:CfdiRelacionado UUID="${old.uuid}"/></cfdi:CfdiRelacionados>`,
    )
    if (whyNoOfficialFiles === null) expect(schemaErrors(xml)).toBe('')
    const reason = { motivo: '01', uuid_sustitucion: replacing.uuid }
    expect(await ask('POST', `/invoices/${old.id}/cancel`, reason)).toMatchObject({ status: 'cancelled' })
    expect((await tryPay(uuid, 0.01)).status).toBe(422)
    await ask('POST', `/invoices/${replacing.id}/cancel`, { motivo: '02' })
    expect(await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })).toMatchObject({
      status: 'cancellation_pending',
    })
  })

  test('takes a place before later receipts, up to what they left', async () => {
    const { issueLater, pay, tryPay, fresh } = await freshPaying()
    const { uuid } = await issueLater()
    const old = await pay(uuid, 500)
    await pay(uuid, 600)
    const before = fresh.dump()
    expect(refusalOf(await tryPay(uuid, 560.01, replaces(old.uuid)))).toEqual([
      422,
      'CRP20244',
      'documentos_relacionados.0.importe_pagado',
    ])
    expect(fresh.dump()).toEqual(before)
    expect((await pay(uuid, 560, replaces(old.uuid))).documentos_relacionados).toMatchObject([
      { num_parcialidad: 1, saldo_anterior: 1160, saldo_insoluto: 600 },
    ])
    expect((await tryPay(uuid, 0.01)).status).toBe(422)
  })

  test('gives its place back if it is cancelled first, unless another payment has taken it', async () => {
    const { issueLater, pay, tryPay, ask, call } = await freshPaying()
    const [one, other] = [await issueLater(), await issueLater()]
    const old = await pay(one.uuid, 1160)
    const misplaced = await pay(other.uuid, 1160, replaces(old.uuid))
    await ask('POST', `/invoices/${misplaced.id}/cancel`, { motivo: '02' })
    expect((await tryPay(other.uuid, 1160)).status).toBe(201)
    expect((await tryPay(one.uuid, 0.01)).status).toBe(422)

    const second = await pay(other.uuid, 1, {
      ...replaces(old.uuid),
      documentos_relacionados: [{ uuid_factura: (await issueLater()).uuid, importe_pagado: 1 }],
    })
    await pay(one.uuid, 1160)
    const refused = await call('POST', `/invoices/${second.id}/cancel`, { body: { motivo: '02' } })
    expect(refused).toMatchObject({ status: 409 })
    await ask('POST', `/invoices/${old.id}/cancel`, { motivo: '01', uuid_sustitucion: second.uuid })
    await ask('POST', `/invoices/${second.id}/cancel`, { motivo: '02' })
  })

  test.each(['01', '04'])('replaces nothing by %s without an active receipt', async (tipo_relacion) => {
    const { issueLater, pay, tryPay } = await freshPaying()
    const { uuid } = await issueLater()
    const old = await pay(uuid, 1160)
    const related = tipo_relacion === '04' ? uuid : old.uuid
    const relation = { cfdi_relacionados: [{ tipo_relacion, uuids: [related] }] }
    expect((await tryPay(uuid, 1160, relation)).status).toBe(422)
  })

  test('has a relation of the catalog', async () => {
    const { issueLater, tryPay } = await freshPaying()
    const { uuid } = await issueLater()
    const unknown = { cfdi_relacionados: [{ tipo_relacion: '99', uuids: [uuid] }] }
    expect(refusalOf(await tryPay(uuid, 1, unknown))).toEqual([
      422,
      'CFDI40137',
      'cfdi_relacionados.0.tipo_relacion',
    ])
  })
})
