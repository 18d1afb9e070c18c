/** Invoices by e-mail, after they are stamped and on request. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../support/process.ts'
import {
  COMPANY,
  freshInvoicing,
  invoiceBody,
  refusalOf,
  type CreatedBody,
  type Invoicing,
} from '../../support/taxInvoicing.ts'

const EMAIL = 'cuentas@ure.example'

const addClient = ({ ask }: Invoicing, fields: object = {}) =>
  ask('POST', '/clients', { rfc: COMPANY.rfc, nombre: COMPANY.nombre, email: EMAIL, ...fields })

const typesOf = ({ emails }: Invoicing): string[][] =>
  emails().map(({ attachments }) => attachments.map(({ contentType }) => contentType))

test('sends an invoice with its XML and its printed form to the given address', async () => {
  const invoicing = await freshInvoicing()
  const { id, uuid } = await invoicing.issue()
  const sent = await invoicing.ask('POST', `/invoices/${id}/send`, {
    email: 'ana@example.com',
    message: 'Gracias por su compra.',
  })
  expect(sent).toEqual({
    invoice_id: id,
    uuid,
    sent_to: 'ana@example.com',
    include_xml: true,
    include_pdf: true,
    sent_at: '2026-11-21T12:00:00.000Z',
  })
  const [message] = invoicing.emails()
  expect(message).toMatchObject({ to: 'ana@example.com', subject: 'ESCUELA KEMPER URGATE: CFDI A-1' })
  expect(message?.text).toContain('Gracias por su compra.')
  const [xml, pdf] = message?.attachments ?? []
  expect(xml).toMatchObject({ filename: `EKU9003173C9_A1_${uuid}.xml`, contentType: 'application/xml' })
  expect(Buffer.from(xml?.content ?? '', 'base64').toString()).toBe(await invoicing.xmlOf(id))
  expect(pdf).toMatchObject({ filename: `EKU9003173C9_A1_${uuid}.pdf`, contentType: 'application/pdf' })
  expect(
    Buffer.from(pdf?.content ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

test('keeps the media types of attachments, as downloads and for mail programs', async () => {
  const invoicing = await freshInvoicing()
  const { id } = await invoicing.issue()
  await invoicing.ask('POST', `/invoices/${id}/send`, { email: 'ana@example.com' })
  const { app, workspace } = invoicing.fresh
  const emails = `/_sim/workspaces/${workspace.id}/emails`
  const [message] = (await app.fastify.inject({ url: emails })).json<{
    data: { id: string; attachments: { contentType: string }[] }[]
  }>().data
  const types = ['application/xml', 'application/pdf']
  expect(message?.attachments.map(({ contentType }) => contentType)).toEqual(types)
  for (const [index, type] of types.entries()) {
    const url = `${emails}/${String(message?.id)}/attachments/${String(index)}`
    const { headers } = await app.fastify.inject({ url })
    expect(headers['content-type']).toBe(type)
    expect(headers['content-disposition']).toMatch(/^attachment; /)
  }
  const { payload } = await app.fastify.inject({ url: `${emails}/${String(message?.id)}.eml` })
  expect(payload).toMatch(/^Content-Type: application\/xml;/m)
  expect(payload).toMatch(/^Content-Type: application\/pdf;/m)
})

test.each([
  [{ include_xml: false }, ['application/pdf']],
  [{ include_pdf: false }, ['application/xml']],
  [{}, ['application/xml', 'application/pdf']],
])('omits the files that %j excludes', async (fields, types) => {
  const invoicing = await freshInvoicing()
  await addClient(invoicing)
  const { id } = await invoicing.issue()
  await invoicing.ask('POST', `/invoices/${id}/send`, fields)
  expect(typesOf(invoicing)).toEqual([types])
  expect(invoicing.emails()[0]?.to).toBe(EMAIL)
})

test('sends to the client without a body', async () => {
  const invoicing = await freshInvoicing()
  await addClient(invoicing)
  const { id } = await invoicing.issue()
  expect(await invoicing.ask('POST', `/invoices/${id}/send`)).toMatchObject({ sent_to: EMAIL })
})

test.each([
  [{}, 'email'],
  [{ email: 'ana@example.com', include_xml: false, include_pdf: false }, 'include_pdf'],
])('refuses %j if no client has an address', async (fields, field) => {
  const invoicing = await freshInvoicing()
  await addClient(invoicing, { email: null })
  const { id } = await invoicing.issue()
  const refused = await invoicing.call('POST', `/invoices/${id}/send`, { body: fields })
  expect(refusalOf(refused)).toEqual([422, 'validation_error', field])
  expect(invoicing.emails()).toEqual([])
})

test('sends a stamped invoice to the client with enviar_email if it has an address', async () => {
  const invoicing = await freshInvoicing()
  await invoicing.issue({ enviar_email: true })
  expect(invoicing.emails()).toEqual([])
  await addClient(invoicing)
  await invoicing.issue({ enviar_email: false })
  expect(invoicing.emails()).toEqual([])
  await invoicing.issue({ enviar_email: true })
  expect(typesOf(invoicing)).toEqual([['application/xml', 'application/pdf']])
  expect(invoicing.emails()[0]).toMatchObject({ to: EMAIL, subject: 'ESCUELA KEMPER URGATE: CFDI A-3' })
})

test('sends only the XML if too many documents are being printed, individually and in batches', async () => {
  const heavyThread = join(scratchFolder(), 'never.cjs')
  writeFileSync(heavyThread, 'exports.printInvoice = () => new Promise(() => {})')
  const heavyLimits = { threads: 1, waiting: 1 }
  const invoicing = await freshInvoicing({ ownApp: true, heavyThread, heavyLimits })
  await addClient(invoicing)
  const { id } = await invoicing.issue()
  const waiting = [1, 2].map(() => invoicing.call('GET', `/invoices/${id}/pdf`))
  // They are aborted when the app closes.
  void Promise.allSettled(waiting)
  const refused = await invoicing.call('GET', `/invoices/${id}/pdf`)
  expect(refused).toMatchObject({ status: 503 })

  const stamped = await invoicing.issue({ enviar_email: true })
  const batch = await invoicing.ask('POST', '/invoices/batch', {
    invoices: [invoiceBody({ enviar_email: true })],
  })
  expect(batch).toMatchObject({ successful: 1, failed: 0 })
  expect(typesOf(invoicing)).toEqual([['application/xml'], ['application/xml']])
  expect(await invoicing.ask<CreatedBody>('GET', `/invoices/${stamped.id}`)).toMatchObject({
    status: 'active',
  })
})
