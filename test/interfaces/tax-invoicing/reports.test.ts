/** Reports and their files, checked with independent programs. Specification part 2, "Tax invoicing". */
import { execFileSync, spawnSync } from 'node:child_process'
import { parse } from 'csv-parse/sync'
import { PDFDocument } from 'pdf-lib'
import readSheet from 'read-excel-file/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MAX_ROWS } from '../../../src/http/files/tables/tableFiles.ts'
import { openArchive } from '../../../src/http/files/zip.ts'
import type { FreshApp } from '../../support/app.ts'
import { multiply } from '../../support/filling.ts'
import { freshInvoicing, IVA_16, line } from '../../support/taxInvoicing.ts'
import {
  freshTaxRecords,
  invoiceRecord,
  iva,
  NOON,
  recipient,
  refusal,
  ROBOTICA,
  XENON,
  type TaxRecords,
} from '../../support/taxRecords.ts'

const CANCELLED = { status: 'cancelled', cancelledAt: NOON }

/** Printed reports are checked with poppler if the machine has it. */
const canReadPdf = spawnSync('pdftotext', ['-v']).error === undefined

/** How copies of an invoice differ from it. */
const COPIES = { uuid: `printf('00000000-0000-4000-8000-%012d', 1000 + n)`, folio: '1000 + n' }

/** Invoices of November, and two just before and after it in the time zone of the issuer. */
const INVOICES = [
  invoiceRecord(1),
  invoiceRecord(2, {
    receptor: XENON,
    moneda: 'USD',
    tipoCambio: '20',
    total: '100.00',
    mxnCents: 200_000,
    impuestos: {
      traslados: [iva('86.21', '13.79')],
      retenciones: [{ impuesto: '001', tipoFactor: 'Tasa', tasa: '0.100000', base: '10', importe: '1.00' }],
    },
  }),
  invoiceRecord(3, {
    type: 'E',
    total: '116.00',
    impuestos: { traslados: [iva('100', '16.00')], retenciones: [] },
  }),
  invoiceRecord(4, CANCELLED),
  invoiceRecord(5, { type: 'P', total: '0', moneda: 'XXX', tipoCambio: null }),
  invoiceRecord(6, {
    status: 'cancellation_pending',
    total: '50.00',
    impuestos: {
      traslados: [
        iva('20', '0', '0.000000'),
        iva('10', '0.80', '0.080000'),
        { impuesto: '002', tipoFactor: 'Exento', tasa: null, base: '5', importe: null },
        { impuesto: '003', tipoFactor: 'Tasa', tasa: '0.080000', base: '10', importe: '0.80' },
      ],
      retenciones: [{ impuesto: '002', tipoFactor: 'Tasa', tasa: '0.106667', base: '30', importe: '3.20' }],
    },
  }),
  invoiceRecord(7, { date: '2026-11-01T05:59:59.000Z', total: '7.00' }),
  invoiceRecord(8, { date: '2026-12-01T06:00:00.000Z', total: '8.00' }),
]

async function filled(): Promise<TaxRecords> {
  const records = await freshTaxRecords()
  const { workspace } = records.fresh
  workspace.change({ timezone: 'UTC' })
  await records.put({ invoices: INVOICES })
  return records
}

test('subtracts credit notes from income, and omits cancelled invoices', async () => {
  const { ask } = await filled()
  expect(await ask('GET', '/reports/income?period=month&date=2026-11-15')).toEqual({
    period: '2026-11',
    from: '2026-11-01',
    to: '2026-11-30',
    total_income: 3210,
    total_credit_notes: 116,
    net_income: 3094,
    invoice_count: 3,
    breakdown: [
      { client_rfc: XENON.rfc, client_name: XENON.nombre, invoice_count: 1, total: 2000, percentage: 62.31 },
      {
        client_rfc: ROBOTICA.rfc,
        client_name: ROBOTICA.nombre,
        invoice_count: 2,
        total: 1210,
        percentage: 37.69,
      },
    ],
  })
})

test.each([
  ['period=month', '2026-11', 3210],
  ['date=2026-10-01', '2026-10', 7],
  ['date=2026-12-31', '2026-12', 8],
  ['period=quarter', '2026-Q4', 3225],
  ['period=quarter&date=2026-09-30', '2026-Q3', 0],
  ['period=year', '2026', 3225],
  ['period=year&date=2025-12-31', '2025', 0],
])('reports income with %s as %s', async (query, period, income) => {
  const { ask } = await filled()
  const report = await ask<{ total_income: number }>('GET', `/reports/income?${query}`)
  expect(report).toMatchObject({ period, total_income: income })
})

