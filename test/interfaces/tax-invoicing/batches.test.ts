/** Batches: each invoice is independent. */
import { expect, test } from 'vitest'
import { freshInvoicing, invoiceBody, line, COMPANY } from '../../support/taxInvoicing.ts'

interface Batch {
  readonly batch_id: string
  readonly results: readonly {
    readonly index: number
    readonly status: string
    readonly invoice_id?: string
    readonly uuid?: string
    readonly error?: string
    readonly details?: readonly { readonly field: string; readonly code: string }[]
  }[]
}

test('reports invalid invoices, and stamps the others in order', async () => {
  const { ask, getInvoice, events } = await freshInvoicing()
  const batch = await ask<Batch>('POST', '/invoices/batch', {
    invoices: [
      invoiceBody(),
      invoiceBody({ receptor: { ...COMPANY, uso_cfdi: 'D01' } }),
      { type: 'I' },
      null,
      'an invoice',
      invoiceBody({ conceptos: [line({ valor_unitario: 5 })] }),
    ],
  })
  expect(batch).toMatchObject({ total_invoices: 6, successful: 2, failed: 4 })
  expect(batch.batch_id).toMatch(/^batch_/)
  expect(batch.results.map(({ index, status }) => [index, status])).toEqual([
    [0, 'success'],
    [1, 'error'],
    [2, 'error'],
    [3, 'error'],
    [4, 'error'],
    [5, 'success'],
  ])
  const [first, wrongUse, incomplete, , text, last] = batch.results
  expect(await getInvoice(first?.invoice_id ?? '')).toMatchObject({ folio: 1, uuid: first?.uuid })
  expect(await getInvoice(last?.invoice_id ?? '')).toMatchObject({ folio: 2, subtotal: 5 })
  expect(wrongUse?.error).toContain('receptor.uso_cfdi')
  expect(wrongUse?.details).toMatchObject([{ field: 'receptor.uso_cfdi', code: 'CFDI40161' }])
  expect(incomplete?.details?.map(({ field }) => field)).toEqual(['receptor', 'conceptos'])
  expect(text?.error).toBe('the body must be an object')
  expect(events()).toEqual(['invoice.created', 'invoice.created'])
})

test('accepts 100, each with its own folio', async () => {
  const { ask } = await freshInvoicing()
  const invoices = Array.from({ length: 100 }, () => invoiceBody())
  const batch = await ask<Batch>('POST', '/invoices/batch', { invoices })
  expect(batch).toMatchObject({ total_invoices: 100, successful: 100, failed: 0 })
  const { data } = await ask<{ data: { folio: number }[] }>('GET', '/invoices?per_page=100&sort_by=folio')
  expect(new Set(data.map(({ folio }) => folio)).size).toBe(100)
})

test('applies enviar_email to each', async () => {
  const { ask, emails } = await freshInvoicing()
  await ask('POST', '/clients', { rfc: COMPANY.rfc, nombre: COMPANY.nombre, email: 'cuentas@ure.example' })
  await ask('POST', '/invoices/batch', { invoices: [invoiceBody({ enviar_email: true }), invoiceBody()] })
  expect(emails().map(({ subject }) => subject)).toEqual(['ESCUELA KEMPER URGATE: CFDI A-1'])
})
