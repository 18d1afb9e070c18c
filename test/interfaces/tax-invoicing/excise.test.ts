/** IEPS by rate and by quota, the IVA on it, and repeated taxes in a line. */
import { expect, test } from 'vitest'
import { schemaErrors, whyNoOfficialFiles } from '../../support/authority.ts'
import { freshPaying, type ReceiptBody } from '../../support/paying.ts'
import { freshInvoicing, invoiceBody, IVA_16, line, refusalOf } from '../../support/taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

const tax = (impuesto: string, tipo_factor: string, tasa?: number | string) => ({
  impuesto,
  tipo_factor,
  ...(tasa !== undefined && { tasa }),
})

const IEPS = tax('003', 'Tasa', 0.265)
const QUOTA = tax('003', 'Cuota', 5.9195)

const charged = (traslados: readonly Fields[], fields: Fields = {}, retenciones: readonly Fields[] = []) =>
  line({ valor_unitario: 100, impuestos: { traslados, retenciones }, ...fields })

/** 100 l at 20.00. */
const LITERS = { cantidad: 100, valor_unitario: 20, clave_unidad: 'LTR', clave_prod_serv: '15101505' }

test.each<[what: string, concept: Fields, bases: number[], importes: (number | null)[], total: number]>([
  ['IVA on a line with IEPS', charged([IEPS, IVA_16]), [100, 126.5], [26.5, 20.24], 146.74],
  ['IVA before the IEPS', charged([IVA_16, IEPS]), [126.5, 100], [20.24, 26.5], 146.74],
  ['IEPS by quota', charged([QUOTA], LITERS), [100], [591.95], 2591.95],
  [
    'IVA on a line with IEPS by quota',
    charged([QUOTA, IVA_16], LITERS),
    [100, 2591.95],
    [591.95, 414.712],
    3006.66,
  ],
  [
    'IEPS by rate and by quota',
    charged([tax('003', 'Tasa', 1.6), tax('003', 'Cuota', '0.6166'), IVA_16], {
      cantidad: 20,
      valor_unitario: 3,
    }),
    [60, 20, 168.332],
    [96, 12.332, 26.93312],
    195.26,
  ],
  [
    'a discount that keeps the quantity',
    charged([QUOTA], { ...LITERS, descuento: 500 }),
    [100],
    [591.95],
    2091.95,
  ],
  ['a discount before IEPS', charged([IEPS, IVA_16], { descuento: 20 }), [80, 101.2], [21.2, 16.192], 117.39],
  [
    'a full discount on a quantity',
    charged([QUOTA], { ...LITERS, descuento: 2000 }),
    [100],
    [591.95],
    591.95,
  ],
  ['an exemption from IVA', charged([IEPS, tax('002', 'Exento')]), [100, 126.5], [26.5, null], 126.5],
  ['only IVA', charged([IVA_16]), [100], [16], 116],
])('computes an invoice with %s', async (_what, concept, bases, importes, total) => {
  const { issue, getInvoice, xmlOf } = await freshInvoicing()
  const made = await issue({ conceptos: [concept] })
  expect(made.total).toBe(total)
  const { conceptos, total_impuestos_trasladados: taxes } = await getInvoice(made.id)
  const traslados = conceptos[0]?.impuestos.traslados ?? []
  expect(traslados.map(({ base }) => base)).toEqual(bases)
  expect(traslados.map(({ importe }) => importe)).toEqual(importes)
  const sum = importes.reduce<number>((before, each) => before + Math.round((each ?? 0) * 100), 0)
  expect(Math.round(taxes * 100)).toBe(sum)

  const xml = await xmlOf(made.id)
  if (whyNoOfficialFiles === null) expect(schemaErrors(xml)).toBe('')
  const [, ofDocument = ''] = xml.split('</cfdi:Conceptos>')
  expect([...ofDocument.matchAll(/<cfdi:Traslado Base="([^"]+)"/g)].map(([, base]) => Number(base))).toEqual(
    bases.map((base) => Math.round(base * 100) / 100),
  )
  expect(xml).toContain(`Total="${total.toFixed(2)}"`)
})

test('uses the base of the IVA for withheld IVA, and the amount of the line for ISR', async () => {
  const { issue, getInvoice } = await freshInvoicing()
  const withheld = [tax('002', 'Tasa', 0.1), tax('001', 'Tasa', 0.1), tax('003', 'Cuota', 2)]
  const { id } = await issue({ conceptos: [charged([IEPS, IVA_16], { cantidad: 2 }, withheld)] })
  const { conceptos } = await getInvoice(id)
  expect(conceptos[0]?.impuestos.retenciones).toMatchObject([
    { base: 253, importe: 25.3 },
    { base: 200, importe: 20 },
    { base: 2, importe: 4 },
  ])
})

test('refuses a fully discounted line with a tax on its amount', async () => {
  const { send } = await freshInvoicing()
  const concept = charged([QUOTA, IEPS], { ...LITERS, descuento: 2000 })
  expect(refusalOf(await send({ conceptos: [concept] }))).toEqual([422, 'CFDI40174', 'conceptos.0.descuento'])
})

const EXEMPT = tax('002', 'Exento')
const HALF_IVA = tax('002', 'Tasa', 0.08)
const WITHHELD_IEPS = tax('003', 'Tasa', 0.265)

