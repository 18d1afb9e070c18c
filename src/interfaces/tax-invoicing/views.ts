/** Serializes the records of tax invoicing. */
import type { Static } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import {
  lastCancellation,
  type Cancellation as CancellationRow,
} from '../../state/tax-invoicing/invoices/cancellations.ts'
import type { Certificate as CertificateRow } from '../../state/tax-invoicing/xml/certificates.ts'
import { invoices, type Invoice as InvoiceRow } from '../../state/tax-invoicing/invoices/invoices.ts'
import { documentsOf, type Receipt as ReceiptRow } from '../../state/tax-invoicing/invoices/receipts.ts'
import type { Concept, Tax, TaxLine, Taxes } from '../../state/tax-invoicing/tables.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Cancellation, CreatedInvoice, Invoice } from './schemas/invoices.ts'
import type { CreatedReceipt, PaymentReceipt } from './schemas/receipts.ts'

const BASE_PATH = '/einvoicing/v1'

/** The path of the pages where recipients decide on cancellations. */
export const PAGES_PATH = '/einvoicing/recipient'

const address = ({ publicUrl }: Workspace, path: string): string => `${publicUrl}${BASE_PATH}${path}`

const linksOf = (workspace: Workspace, path: string) => ({
  xml_url: address(workspace, `${path}/xml`),
  pdf_url: address(workspace, `${path}/pdf`),
})

const numberOrNull = (amount: string | null): number | null => (amount === null ? null : Number(amount))

// ---------------------------------------------------------------- taxes

/** Serializes a tax without amounts, as products have it. */
export const taxView = ({ impuesto, tipoFactor, tasa }: Tax) => ({
  impuesto,
  tipo_factor: tipoFactor,
  tasa: numberOrNull(tasa),
})

const taxLineView = (line: TaxLine) => ({
  base: Number(line.base),
  ...taxView(line),
  importe: numberOrNull(line.importe),
})

const taxLinesView = ({ traslados, retenciones }: Taxes) => ({
  traslados: traslados.map(taxLineView),
  retenciones: retenciones.map(taxLineView),
})

// ---------------------------------------------------------------- invoices

const conceptView = (concept: Concept) => ({
  clave_prod_serv: concept.claveProdServ,
  no_identificacion: concept.noIdentificacion,
  descripcion: concept.descripcion,
  cantidad: Number(concept.cantidad),
  clave_unidad: concept.claveUnidad,
  unidad: concept.unidad,
  valor_unitario: Number(concept.valorUnitario),
  importe: Number(concept.importe),
  descuento: numberOrNull(concept.descuento),
  objeto_imp: concept.objetoImp,
  impuestos: taxLinesView(concept.impuestos),
})

const cancellationView = (
  cancellation: CancellationRow,
  { uuid }: InvoiceRow,
  { publicUrl, id }: Workspace,
): Static<typeof Cancellation> => ({
  motivo: cancellation.motivo,
  uuid_sustitucion: cancellation.uuidSustitucion,
  status: cancellation.status,
  requested_at: iso(cancellation.requestedAt),
  resolved_at: isoOrNull(cancellation.resolvedAt),
  expires_at: isoOrNull(cancellation.dueAt),
  resolved_by: cancellation.resolvedBy,
  decision_url:
    cancellation.status === 'pending_acceptance' ? `${publicUrl}${PAGES_PATH}/${id}/${uuid}` : null,
})

/** Returns the first fields of every stamped document, except its id. */
const stampedView = ({ uuid, serie, folio, type, status }: InvoiceRow) => ({
  uuid,
  serie,
  folio,
  type,
  status,
})

