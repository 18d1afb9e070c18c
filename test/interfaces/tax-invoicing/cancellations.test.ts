/** Cancellation: the consent of the recipient, silence, and documents that prevent it. */
import { expect, test } from 'vitest'
import { asForm, pathOf } from '../../support/payers.ts'
import { freshInvoicing, invoiceBody, line, PUBLIC, refusalOf } from '../../support/taxInvoicing.ts'

const UNDER = { conceptos: [line({ valor_unitario: 999.99, objeto_imp: '01', impuestos: null })] }
const AT = { conceptos: [line({ valor_unitario: 1000, objeto_imp: '01', impuestos: null })] }

test('cancels an invoice under 1,000 pesos at once', async () => {
  const { issue, ask, events } = await freshInvoicing()
  const { id } = await issue(UNDER)
  expect(await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })).toMatchObject({
    status: 'cancelled',
    cancellation: { status: 'cancelled', motivo: '02', resolved_by: 'none_needed' },
  })
  expect(events()).toEqual(['invoice.created', 'invoice.cancelled'])
})

test.each([
  ['of 1,000 pesos', AT],
  ['of less in another currency', { ...UNDER, moneda: 'USD', tipo_cambio: 18 }],
])('requests the consent of the recipient of an invoice %s', async (_what, fields) => {
  const { issue, ask, getInvoice, events } = await freshInvoicing()
  const { id } = await issue(fields)
  const request = await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  expect(request).toMatchObject({
    status: 'cancellation_pending',
    cancellation: {
      status: 'pending_acceptance',
      requested_at: '2026-11-21T12:00:00.000Z',
      resolved_at: null,
    },
  })
  expect(await getInvoice(id)).toEqual(request)
  expect(events()).toEqual(['invoice.created'])
})

test('cancels the invoice after an acceptance', async () => {
  const { issue, ask, trigger, events } = await freshInvoicing()
  const { id } = await issue()
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '03' })
  expect(await trigger('cancellation.accept', { invoice_id: id })).toMatchObject({
    status: 200,
    body: { status: 'cancelled', cancellation: { status: 'cancelled', resolved_by: 'recipient' } },
  })
  expect(events().slice(1)).toEqual(['invoice.cancellation_accepted', 'invoice.cancelled'])
  expect(await trigger('cancellation.accept', { invoice_id: id })).toMatchObject({ status: 409 })
})

test('keeps the invoice active after a rejection, and allows another request', async () => {
  const { issue, ask, trigger, getInvoice, events } = await freshInvoicing()
  const { id } = await issue()
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '03' })
  await trigger('cancellation.reject', { invoice_id: id })
  expect(await getInvoice(id)).toMatchObject({ status: 'active', cancellation: { status: 'rejected' } })
  expect(events().slice(1)).toEqual(['invoice.cancellation_rejected'])
  expect(await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })).toMatchObject({
    status: 'cancellation_pending',
    cancellation: { motivo: '02', status: 'pending_acceptance' },
  })
})

test('shows the last request, even if the clock went back in between', async () => {
  const { fresh, issue, ask, trigger, getInvoice } = await freshInvoicing()
  const { id } = await issue()
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '03' })
  await trigger('cancellation.reject', { invoice_id: id })
  fresh.setClock('2026-11-20T12:00:00.000Z')
  const requestedAt = await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  expect(requestedAt).toMatchObject({ cancellation: { motivo: '02', status: 'pending_acceptance' } })
  expect(await trigger('cancellation.accept', { invoice_id: id })).toMatchObject({ status: 200 })
  expect(await getInvoice(id)).toMatchObject({
    status: 'cancelled',
    cancellation: { motivo: '02', status: 'cancelled' },
  })
})