test.each<[what: string, concept: Fields, field: string]>([
  ['IVA', charged([IVA_16, IVA_16]), 'traslados.1'],
  ['IVA in other digits', charged([IVA_16, { ...IVA_16, tasa: '0.160000' }]), 'traslados.1'],
  ['IVA apart from itself', charged([IVA_16, IEPS, IVA_16]), 'traslados.2'],
  ['IVA at another rate', charged([IVA_16, HALF_IVA]), 'traslados.1'],
  ['IVA at a rate of 0', charged([IVA_16, tax('002', 'Tasa', 0)]), 'traslados.1'],
  ['IVA and an exemption from IVA', charged([IVA_16, EXEMPT]), 'traslados.1'],
  ['an exemption from IVA and IVA', charged([EXEMPT, IVA_16]), 'traslados.1'],
  ['an exempt tax', charged([EXEMPT, EXEMPT]), 'traslados.1'],
  ['a quota', charged([QUOTA, QUOTA]), 'traslados.1'],
  ['another quota', charged([QUOTA, tax('003', 'Cuota', 1)]), 'traslados.1'],
  ['IEPS at another rate', charged([IEPS, tax('003', 'Tasa', 0.3)]), 'traslados.1'],
  ['IEPS and an exemption from it', charged([IEPS, tax('003', 'Exento')]), 'traslados.1'],
  ['a withheld tax', charged([], {}, [tax('001', 'Tasa', 0.1), tax('001', 'Tasa', 0.1)]), 'retenciones.1'],
  [
    'ISR at another rate',
    charged([], {}, [tax('001', 'Tasa', 0.1), tax('001', 'Tasa', 0.2)]),
    'retenciones.1',
  ],
  ['withheld IVA at another rate', charged([], {}, [IVA_16, HALF_IVA]), 'retenciones.1'],
  [
    'withheld IEPS at another rate',
    charged([], {}, [WITHHELD_IEPS, tax('003', 'Tasa', 0.3)]),
    'retenciones.1',
  ],
])('refuses a line and a product that repeat a tax: %s', async (_what, concept, field) => {
  const { send, ask, call, fresh } = await freshInvoicing()
  const before = fresh.dump()
  const answer = await send({ conceptos: [concept] })
  const refused = {
    status: 422,
    body: { error: { details: [{ field: `conceptos.0.impuestos.${field}`, code: 'duplicate' }] } },
  }
  expect(answer).toMatchObject(refused)
  expect(
    await ask('POST', '/invoices/batch', { invoices: [invoiceBody({ conceptos: [concept] })] }),
  ).toMatchObject({ failed: 1, results: [{ status: 'error', details: refused.body.error.details }] })
  const { clave_prod_serv, descripcion, clave_unidad, valor_unitario, objeto_imp, impuestos } = concept
  const product = {
    nombre_interno: 'X',
    clave_prod_serv,
    descripcion,
    clave_unidad,
    valor_unitario,
    objeto_imp,
    impuestos,
  }
  expect(await call('POST', '/products', { body: product })).toMatchObject({
    status: 422,
    body: { error: { details: [{ field: `impuestos.${field}`, code: 'duplicate' }] } },
  })
  expect(fresh.dump()).toEqual(before)
})

test('accepts a tax charged and withheld, IEPS by rate and by quota, and other rates in other lines', async () => {
  const { send } = await freshInvoicing()
  for (const conceptos of [
    [charged([IVA_16], {}, [IVA_16])],
    [charged([IEPS, QUOTA])],
    [charged([IVA_16], {}, [WITHHELD_IEPS, tax('003', 'Cuota', 2)])],
    [charged([IVA_16]), charged([HALF_IVA]), charged([EXEMPT])],
  ]) {
    expect(await send({ conceptos })).toMatchObject({ status: 201 })
  }
})

test('uses the taxes of the invoice in receipts, credit notes and reports', async () => {
  const { issueLater, issue, pay, ask, call } = await freshPaying()
  const conceptos = [charged([QUOTA, IVA_16], LITERS)]
  const { uuid, id } = await issueLater({ conceptos })
  const half = await pay(uuid, 1503.33)
  const taxesOf = (receipt: ReceiptBody) => receipt.documentos_relacionados[0]?.impuestos_dr.traslados
  expect(taxesOf(half)).toMatchObject([
    { impuesto: '003', tipo_factor: 'Cuota', base: 50, importe: 295.975 },
    { impuesto: '002', base: 1295.975, importe: 207.356 },
  ])
  const { text: xml } = await call('GET', `/payment-receipts/${half.id}/xml`)
  if (whyNoOfficialFiles === null) expect(schemaErrors(xml)).toBe('')
  expect(xml).toContain('TotalTrasladosBaseIVA16="1295.98" TotalTrasladosImpuestoIVA16="207.36"')
  const again = await pay(uuid, 1503.33, {}, { impuestos_dr: half.documentos_relacionados[0]?.impuestos_dr })
  expect(taxesOf(again)).toEqual(taxesOf(half))

  const report = () => ask<Fields>('GET', '/reports/taxes?period=month&date=2026-11-21')
  const tasa16 = { base: 2591.95, importe: 414.71 }
  expect(await report()).toMatchObject({ iva_trasladado: { tasa_16: tasa16, total: 414.71 } })
  const { uuid: stamped } = await ask<{ uuid: string }>('GET', `/invoices/${id}`)
  const relations = [{ tipo_relacion: '01', uuids: [stamped] }]
  expect(await issue({ type: 'E', conceptos, cfdi_relacionados: relations })).toMatchObject({
    total: 3006.66,
  })
  expect(await report()).toMatchObject({ iva_trasladado: { tasa_16: { base: 0, importe: 0 }, total: 0 } })
})
