/** Folios, lists and totals of invoices, and the expiry of the certificate. */
import { expect, test } from 'vitest'
import { freshPaying } from '../../support/paying.ts'
import {
  COMPANY,
  freshInvoicing,
  IVA_16,
  line,
  PUBLIC,
  refusalOf,
  type InvoiceBody,
} from '../../support/taxInvoicing.ts'

interface Page {
  data: InvoiceBody[]
  meta: { current_page: number; total_pages: number; total_count: number }
}

test('returns an invoice after it is stamped, and the same from get', async () => {
  const { issue, getInvoice } = await freshInvoicing()
  const created = await issue({ conceptos: [line({ cantidad: 2, descuento: 100 })] })
  expect(created).toMatchObject({
    serie: 'A',
    folio: 1,
    type: 'I',
    status: 'active',
    subtotal: 2000,
    total: 2204,
  })
  expect(created.uuid).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/)
  expect(await getInvoice(created.id)).toMatchObject({
    ...created,
    emisor: { rfc: 'EKU9003173C9' },
    receptor: COMPANY,
    descuento: 100,
    total_impuestos_trasladados: 304,
    total_impuestos_retenidos: 0,
    conceptos: [
      { cantidad: 2, importe: 2000, impuestos: { traslados: [{ base: 1900, tasa: 0.16, importe: 304 }] } },
    ],
    moneda: 'MXN',
    exportacion: '01',
    lugar_expedicion: '42501',
    cancellation: null,
  })
})

test('rounds document taxes once per rate, and adds rounded amounts to the total', async () => {
  const { issue, getInvoice } = await freshInvoicing()
  // Three lines of 0.333333: each has a tax of 0.053333, and together they have 0.16.
  const lines = Array.from({ length: 3 }, () => line({ valor_unitario: '0.333333' }))
  const invoice = await getInvoice((await issue({ conceptos: lines })).id)
  expect(invoice).toMatchObject({ subtotal: 1, total_impuestos_trasladados: 0.16, total: 1.16 })
  expect(invoice.conceptos[0]).toMatchObject({
    importe: 0.333333,
    impuestos: { traslados: [{ importe: 0.053333 }] },
  })
})

test('computes the golden sums of an invoice with discounts', async () => {
  const { issue } = await freshInvoicing()
  const conceptos = [
    line({ valor_unitario: 2000, descuento: 300 }),
    line({ valor_unitario: 1000, descuento: 100 }),
    line({ valor_unitario: 300, descuento: 100 }),
  ]
  expect(await issue({ conceptos })).toMatchObject({ subtotal: 3300, total: 3248 })
})

test('assigns consecutive folios in each series, whatever is refused in between', async () => {
  const { issue, send } = await freshInvoicing()
  const sent = Array.from({ length: 20 }, (_, index) =>
    send(index % 3 === 0 ? { moneda: 'ABC' } : { serie: index % 2 === 0 ? 'A' : 'B' }),
  )
  const bodies = (await Promise.all(sent)).flatMap(({ status, body }) =>
    status === 201 ? [body as { serie: string; folio: number }] : [],
  )
  const folios = (serie: string) =>
    bodies
      .filter((each) => each.serie === serie)
      .map(({ folio }) => folio)
      .sort((a, b) => a - b)
  expect(folios('A')).toEqual([1, 2, 3, 4, 5, 6])
  expect(folios('B')).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect((await issue()).folio).toBe(7)
})

test.each([
  ['A-1', 'A-1'],
  ['A 1', 'A_1'],
  ['Sucursal nº 3/ñ', 'Sucursal_n__3__'],
  ['../../<"&=', '_'.repeat(10)],
  ['-'.repeat(25), '-'.repeat(25)],
])('accepts the series %j', async (serie, inNames) => {
  const { fresh, call, ask, issue, xmlOf } = await freshInvoicing()
  const { id, uuid, folio } = await issue({ serie })
  expect(folio).toBe(1)
  expect((await issue({ serie })).folio).toBe(2)
  const xml = await xmlOf(id)
  expect(xml).toContain(`Serie="${serie.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')}"`)
  const name = `EKU9003173C9_${inNames}1_${uuid}`
  for (const kind of ['xml', 'pdf']) {
    const { headers } = await call('GET', `/invoices/${id}/${kind}`)
    expect(headers['content-disposition']).toContain(`filename="${name}.${kind}"`)
  }
  const archive = await call('GET', '/reports/xml-download')
  expect(archive.text).toContain(`${name}.xml`)
  const found = async (query: Readonly<Record<string, string>>) =>
    (await ask<Page>('GET', `/invoices?${new URLSearchParams(query).toString()}`)).data.map((each) => each.id)
  expect(await found({ search: `${serie}1` })).toEqual([id])
  expect(await found({ series: serie })).toHaveLength(2)
  const at = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { body } = await fresh.call('GET', at)
  expect((await fresh.call('PUT', at, { body })).status).toBe(204)
  expect((await issue({ serie })).folio).toBe(3)
})