test.each([
  ['a Saturday', '2026-11-21T12:00:00.000Z', '2026-11-25T12:00:00.000Z'],
  ['a Friday before the Revolution Day holiday', '2026-11-13T12:00:00.000Z', '2026-11-19T12:00:00.000Z'],
  ['Christmas Eve', '2026-12-24T12:00:00.000Z', '2026-12-30T12:00:00.000Z'],
  ['a Monday', '2026-11-23T12:00:00.000Z', '2026-11-26T12:00:00.000Z'],
  ['the end of September 2030', '2030-09-30T12:00:00.000Z', '2030-10-04T12:00:00.000Z'],
])('treats silence from %s as consent three business days later', async (_what, requestedAt, due) => {
  const { fresh, issue, ask, getInvoice, events } = await freshInvoicing()
  fresh.setClock(requestedAt)
  const { id } = await issue()
  const body = await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  expect(body).toMatchObject({ cancellation: { expires_at: due } })
  fresh.setClock(new Date(Date.parse(due) - 1).toISOString())
  expect((await getInvoice(id)).status).toBe('cancellation_pending')
  fresh.setClock(due)
  expect(await getInvoice(id)).toMatchObject({
    status: 'cancelled',
    cancellation: { status: 'cancelled', resolved_by: 'clock', resolved_at: due },
  })
  expect(events().slice(-2)).toEqual(['invoice.cancellation_accepted', 'invoice.cancelled'])
})

test('requires an active substitute for errors with a substitute', async () => {
  const { issue, call, ask } = await freshInvoicing()
  const { id, uuid } = await issue()
  const cancel = (body: object) => call('POST', `/invoices/${id}/cancel`, { body })
  const field = 'uuid_sustitucion'
  expect(refusalOf(await cancel({ motivo: '01' }))).toEqual([422, 'validation_error', field])
  expect(refusalOf(await cancel({ motivo: '01', uuid_sustitucion: uuid }))).toEqual([
    422,
    'validation_error',
    field,
  ])
  const unknown = '5F6B7C8D-0000-4000-8000-000000000001'
  expect(refusalOf(await cancel({ motivo: '01', uuid_sustitucion: unknown }))).toEqual([
    422,
    'validation_error',
    field,
  ])
  expect(refusalOf(await cancel({ motivo: '02', uuid_sustitucion: unknown }))).toEqual([
    422,
    'validation_error',
    field,
  ])
  const cancelledInvoice = await issue(UNDER)
  await ask('POST', `/invoices/${cancelledInvoice.id}/cancel`, { motivo: '02' })
  expect(refusalOf(await cancel({ motivo: '01', uuid_sustitucion: cancelledInvoice.uuid }))).toEqual([
    422,
    'validation_error',
    field,
  ])
  const substitute = await issue({ cfdi_relacionados: [{ tipo_relacion: '04', uuids: [uuid] }] })
  expect(await cancel({ motivo: '01', uuid_sustitucion: substitute.uuid.toLowerCase() })).toMatchObject({
    status: 200,
    body: { cancellation: { uuid_sustitucion: substitute.uuid } },
  })
})

const relatedTo = (uuid: string, tipo_relacion = '01') => ({
  cfdi_relacionados: [{ tipo_relacion, uuids: ['5F6B7C8D-0000-4000-8000-000000000001', uuid] }],
})

test.each(['01', '03', '07'])(
  'cancels an invoice with a credit note of relation %s after the note',
  async (relation) => {
    const { fresh, issue, call, ask } = await freshInvoicing()
    const { id, uuid } = await issue(UNDER)
    const note = await issue({ ...UNDER, type: 'E', ...relatedTo(uuid, relation) })
    const before = fresh.dump()
    const refused = await call('POST', `/invoices/${id}/cancel`, { body: { motivo: '02' } })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining(note.id) as string } },
    })
    expect(fresh.dump()).toEqual(before)
    await ask('POST', `/invoices/${note.id}/cancel`, { motivo: '02' })
    expect(await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })).toMatchObject({
      status: 'cancelled',
    })
  },
)