test.each(['UTC', 'America/Mexico_City', 'Pacific/Auckland', 'Pacific/Honolulu'])(
  'uses the months of the issuer in a workspace in %s',
  async (timezone) => {
    const { ask, fresh } = await filled()
    fresh.workspace.change({ timezone })
    expect(await ask('GET', '/reports/income?period=quarter&group_by=month')).toMatchObject({
      breakdown: [
        { month: '2026-10', invoice_count: 1, total: 7 },
        { month: '2026-11', invoice_count: 3, total: 3210 },
        { month: '2026-12', invoice_count: 1, total: 8 },
      ],
    })
  },
)

test('reports income by product with the taxes of the lines', async () => {
  const { ask } = await filled()
  const report = await ask<{ breakdown: unknown[] }>('GET', '/reports/income?group_by=product')
  expect(report.breakdown).toEqual([
    {
      clave_prod_serv: '56101500',
      descripcion: 'Silla de oficina',
      invoice_count: 3,
      total: 3210,
      percentage: 100,
    },
  ])
})

/** Lines of products whose taxes are rounded only in the sum, in several currencies. */
const manyLines = (count: number, fields: (index: number) => object) =>
  Array.from({ length: count }, (_, index) =>
    line({ descripcion: `Producto ${String(index)}`, ...fields(index) }),
  )

test.each<[what: string, invoices: object[]]>([
  ['with fractions of a cent', [{ conceptos: manyLines(7, () => ({ valor_unitario: 0.333333 })) }]],
  [
    'with discounts and withheld taxes',
    [
      {
        conceptos: manyLines(3, (index) => ({
          valor_unitario: 33.33,
          descuento: index + 0.11,
          impuestos: { traslados: [IVA_16], retenciones: [{ ...IVA_16, tasa: 0.106667 }] },
        })),
      },
    ],
  ],
  [
    'in other currencies, with a credit note',
    [
      { moneda: 'USD', tipo_cambio: 18.4521, conceptos: manyLines(3, () => ({ valor_unitario: 10.01 })) },
      { moneda: 'JPY', tipo_cambio: 0.1234, conceptos: manyLines(3, () => ({ valor_unitario: 33.4 })) },
      { type: 'E', conceptos: manyLines(2, () => ({ valor_unitario: 1.005 })) },
    ],
  ],
  ['with a total of 0', [{ conceptos: manyLines(2, () => ({ valor_unitario: 0.001 })) }]],
  [
    'with a line whose withheld taxes exceed it',
    [
      {
        conceptos: manyLines(2, (index) => ({
          valor_unitario: 10.01,
          impuestos: {
            traslados: [{ impuesto: '002', tipo_factor: 'Exento' }],
            retenciones: index === 0 ? [{ impuesto: '003', tipo_factor: 'Tasa', tasa: 1.6 }] : [],
          },
        })),
      },
    ],
  ],
])('reports income by product, client and month that adds up to its total, %s', async (_what, invoices) => {
  const { issue, ask } = await freshInvoicing()
  for (const fields of invoices) await issue({ ...fields })
  for (const group of ['product', 'client', 'month']) {
    const report = await ask<{ total_income: number; breakdown: { total: number }[] }>(
      'GET',
      `/reports/income?group_by=${group}`,
    )
    const cents = report.breakdown.map(({ total }) => Math.round(total * 100))
    expect(cents.reduce((sum, each) => sum + each, 0)).toBe(Math.round(report.total_income * 100))
  }
})

test('reports one client with its latest name, and the buyers of a generic tax id apart', async () => {
  const { ask, put } = await freshTaxRecords()
  const nfd = recipient('URE180429TM6', ROBOTICA.nombre.normalize('NFD'))
  const renamed = recipient('URE180429TM6', 'UNIVERSIDAD ROBÓTICA'.normalize('NFD'))
  const buyers = ['José', 'JOSÉ'.normalize('NFD'), 'Ana'].map((name) => recipient('XAXX010101000', name))
  await put({
    invoices: [
      invoiceRecord(1, { receptor: renamed, date: '2026-11-12T18:00:00.000Z' }),
      invoiceRecord(2, { receptor: ROBOTICA }),
      invoiceRecord(3, { receptor: nfd }),
      ...buyers.map((receptor, index) => invoiceRecord(index + 4, { receptor })),
    ],
  })
  const { breakdown } = await ask<{ breakdown: unknown[] }>('GET', '/reports/income')
  expect(breakdown).toMatchObject([
    { client_rfc: 'URE180429TM6', client_name: 'UNIVERSIDAD ROBÓTICA', invoice_count: 3 },
    { client_rfc: 'XAXX010101000', client_name: 'JOSÉ', invoice_count: 2 },
    { client_rfc: 'XAXX010101000', client_name: 'Ana', invoice_count: 1 },
  ])
})

