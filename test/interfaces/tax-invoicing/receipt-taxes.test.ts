/** Taxes that are sent with a payment: what the authority would not stamp of them, on both sides of each limit. */
import { expect, test } from 'vitest'
import { schemaErrors, whyNoAuthority } from '../../support/authority.ts'
import { freshPaying, problemsOf } from '../../support/paying.ts'
import { IVA_16, line, refusalOf } from '../../support/taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

const IVA = { base: 86.21, ...IVA_16 }
const WITHHELD = { base: 86.21, impuesto: '002', tipo_factor: 'Tasa', tasa: 0.106667 }

const charged = (fields: Fields): Fields => ({ traslados: [{ ...IVA, ...fields }] })
const withheld = (fields: Fields): Fields => ({ retenciones: [{ ...WITHHELD, ...fields }] })

test.each<[why: string, taxes: Fields, field: string, code: string]>([
  ['a base of more than is paid', charged({ base: 100.01 }), 'traslados.0.base', 'too_large'],
  ['a base far beyond', charged({ base: 500_000, importe: 1 }), 'traslados.0.base', 'too_large'],
  ['a second base of more', { traslados: [IVA, { ...IVA, base: 101 }] }, 'traslados.1.base', 'too_large'],
  ['a base withheld from of more', withheld({ base: 100.01 }), 'retenciones.0.base', 'too_large'],
  ['the same tax twice', { traslados: [IVA, { ...IVA, tasa: '0.160000' }] }, 'traslados.1', 'duplicate'],
  ['the same tax withheld twice', { retenciones: [WITHHELD, WITHHELD] }, 'retenciones.1', 'duplicate'],
  [
    'a quantity whose tax is more than is paid',
    charged({ impuesto: '003', tipo_factor: 'Cuota', tasa: 2, base: 50.01 }),
    'traslados.0.base',
    'too_large',
  ],
  ['an amount below its limits', charged({ importe: 13.78 }), 'traslados.0.importe', 'CRP20261'],
  ['an amount above its limits', charged({ importe: 13.81 }), 'traslados.0.importe', 'CRP20261'],
  ['a precise amount below', charged({ importe: '13.7927' }), 'traslados.0.importe', 'CRP20261'],
  ['a precise amount above', charged({ importe: '13.7945' }), 'traslados.0.importe', 'CRP20261'],
  ['a wrong amount withheld', withheld({ importe: 9.21 }), 'retenciones.0.importe', 'CRP20254'],
  ['a rate that there is not', charged({ tasa: 0.17 }), 'traslados.0.tasa', 'CRP20260'],
  ['a rate withheld that there is not', withheld({ tasa: 0.17 }), 'retenciones.0.tasa', 'CRP20253'],
  ['no rate', charged({ tasa: null }), 'traslados.0.tasa', 'CRP20259'],
  ['no rate withheld', withheld({ tasa: null }), 'retenciones.0.tasa', 'CRP20253'],
  ['a tax that there is not', charged({ impuesto: '009' }), 'traslados.0.impuesto', 'CRP20256'],
  ['ISR that is charged', charged({ impuesto: '001' }), 'traslados.0.impuesto', 'CRP20256'],
  ['a tax withheld that there is not', withheld({ impuesto: '009' }), 'retenciones.0.impuesto', 'CRP20250'],
  ['a rate of what is exempt', charged({ tipo_factor: 'Exento' }), 'traslados.0.tasa', 'CRP20258'],
  [
    'an amount of what is exempt',
    charged({ tipo_factor: 'Exento', tasa: null, importe: 0 }),
    'traslados.0.importe',
    'CRP20258',
  ],
  [
    'an exempt tax withheld',
    withheld({ tipo_factor: 'Exento', tasa: null }),
    'retenciones.0.tipo_factor',
    'CRP20252',
  ],
  ['a base of 0 as a text', charged({ base: '0.00' }), 'traslados.0.base', 'invalid_format'],
  ['a base of seven decimals', charged({ base: 86.2068966 }), 'traslados.0.base', 'too_precise'],
  ['a rate of seven decimals', charged({ tasa: 0.1600001 }), 'traslados.0.tasa', 'too_precise'],
  ['an amount of seven decimals', charged({ importe: 13.7936001 }), 'traslados.0.importe', 'too_precise'],
  ['a base withheld from of seven', withheld({ base: 86.2068966 }), 'retenciones.0.base', 'too_precise'],
])('a payment with %s is refused, and changes nothing', async (_why, taxes, field, code) => {
  const { issueLater, tryPay, fresh } = await freshPaying()
  const { uuid } = await issueLater()
  const before = fresh.dump()
  const answer = await tryPay(uuid, 100, {}, { impuestos_dr: taxes })
  expect(answer.status).toBe(422)
  expect(problemsOf(answer)[0]).toEqual({ field: `documentos_relacionados.0.impuestos_dr.${field}`, code })
  expect(fresh.dump()).toEqual(before)
})

