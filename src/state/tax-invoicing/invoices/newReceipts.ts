/** A new payment receipt and the documents that it pays. */
import type { NewTaxLine } from './paidTaxes.ts'
import type { Taxes } from '../jsonColumns.ts'

/** A payment of one invoice in a new receipt. Fields that are null are computed. */
export interface NewDocument {
  readonly uuid: string
  readonly serie: string | null
  readonly folio: string | null
  readonly monedaDr: string | null
  readonly equivalencia: string | null
  readonly numParcialidad: number | null
  readonly saldoAnterior: string | null
  readonly importePagado: string
  readonly saldoInsoluto: string | null
  readonly objetoImpDr: string | null
  readonly impuestosDr: Taxes<NewTaxLine> | null
}

export interface NewReceipt {
  readonly serie: string
  readonly fechaPago: number
  readonly formaPago: string
  readonly moneda: string
  readonly tipoCambio: string | null
  readonly monto: string
  readonly numeroOperacion: string | null
  readonly rfcBancoOrdenante: string | null
  readonly cuentaOrdenante: string | null
  readonly rfcBancoBeneficiario: string | null
  readonly cuentaBeneficiaria: string | null
  readonly documentos: readonly NewDocument[]
}