test('subtracts taxes of credit notes, in pesos', async () => {
  const { ask } = await filled()
  expect(await ask('GET', '/reports/taxes?date=2026-11-01')).toEqual({
    period: '2026-11',
    from: '2026-11-01',
    to: '2026-11-30',
    iva_trasladado: {
      tasa_16: { base: 2624.2, importe: 419.8 },
      tasa_8: { base: 10, importe: 0.8 },
      tasa_0: { base: 20, importe: 0 },
      exento: { base: 5 },
      total: 420.6,
    },
    retenciones: { isr: 20, iva_retenido: 3.2, total: 23.2 },
    invoice_count: 3,
    credit_note_count: 1,
  })
})

const cancellation = (folio: number, fields: object) => ({
  id: `can_${String(folio)}`,
  invoiceId: String(invoiceRecord(folio)['id']),
  motivo: '02',
  requestedAt: NOON,
  createdAt: NOON,
  ...fields,
})

test('reports cancellations with their reasons', async () => {
  const { ask, put } = await filled()
  await put({
    invoices: INVOICES,
    cancellations: [
      cancellation(4, { status: 'cancelled', resolvedAt: NOON, motivo: '03' }),
      cancellation(6, { requestedAt: '2026-11-20T18:00:00.000Z' }),
      cancellation(1, { status: 'rejected', requestedAt: '2026-10-20T18:00:00.000Z' }),
    ],
  })
  const report = await ask('GET', '/reports/cancellations?date=2026-11-21')
  expect(report).toMatchObject({
    period: '2026-11',
    total: 2,
    total_amount: 1210,
    by_motivo: { '01': 0, '02': 1, '03': 1, '04': 0 },
    by_status: { pending_acceptance: 1, cancelled: 1, rejected: 0 },
    invoices: [
      { folio: 6, motivo: '02', status: 'cancellation_pending', cancellation_status: 'pending_acceptance' },
      { folio: 4, motivo: '03', status: 'cancelled', resolved_at: NOON },
    ],
  })
})

const PPD = { metodoPago: 'PPD', formaPago: '99' }
const at = (day: string) => ({ ...PPD, date: `${day}T18:00:00.000Z` })

/** On November 21. */
const ON_CREDIT = [
  invoiceRecord(1, at('2026-08-22')),
  invoiceRecord(2, at('2026-08-23')),
  invoiceRecord(3, { ...at('2026-09-21'), paid: '160.00' }),
  invoiceRecord(4, at('2026-09-22')),
  invoiceRecord(5, at('2026-10-21')),
  invoiceRecord(6, { ...at('2026-10-22'), moneda: 'USD', tipoCambio: '20', total: '10.00', paid: '4.50' }),
  invoiceRecord(7, { ...at('2026-11-21'), paid: '1160.00' }),
  invoiceRecord(8, { ...at('2026-11-01'), ...CANCELLED }),
  invoiceRecord(9, { ...PPD, type: 'E' }),
  invoiceRecord(10),
]

interface Receivables {
  readonly data: readonly { folio: number; status: string; aging_bucket: string; days_overdue: number }[]
  readonly summary: object
}

test.each([
  ['', [1, 2, 3, 4, 5, 6]],
  ['?status=pending', [1, 2, 4, 5]],
  ['?status=partial', [3, 6]],
  ['?status=paid', [7]],
  ['?aging=0-30', [6]],
  ['?aging=31-60', [4, 5]],
  ['?aging=61-90', [2, 3]],
  ['?aging=90%2B', [1]],
  ['?aging=90+', [1]],
  ['?aging=90%20', [1]],
  ['?aging=61-90&status=partial', [3]],
  ['?status=paid&aging=90%2B', []],
])('reports as receivables%s the invoices %j', async (query, folios) => {
  const { ask, put } = await filled()
  await put({ invoices: ON_CREDIT })
  const { data } = await ask<Receivables>('GET', `/reports/receivables${query}`)
  expect(data.map(({ folio }) => folio)).toEqual(folios)
})

