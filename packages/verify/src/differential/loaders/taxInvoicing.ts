/**
 * Invoices with their cancellations, payment receipts, clients and products. XML and PDF are sealed by the issuer, so only
 * their statuses and types are compared.
 */
import { isGeneric, sumByKind, type TaxLine } from '../../../../../src/published.ts'
import type { Answers, Row } from '../../crawl/answers.ts'
import { camelOf } from '../../crawl/rowValues.ts'
import {
  columns,
  hundredths,
  rowsOf,
  startOf,
  type Found,
  type Loaded,
  type Loader,
  type LoadOptions,
} from './loader.ts'

const INVOICE = [
  ...['id', 'uuid', 'serie', 'folio', 'type', 'status', 'date', 'emisor', 'conceptos', 'subtotal'],
  ...['descuento', 'total', 'moneda', 'tipoCambio', 'metodoPago', 'formaPago', 'lugarExpedicion'],
  ...['exportacion', 'createdAt'],
]
const CANCELLATION = ['motivo', 'uuidSustitucion', 'status', 'requestedAt', 'resolvedAt', 'resolvedBy']
const RECEIPT = [
  ...['id', 'fechaPago', 'formaPago', 'moneda', 'tipoCambio', 'monto', 'numeroOperacion'],
  ...['rfcBancoOrdenante', 'cuentaOrdenante', 'rfcBancoBeneficiario', 'cuentaBeneficiaria', 'createdAt'],
]
const DOCUMENT = [
  ...['monedaDr', 'saldoAnterior', 'importePagado', 'saldoInsoluto', 'objetoImpDr'],
  'impuestosDr',
]
const CLIENT = [
  ...['id', 'rfc', 'nombre', 'regimenFiscal', 'domicilioFiscal', 'usoCfdiDefault', 'email', 'telefono'],
  'createdAt',
]
const PRODUCT = [
  ...['id', 'nombreInterno', 'claveProdServ', 'descripcion', 'claveUnidad', 'valorUnitario', 'objetoImp'],
  ...['impuestos', 'createdAt'],
]

/** What depends on the days of the service. */
const BY_DAY = [
  ...['getIncomeReport*', 'getTaxReport*', 'getCancellationReport*', 'getReceivableReport?aging*'],
  ...['getReceivableReport.data[].due_date', 'getReceivableReport.data[].days_overdue'],
  ...['getReceivableReport.data[].aging_bucket', 'getReceivableReport.summary.by_aging*'],
]

export const taxInvoicing: Loader = { load }

