/** Taxes of a payment that the tax authority would refuse, on both sides of each limit. */
import { expect, test } from 'vitest'
import { schemaErrors, whyNoOfficialFiles } from '../../support/authority.ts'
import { freshPaying, problemsOf } from '../../support/paying.ts'
import { IVA_16, line, refusalOf } from '../../support/taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

const IVA = { base: 86.21, ...IVA_16 }
const WITHHELD = { base: 86.21, impuesto: '002', tipo_factor: 'Tasa', tasa: 0.106667 }

const EXEMPT = { impuesto: '002', tipo_factor: 'Exento' }
const ISR = { impuesto: '001', tipo_factor: 'Tasa', tasa: 0.1 }
const ZERO_RATE = { ...IVA_16, tasa: 0 }

/** An invoice with a line of 1,000.00 for each list of charged and withheld taxes. */
const linesWith = (...taxes: readonly { traslados?: Fields[]; retenciones?: Fields[] }[]): Fields => ({
  conceptos: taxes.map((impuestos) => line({ impuestos })),
})

const charged = (fields: Fields): Fields => ({ traslados: [{ ...IVA, ...fields }] })
const withheld = (fields: Fields): Fields => ({ retenciones: [{ ...WITHHELD, ...fields }] })

test.each<[why: string, taxes: Fields, field: string, code: string]>([
  ['a base above the payment', charged({ base: 100.01 }), 'traslados.0.base', 'too_large'],
  ['a base far above', charged({ base: 500_000, importe: 1 }), 'traslados.0.base', 'too_large'],
  ['a second base above', { traslados: [IVA, { ...IVA, base: 101 }] }, 'traslados.1.base', 'too_large'],
  ['a withholding base above', withheld({ base: 100.01 }), 'retenciones.0.base', 'too_large'],
  ['a duplicate tax', { traslados: [IVA, { ...IVA, tasa: '0.160000' }] }, 'traslados.1', 'duplicate'],
  ['a duplicate withheld tax', { retenciones: [WITHHELD, WITHHELD] }, 'retenciones.1', 'duplicate'],
  [
    'a quantity whose tax is above the payment',
    charged({ impuesto: '003', tipo_factor: 'Cuota', tasa: 2, base: 50.01 }),
    'traslados.0.base',
    'too_large',
  ],
  ['an amount below its limits', charged({ importe: 13.78 }), 'traslados.0.importe', 'CRP20261'],
  ['an amount above its limits', charged({ importe: 13.81 }), 'traslados.0.importe', 'CRP20261'],
  ['a precise amount below its limits', charged({ importe: '13.7927' }), 'traslados.0.importe', 'CRP20261'],
  ['a precise amount above its limits', charged({ importe: '13.7945' }), 'traslados.0.importe', 'CRP20261'],
  ['a wrong withheld amount', withheld({ importe: 9.21 }), 'retenciones.0.importe', 'CRP20254'],
  ['an unknown rate', charged({ tasa: 0.17 }), 'traslados.0.tasa', 'CRP20260'],
  ['an unknown withheld rate', withheld({ tasa: 0.17 }), 'retenciones.0.tasa', 'CRP20253'],
  ['no rate', charged({ tasa: null }), 'traslados.0.tasa', 'CRP20259'],
  ['no withheld rate', withheld({ tasa: null }), 'retenciones.0.tasa', 'CRP20253'],
  ['an unknown tax', charged({ impuesto: '009' }), 'traslados.0.impuesto', 'CRP20256'],
  ['charged ISR', charged({ impuesto: '001' }), 'traslados.0.impuesto', 'CRP20256'],
  ['an unknown withheld tax', withheld({ impuesto: '009' }), 'retenciones.0.impuesto', 'CRP20250'],
  ['a rate for an exempt tax', charged({ tipo_factor: 'Exento' }), 'traslados.0.tasa', 'CRP20258'],
  [
    'an amount for an exempt tax',
    charged({ tipo_factor: 'Exento', tasa: null, importe: 0 }),
    'traslados.0.importe',
    'CRP20258',
  ],
  [
    'an exempt withheld tax',
    withheld({ tipo_factor: 'Exento', tasa: null }),
    'retenciones.0.tipo_factor',
    'CRP20252',
  ],
  ['a base of 0 as a text', charged({ base: '0.00' }), 'traslados.0.base', 'invalid_format'],
  ['a base with seven decimals', charged({ base: 86.2068966 }), 'traslados.0.base', 'too_precise'],
  ['a rate with seven decimals', charged({ tasa: 0.1600001 }), 'traslados.0.tasa', 'too_precise'],
  ['an amount with seven decimals', charged({ importe: 13.7936001 }), 'traslados.0.importe', 'too_precise'],
  [
    'a withholding base with seven decimals',
    withheld({ base: 86.2068966 }),
    'retenciones.0.base',
    'too_precise',
  ],
])('refuses a payment with %s and changes nothing', async (_why, taxes, field, code) => {
  const { issueLater, tryPay, fresh } = await freshPaying()
  const { uuid } = await issueLater()
  const before = fresh.dump()
  const answer = await tryPay(uuid, 100, {}, { impuestos_dr: taxes })
  expect(answer.status).toBe(422)
  expect(problemsOf(answer)[0]).toEqual({ field: `documentos_relacionados.0.impuestos_dr.${field}`, code })
  expect(fresh.dump()).toEqual(before)
})