test('all that is wrong with taxes is told at once', async () => {
  const { issueLater, tryPay } = await freshPaying()
  const { uuid } = await issueLater()
  const taxes = { ...charged({ tipo_factor: 'Exento', importe: 80 }), ...withheld({ impuesto: '009' }) }
  const answer = await tryPay(uuid, 100, {}, { impuestos_dr: taxes })
  expect(problemsOf(answer).map(({ field }) => field)).toEqual([
    'documentos_relacionados.0.impuestos_dr.traslados.0.tasa',
    'documentos_relacionados.0.impuestos_dr.traslados.0.importe',
    'documentos_relacionados.0.impuestos_dr.retenciones.0.impuesto',
  ])
})

const EXEMPT = { impuesto: '002', tipo_factor: 'Exento' }
const ISR = { impuesto: '001', tipo_factor: 'Tasa', tasa: 0.1 }

test.each<[why: string, invoice: Fields, paid: number, taxes: Fields]>([
  ['a base of what is paid', {}, 100, charged({ base: 100 })],
  ['a base that rounds to what is paid', {}, 100, charged({ base: '100.009999' })],
  ['the amount left out', {}, 100, charged({})],
  ['the amount to the hundredth', {}, 100, charged({ importe: 13.79 })],
  ['the amount rounded up', {}, 100, charged({ importe: 13.8 })],
  ['a precise amount at its lower limit', {}, 100, charged({ importe: '13.7928' })],
  ['a precise amount at its upper limit', {}, 100, charged({ importe: '13.7944' })],
  ['six decimals each', {}, 100, charged({ base: '86.206897', tasa: '0.160000', importe: '13.793104' })],
  ['what is exempt', {}, 100, { traslados: [{ base: 100, ...EXEMPT }] }],
  ['a rate of 0', {}, 100, { traslados: [{ base: 100, ...IVA_16, tasa: 0, importe: 0 }] }],
  ['a tax withheld', {}, 100, withheld({ importe: 9.2 })],
  [
    'a quantity of more than is paid, whose tax is as much',
    {},
    100,
    charged({ impuesto: '003', tipo_factor: 'Cuota', tasa: '0.5', base: 200, importe: 100 }),
  ],
  ['IVA at two rates', {}, 100, { traslados: [IVA, { ...IVA, tasa: 0.08 }] }],
  [
    'a base of more than is paid, for more is withheld than charged',
    { conceptos: [line({ impuestos: { traslados: [EXEMPT], retenciones: [ISR] } })] },
    900,
    { traslados: [{ base: 1000, ...EXEMPT }], retenciones: [{ base: 1000, ...ISR, importe: 100 }] },
  ],
  [
    'a base of more decimals than the total of its invoice',
    {
      conceptos: [line({ valor_unitario: '1000.004', impuestos: { traslados: [EXEMPT] } })],
    },
    1000,
    { traslados: [{ base: '1000.004', ...EXEMPT }] },
  ],
])('a payment with %s is stamped, and its XML is valid', async (_why, invoice, paid, taxes) => {
  const { issueLater, pay, call } = await freshPaying()
  const { uuid } = await issueLater(invoice)
  const { id } = await pay(uuid, paid, {}, { impuestos_dr: taxes })
  const { text: xml } = await call('GET', `/payment-receipts/${id}/xml`)
  if (whyNoAuthority === null) expect(schemaErrors(xml)).toBe('')
})

test('the taxes that are reckoned of a payment are right when they are sent', async () => {
  const { issueLater, pay } = await freshPaying()
  const { uuid } = await issueLater({
    conceptos: [
      line({ valor_unitario: 333.33, impuestos: { traslados: [IVA_16], retenciones: [ISR] } }),
      line({ valor_unitario: 77.77, impuestos: { traslados: [EXEMPT] } }),
      line({ valor_unitario: 0.37, impuestos: { traslados: [{ ...IVA_16, tasa: 0.08 }] } }),
    ],
  })
  for (const amount of [0.01, 13.37, 99.99]) {
    const reckoned = (await pay(uuid, amount)).documentos_relacionados[0]?.impuestos_dr
    expect((await pay(uuid, amount, {}, { impuestos_dr: reckoned })).documentos_relacionados).toMatchObject([
      { impuestos_dr: reckoned },
    ])
  }
})

test.each<[what: string, concept: Fields]>([
  ['rounds to nothing', { valor_unitario: 0.001 }],
  [
    'is all withheld',
    {
      impuestos: {
        traslados: [EXEMPT],
        retenciones: [
          { impuesto: '003', tipo_factor: 'Tasa', tasa: 0.5 },
          { impuesto: '001', tipo_factor: 'Tasa', tasa: 0.34 },
          { impuesto: '002', tipo_factor: 'Tasa', tasa: 0.16 },
        ],
      },
    },
  ],
])('nothing is left of an invoice whose total %s', async (_what, concept) => {
  const { issueLater, tryPay } = await freshPaying()
  const { uuid, total } = await issueLater({ conceptos: [line(concept)] })
  expect(total).toBe(0)
  for (const amount of [1, 0.01]) {
    expect(refusalOf(await tryPay(uuid, amount))).toEqual([
      422,
      'CRP20244',
      'documentos_relacionados.0.importe_pagado',
    ])
  }
  expect(refusalOf(await tryPay(uuid, 1, {}, { importe_pagado: '0.00' }))).toEqual([
    422,
    'validation_error',
    'documentos_relacionados.0.importe_pagado',
  ])
})
