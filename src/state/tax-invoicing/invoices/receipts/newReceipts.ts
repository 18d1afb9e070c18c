/** A new payment receipt and the documents that it pays. */
import type { NewTaxLine } from './paidTaxes.ts'
import type { recordKey, withCreation } from '../../../storage/columns.ts'
import type { Relation, Taxes } from '../../jsonColumns.ts'
import type { receipts } from '../../tables.ts'

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

type Receipt = typeof receipts.$inferSelect

/** Without a rate, `tipoCambio` is null. */
export interface NewReceipt extends Readonly<
  Omit<Receipt, keyof typeof recordKey | keyof typeof withCreation | 'receptorRfc' | 'tipoCambio'>
> {
  readonly serie: string
  readonly tipoCambio: string | null
  readonly documentos: readonly NewDocument[]
  readonly relaciones: readonly Relation[]
}