test.each<[why: string, invoice: Fields, paid: number, taxes: Fields, field: string, code: string]>([
  ['another rate', {}, 100, charged({ tasa: 0.08 }), 'traslados.0', 'mismatch'],
  ['an exempt tax', {}, 100, { traslados: [IVA, { base: 100, ...EXEMPT }] }, 'traslados.1', 'mismatch'],
  [
    'a rate instead of the exemption',
    linesWith({ traslados: [EXEMPT] }),
    100,
    charged({ tasa: 0 }),
    'traslados.0',
    'mismatch',
  ],
  ['excise', {}, 100, charged({ impuesto: '003', tasa: 0.08 }), 'traslados.0', 'mismatch'],
  ['a withheld tax', {}, 100, withheld({}), 'retenciones.0', 'mismatch'],
  [
    'a tax of the other side',
    linesWith({ retenciones: [IVA_16] }),
    100,
    charged({}),
    'traslados.0',
    'mismatch',
  ],
  ['a base of 1', {}, 1160, charged({ base: 1 }), 'traslados.0.base', 'too_small'],
  ['a base of two cents too little', {}, 100, charged({ base: 86.19 }), 'traslados.0.base', 'too_small'],
  [
    'less than the other lines leave',
    linesWith({ traslados: [IVA_16] }, { traslados: [ZERO_RATE] }),
    1116,
    charged({ base: 99.99 }),
    'traslados.0.base',
    'too_small',
  ],
  [
    'a base above that of the invoice',
    linesWith({ traslados: [IVA_16] }, { traslados: [ZERO_RATE] }),
    2160,
    charged({ base: 1000.01 }),
    'traslados.0.base',
    'too_large',
  ],
])(
  'refuses a payment with %s, which its invoice can not have',
  async (_why, invoice, paid, taxes, field, code) => {
    const { issueLater, tryPay, fresh } = await freshPaying()
    const { uuid } = await issueLater(invoice)
    const before = fresh.dump()
    const answer = await tryPay(uuid, paid, {}, { impuestos_dr: taxes })
    expect(answer.status).toBe(422)
    expect(problemsOf(answer)).toEqual([{ field: `documentos_relacionados.0.impuestos_dr.${field}`, code }])
    expect(fresh.dump()).toEqual(before)
  },
)