test('refuses to cancel an invoice while the cancellation of its credit note is pending', async () => {
  const { issue, call, ask, trigger } = await freshInvoicing()
  const { id, uuid } = await issue(UNDER)
  const note = await issue({ ...AT, type: 'E', ...relatedTo(uuid) })
  await ask('POST', `/invoices/${note.id}/cancel`, { motivo: '02' })
  const cancel = () => call('POST', `/invoices/${id}/cancel`, { body: { motivo: '02' } })
  expect(await cancel()).toMatchObject({
    status: 409,
    body: {
      error: {
        message: `The invoice ${id} can not be cancelled until the cancellation of the credit note ${note.id} is accepted. It waits for its recipient.`,
      },
    },
  })
  const active = await issue({ ...UNDER, type: 'E', ...relatedTo(uuid) })
  expect(await cancel()).toMatchObject({
    status: 409,
    body: {
      error: {
        message: `The invoice ${id} can not be cancelled while the credit note ${active.id} is active. Cancel the credit note first.`,
      },
    },
  })
  await ask('POST', `/invoices/${active.id}/cancel`, { motivo: '02' })
  await trigger('cancellation.accept', { invoice_id: note.id })
  expect(await cancel()).toMatchObject({ status: 200 })
})

test.each(['01', '03', '07'])(
  'refuses a credit note of relation %s while the invoice waits for its cancellation',
  async (relation) => {
    const { fresh, issue, send, ask, trigger } = await freshInvoicing()
    const { id, uuid } = await issue(AT)
    await ask('POST', `/invoices/${id}/cancel`, { motivo: '03' })
    const before = fresh.dump()
    const note = { ...UNDER, type: 'E', ...relatedTo(uuid, relation) }
    expect(await send(note)).toMatchObject({
      status: 422,
      body: {
        error: {
          details: [
            {
              field: 'cfdi_relacionados.0.uuids.1',
              code: 'invalid_state',
              message:
                'cfdi_relacionados.0.uuids.1 must be the UUID of an active invoice; this invoice is cancellation_pending',
            },
          ],
        },
      },
    })
    expect(fresh.dump()).toEqual(before)
    expect(await ask('POST', '/invoices/batch', { invoices: [invoiceBody(note)] })).toMatchObject({
      failed: 1,
    })
    expect(await send({ ...UNDER, type: 'E', ...relatedTo(uuid, '04') })).toMatchObject({ status: 201 })
    expect(await send({ ...UNDER, ...relatedTo(uuid, relation) })).toMatchObject({ status: 201 })
    await trigger('cancellation.reject', { invoice_id: id })
    expect(await send(note)).toMatchObject({ status: 201 })
  },
)

/** An invoice that waits for its cancellation with a credit note, as only a snapshot can have it. */
async function freshWithNote() {
  const invoicing = await freshInvoicing()
  const { fresh, issue, ask, trigger } = invoicing
  const { id, uuid } = await issue(AT)
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '03' })
  const note = await issue({ ...UNDER, type: 'E', ...relatedTo(uuid, '04') })
  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { body } = await fresh.call('GET', path)
  const text = JSON.stringify(body).replace('"tipoRelacion":"04"', '"tipoRelacion":"01"')
  expect(await fresh.call('PUT', path, { body: JSON.parse(text) as object })).toMatchObject({ status: 204 })
  return { ...invoicing, id, note, accept: () => trigger('cancellation.accept', { invoice_id: id }) }
}

test('refuses the acceptance of a cancellation while a credit note is active', async () => {
  const { fresh, ask, accept, note, getInvoice, id } = await freshWithNote()
  const page = pathOf((await getInvoice(id)).cancellation?.decision_url ?? '')
  const before = fresh.dump()
  expect(await fresh.call('POST', page, asForm({ decision: 'accept' }))).toMatchObject({
    status: 409,
    text: expect.stringContaining(note.id) as string,
  })
  expect(await accept()).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect(fresh.dump()).toEqual(before)
  await ask('POST', `/invoices/${note.id}/cancel`, { motivo: '02' })
  expect(await accept()).toMatchObject({ status: 200 })
  expect((await getInvoice(id)).status).toBe('cancelled')
})

test('rejects a cancellation by the clock while a credit note is active', async () => {
  const { fresh, getInvoice, id, accept, events } = await freshWithNote()
  const page = pathOf((await getInvoice(id)).cancellation?.decision_url ?? '')
  fresh.setClock('2026-11-25T12:00:00.000Z')
  expect(await getInvoice(id)).toMatchObject({
    status: 'active',
    cancellation: { status: 'rejected', resolved_by: 'clock' },
  })
  expect(events().at(-1)).toBe('invoice.cancellation_rejected')
  const { text } = await fresh.call('GET', page)
  expect(text).toContain('because a payment receipt or a credit note was active')
  const spanish = await fresh.call('GET', `${page}?lang=es`)
  expect(spanish.text).toMatch(/se rechazó el 25 de noviembre de 2026 .* porque había un recibo de pago/)
  expect(await accept()).toMatchObject({ status: 409 })
})

