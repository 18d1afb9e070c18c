/** Invoices by e-mail: when they are stamped, and when somebody asks for it. */
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

test('an invoice is sent with its XML and its printed form, to whom was named', async () => {
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

test('the files of a message keep their media types, as downloads and for mail programs', async () => {
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
])('%j leaves out what is not wanted', async (fields, types) => {
  const invoicing = await freshInvoicing()
  await addClient(invoicing)
  const { id } = await invoicing.issue()
  await invoicing.ask('POST', `/invoices/${id}/send`, fields)
  expect(typesOf(invoicing)).toEqual([types])
  expect(invoicing.emails()[0]?.to).toBe(EMAIL)
})

test('without a body it goes to the client', async () => {
  const invoicing = await freshInvoicing()
  await addClient(invoicing)
  const { id } = await invoicing.issue()
  expect(await invoicing.ask('POST', `/invoices/${id}/send`)).toMatchObject({ sent_to: EMAIL })
})

test.each([
  [{}, 'email'],
  [{ email: 'ana' }, 'email'],
  [{ email: 'ana@example.com', include_xml: false, include_pdf: false }, 'include_pdf'],
  [{ email: 'ana@example.com', message: ' ' }, 'message'],
  [{ email: 'ana@example.com', message: 'x'.repeat(5001) }, 'message'],
])('%j is refused where no client has an address', async (fields, field) => {
  const invoicing = await freshInvoicing()
  await addClient(invoicing, { email: null })
  const { id } = await invoicing.issue()
  const refused = await invoicing.call('POST', `/invoices/${id}/send`, { body: fields })
  expect(refusalOf(refused)).toEqual([422, 'validation_error', field])
  expect(invoicing.emails()).toEqual([])
})

test('there is nothing to send of an invoice that is not there, whatever the body', async () => {
  const { call } = await freshInvoicing()
  expect(await call('POST', '/invoices/inv_none/send', { body: { email: 1 } })).toMatchObject({ status: 404 })
})

test('enviar_email sends what is stamped to the client, where there is one with an address', async () => {
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

/** The works that are done at a time, and those that may wait for them: `src/http/heavyWork`. */
const PRINTED_OR_WAITING = 2 + 500

test('what is stamped while too much is being printed is sent with its XML alone, one by one and in batches', async () => {
  const heavyThread = join(scratchFolder(), 'never.cjs')
  writeFileSync(heavyThread, 'exports.printInvoice = () => new Promise(() => {})')
  const invoicing = await freshInvoicing({ ownApp: true, heavyThread })
  await addClient(invoicing)
  const { id } = await invoicing.issue()
  const waiting = Array.from({ length: PRINTED_OR_WAITING }, () =>
    invoicing.call('GET', `/invoices/${id}/pdf`),
  )
  // They are given up when the app closes.
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