test('reports all errors of taxes at once', async () => {
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

test.each<[why: string, invoice: Fields, paid: number, taxes: Fields]>([
  ['a base equal to the payment', {}, 100, charged({ base: 100 })],
  ['a base that rounds to the payment', {}, 100, charged({ base: '100.009999' })],
  ['no amount', {}, 100, charged({})],
  ['an amount with two decimals', {}, 100, charged({ importe: 13.79 })],
  ['an amount rounded up', {}, 100, charged({ importe: 13.8 })],
  ['a precise amount at its lower limit', {}, 100, charged({ importe: '13.7928' })],
  ['a precise amount at its upper limit', {}, 100, charged({ importe: '13.7944' })],
  ['six decimals each', {}, 100, charged({ base: '86.206897', tasa: '0.160000', importe: '13.793104' })],
  ['an exempt tax', linesWith({ traslados: [EXEMPT] }), 100, { traslados: [{ base: 100, ...EXEMPT }] }],
  [
    'a rate of 0',
    linesWith({ traslados: [ZERO_RATE] }),
    100,
    { traslados: [{ base: 100, ...ZERO_RATE, importe: 0 }] },
  ],
  [
    'a withheld tax',
    linesWith({ traslados: [IVA_16], retenciones: [{ ...IVA_16, tasa: 0.106667 }] }),
    100,
    withheld({ importe: 9.2 }),
  ],
  [
    'a quantity above the payment with a tax equal to it',
    {
      conceptos: [
        line({
          cantidad: 1000,
          valor_unitario: 0.01,
          impuestos: { traslados: [{ impuesto: '003', tipo_factor: 'Cuota', tasa: '0.5' }] },
        }),
      ],
    },
    100,
    charged({ impuesto: '003', tipo_factor: 'Cuota', tasa: '0.5', base: 200, importe: 100 }),
  ],
  [
    'IVA at two rates',
    linesWith({ traslados: [IVA_16] }, { traslados: [{ ...IVA_16, tasa: 0.08 }] }),
    100,
    { traslados: [IVA, { ...IVA, tasa: 0.08 }] },
  ],
  [
    'only one of two rates',
    linesWith({ traslados: [IVA_16] }, { traslados: [ZERO_RATE] }),
    1160,
    { traslados: [{ base: 1000, ...IVA_16 }] },
  ],
  [
    'the least of a rate that the other lines leave',
    linesWith({ traslados: [IVA_16] }, { traslados: [ZERO_RATE] }),
    1116,
    {
      traslados: [
        { base: 100, ...IVA_16 },
        { base: 1000, ...ZERO_RATE },
      ],
    },
  ],
  ['a base that is a cent too small after rounding', {}, 100, charged({ base: 86.2 })],
  [
    'a base above the payment, because more is withheld than charged',
    { conceptos: [line({ impuestos: { traslados: [EXEMPT], retenciones: [ISR] } })] },
    900,
    { traslados: [{ base: 1000, ...EXEMPT }], retenciones: [{ base: 1000, ...ISR, importe: 100 }] },
  ],
  [
    'a base with more decimals than the total of its invoice',
    {
      conceptos: [line({ valor_unitario: '1000.004', impuestos: { traslados: [EXEMPT] } })],
    },
    1000,
    { traslados: [{ base: '1000.004', ...EXEMPT }] },
  ],
])('stamps a payment with %s and valid XML', async (_why, invoice, paid, taxes) => {
  const { issueLater, pay, call } = await freshPaying()
  const { uuid } = await issueLater(invoice)
  const { id } = await pay(uuid, paid, {}, { impuestos_dr: taxes })
  const { text: xml } = await call('GET', `/payment-receipts/${id}/xml`)
  if (whyNoOfficialFiles === null) expect(schemaErrors(xml)).toBe('')
})

test('accepts the taxes that it computes itself for a payment', async () => {
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
  ['rounds to zero', { valor_unitario: 0.001 }],
  [
    'is fully withheld',
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
])('leaves no balance of an invoice whose total %s', async (_what, concept) => {
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