test('uses separate series for credit notes and transfers', async () => {
  const { issue } = await freshInvoicing()
  expect(await issue({ type: 'E', receptor: { ...COMPANY, uso_cfdi: 'G02' } })).toMatchObject({
    serie: 'NC',
    folio: 1,
  })
  const transfer = {
    type: 'T',
    metodo_pago: null,
    forma_pago: null,
    receptor: { ...COMPANY, uso_cfdi: 'S01' },
    conceptos: [line({ valor_unitario: 0, objeto_imp: '01', impuestos: null })],
  }
  expect(await issue(transfer)).toMatchObject({ serie: 'T', folio: 1, total: 0 })
})

test('filters invoices with every filter of the list', async () => {
  const { fresh, issue, ask } = await freshInvoicing()
  const first = await issue()
  fresh.setClock('2026-11-25T12:00:00.000Z')
  const second = await issue({ serie: 'WEB', receptor: { ...PUBLIC, nombre: 'Ángela Muñoz' }, type: 'E' })
  await ask('POST', `/invoices/${second.id}/cancel`, { motivo: '02' })
  const found = async (query: string) =>
    (await ask<Page>('GET', `/invoices?${query}`)).data.map(({ id }) => (id === first.id ? 1 : 2))
  expect(await found('type=I')).toEqual([1])
  expect(await found('type=T')).toEqual([])
  expect(await found('status=active')).toEqual([1])
  expect(await found('status=cancellation_pending')).toEqual([2])
  expect(await found(`receptor_rfc=${COMPANY.rfc}`)).toEqual([1])
  expect(await found(`receptor_rfc=${COMPANY.rfc.toLowerCase()}`)).toEqual([1])
  expect(await found('receptor_rfc=ure-180429-tm6')).toEqual([1])
  expect(await found('receptor_rfc=ure180429tm')).toEqual([])
  expect(await found('from=2026-11-22')).toEqual([2])
  expect(await found('to=2026-11-21')).toEqual([1])
  expect(await found('series=WEB')).toEqual([2])
  expect(await found('search=munoz')).toEqual([2])
  expect(await found('search=web1')).toEqual([2])
  expect(await found('search=WEB-1')).toEqual([2])
  expect(await found('search=a-1')).toEqual([1])
  expect(await found('search=A%201')).toEqual([1])
  expect(await found('search=A-2')).toEqual([])
  expect(await found('search=A-11')).toEqual([])
  expect(await found('search=1')).toEqual([2, 1])
  expect(await found('search=2')).toEqual([])
  expect(await found(`search=${first.uuid.toLowerCase()}`)).toEqual([1])
  expect(await found(`search=${first.uuid.slice(0, 8)}`)).toEqual([1])
})

test('finds payment receipts by a tax id in any case', async () => {
  const { issueLater, pay, ask } = await freshPaying()
  const { uuid } = await issueLater()
  const { id } = await pay(uuid, 160)
  const { data } = await ask<Page>('GET', `/payment-receipts?receptor_rfc=${COMPANY.rfc.toLowerCase()}`)
  expect(data.map((each) => each.id)).toEqual([id])
})

test('sorts invoices by date, total, folio and recipient, in both directions', async () => {
  const { fresh, issue, ask } = await freshInvoicing()
  const make = async (day: string, price: number, nombre: string) => {
    fresh.setClock(`2026-11-${day}T12:00:00.000Z`)
    return (await issue({ receptor: { ...PUBLIC, nombre }, conceptos: [line({ valor_unitario: price })] })).id
  }
  const ids = [await make('21', 20, 'beta'), await make('22', 9, 'Álvaro'), await make('23', 100, 'CARLA')]
  const order = async (query: string) =>
    (await ask<Page>('GET', `/invoices?${query}`)).data.map(({ id }) => ids.indexOf(id))
  expect(await order('')).toEqual([2, 1, 0])
  expect(await order('sort_by=date&sort_order=asc')).toEqual([0, 1, 2])
  expect(await order('sort_by=total&sort_order=asc')).toEqual([1, 0, 2])
  expect(await order('sort_by=folio&sort_order=desc')).toEqual([2, 1, 0])
  expect(await order('sort_by=receptor&sort_order=asc')).toEqual([1, 0, 2])
  const { meta } = await ask<Page>('GET', '/invoices?per_page=2&page=2')
  expect(meta).toEqual({ current_page: 2, total_pages: 2, total_count: 3 })
})