test('cancels an invoice with related documents that are not credit notes', async () => {
  const { issue, call } = await freshInvoicing()
  const { id, uuid } = await issue(UNDER)
  await issue({ ...UNDER, ...relatedTo(uuid) })
  await issue({ ...UNDER, type: 'E', ...relatedTo(uuid, '04') })
  await issue({ ...UNDER, type: 'E' })
  expect(await call('POST', `/invoices/${id}/cancel`, { body: { motivo: '02' } })).toMatchObject({
    status: 200,
  })
})

test('refuses to cancel an invoice that is cancelled or waits for it', async () => {
  const { issue, call, ask } = await freshInvoicing()
  for (const fields of [UNDER, AT]) {
    const { id } = await issue(fields)
    await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
    expect(await call('POST', `/invoices/${id}/cancel`, { body: { motivo: '02' } })).toMatchObject({
      status: 409,
    })
  }
})

test('accepts a decision of the recipient only for a request', async () => {
  const { issue, trigger } = await freshInvoicing()
  const { id } = await issue()
  expect(await trigger('cancellation.accept', { invoice_id: id })).toMatchObject({ status: 409 })
})

const FOREIGNER = { ...PUBLIC, rfc: 'XEXX010101000', nombre: 'ACME INC', residencia_fiscal: 'USA' }
const EXEMPT_READING = 'tax-invoicing.cancellation_exempt'

test.each<[what: string, fields: Record<string, unknown>, threshold: string, authority: string]>([
  ['of 999.99 pesos', UNDER, 'cancelled', 'cancelled'],
  ['of 1,000 pesos', AT, 'cancellation_pending', 'cancelled'],
  [
    'of 1,000.01 pesos',
    { conceptos: [line({ valor_unitario: 1000.01, objeto_imp: '01', impuestos: null })] },
    'cancellation_pending',
    'cancellation_pending',
  ],
  [
    'of 999.99 dollars',
    { ...UNDER, moneda: 'USD', tipo_cambio: 18 },
    'cancellation_pending',
    'cancellation_pending',
  ],
  [
    'of less than 1,000 pesos in dollars',
    {
      conceptos: [line({ valor_unitario: 10, objeto_imp: '01', impuestos: null })],
      moneda: 'USD',
      tipo_cambio: 18,
    },
    'cancellation_pending',
    'cancelled',
  ],
  ['to a company', {}, 'cancellation_pending', 'cancellation_pending'],
  ['to the public', { receptor: PUBLIC }, 'cancellation_pending', 'cancelled'],
  ['to a foreigner', { receptor: FOREIGNER }, 'cancellation_pending', 'cancelled'],
  ['that is a credit note', { type: 'E' }, 'cancellation_pending', 'cancelled'],
])('asks the recipient of an invoice %s as the reading says', async (_what, fields, threshold, authority) => {
  const { fresh, issue, ask } = await freshInvoicing()
  for (const [reading, status] of [
    ['threshold', threshold],
    ['authority', authority],
  ] as const) {
    fresh.workspace.change({ readings: { [EXEMPT_READING]: reading } })
    const { id } = await issue(fields)
    expect(await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })).toMatchObject({ status })
  }
})

test('a pending cancellation stays pending when the reading changes', async () => {
  const { fresh, issue, ask, getInvoice, trigger } = await freshInvoicing()
  const { id } = await issue({ receptor: PUBLIC })
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  fresh.workspace.change({ readings: { [EXEMPT_READING]: 'authority' } })
  expect(await getInvoice(id)).toMatchObject({ status: 'cancellation_pending' })
  await trigger('cancellation.reject', { invoice_id: id })
  expect(await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })).toMatchObject({ status: 'cancelled' })
})