test('reports the balance of each receivable, and the total in pesos', async () => {
  const { ask, put } = await filled()
  await put({ invoices: ON_CREDIT })
  const { data, summary } = await ask<Receivables>('GET', '/reports/receivables')
  expect(data[5]).toMatchObject({
    client: { rfc: ROBOTICA.rfc, nombre: ROBOTICA.nombre },
    due_date: '2026-10-22',
    moneda: 'USD',
    total: 10,
    paid: 4.5,
    balance: 5.5,
    tipo_cambio: 20,
    balance_mxn: 110,
    status: 'partial',
    days_overdue: 30,
    aging_bucket: '0-30',
  })
  expect(summary).toEqual({
    invoice_count: 6,
    total: 5750,
    by_aging: { '0-30': 110, '31-60': 2320, '61-90': 2160, '90+': 1160 },
  })
})

test('reports receivables with all decimals of their currency', async () => {
  const { ask, put } = await filled()
  const dinars = { ...PPD, moneda: 'KWD', tipoCambio: '60', total: '1.289', paid: '0.111', mxnCents: 7734 }
  await put({ invoices: [invoiceRecord(1, dinars)] })
  const { data, summary } = await ask<Receivables>('GET', '/reports/receivables')
  expect(data[0]).toMatchObject({ moneda: 'KWD', total: 1.289, paid: 0.111, balance: 1.178 })
  expect(summary).toMatchObject({ total: 70.68 })
})

const DOLLARS = { moneda: 'USD', tipoCambio: '18.4521', total: '10.01' }
const FILES = ['json', 'csv', 'xlsx'] as const

/** The rate and the pesos of each row, and the total in pesos, in every format. */
async function pesosIn({ fresh, ask }: TaxRecords, path: string, [rate, pesos]: [string, string]) {
  const found: Record<string, unknown> = {}
  for (const format of FILES) {
    if (format === 'json') {
      const {
        data,
        invoices = data,
        summary,
        total_amount: total = summary?.total,
      } = await ask<{
        data: Record<string, number>[]
        invoices?: Record<string, number>[]
        summary?: { total: number }
        total_amount?: number
      }>('GET', path)
      found[format] = [
        ...invoices.map((row) => [row['tipo_cambio'], row['total_mxn'] ?? row['balance_mxn']]),
        [null, total],
      ]
      continue
    }
    const { bytes } = await fileOf(fresh, `${path}?format=${format}`)
    const [heads = [], ...rows] =
      format === 'csv' ? parse(bytes, { bom: true }) : ((await readSheet(bytes))[0]?.data ?? [])
    const numberAt = (row: readonly unknown[], title: string) => {
      const cell = row[heads.indexOf(title)]
      return cell === '' || cell === null || cell === undefined ? null : Number(cell)
    }
    found[format] = rows
      .filter((row) => row[heads.indexOf('Aging')] !== '0-30' || row[0] !== 'Total')
      .filter((row) => row[0] !== 'Total' || numberAt(row, pesos) !== 0)
      .map((row) => [numberAt(row, rate), numberAt(row, pesos)])
  }
  return found
}

test('reports the rate and the pesos of each row, which add up to the total, in all formats', async () => {
  const records = await freshTaxRecords()
  const invoices = [
    invoiceRecord(1, { ...PPD, ...DOLLARS }),
    invoiceRecord(2, { ...PPD, ...DOLLARS }),
    invoiceRecord(3, { ...PPD, total: '7.00', tipoCambio: null }),
  ]
  await records.put({
    invoices,
    cancellations: [1, 2, 3].map((folio) => cancellation(folio, { status: 'rejected' })),
  })
  // 10.01 dollars at 18.4521 are 184.705521 pesos.
  const rows = [
    [18.4521, 184.71],
    [18.4521, 184.71],
    [1, 7],
    [null, 376.42],
  ]
  const expected = Object.fromEntries(FILES.map((format) => [format, rows]))
  expect(await pesosIn(records, '/reports/cancellations', ['Rate', 'Total MXN'])).toEqual(expected)
  expect(await pesosIn(records, '/reports/receivables', ['Rate', 'Balance MXN'])).toEqual(expected)
})

test('reports a cancelled receipt without a rate', async () => {
  const { ask, put } = await freshTaxRecords()
  await put({
    invoices: [invoiceRecord(5, { type: 'P', total: '0', moneda: 'XXX', tipoCambio: null, ...CANCELLED })],
    cancellations: [cancellation(5, { status: 'cancelled' })],
  })
  expect(await ask('GET', '/reports/cancellations')).toMatchObject({
    total_amount: 0,
    invoices: [{ tipo_cambio: null, total_mxn: 0 }],
  })
})

