/** Maps request bodies of payment receipts to the types of the state. */
import type { Static } from '@sinclair/typebox'
import { instantOf } from '@suite-sim/kit/time/instants'
import { EQUIVALENCE_DECIMALS } from '../../state/tax-invoicing/documents/amounts.ts'
import { ISSUER_PLACE } from '../../state/tax-invoicing/taxpayers/issuer.ts'
import type { NewTaxLine } from '../../state/tax-invoicing/invoices/receipts/paidTaxes.ts'
import type { NewDocument, NewReceipt } from '../../state/tax-invoicing/invoices/receipts/newReceipts.ts'
import { normalRfc } from '../../state/tax-invoicing/taxpayers/rfc.ts'
import { decimalOrNull, relationsOf, textOrNull } from './invoiceFields.ts'
import { decimalText } from './shapes/common.ts'
import type { ReceiptCreate } from './shapes/receipts.ts'

type Body = Static<typeof ReceiptCreate>
type SentDocument = Body['documentos_relacionados'][number]
type SentLine = NonNullable<NonNullable<SentDocument['impuestos_dr']>['traslados']>[number]

const lineOf = ({ base, impuesto, tipo_factor: tipoFactor, tasa, importe }: SentLine): NewTaxLine => ({
  impuesto,
  tipoFactor,
  tasa: decimalOrNull(tasa),
  base: decimalText(base),
  importe: decimalOrNull(importe),
})

const documentOf = (sent: SentDocument): NewDocument => ({
  uuid: sent.uuid_factura.toUpperCase(),
  serie: sent.serie ?? null,
  folio: sent.folio === null || sent.folio === undefined ? null : String(sent.folio),
  monedaDr: sent.moneda_dr ?? null,
  equivalencia: decimalOrNull(sent.equivalencia_dr, EQUIVALENCE_DECIMALS),
  numParcialidad: sent.num_parcialidad ?? null,
  saldoAnterior: decimalOrNull(sent.saldo_anterior),
  importePagado: decimalText(sent.importe_pagado),
  saldoInsoluto: decimalOrNull(sent.saldo_insoluto),
  objetoImpDr: sent.objeto_imp_dr ?? null,
  impuestosDr: sent.impuestos_dr
    ? {
        traslados: (sent.impuestos_dr.traslados ?? []).map(lineOf),
        retenciones: (sent.impuestos_dr.retenciones ?? []).map(lineOf),
      }
    : null,
})

/** Reads a payment date. Without an offset it is local time, as in the XML. A date without a time means noon. */
const paymentDate = (sent: string): number =>
  instantOf(sent.includes('T') ? sent : `${sent}T12:00:00`, ISSUER_PLACE)

const rfcOrNull = (sent: string | null | undefined): string | null =>
  sent === null || sent === undefined ? null : normalRfc(sent)

export const newReceiptOf = (body: Body): NewReceipt => ({
  serie: body.serie ?? 'P',
  fechaPago: paymentDate(body.fecha_pago),
  formaPago: body.forma_pago,
  moneda: body.moneda ?? 'MXN',
  tipoCambio: decimalOrNull(body.tipo_cambio),
  monto: decimalText(body.monto),
  numeroOperacion: textOrNull(body.numero_operacion),
  rfcBancoOrdenante: rfcOrNull(body.rfc_banco_ordenante),
  cuentaOrdenante: body.cuenta_ordenante ?? null,
  rfcBancoBeneficiario: rfcOrNull(body.rfc_banco_beneficiario),
  cuentaBeneficiaria: body.cuenta_beneficiaria ?? null,
  documentos: body.documentos_relacionados.map(documentOf),
  relaciones: relationsOf(body.cfdi_relacionados),
})