function load(answers: Answers, { knowsTimezone }: LoadOptions): Loaded {
  const invoices = stored(rowsOf(answers, 'listInvoices'))
  const receipts = stored(rowsOf(answers, 'listPaymentReceipts'))
  const clients = stored(rowsOf(answers, 'listClients'))
  const products = stored(rowsOf(answers, 'listProducts'))
  const statuses = new Map(invoices.rows.map((row) => [row['id'], row['status']]))
  const idOf = new Map(invoices.rows.map((row) => [row['uuid'], row['id']]))
  const documents = receipts.rows.flatMap((receipt) =>
    partsOf(receipt, 'documentosRelacionados').map((row, position) => ({
      ...columns(row, DOCUMENT),
      id: `${String(receipt['id'])}-${String(position)}`,
      receiptId: receipt['id'],
      invoiceId: idOf.get(row['uuidFactura']) ?? row['uuidFactura'],
      uuid: row['uuidFactura'],
      importePagado: row['importePagado'],
      numParcialidad: Number(row['numParcialidad']),
      position,
      equivalencia: row['equivalenciaDr'],
      live: statuses.get(receipt['id']) !== 'cancelled',
    })),
  )
  const paidOf = (id: unknown): string => {
    const paid = documents.filter(({ invoiceId, live }) => invoiceId === id && live)
    const cents = paid.reduce((sum, { importePagado }) => sum + Math.round(Number(importePagado) * 100), 0)
    return textOf(cents / 100)
  }
  const folios = new Map<unknown, number>()
  for (const row of invoices.rows)
    folios.set(row['serie'], Math.max(folios.get(row['serie']) ?? 0, Number(row['folio'])))
  const createdAt = startOf(answers)
  return {
    snapshot: {
      'tax-invoicing': {
        series: [...folios].map(([serie, lastFolio], index) => {
          const id = `series-${String(index)}`
          return { id, serie, lastFolio, createdAt }
        }),
        invoices: invoices.rows.map((row) => ({
          ...columns(row, INVOICE),
          folio: Number(row['folio']),
          receptor: { residenciaFiscal: null, numRegIdTrib: null, ...(row['receptor'] as Row) },
          relaciones: row['cfdiRelacionados'],
          impuestos: taxesOf(partsOf(row, 'conceptos')),
          totalTrasladados: row['totalImpuestosTrasladados'],
          totalRetenidos: row['totalImpuestosRetenidos'],
          stampedAt: row['timbradoAt'],
          paid: paidOf(row['id']),
          substitutedBy: (row['cancellation'] as Row | null)?.['uuidSustitucion'] ?? null,
          cancelledAt:
            row['status'] === 'cancelled' ? (row['cancellation'] as Row | null)?.['resolvedAt'] : null,
          mxnCents: hundredths(Number(row['total']) * Number(row['tipoCambio'] ?? 1)),
        })),
        cancellations: invoices.rows.flatMap((row) => {
          const cancellation = row['cancellation'] as Row | null
          return cancellation
            ? [
                {
                  ...columns(cancellation, CANCELLATION),
                  id: `cancellation-${String(row['id'])}`,
                  invoiceId: row['id'],
                  dueAt: cancellation['expiresAt'] ?? null,
                  createdAt: cancellation['requestedAt'],
                },
              ]
            : []
        }),
        receipts: receipts.rows.map((row) => ({
          ...columns(row, RECEIPT),
          receptorRfc: (row['receptor'] as Row | null)?.['rfc'],
        })),
        receiptDocuments: documents,
        clients: clients.rows.map((row) => ({
          ...columns(row, CLIENT),
          invoiceCount: invoices.isComplete ? countOf(row, invoices.rows) : Number(row['invoiceCount']),
          invoicedCents: hundredths(Number(row['totalFacturado'])),
          updatedAt: row['createdAt'],
        })),
        products: products.rows.map((row) => ({
          ...columns(row, PRODUCT),
          usageCount: Number(row['usageCount']),
          updatedAt: row['createdAt'],
        })),
      },
    },
    unknown: knowsTimezone ? [] : BY_DAY,
    isComplete: [invoices, receipts, clients, products].every(({ isComplete }) => isComplete),
  }
}

const partsOf = (row: Row, name: string): readonly Row[] => (row[name] ?? []) as Row[]

/** Returns rows as columns have them: names in camel case, and decimals as texts. */
const stored = ({
  rows,
  isComplete,
}: Found): { readonly rows: readonly Row[]; readonly isComplete: boolean } => ({
  rows: rows.map(({ row }) => storedOf(row) as Row),
  isComplete,
})

function storedOf(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return name === 'tasa' ? value.toFixed(6) : textOf(value)
  if (Array.isArray(value)) return value.map((each) => storedOf(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [camelOf(key), storedOf(each, key)]))
}

const textOf = (value: number): string => (String(value).includes('e') ? value.toFixed(12) : String(value))

/** Returns the taxes of all lines. */
function taxesOf(lines: readonly Row[]): object {
  const all = (name: string): TaxLine[] =>
    lines.flatMap((line) => ((line['impuestos'] as Row | null)?.[name] ?? []) as TaxLine[])
  return {
    traslados: sumByKind(all('traslados'), 2),
    retenciones: sumByKind(all('retenciones'), 2, ({ impuesto }) => impuesto),
  }
}

/** Counts the invoices to a client. A generic tax id stands for many buyers, whom only their names distinguish. */
function countOf({ rfc, nombre }: Row, invoices: readonly Row[]): number {
  return invoices.filter((invoice) => {
    const receptor = (invoice['receptor'] ?? {}) as Row
    const isSame = receptor['rfc'] === rfc && (!isGeneric(String(rfc)) || receptor['nombre'] === nombre)
    return isSame && invoice['type'] !== 'P'
  }).length
}