test('writes dates as dates in workbooks', async () => {
  const { fresh, put } = await freshTaxRecords()
  await put({
    invoices: [invoiceRecord(1, PPD)],
    cancellations: [cancellation(1, { status: 'rejected', resolvedAt: NOON })],
  })
  const cellsOf = async (report: string) => {
    const [heads = [], row = []] =
      (await readSheet((await fileOf(fresh, `/reports/${report}?format=xlsx`)).bytes))[0]?.data ?? []
    return Object.fromEntries(heads.map((head, index) => [String(head), row[index]]))
  }
  expect(await cellsOf('receivables')).toMatchObject({ Due: new Date('2026-11-10T00:00:00.000Z') })
  // Noon in the time zone of the issuer.
  const noon = new Date('2026-11-21T12:00:00.000Z')
  expect(await cellsOf('cancellations')).toMatchObject({ Requested: noon, Resolved: noon })
})

describe('credit notes and receivables', () => {
  const note = (folio: number, fields: object, ...named: readonly number[]) =>
    invoiceRecord(folio, {
      type: 'E',
      relaciones: [{ tipoRelacion: '01', uuids: named.map((each) => String(invoiceRecord(each)['uuid'])) }],
      ...fields,
    })

  const receivablesOf = async ({ ask }: TaxRecords, query = '?aging=0-30') => {
    const report = await ask<{
      data: { folio: number; credited: number; balance: number; status: string }[]
      summary: { total: number }
    }>('GET', `/reports/receivables${query}`)
    return [report.summary.total, ...report.data.map((each) => [each.folio, each.credited, each.balance])]
  }

  test('an active note reduces the balance in the report, by age and in files', async () => {
    const records = await freshTaxRecords()
    await records.put({
      invoices: [invoiceRecord(1, { ...PPD, paid: '500.00' }), note(2, { total: '160.00' }, 1)],
    })
    expect(await receivablesOf(records)).toEqual([500, [1, 160, 500]])
    const { bytes } = await fileOf(records.fresh, '/reports/receivables?format=csv')
    const rows = parse(bytes, { bom: true })
    expect(rows[1]?.slice(6, 10)).toEqual(['1160.00', '500.00', '160.00', '500.00'])
    expect(rows[2]).toEqual(expect.arrayContaining(['500.00', '0-30']))
    expect(rows.at(-1)).toEqual(expect.arrayContaining(['Total', '500.00']))
  })

  test.each<[what: string, fields: object, expected: unknown[]]>([
    ['is cancelled', CANCELLED, [1160, [1, 0, 1160]]],
    ['waits for its cancellation', { status: 'cancellation_pending', total: '60.00' }, [1100, [1, 60, 1100]]],
    [
      'substitutes a document',
      { relaciones: [{ tipoRelacion: '04', uuids: [invoiceRecord(1)['uuid']] }] },
      [1160, [1, 0, 1160]],
    ],
    ['is in dollars', { moneda: 'USD', tipoCambio: '20', total: '10.00' }, [960, [1, 200, 960]]],
    ['names no invoice', { relaciones: [] }, [1160, [1, 0, 1160]]],
    ['is an invoice itself', { type: 'I' }, [1160, [1, 0, 1160]]],
  ])('a note that %s counts accordingly', async (_what, fields, expected) => {
    const records = await freshTaxRecords()
    await records.put({ invoices: [invoiceRecord(1, PPD), note(2, fields, 1)] })
    expect(await receivablesOf(records)).toEqual(expected)
  })

  test('a note for the total leaves no balance', async () => {
    const records = await freshTaxRecords()
    await records.put({ invoices: [invoiceRecord(1, PPD), note(2, {}, 1)] })
    expect(await receivablesOf(records)).toEqual([0])
    expect(await receivablesOf(records, '?status=paid')).toEqual([0, [1, 1160, 0]])
  })

  test.each<[what: string, paid: string, totals: readonly string[], expected: unknown[]]>([
    ['after a full payment', '1160.00', ['116.00'], [-116, [1, 116, -116]]],
    ['above the rest of a partial payment', '500.00', ['1000.00'], [-340, [1, 1000, -340]]],
    ['above the total', '0', ['1500.00'], [-340, [1, 1500, -340]]],
    ['of the total twice', '0', ['1160.00', '1160.00'], [-1160, [1, 2320, -1160]]],
  ])('a note %s leaves a balance in favor of the recipient', async (_what, paid, totals, expected) => {
    const records = await freshTaxRecords()
    const notes = totals.map((total, index) => note(index + 2, { total }, 1))
    await records.put({ invoices: [invoiceRecord(1, { ...PPD, paid }), ...notes] })
    expect(await receivablesOf(records)).toEqual([0])
    expect(await receivablesOf(records, '?status=paid')).toEqual(expected)
  })

  test('the rest of a note for two invoices reduces the first below 0', async () => {
    const records = await freshTaxRecords()
    await records.put({
      invoices: [
        invoiceRecord(1, { ...PPD, paid: '1000.00' }),
        invoiceRecord(2, { ...PPD, paid: '1100.00' }),
        note(3, { total: '300.00' }, 1, 2),
      ],
    })
    expect(await receivablesOf(records, '?status=paid')).toEqual([-80, [1, 240, -80], [2, 60, 0]])
  })

  test('a note for two invoices reduces the first, and with the rest the second', async () => {
    const records = await freshTaxRecords()
    await records.put({
      invoices: [
        invoiceRecord(1, { ...PPD, paid: '1000.00' }),
        invoiceRecord(2, PPD),
        note(3, { total: '200.00' }, 1, 2),
      ],
    })
    expect(await receivablesOf(records)).toEqual([1120, [2, 40, 1120]])
  })
})

