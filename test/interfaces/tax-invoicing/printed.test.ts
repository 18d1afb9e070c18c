/** The printed form: its content, QR code and pages. Uses poppler and zbar if the machine has them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { amountInWords } from '../../../src/interfaces/tax-invoicing/amountInWords.ts'
import { attributeOf } from '../../support/authority.ts'
import { freshPaying } from '../../support/paying.ts'
import { textsOfPdf } from '../../support/pdfTexts.ts'
import { freshTaxRecords, invoiceRecord, NOON, recipient } from '../../support/taxRecords.ts'
import { freshInvoicing, line, PUBLIC, type Invoicing } from '../../support/taxInvoicing.ts'

const has = (command: string): boolean => spawnSync(command, ['-v']).error === undefined

const canRead = has('pdftotext') && has('pdftoppm')
const canScan = canRead && has('zbarimg')
if (!canScan)
  process.stderr.write('Printed forms are not read back: poppler-utils or zbar-tools is missing.\n')

async function bytesOf({ fresh }: Invoicing, path: string): Promise<Buffer> {
  const response = await fresh.app.fastify.inject({
    url: `/einvoicing/v1${path}`,
    headers: { authorization: `Bearer ${fresh.key}` },
  })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/pdf')
  return response.rawPayload
}

/** A new folder with the file in it. */
function saved(pdf: Buffer): { file: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'printed-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const file = join(folder, 'invoice.pdf')
  writeFileSync(file, pdf)
  return { file, folder }
}

const run = (command: string, ...args: string[]): string =>
  spawnSync(command, args, { encoding: 'utf8' }).stdout

test.skipIf(!canRead)('prints all data of an invoice, including accents', async () => {
  const invoicing = await freshInvoicing()
  const { id, uuid } = await invoicing.issue({
    conceptos: [line({ descripcion: 'Sillón «Ñandú» de piel, 日本' })],
  })
  const { file } = saved(await bytesOf(invoicing, `/invoices/${id}/pdf`))
  const text = run('pdftotext', '-layout', file, '-')
  for (const part of [
    'Factura A 1',
    uuid,
    'UNIVERSIDAD ROBOTICA ESPAÑOLA',
    'URE180429TM6',
    'Sillón «Ñandú» de piel, ??',
    '$1,160.00',
    'MIL CIENTO SESENTA PESOS 00/100 M.N.',
    'PUE Pago en una sola exhibición',
    'Página 1 de 1',
  ]) {
    expect(text).toContain(part)
  }
})

test.skipIf(!canScan)('prints a QR code that leads to the tax authority', async () => {
  const invoicing = await freshInvoicing()
  const { id, uuid } = await invoicing.issue()
  const seal = attributeOf(await invoicing.xmlOf(id), 'Sello')
  const { file, folder } = saved(await bytesOf(invoicing, `/invoices/${id}/pdf`))
  run('pdftoppm', '-r', '150', '-png', file, join(folder, 'page'))
  const scanned = run('zbarimg', '--raw', '-q', join(folder, 'page-1.png')).trim()
  expect(scanned).toBe(
    `https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=${uuid}&re=EKU9003173C9&rr=URE180429TM6&tt=1160.0&fe=${seal.slice(-8)}`,
  )
})

test.skipIf(!canScan).each(['ZUÑ920208KL4', 'A&B010101AAA'])(
  'prints a QR code that names the recipient %s',
  async (rfc) => {
    const records = await freshTaxRecords()
    await records.put({ invoices: [invoiceRecord(1, { receptor: recipient(rfc, 'ZAPATERIA') })] })
    const response = await records.fresh.app.fastify.inject({
      url: `/einvoicing/v1/invoices/${String(invoiceRecord(1)['id'])}/pdf`,
      headers: { authorization: `Bearer ${records.fresh.key}` },
    })
    const { file, folder } = saved(response.rawPayload)
    run('pdftoppm', '-r', '150', '-png', file, join(folder, 'page'))
    const scanned = run('zbarimg', '--raw', '-q', join(folder, 'page-1.png')).trim()
    expect(new URL(scanned).searchParams.get('rr')).toBe(rfc)
    expect(scanned).toMatch(/^[\x21-\x7e]+$/)
  },
)