export function invoiceView(invoice: InvoiceRow, workspace: Workspace): Static<typeof Invoice> {
  const { emisor, receptor } = invoice
  const cancellation = lastCancellation(workspace, invoice.id)
  return {
    id: invoice.id,
    ...stampedView(invoice),
    date: iso(invoice.date),
    emisor: { rfc: emisor.rfc, nombre: emisor.nombre, regimen_fiscal: emisor.regimenFiscal },
    receptor: {
      rfc: receptor.rfc,
      nombre: receptor.nombre,
      regimen_fiscal: receptor.regimenFiscal,
      domicilio_fiscal: receptor.domicilioFiscal,
      uso_cfdi: receptor.usoCfdi,
    },
    conceptos: invoice.conceptos.map(conceptView),
    cfdi_relacionados: invoice.relaciones.map(({ tipoRelacion, uuids }) => ({
      tipo_relacion: tipoRelacion,
      uuids: [...uuids],
    })),
    subtotal: Number(invoice.subtotal),
    descuento: numberOrNull(invoice.descuento),
    total_impuestos_trasladados: Number(invoice.totalTrasladados),
    total_impuestos_retenidos: Number(invoice.totalRetenidos),
    total: Number(invoice.total),
    moneda: invoice.moneda,
    tipo_cambio: numberOrNull(invoice.tipoCambio),
    metodo_pago: invoice.metodoPago,
    forma_pago: invoice.formaPago,
    lugar_expedicion: invoice.lugarExpedicion,
    exportacion: invoice.exportacion,
    cancellation: cancellation ? cancellationView(cancellation, invoice, workspace) : null,
    created_at: iso(invoice.createdAt),
    timbrado_at: iso(invoice.stampedAt),
    ...linksOf(workspace, `/invoices/${invoice.id}`),
  }
}

export const createdInvoiceView = (
  invoice: InvoiceRow,
  workspace: Workspace,
): Static<typeof CreatedInvoice> => ({
  id: invoice.id,
  ...stampedView(invoice),
  subtotal: Number(invoice.subtotal),
  total: Number(invoice.total),
  timbrado_at: iso(invoice.stampedAt),
  ...linksOf(workspace, `/invoices/${invoice.id}`),
})

// ---------------------------------------------------------------- payment receipts

export function receiptView(receipt: ReceiptRow, workspace: Workspace): Static<typeof PaymentReceipt> {
  const invoice = invoices.get(workspace, receipt.id)
  return {
    id: invoice.id,
    ...stampedView(invoice),
    receptor: { rfc: invoice.receptor.rfc, nombre: invoice.receptor.nombre },
    fecha_pago: iso(receipt.fechaPago),
    forma_pago: receipt.formaPago,
    moneda: receipt.moneda,
    tipo_cambio: Number(receipt.tipoCambio),
    monto: Number(receipt.monto),
    numero_operacion: receipt.numeroOperacion,
    rfc_banco_ordenante: receipt.rfcBancoOrdenante,
    cuenta_ordenante: receipt.cuentaOrdenante,
    rfc_banco_beneficiario: receipt.rfcBancoBeneficiario,
    cuenta_beneficiaria: receipt.cuentaBeneficiaria,
    documentos_relacionados: documentsOf(workspace, receipt.id).map((document) => {
      const { serie, folio } = invoices.get(workspace, document.invoiceId)
      return {
        uuid_factura: document.uuid,
        serie,
        folio,
        moneda_dr: document.monedaDr,
        equivalencia_dr: Number(document.equivalencia),
        num_parcialidad: document.numParcialidad,
        saldo_anterior: Number(document.saldoAnterior),
        importe_pagado: Number(document.importePagado),
        saldo_insoluto: Number(document.saldoInsoluto),
        objeto_imp_dr: document.objetoImpDr,
        impuestos_dr: taxLinesView(document.impuestosDr),
      }
    }),
    created_at: iso(receipt.createdAt),
    timbrado_at: iso(invoice.stampedAt),
    ...linksOf(workspace, `/payment-receipts/${receipt.id}`),
  }
}

export function createdReceiptView(receipt: ReceiptRow, workspace: Workspace): Static<typeof CreatedReceipt> {
  const invoice = invoices.get(workspace, receipt.id)
  return {
    id: invoice.id,
    ...stampedView(invoice),
    monto: Number(receipt.monto),
    timbrado_at: iso(invoice.stampedAt),
    ...linksOf(workspace, `/payment-receipts/${receipt.id}`),
  }
}

// ---------------------------------------------------------------- certificates

const DAY = 86_400_000

export const certificateView = ({ number, validFrom, validUntil }: CertificateRow, at: number) => ({
  number,
  valid_from: iso(validFrom),
  expires_at: iso(validUntil),
  days_left: Math.max(0, Math.ceil((validUntil - at) / DAY)),
})