// ---------------------------------------------------------------- files

/** Downloads a file. */
async function fileOf({ app, key }: FreshApp, path: string) {
  const answer = await app.fastify.inject({
    method: 'GET',
    url: `/einvoicing/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(answer.statusCode).toBe(200)
  return {
    bytes: answer.rawPayload,
    type: String(answer.headers['content-type']),
    name: String(answer.headers['content-disposition']),
  }
}

const INCOME = '/reports/income?date=2026-11-01'

const ROWS = [
  ['RFC', 'Client', 'Invoices', 'Total MXN', 'Percentage'],
  [XENON.rfc, XENON.nombre, 1, 2000, 62.31],
  [ROBOTICA.rfc, ROBOTICA.nombre, 2, 1210, 37.69],
  ['Total income', null, 3, 3210, null],
  ['Credit notes', null, null, 116, null],
  ['Net income', null, null, 3094, null],
]

test('returns a report as a workbook that another library opens', async () => {
  const { fresh } = await filled()
  const { bytes, type, name } = await fileOf(fresh, `${INCOME}&format=xlsx`)
  expect(type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(name).toContain('attachment; filename="income-2026-11.xlsx"')
  const [sheet] = await readSheet(bytes)
  expect(sheet).toMatchObject({ sheet: 'Income 2026-11', data: ROWS })
})

test('returns a report as CSV without formulas', async () => {
  const { fresh, put } = await filled()
  const receptor = recipient('URE180429TM6', '=1+1, "Ñandú"')
  await put({ invoices: [invoiceRecord(1, { receptor })] })
  const { bytes, type, name } = await fileOf(fresh, `${INCOME}&format=csv`)
  expect(type).toBe('text/csv; charset=utf-8')
  expect(name).toContain('income-2026-11.csv')
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const rows = parse(bytes, { bom: true })
  expect(rows[1]).toEqual(['URE180429TM6', `'=1+1, "Ñandú"`, '1', '1160.00', '100.00'])
  expect(rows).toHaveLength(5)
})

test('returns a report as PDF with any number of pages', async () => {
  const { fresh, put } = await filled()
  const invoices = Array.from({ length: 100 }, (_, index) =>
    invoiceRecord(index + 1, { receptor: recipient('XEXX010101000', `Kunde ${String(index)} 株式会社 ñ`) }),
  )
  await put({ invoices })
  const { bytes, type } = await fileOf(fresh, `${INCOME}&format=pdf`)
  expect(type).toBe('application/pdf')
  const read = await PDFDocument.load(bytes)
  expect(read.getTitle()).toBe('Ingresos 2026-11')
  expect(read.getPageCount()).toBe(3)
})

test.each<[report: string, totals: unknown[][]]>([
  [
    'taxes',
    [
      ['IVA charged', null, 580.6, null],
      ['Invoices', null, null, 4],
      ['Credit notes', null, null, 1],
    ],
  ],
  ['cancellations', [['Total', ...Array<null>(7).fill(null), 50, ...Array<null>(5).fill(null)]]],
  [
    'receivables',
    [
      ['Total', ...Array<null>(11).fill(null), 1160, null, null, '0-30'],
      ['Total', ...Array<null>(11).fill(null), 0, null, null, '90+'],
      ['Total', ...Array<null>(11).fill(null), 1160, null, null, null],
    ],
  ],
])('returns %s as files with totals', async (report, totals) => {
  const { fresh, put } = await filled()
  await put({
    invoices: [...INVOICES.slice(0, 6), invoiceRecord(9, PPD)],
    cancellations: [cancellation(6, {})],
  })
  const sheets = await readSheet((await fileOf(fresh, `/reports/${report}?format=xlsx`)).bytes)
  expect(sheets[0]?.data).toEqual(expect.arrayContaining(totals))
  const pdf = await PDFDocument.load((await fileOf(fresh, `/reports/${report}?format=pdf`)).bytes)
  expect(pdf.getPageCount()).toBe(1)
})

test('writes amounts in files with all decimals of their currency', async () => {
  const { fresh, put } = await filled()
  const dinars = { ...PPD, moneda: 'KWD', tipoCambio: '60', total: '1.289', paid: '0.1', mxnCents: 7734 }
  await put({ invoices: [invoiceRecord(1, dinars)] })
  const { bytes } = await fileOf(fresh, '/reports/receivables?format=csv')
  expect(parse(bytes, { bom: true })[1]?.slice(6, 11)).toEqual(['1.289', '0.10', '0.00', '1.189', 'KWD'])
})

describe.skipIf(!canReadPdf)('printed report', () => {
  const printed = async (fresh: FreshApp, path: string) =>
    execFileSync('pdftotext', ['-layout', '-', '-'], {
      input: (await fileOf(fresh, path)).bytes,
      encoding: 'utf8',
    })

  test.each<[path: string, words: string[]]>([
    ['income', ['Ingresos 2026-11', 'Cliente', 'Total de ingresos', 'Notas de crédito', '3,210.00']],
    ['income?group_by=product', ['Clave', 'Producto']],
    ['taxes', ['Impuestos 2026-11', 'Base MXN', 'IVA trasladado', 'ISR retenido', '2,624.20']],
    ['cancellations', ['Cancelaciones 2026-11', 'Tipo de cambio', 'rechazada', '2,000.00']],
  ])('prints %s in Spanish with the issuer and the period', async (path, words) => {
    const { fresh, put } = await filled()
    await put({ invoices: INVOICES, cancellations: [cancellation(2, { status: 'rejected' })] })
    const text = await printed(fresh, `/reports/${path}${path.includes('?') ? '&' : '?'}format=pdf`)
    const heading = ['ESCUELA KEMPER URGATE, RFC EKU9003173C9', 'Periodo: del 2026-11-01 al 2026-11-30']
    for (const each of [...heading, ...words]) expect(text).toContain(each)
    expect(text).not.toMatch(/Invoices|Income|Taxes|Cancellations|rejected|Client\b/)
  })

  test('prints receivables in Spanish with the day of the balances', async () => {
    const { fresh, put } = await filled()
    await put({ invoices: [invoiceRecord(1, { ...PPD, ...DOLLARS })] })
    const text = await printed(fresh, '/reports/receivables?format=pdf')
    for (const each of [
      'Cuentas por cobrar',
      'EKU9003173C9',
      'Saldos al 2026-11-21',
      'pendiente',
      '184.71',
    ]) {
      expect(text).toContain(each)
    }
  })

  test('prints complete amounts, tax ids and days in narrow columns', async () => {
    const { fresh, put } = await filled()
    const receptor = recipient('MISC491214B86', 'W'.repeat(250))
    await put({
      invoices: [
        invoiceRecord(1, {
          ...PPD,
          receptor,
          serie: 'S'.repeat(25),
          total: '999999999999.99',
          paid: '123456789012.34',
        }),
      ],
    })
    const { bytes } = await fileOf(fresh, '/reports/receivables?format=pdf')
    const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes, encoding: 'utf8' })
    for (const whole of [
      '999,999,999,999.99',
      '123,456,789,012.34',
      '876,543,210,987.65',
      'MISC491214B86',
      '2026-11-10',
      'parcial',
    ]) {
      expect(text).toContain(whole)
    }
    expect(text).toMatch(/W{5,}\.\.\./)
  })
})