test('includes the sales of its day in an invoice to the public', async () => {
  const { issue, xmlOf, getInvoice } = await freshInvoicing()
  const { id } = await issue({ receptor: PUBLIC })
  expect(await xmlOf(id)).toContain('<cfdi:InformacionGlobal Periodicidad="01" Meses="11" Año="2026"/>')
  expect((await getInvoice(id)).receptor.domicilio_fiscal).toBe('42501')
})

test('announces the expiry of the certificate 30 days before, and replaces it', async () => {
  const { fresh, issue, xmlOf, events } = await freshInvoicing()
  const numberIn = async () => /NoCertificado="(\d+)"/.exec(await xmlOf((await issue()).id))?.[1]
  const before = await numberIn()
  fresh.setClock('2028-04-17T23:59:59.999Z')
  expect(events()).not.toContain('certificate.expiring')
  fresh.setClock('2028-04-18T00:00:00.000Z')
  expect(events()).toContain('certificate.expiring')
  expect(await numberIn()).toBe(before)
  fresh.setClock('2028-05-18T00:00:00.000Z')
  expect(await numberIn()).not.toBe(before)
})

test('expires a certificate with a trigger', async () => {
  const { trigger, events } = await freshInvoicing()
  expect(await trigger('certificate.expiring', { days: 5 })).toMatchObject({
    status: 200,
    body: { expires_at: '2026-11-26T12:00:00.000Z', days_left: 5 },
  })
  expect(events()).toEqual(['certificate.expiring'])
})

test('accepts rates as numbers and as texts', async () => {
  const { issue, send } = await freshInvoicing()
  const taxed = (tasa: unknown) => ({
    conceptos: [line({ impuestos: { traslados: [{ ...IVA_16, tasa }] } })],
  })
  expect((await issue(taxed('0.160000'))).total).toBe(1160)
  expect(refusalOf(await send(taxed('16%')))).toEqual([
    422,
    'validation_error',
    'conceptos.0.impuestos.traslados.0.tasa',
  ])
})

test('compares totals in pesos when it sorts by total', async () => {
  const { issue, ask } = await freshInvoicing()
  const price = (valor_unitario: number) => ({ conceptos: [line({ valor_unitario })] })
  const ids = [
    (await issue(price(1000))).id,
    (await issue({ ...price(100), moneda: 'USD', tipo_cambio: 18 })).id,
    (await issue({ ...price(3000), moneda: 'JPY', tipo_cambio: 0.12 })).id,
  ]
  const order = async (query: string) =>
    (await ask<Page>('GET', `/invoices?sort_by=total${query}`)).data.map(({ id }) => ids.indexOf(id))
  expect(await order('')).toEqual([1, 0, 2])
  expect(await order('&sort_order=asc')).toEqual([2, 0, 1])
})

test.each<[what: string, form: (uuid: string) => string]>([
  ['without dashes', (uuid) => uuid.replaceAll('-', '')],
  ['without dashes in lower case', (uuid) => uuid.replaceAll('-', '').toLowerCase()],
  ['in part without dashes', (uuid) => uuid.replaceAll('-', '').slice(4, 20)],
  ['in part with dashes', (uuid) => uuid.slice(4, 20)],
])('finds an invoice and its receipts by a UUID %s', async (_what, form) => {
  const { issueLater, pay, ask } = await freshPaying()
  const { id, uuid } = await issueLater()
  await issueLater()
  const found = await ask<Page>('GET', `/invoices?search=${form(uuid)}`)
  expect(found.data.map((each) => each.id)).toEqual([id])
  const receipt = await pay(uuid, 100)
  const isWhole = form(uuid).replaceAll('-', '').length === 32
  const receipts = await ask<Page>('GET', `/payment-receipts?invoice_uuid=${form(uuid)}`)
  expect(receipts.data.map((each) => each.id)).toEqual(isWhole ? [receipt.id] : [])
})
