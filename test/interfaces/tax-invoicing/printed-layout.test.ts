/** The layout of the printed form: no text covers another or leaves the page, and related texts stay together. */
import { expect, test } from 'vitest'
import type { FreshApp } from '../../support/app.ts'
import { freshPaying } from '../../support/paying.ts'
import { pagesOfPdf, type PlacedText } from '../../support/pdfTexts.ts'
import { freshTaxRecords, invoiceRecord, recipient } from '../../support/taxRecords.ts'
import { freshInvoicing, IVA_16, line, PUBLIC } from '../../support/taxInvoicing.ts'

const MARGIN = 40
const WIDTH = 612
const FEET = [34, 44]
const BOTTOM = 54

async function pagesAt({ app, key }: FreshApp, path: string): Promise<PlacedText[][]> {
  const answer = await app.fastify.inject({
    url: `/einvoicing/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(answer.statusCode).toBe(200)
  return pagesOfPdf(answer.rawPayload)
}

const covers = (one: PlacedText, other: PlacedText): boolean =>
  one.x < other.right - 0.5 &&
  other.x < one.right - 0.5 &&
  one.y < other.y + 0.7 * other.size - 0.5 &&
  other.y < one.y + 0.7 * one.size - 0.5

/** The layout errors of a page. */
function unreadableOn(page: readonly PlacedText[]): string[] {
  const texts = page.filter(({ text }) => text !== '')
  const outside = texts.filter(
    ({ x, y, right }) =>
      x < MARGIN - 0.5 || right > WIDTH - MARGIN + 0.5 || (y < BOTTOM && !FEET.includes(y)),
  )
  const covered = texts.filter((one, index) => texts.slice(index + 1).some((other) => covers(one, other)))
  return [...outside.map(({ text }) => `outside: ${text}`), ...covered.map(({ text }) => `covered: ${text}`)]
}

const textsOf = (pages: readonly (readonly PlacedText[])[]): string[] => pages.flat().map(({ text }) => text)

/** A UUID of the widest letters. */
const widest = (index: number): string => `DDDDDDDD-DDDD-4DDD-8DDD-${String(index).padStart(12, 'D')}`

test('prints a receipt for thirty invoices legibly, with its name on each page', async () => {
  const { fresh, issueLater, ask } = await freshPaying()
  const uuids: string[] = []
  for (let count = 0; count < 30; count++) uuids.push((await issueLater()).uuid)
  const made = await ask<{ id: string; uuid: string }>('POST', '/payment-receipts', {
    fecha_pago: '2026-11-19',
    forma_pago: '03',
    monto: 34_800,
    numero_operacion: '9'.repeat(100),
    documentos_relacionados: uuids.map((uuid) => ({ uuid_factura: uuid, importe_pagado: 1160 })),
  })
  const pages = await pagesAt(fresh, `/payment-receipts/${made.id}/pdf`)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.flatMap(unreadableOn)).toEqual([])
  // Each once with its payment, and once with its taxes.
  const texts = textsOf(pages)
  for (const uuid of uuids) expect(texts.filter((text) => text === uuid)).toHaveLength(2)
  const names = pages.map((page) => textsOf([page]).includes(`Recibo de pago P 1, folio fiscal ${made.uuid}`))
  expect(names).toEqual(pages.map((_page, index) => index > 0))
})

test('prints the largest amounts on one line each, and the totals next to their names', async () => {
  const { fresh, issue } = await freshInvoicing()
  const conceptos = [
    line({ cantidad: 1_234_567.123456, valor_unitario: 9999.999999 }),
    line({ cantidad: 1, valor_unitario: 789_000_000_000.12, descuento: 123_456_789_012.34 }),
  ]
  const { id } = await issue({ conceptos })
  const pages = await pagesAt(fresh, `/invoices/${id}/pdf`)
  expect(pages.flatMap(unreadableOn)).toEqual([])
  expect(textsOf(pages)).toEqual(
    expect.arrayContaining(['1234567.123456', '$789,000,000,000.12', '$123,456,789,012.34']),
  )
})

test('prints forty lines with two taxes each legibly, with each tax on its own line', async () => {
  const { fresh, issue } = await freshInvoicing()
  const excise = { impuesto: '003', tipo_factor: 'Tasa', tasa: 0.265 }
  const quota = { impuesto: '003', tipo_factor: 'Cuota', tasa: 5.9195 }
  const { id } = await issue({
    conceptos: Array.from({ length: 40 }, (_each, index) =>
      line({
        descripcion: 'Cerveza artesanal, caja con 24 botellas de 355 ml',
        impuestos: { traslados: [index === 0 ? quota : excise, IVA_16], retenciones: [] },
      }),
    ),
  })
  const pages = await pagesAt(fresh, `/invoices/${id}/pdf`)
  expect(pages.flatMap(unreadableOn)).toEqual([])
  const texts = textsOf(pages)
  expect(texts.filter((text) => text === 'IEPS 26.5%: $265.00')).toHaveLength(39)
  expect(texts.filter((text) => text === 'IVA 16%: $202.40')).toHaveLength(39)
  expect(texts).toContain('IEPS cuota 5.919500: $5.9195')
})

test('prints a credit note with a thousand invoices, the longest series and name legibly', async () => {
  const { fresh, put } = await freshTaxRecords()
  const uuids = Array.from({ length: 1000 }, (_each, index) => widest(index))
  await put({
    invoices: [
      invoiceRecord(1, {
        type: 'E',
        serie: 'W'.repeat(25),
        receptor: recipient('MISC491214B86', 'W'.repeat(250)),
        relaciones: [{ tipoRelacion: '03', uuids }],
      }),
    ],
  })
  const pages = await pagesAt(fresh, `/invoices/${String(invoiceRecord(1)['id'])}/pdf`)
  expect(pages.flatMap(unreadableOn)).toEqual([])
  expect(textsOf(pages).filter((text) => text.startsWith('DDDDDDDD-DDDD'))).toEqual(uuids)
})

test('keeps the title of a table with its first row of any height', async () => {
  const { fresh, put } = await freshTaxRecords()
  const record = invoiceRecord(1, { receptor: recipient('MISC491214B86', 'W'.repeat(250)) })
  const [concept] = record['conceptos'] as object[]
  const long = { ...concept, descripcion: 'W'.repeat(1000) }
  await put({ invoices: [{ ...record, conceptos: [long] }] })
  const pages = await pagesAt(fresh, `/invoices/${String(record['id'])}/pdf`)
  expect(pages.flatMap(unreadableOn)).toEqual([])
  const withTitle = pages.find((page) => textsOf([page]).includes('Conceptos')) ?? []
  expect(textsOf([withTitle])).toContain('56101500')
})

test('prints the period of an invoice to the public, and the export status of every invoice', async () => {
  const { fresh, issue } = await freshInvoicing()
  const { id } = await issue({ receptor: PUBLIC })
  const texts = textsOf(await pagesAt(fresh, `/invoices/${id}/pdf`))
  expect(texts).toEqual(
    expect.arrayContaining(['Periodicidad 01 Diario, mes 11 Noviembre, año 2026', '01 No aplica']),
  )
})
