/**
 * Views of records that no shape describes: a receipt has the fields of two records and of their documents, and the data of
 * a certificate depend on the time.
 */
import type { Static } from '@sinclair/typebox'
import { iso } from '@suite-sim/kit/time/instants'
import type { Certificate } from '../../state/tax-invoicing/xml/certificates.ts'
import { invoices, type Invoice } from '../../state/tax-invoicing/invoices/invoices.ts'
import {
  documentsOf,
  type Receipt,
  type ReceiptDocument,
} from '../../state/tax-invoicing/invoices/receipts.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { fileAddress } from './addresses.ts'
import { relationsView } from './shapes/invoices.ts'
import type { CreatedReceipt, PaymentReceipt } from './shapes/receipts.ts'
import { taxLinesView } from './shapes/taxes.ts'

// ---------------------------------------------------------------- payment receipts

/** Returns the first fields of a stamped document, except its id. */
const stampedView = ({ uuid, serie, folio, type, status }: Invoice) => ({ uuid, serie, folio, type, status })

const linksOf = (workspace: Workspace, { id }: Receipt) => ({
  xml_url: fileAddress(workspace, `/payment-receipts/${id}`, 'xml'),
  pdf_url: fileAddress(workspace, `/payment-receipts/${id}`, 'pdf'),
})

export const receiptView = (receipt: Receipt, workspace: Workspace): Static<typeof PaymentReceipt> =>
  viewWith(receipt, workspace, documentsOf.of(workspace, receipt.id), (id) => invoices.get(workspace, id))

/** Returns a page of receipts. Their invoices and documents are read once for all of them. */
export function receiptViews(
  receipts: readonly Receipt[],
  workspace: Workspace,
): Static<typeof PaymentReceipt>[] {
  const ids = receipts.map(({ id }) => id)
  const documents = documentsOf.ofEach(workspace, ids)
  const paid = [...documents.values()].flatMap((all) => all.map(({ invoiceId }) => invoiceId))
  const found = invoices.byId(workspace, [...ids, ...paid])
  const invoiceOf = (id: string): Invoice => found.get(id) ?? invoices.noSuch(id)
  return receipts.map((receipt) => viewWith(receipt, workspace, documents.get(receipt.id) ?? [], invoiceOf))
}

function viewWith(
  receipt: Receipt,
  workspace: Workspace,
  documents: readonly ReceiptDocument[],
  invoiceOf: (id: string) => Invoice,
): Static<typeof PaymentReceipt> {
  const invoice = invoiceOf(receipt.id)
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
    documentos_relacionados: documents.map((document) => {
      const { serie, folio } = invoiceOf(document.invoiceId)
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
    cfdi_relacionados: relationsView(invoice.relaciones),
    created_at: iso(receipt.createdAt),
    timbrado_at: iso(invoice.stampedAt),
    ...linksOf(workspace, receipt),
  }
}

export function createdReceiptView(receipt: Receipt, workspace: Workspace): Static<typeof CreatedReceipt> {
  const invoice = invoices.get(workspace, receipt.id)
  return {
    id: invoice.id,
    ...stampedView(invoice),
    monto: Number(receipt.monto),
    timbrado_at: iso(invoice.stampedAt),
    ...linksOf(workspace, receipt),
  }
}

// ---------------------------------------------------------------- certificates

const DAY = 86_400_000

export const certificateView = ({ number, validFrom, validUntil }: Certificate, at: number) => ({
  number,
  valid_from: iso(validFrom),
  expires_at: iso(validUntil),
  days_left: Math.max(0, Math.ceil((validUntil - at) / DAY)),
})