describe('very long report', () => {
  /** Lowered for the test, because thousands of lines take seconds to print. */
  const MAX_PRINTED = 500
  /** Of the four ages, and of all. */
  const TOTALS = 5

  test('is printed up to 5,000 lines, and available as a workbook and as CSV beyond', async () => {
    const limits: { pdf: number } = MAX_ROWS
    const { pdf } = limits
    expect(pdf).toBe(5000)
    limits.pdf = MAX_PRINTED
    onTestFinished(() => void (limits.pdf = pdf))
    const { fresh, put, call } = await filled()
    const maxLines = MAX_PRINTED - TOTALS
    await put({ invoices: [invoiceRecord(1, PPD)] })
    multiply(fresh.workspace, 'tax_invoices', maxLines - 1, COPIES)
    const { bytes } = await fileOf(fresh, '/reports/receivables?format=pdf')
    expect((await PDFDocument.load(bytes)).getPageCount()).toBeGreaterThan(10)

    await put({ invoices: [invoiceRecord(1, PPD)] })
    multiply(fresh.workspace, 'tax_invoices', maxLines, COPIES)
    expect(await call('GET', '/reports/receivables?format=pdf')).toMatchObject(
      refusal(400, 'validation_error', 'format'),
    )
    const sheets = await readSheet((await fileOf(fresh, '/reports/receivables?format=xlsx')).bytes)
    expect(sheets[0]?.data).toHaveLength(1 + MAX_PRINTED + 1)
    const csv = await fileOf(fresh, '/reports/receivables?format=csv')
    expect(parse(csv.bytes, { bom: true })).toHaveLength(1 + MAX_PRINTED + 1)
  })
})

