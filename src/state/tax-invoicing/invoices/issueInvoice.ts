/** Issues invoices. Specification part 2, "Tax invoicing", POST /invoices. */
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, roundAmount } from '../documents/amounts.ts'
import { countInvoiceOfClient } from '../masterData/clients.ts'
import type { Unsealed } from '../xml/comprobante.ts'
import { inPesos, PESO, validateInvoice, type NewInvoice } from '../documents/documents.ts'
import { hintAtRate } from '../documents/exchangeRates.ts'
import { hintAtCreditNote } from './creditNoteHints.ts'
import { appendTaxInvoicingEvent } from '../documents/events.ts'
import { invoiceByUuid, invoices, stampedXml, type Invoice } from './invoices.ts'
import { ISSUER, PLACE_OF_ISSUE } from '../taxpayers/issuer.ts'
import { countUsesOfProducts } from '../masterData/products.ts'
import { nextFolio } from '../documents/series.ts'
import { stampNow } from '../xml/stamping.ts'

/** Validates, seals and stamps an invoice, with the next folio of its series. */
export function issueInvoice(workspace: Workspace, newInvoice: NewInvoice): Invoice {
  const isPending = (uuid: string): boolean =>
    invoiceByUuid.find(workspace, uuid)?.status === 'cancellation_pending'
  const totals = validateInvoice(workspace, newInvoice, isPending)
  hintAtRate(newInvoice.moneda, newInvoice.tipoCambio)
  hintAtCreditNote(workspace, newInvoice, totals)
  return workspace.write(() => {
    const { type, serie, receptor, relaciones, moneda, metodoPago, formaPago, exportacion } = newInvoice
    const invoice = stampAndStore(workspace, {
      type,
      serie,
      folio: nextFolio(workspace, serie),
      emisor: ISSUER,
      receptor,
      relaciones,
      moneda,
      // The authority compares the rate of the peso as a text.
      tipoCambio: newInvoice.tipoCambio !== null && moneda === PESO ? '1' : newInvoice.tipoCambio,
      metodoPago,
      formaPago,
      lugarExpedicion: PLACE_OF_ISSUE,
      exportacion,
      ...totals,
      complement: null,
    })
    countInvoiceOfClient(workspace, invoice)
    countUsesOfProducts(workspace, invoice)
    appendTaxInvoicingEvent(workspace, 'invoice.created', invoice.id, { invoice })
    return invoice
  })
}

/** Stamps a document and stores it with its XML. Call it inside a `write`. */
export function stampAndStore(
  workspace: Workspace,
  document: Omit<Unsealed, 'fecha' | 'certificate' | 'type'> & Pick<Invoice, 'type'>,
): Invoice {
  const now = workspace.now()
  const uuid = workspace.ids.uuid('cfdi').toUpperCase()
  const xml = stampNow(workspace, now, uuid, document)
  const { complement: _complement, ...fields } = document
  const invoice = invoices.insert(workspace, {
    ...fields,
    id: workspace.ids.prefixed('inv_'),
    uuid,
    date: now,
    stampedAt: now,
    createdAt: now,
    mxnCents: Number(
      roundAmount(inPesos(decimal(fields.total), fields.moneda, fields.tipoCambio), 2)
        .times(100)
        .toFixed(0),
    ),
  })
  stampedXml.insert(workspace, { id: invoice.id, xml })
  return invoice
}
