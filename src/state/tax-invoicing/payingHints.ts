/** What is stamped of a payment and is probably not meant: hints in the journal, for the authority takes it. */
import { addHint } from '../causes.ts'
import { decimal, EQUIVALENCE_DECIMALS, rounded, type Amount } from './amounts.ts'
import { PESO } from './documents.ts'
import type { Invoice } from './invoices.ts'
import type { NewDocument, NewReceipt } from './newReceipts.ts'
import { localTime } from './stamping.ts'

/** Of a document that a receipt pays, which stands at this place among those that were sent. */
export function hintAtDocument(
  receipt: NewReceipt,
  document: NewDocument,
  index: number,
  invoice: Invoice,
): void {
  const place = `documentos_relacionados.${String(index)}`
  hintAtDate(receipt, place, invoice)
  hintAtEquivalence(receipt, document, place, invoice)
  const isTaxed = invoice.impuestos.traslados.length + invoice.impuestos.retenciones.length > 0
  if (document.objetoImpDr === NOT_TAXED && isTaxed) {
    addHint(
      'untaxed_payment',
      `${place}.objeto_imp_dr is ${NOT_TAXED}, not subject to tax, but the invoice ${invoice.uuid} has taxes; send 02.`,
    )
  }
}

/** The code of c_ObjetoImp for what is not subject to tax. */
const NOT_TAXED = '01'

const dayOf = (instant: number): string => localTime(instant).slice(0, 10)

/** By their days where the issuer is: a payment may be sent without its time. */
function hintAtDate({ fechaPago }: NewReceipt, place: string, { uuid, date }: Invoice): void {
  if (dayOf(fechaPago) >= dayOf(date)) return
  addHint(
    'payment_before_invoice',
    `fecha_pago, ${dayOf(fechaPago)}, is before the date of the invoice ${uuid} of ${place}, ${dayOf(date)}.`,
  )
}

/** The exchange rates of both say what the equivalence is about; its reciprocal is on the other side of 1. */
function hintAtEquivalence(
  { moneda, tipoCambio }: NewReceipt,
  { equivalencia }: NewDocument,
  place: string,
  invoice: Invoice,
): void {
  if (equivalencia === null || moneda === invoice.moneda) return
  const [ofPayment, ofInvoice] = [pesosFor(moneda, tipoCambio), pesosFor(invoice.moneda, invoice.tipoCambio)]
  if (ofPayment.eq(0) || ofInvoice.eq(0)) return
  const expected = ofPayment.div(ofInvoice)
  // Nearer to the reciprocal: what was sent times the expected is nearer to 1 than what was sent by the expected is.
  const [product, quotient] = [decimal(equivalencia).times(expected), decimal(equivalencia).div(expected)]
  if (distance(Number(product)) >= distance(Number(quotient))) return
  addHint(
    'inverted_equivalence',
    `${place}.equivalencia_dr is ${equivalencia} and looks inverted: it is ${invoice.moneda} for one ${moneda}, about ${rounded(expected, EQUIVALENCE_DECIMALS).toFixed()}.`,
  )
}

/** Pesos for one of a currency; 0 where nobody has said it. */
const pesosFor = (moneda: string, tipoCambio: string | null): Amount =>
  moneda === PESO ? decimal('1') : decimal(tipoCambio ?? '0')

/** How far a factor is from 1, in either direction. */
const distance = (factor: number): number => Math.abs(Math.log(factor))