test.each([['income?date=2026-02-30'], ['xml-download?from=2026-11-02&to=2026-11-01']])(
  'refuses %s',
  async (query) => {
    const { call } = await freshTaxRecords()
    expect(await call('GET', `/reports/${query}`)).toMatchObject(refusal(400, 'validation_error'))
  },
)

// ---------------------------------------------------------------- XML

const xmlOf = (folio: number) => `<Comprobante Folio="${String(folio)}">ñ</Comprobante>`

/** The files of the archive by name. */
async function unpacked(bytes: Buffer): Promise<Record<string, string>> {
  const archive = await openArchive(bytes, { unpacked: 10_000_000, files: 10_000 })
  const files: Record<string, string> = {}
  for (const path of archive.paths) {
    const pieces: Buffer[] = []
    for await (const piece of archive.file(path) ?? []) pieces.push(piece)
    files[path] = Buffer.concat(pieces).toString()
  }
  archive.close()
  return files
}

const nameOf = (folio: number) =>
  `EKU9003173C9_A${String(folio)}_00000000-0000-4000-8000-${String(folio).padStart(12, '0')}.xml`

test.each([
  ['', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['?from=2026-11-01&to=2026-11-30', [1, 2, 3, 4, 5, 6]],
  ['?from=2026-11-10&to=2026-11-10', [1, 2, 3, 4, 5, 6]],
  ['?to=2026-11-01', [7]],
  ['?from=2026-12-01', [8]],
  ['?type=E', [3]],
  ['?type=P', [5]],
  ['?from=2027-01-01', []],
])('returns in the archive%s the invoices %j', async (query, folios) => {
  const { fresh, put } = await filled()
  const stampedXml = INVOICES.map((invoice, index) => ({ id: invoice['id'], xml: xmlOf(index + 1) }))
  await put({ invoices: INVOICES, stampedXml })
  const { bytes, type, name } = await fileOf(fresh, `/reports/xml-download${query}`)
  expect(type).toBe('application/zip')
  expect(name).toContain('attachment; filename="xml-')
  expect(await unpacked(bytes)).toEqual(
    Object.fromEntries(folios.map((folio) => [nameOf(folio), xmlOf(folio)])),
  )
})

test('returns a complete archive of very many invoices', async () => {
  const { fresh, put } = await filled()
  const invoices = Array.from({ length: 1000 }, (_, index) => invoiceRecord(index + 1))
  await put({ invoices, stampedXml: invoices.map(({ id }, index) => ({ id, xml: xmlOf(index + 1) })) })
  const { bytes } = await fileOf(fresh, '/reports/xml-download')
  const files = await unpacked(bytes)
  expect(Object.keys(files)).toHaveLength(1000)
  expect(files[nameOf(777)]).toBe(xmlOf(777))
})

const hasUnzip = (() => {
  try {
    execFileSync('python3', ['-c', 'import zipfile'])
    return true
  } catch {
    return false
  }
})()

test.runIf(hasUnzip)('returns an archive that another program finds valid', async () => {
  const { fresh, put } = await filled()
  await put({ invoices: [INVOICES[0] ?? {}], stampedXml: [{ id: INVOICES[0]?.['id'], xml: xmlOf(1) }] })
  const { bytes } = await fileOf(fresh, '/reports/xml-download')
  const script =
    'import sys,io,zipfile; z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())); print(z.testzip(), len(z.namelist()))'
  expect(execFileSync('python3', ['-c', script], { input: bytes }).toString().trim()).toBe('None 1')
})
