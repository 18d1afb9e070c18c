/** Invoices with deferred payment, and the receipts that pay them. */
import type { Static } from '@sinclair/typebox'
import type { PaymentReceipt } from '../../src/interfaces/tax-invoicing/shapes/receipts.ts'
import type { Answer } from './app.ts'
import { freshInvoicing, type CreatedBody } from './taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

export type ReceiptBody = Static<typeof PaymentReceipt>

const LATER = { metodo_pago: 'PPD', forma_pago: '99' }

/**
 * `freshInvoicing` with a helper that pays an amount of an invoice; it takes fields of the receipt and of its only
 * document.
 */
export async function freshPaying() {
  const invoicing = await freshInvoicing()
  const { call, ask, issue } = invoicing
  const body = (uuid: string, amount: unknown, fields: Fields = {}, document: Fields = {}) => ({
    fecha_pago: '2026-11-19',
    forma_pago: '03',
    monto: amount,
    documentos_relacionados: [{ uuid_factura: uuid, importe_pagado: amount, ...document }],
    ...fields,
  })
  return {
    ...invoicing,
    issueLater: (fields: Fields = {}) => issue({ ...LATER, ...fields }),
    tryPay: (uuid: string, amount: unknown, fields?: Fields, document?: Fields) =>
      call('POST', '/payment-receipts', { body: body(uuid, amount, fields, document) }),
    async pay(uuid: string, amount: unknown, fields?: Fields, document?: Fields) {
      const made = await ask<CreatedBody>('POST', '/payment-receipts', body(uuid, amount, fields, document))
      return ask<ReceiptBody>('GET', `/payment-receipts/${made.id}`)
    },
  }
}

/** The path and the code of each invalid field in an error. */
export const problemsOf = ({ body }: Answer): { field: string; code: string }[] =>
  (body as { error: { details: { field: string; code: string }[] } }).error.details.map(
    ({ field, code }) => ({
      field,
      code,
    }),
  )
