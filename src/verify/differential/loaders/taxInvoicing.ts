/** Clients and products. Invoices are not loaded: no call shows the certificate with which they were stamped. */
import type { Row } from '../../walk/readings.ts'
import { columns, rowsOf, type Loader } from './loader.ts'

const CLIENT = [
  'id',
  'rfc',
  'nombre',
  'regimenFiscal',
  'domicilioFiscal',
  'usoCfdiDefault',
  'email',
  'telefono',
  'invoiceCount',
  'createdAt',
]
const PRODUCT = [
  'id',
  'nombreInterno',
  'claveProdServ',
  'descripcion',
  'claveUnidad',
  'objetoImp',
  'usageCount',
  'createdAt',
]

/** Operations that follow from invoices. */
const UNREAD = [
  'listInvoices',
  'getInvoice',
  'listPaymentReceipts',
  'getPaymentReceipt',
  'getIncomeReport',
  'getTaxReport',
  'getCancellationReport',
  'getReceivableReport',
  'downloadXml',
]

const taxes = (list: unknown): unknown[] =>
  ((list ?? []) as Row[]).map((tax) => ({
    ...columns(tax, ['impuesto', 'tipoFactor']),
    tasa: typeof tax['tasa'] === 'number' ? tax['tasa'].toFixed(6) : null,
  }))

export const taxInvoicing: Loader = (readings) => {
  const clients = rowsOf(readings, 'listClients')
  const products = rowsOf(readings, 'listProducts')
  return {
    snapshot: {
      'tax-invoicing': {
        clients: clients.rows.map(({ row }) => ({
          ...columns(row, CLIENT),
          invoicedCents: Math.round(Number(row['total_facturado']) * 100),
          updatedAt: row['created_at'],
        })),
        products: products.rows.map(({ row }) => {
          const own = (row['impuestos'] ?? {}) as Row
          return {
            ...columns(row, PRODUCT),
            valorUnitario: String(row['valor_unitario']),
            impuestos: { traslados: taxes(own['traslados']), retenciones: taxes(own['retenciones']) },
            updatedAt: row['created_at'],
          }
        }),
      },
    },
    unknown: UNREAD.map((id) => `${id}*`),
    isComplete: clients.isComplete && products.isComplete,
  }
}
