/** Hints about payments that are probably a mistake, although the authority accepts them. */
import { addHint } from '../../../timeline/causes.ts'
import { decimal, EQUIVALENCE_DECIMALS, roundAmount, ZERO, type Amount } from '../../documents/amounts.ts'
import { PESO } from '../../documents/documents.ts'
import { distance } from '../../documents/exchangeRates.ts'
import { replacedUuids } from '../../documents/relations.ts'
import { creditsOf } from '../creditNotes.ts'
import { invoiceByUuid, type Invoice } from '../invoices.ts'
import { documentsOf, type ReceiptDocument } from '../receipts.ts'
import type { NewDocument, NewReceipt } from './newReceipts.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { PaidDocument } from '../../xml/payments.ts'
import { localTime } from '../../xml/stamping.ts'

/** Adds hints about a document of a receipt. `index` is its position in the request. */
export function hintAtDocument(
  receipt: NewReceipt,
  document: NewDocument,
  index: number,
  invoice: Invoice,
): void {
  const path = `documentos_relacionados.${String(index)}`
  hintAtDate(receipt, path, invoice)
  hintAtEquivalence(receipt, document, path, invoice)
  const isTaxed = invoice.impuestos.traslados.length + invoice.impuestos.retenciones.length > 0
  if (document.objetoImpDr === NOT_TAXED && isTaxed) {
    addHint(
      'untaxed_payment',
      `${path}.objeto_imp_dr is ${NOT_TAXED} (not subject to tax), but the invoice ${invoice.uuid} has taxes. Send 02.`,
    )
  }
}

/**
 * Adds hints about payments of more than what credit notes left of an invoice. The authority compares a payment only with
 * the total and the payments before it.
 */
export function hintAtOverpayments(workspace: Workspace, documents: readonly PaidDocument[]): void {
  const credits = creditsOf(
    workspace,
    documents.map(({ invoice }) => invoice.uuid),
  )
  documents.forEach(({ invoice, importePagado, saldoAnterior }, index) => {
    const credited = credits.get(invoice.uuid) ?? ZERO
    const left = decimal(saldoAnterior).minus(credited)
    if (credited.eq(0) || left.gte(importePagado)) return
    addHint(
      'payment_exceeds_balance',
      `documentos_relacionados.${String(index)}.importe_pagado (${importePagado}) is more than the balance of the invoice ${invoice.uuid} less its credit notes: ${saldoAnterior} less ${credited.toFixed()}.`,
    )
  })
}

/** Adds a hint for each UUID that a receipt is to replace and that is no receipt, or one that was already replaced. */
export function hintAtReplacedReceipts(workspace: Workspace, { relaciones }: NewReceipt): void {
  for (const uuid of replacedUuids({ relaciones })) {
    const related = invoiceByUuid.find(workspace, uuid)
    const isReceipt = related?.type === 'P'
    if (isReceipt && (related.status !== 'active' || documentsOf.of(workspace, related.id).some(isLive))) {
      continue
    }
    const reason = isReceipt
      ? `The related payment receipt ${uuid} was already replaced`
      : `The related UUID ${uuid} is not that of a payment receipt of the issuer`
    addHint('receipt_replaces_nothing', `${reason}, so the new receipt takes the place of none.`)
  }
}

const isLive = ({ live }: ReceiptDocument): boolean => live

/** The code of c_ObjetoImp for "not subject to tax". */
const NOT_TAXED = '01'

const dayOf = (instant: number): string => localTime(instant).slice(0, 10)

/** Compares days in the time zone of the issuer, because a payment may have no time. */
function hintAtDate({ fechaPago }: NewReceipt, path: string, { uuid, date }: Invoice): void {
  if (dayOf(fechaPago) >= dayOf(date)) return
  addHint(
    'payment_before_invoice',
    `fecha_pago (${dayOf(fechaPago)}) is before the date (${dayOf(date)}) of the invoice ${uuid} in ${path}.`,
  )
}

/** Adds a hint if the equivalence is closer to the reciprocal of the expected value than to the expected value. */
function hintAtEquivalence(
  { moneda, tipoCambio }: NewReceipt,
  { equivalencia }: NewDocument,
  path: string,
  invoice: Invoice,
): void {
  if (equivalencia === null || moneda === invoice.moneda) return
  const paymentRate = pesosFor(moneda, tipoCambio)
  const invoiceRate = pesosFor(invoice.moneda, invoice.tipoCambio)
  if (paymentRate.eq(0) || invoiceRate.eq(0)) return
  const expected = paymentRate.div(invoiceRate)
  // Close to the expected value, the quotient is near 1. Close to its reciprocal, the product is near 1.
  const [product, quotient] = [decimal(equivalencia).times(expected), decimal(equivalencia).div(expected)]
  if (distance(Number(product)) >= distance(Number(quotient))) return
  addHint(
    'inverted_equivalence',
    `${path}.equivalencia_dr is ${equivalencia} and seems to be inverted. Send the ${invoice.moneda} for one ${moneda}, about ${roundAmount(expected, EQUIVALENCE_DECIMALS).toFixed()}.`,
  )
}

/** Returns the pesos for one unit of a currency, or 0 if the rate is unknown. */
const pesosFor = (moneda: string, tipoCambio: string | null): Amount =>
  moneda === PESO ? decimal('1') : decimal(tipoCambio ?? '0')