test.skipIf(!canRead)('prints sixty lines on several pages with column headers', async () => {
  const invoicing = await freshInvoicing()
  const conceptos = Array.from({ length: 60 }, (_, index) =>
    line({ descripcion: `Mesa plegable número ${String(index + 1)}` }),
  )
  const { id } = await invoicing.issue({ conceptos })
  const { file } = saved(await bytesOf(invoicing, `/invoices/${id}/pdf`))
  const pages = run('pdftotext', '-layout', file, '-').split('\f').slice(0, -1)
  expect(pages.length).toBeGreaterThan(2)
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Página ${String(index + 1)} de ${String(pages.length)}`)
    if (page.includes('Mesa plegable')) expect(page).toContain('Descripción')
  }
  const whole = pages.join('')
  for (let index = 1; index <= 60; index++) expect(whole).toMatch(new RegExp(`número ${String(index)}\\b`))
})

test.skipIf(!canRead)('marks a cancelled document, and lists the payments of a receipt', async () => {
  const invoicing = await freshInvoicing()
  const { uuid } = await invoicing.issue({ metodo_pago: 'PPD', forma_pago: '99' })
  const receipt = await invoicing.ask<{ id: string }>('POST', '/payment-receipts', {
    fecha_pago: '2026-11-19',
    forma_pago: '03',
    monto: 160,
    documentos_relacionados: [{ uuid_factura: uuid, importe_pagado: 160 }],
  })
  await invoicing.ask('POST', `/invoices/${receipt.id}/cancel`, { motivo: '02' })
  const { file } = saved(await bytesOf(invoicing, `/payment-receipts/${receipt.id}/pdf`))
  const text = run('pdftotext', '-layout', file, '-')
  for (const part of ['Recibo de pago P 1', uuid, '$160.00', '$1,000.00', '2026-11-19 12:00:00']) {
    expect(text).toContain(part)
  }
})

test('prints a receipt with its taxes, its accounts and the currency of its documents', async () => {
  const paying = await freshPaying()
  const { uuid } = await paying.issueLater({ moneda: 'USD', tipo_cambio: 20 })
  const receipt = await paying.pay(
    uuid,
    580,
    {
      monto: 11_600,
      numero_operacion: 'SPEI-77',
      rfc_banco_ordenante: 'BBA830831LJ2',
      cuenta_ordenante: '0123456789',
      rfc_banco_beneficiario: 'BNM840515VB1',
      cuenta_beneficiaria: '012345678901234567',
    },
    { equivalencia_dr: '0.05' },
  )
  const texts = await textsOfPdf(await bytesOf(paying, `/payment-receipts/${receipt.id}/pdf`))
  for (const part of [
    'Recibo de pago P 1',
    uuid,
    'Serie y folio: A 1',
    'SPEI-77',
    'Ordenante',
    'BBA830831LJ2',
    '0123456789',
    'Beneficiario',
    'BNM840515VB1',
    '012345678901234567',
    'USD',
    'Equivalencia: 0.05',
    '$11,600.00',
    '$580.00',
    'Traslado IVA 16%',
    '$500.00',
    '$80.00 USD',
    'ONCE MIL SEISCIENTOS PESOS 00/100 M.N.',
  ]) {
    expect(texts).toContain(part)
  }
  // The totals of the complement are in pesos.
  const totals = texts.slice(texts.indexOf('Base del IVA 16%'))
  expect(totals.slice(0, 6)).toEqual([
    'Base del IVA 16%',
    '$10,000.00',
    'IVA 16%',
    '$1,600.00',
    'Monto total de los pagos MXN',
    '$11,600.00',
  ])
  expect(texts).toContain('Página 1 de 1')
})

test('names the untaxed documents of a receipt, and omits their tax table', async () => {
  const paying = await freshPaying()
  const untaxed = line({ objeto_imp: '01', impuestos: undefined })
  const { uuid } = await paying.issueLater({ conceptos: [untaxed] })
  const receipt = await paying.pay(uuid, 1000)
  const texts = await textsOfPdf(await bytesOf(paying, `/payment-receipts/${receipt.id}/pdf`))
  expect(texts).toContain('Objeto de impuesto: 01 No objeto de impuesto.')
  expect(texts).not.toContain('Impuestos de los documentos relacionados')
  expect(texts.slice(texts.indexOf('MIL PESOS 00/100 M.N.')).slice(1, 3)).toEqual([
    'Monto total de los pagos MXN',
    '$1,000.00',
  ])
})

test('omits the table of accounts of a receipt without them, and prints its own currency', async () => {
  const paying = await freshPaying()
  const { uuid } = await paying.issueLater()
  const receipt = await paying.pay(
    uuid,
    200,
    { moneda: 'USD', tipo_cambio: 20, monto: 10 },
    { equivalencia_dr: 20 },
  )
  const texts = await textsOfPdf(await bytesOf(paying, `/payment-receipts/${receipt.id}/pdf`))
  expect(texts).toEqual(expect.arrayContaining(['USD', 'Tipo de cambio: 20', 'MXN', 'Equivalencia: 20']))
  expect(texts).not.toContain('Cuentas')
})

test('prints the widest UUID as one word', async () => {
  const widest = 'DDDDDDDD-DDDD-4DDD-8DDD-DDDDDDDDDDDD'
  const records = await freshTaxRecords()
  await records.put({
    invoices: [
      invoiceRecord(1, {
        uuid: widest,
        relaciones: [{ tipoRelacion: '01', uuids: [widest, widest] }],
        receptor: recipient('MISC491214B86', 'W'.repeat(250)),
        serie: 'S'.repeat(25),
        metodoPago: 'PPD',
        formaPago: '99',
      }),
    ],
    cancellations: [
      {
        id: 'can_1',
        invoiceId: invoiceRecord(1)['id'],
        motivo: '01',
        uuidSustitucion: widest,
        status: 'rejected',
        requestedAt: NOON,
        resolvedAt: NOON,
        createdAt: NOON,
      },
    ],
  })
  const textsAt = async (path: string): Promise<string[]> => {
    const { app, key } = records.fresh
    const answer = await app.fastify.inject({
      url: `/einvoicing/v1${path}`,
      headers: { authorization: `Bearer ${key}` },
    })
    return textsOfPdf(answer.rawPayload)
  }
  expect(await textsAt(`/invoices/${String(invoiceRecord(1)['id'])}/pdf`)).toContain(widest)
  expect(await textsAt('/reports/receivables?format=pdf')).toContain(widest)
  const cancelled = await textsAt('/reports/cancellations?format=pdf')
  expect(cancelled.filter((text) => text === widest)).toHaveLength(2)
  // Tax ids and times are not shortened either.
  expect(cancelled).toEqual(expect.arrayContaining(['MISC491214B86', '2026-11-21 12:00:00', 'rechazada']))
})

test.each([
  ['0.00', 'MXN', 'CERO PESOS 00/100 M.N.'],
  ['1.01', 'MXN', 'UN PESO 01/100 M.N.'],
  ['21.50', 'MXN', 'VEINTIÚN PESOS 50/100 M.N.'],
  ['100.00', 'MXN', 'CIEN PESOS 00/100 M.N.'],
  ['101.00', 'USD', 'CIENTO UN DÓLARES ESTADOUNIDENSES 00/100 USD'],
  ['1.00', 'EUR', 'UN EURO 00/100 EUR'],
  ['2000000.00', 'EUR', 'DOS MILLONES DE EUROS 00/100 EUR'],
  ['1.00', 'GBP', 'UNA LIBRA ESTERLINA 00/100 GBP'],
  ['221.00', 'GBP', 'DOSCIENTAS VEINTIUNA LIBRAS ESTERLINAS 00/100 GBP'],
  ['500000.00', 'SEK', 'QUINIENTAS MIL CORONAS SUECAS 00/100 SEK'],
  ['200000201.00', 'INR', 'DOSCIENTOS MILLONES DOSCIENTAS UNA RUPIAS INDIAS 00/100 INR'],
  ['1000.00', 'MXN', 'MIL PESOS 00/100 M.N.'],
  ['31735.16', 'MXN', 'TREINTA Y UN MIL SETECIENTOS TREINTA Y CINCO PESOS 16/100 M.N.'],
  ['1000000.00', 'MXN', 'UN MILLÓN DE PESOS 00/100 M.N.'],
  ['2500021.00', 'MXN', 'DOS MILLONES QUINIENTOS MIL VEINTIÚN PESOS 00/100 M.N.'],
  [
    '999999999999.99',
    'MXN',
    'NOVECIENTOS NOVENTA Y NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE MILLONES NOVECIENTOS NOVENTA Y NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE PESOS 99/100 M.N.',
  ],
  ['12', 'JPY', 'DOCE YENES JAPONESES 00/100 JPY'],
  ['1.289', 'KWD', 'UN DINAR KUWAITÍ 28/100 KWD'],
])('writes %s %s in words as %s', (amount, currency, words) => {
  expect(amountInWords(amount, currency)).toBe(words)
})

test.each<[moneda: string, sums: readonly string[], words: string]>([
  ['EUR', ['€1,000.00', '€160.00', '€1,160.00'], 'EUROS'],
  ['JPY', ['¥1,000', '¥160', '¥1,160'], 'YENES'],
  ['GBP', ['£1,160.00'], 'LIBRAS'],
  ['CAD', ['CAD 1,160.00'], 'DÓLARES CANADIENSES'],
  ['KWD', ['KWD 1,160.000'], 'DINARES'],
  ['USD', ['$1,160.00'], 'DÓLARES'],
])('prints the amounts of an invoice and of its receipt in %s', async (moneda, sums, words) => {
  const paying = await freshPaying()
  const { id, uuid } = await paying.issueLater({ moneda, tipo_cambio: 20 })
  const receipt = await paying.pay(uuid, 1160, { moneda, tipo_cambio: 20 })
  const invoice = await textsOfPdf(await bytesOf(paying, `/invoices/${id}/pdf`))
  expect(invoice).toEqual(expect.arrayContaining([...sums]))
  expect(invoice.join(' ')).toContain(words)
  const printed = await textsOfPdf(await bytesOf(paying, `/payment-receipts/${receipt.id}/pdf`))
  expect(printed).toContain(sums.at(-1))
  expect(printed.join(' ')).toContain(words)
  // The totals of the complement are in pesos.
  expect(printed).toContain('$23,200.00')
  if (moneda !== 'USD') expect(invoice.filter((text) => text.includes('$'))).toEqual([])
})

test('prints the country of a foreign recipient and its tax id there', async () => {
  const invoicing = await freshInvoicing()
  const foreign = { ...PUBLIC, rfc: 'XEXX010101000', nombre: 'ACME INC' }
  const { id } = await invoicing.issue({
    receptor: { ...foreign, residencia_fiscal: 'USA', num_reg_id_trib: '121585958' },
  })
  const texts = await textsOfPdf(await bytesOf(invoicing, `/invoices/${id}/pdf`))
  expect(texts).toEqual(
    expect.arrayContaining(['RESIDENCIA FISCAL', 'USA', 'REGISTRO DE IDENTIDAD TRIBUTARIA', '121585958']),
  )
  const domestic = await invoicing.issue()
  const others = await textsOfPdf(await bytesOf(invoicing, `/invoices/${domestic.id}/pdf`))
  expect(others).not.toContain('RESIDENCIA FISCAL')
})

test('prints the amounts of a transfer without a currency', async () => {
  const invoicing = await freshInvoicing()
  const { id } = await invoicing.issue({
    type: 'T',
    metodo_pago: null,
    forma_pago: null,
    conceptos: [line({ valor_unitario: 0, objeto_imp: '01', impuestos: null })],
  })
  const texts = await textsOfPdf(await bytesOf(invoicing, `/invoices/${id}/pdf`))
  expect(texts.slice(texts.indexOf('Total XXX')).slice(0, 2)).toEqual(['Total XXX', '0'])
  expect(texts.filter((text) => text.includes('$'))).toEqual([])
})
