/** Clients. Specification part 2, "Tax invoicing". */
import type { Static } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import type { CheckedClient, Client } from '../../../src/interfaces/tax-invoicing/shapes/clients.ts'
import {
  clients,
  countCancellationOfClient,
  countInvoiceOfClient,
} from '../../../src/state/tax-invoicing/masterData/clients.ts'
import { invoices } from '../../../src/state/tax-invoicing/invoices/invoices.ts'
import { registerTaxpayer } from '../../../src/state/tax-invoicing/taxpayers/taxpayers.ts'
import { freshTaxRecords, invoiceRecord, NOON, recipient, refusal, XENON } from '../../support/taxRecords.ts'

type Fields = Readonly<Record<string, unknown>>
type ClientBody = Static<typeof Client.item>
type Checked = Static<typeof CheckedClient.item>

const GENERIC = { rfc: 'XAXX010101000', nombre: 'PUBLICO EN GENERAL' }
const XENON_CLIENT = { rfc: 'XIA190128J61', nombre: 'XENON INDUSTRIAL ARTICLES' }
const WHOLE = {
  ...XENON_CLIENT,
  regimen_fiscal: '601',
  domicilio_fiscal: '76343',
  uso_cfdi_default: 'G03',
  email: 'compras@example.com',
  telefono: '+52 442 555 0100',
}

test('returns a created client unchanged', async () => {
  const { ask } = await freshTaxRecords()
  const { warnings, ...client } = await ask<Checked>('POST', '/clients', WHOLE)
  expect(warnings).toEqual([])
  expect(client).toEqual({
    ...WHOLE,
    id: expect.stringMatching(/^cli_\w{20}$/) as string,
    invoice_count: 0,
    total_facturado: 0,
    created_at: NOON,
  })
  expect(await ask('GET', `/clients/${client.id}`)).toEqual(client)
})

test('requires only a tax id and a name', async () => {
  const { ask } = await freshTaxRecords()
  const client = await ask<Checked>('POST', '/clients', { rfc: ' xia-190128 j61', nombre: ' XENON ' })
  expect(client).toMatchObject({ rfc: 'XIA190128J61', nombre: 'XENON', regimen_fiscal: null, telefono: null })
})

test('requires a name that an invoice can have', async () => {
  const { call, ask, fresh } = await freshTaxRecords()
  const { id } = await ask<Checked>('POST', '/clients', { rfc: 'XIA190128J61', nombre: 'XENON\n  ARTICLES' })
  expect(await ask('GET', `/clients/${id}`)).toMatchObject({ nombre: 'XENON ARTICLES' })
  const before = fresh.dump()
  for (const nombre of ['A|B', '|', ' ', '\u0001', '\ufffe']) {
    const refused = {
      status: 422,
      body: {
        error: { message: 'nombre must contain at least one non-blank character and no |' },
      },
    }
    const body = { ...GENERIC, nombre }
    expect(await call('POST', '/clients', { body })).toMatchObject(refused)
    expect(await call('PATCH', `/clients/${id}`, { body: { nombre } })).toMatchObject(refused)
  }
  expect(fresh.dump()).toEqual(before)
})

test('counts the invoices of a buyer whose name has other spaces', async () => {
  const { ask, put } = await freshTaxRecords()
  await put({ invoices: [invoiceRecord(1, { receptor: recipient(GENERIC.rfc, 'JUAN PEREZ') })] })
  const client = await ask<Checked>('POST', '/clients', { rfc: GENERIC.rfc, nombre: 'JUAN  PEREZ' })
  expect(client).toMatchObject({ nombre: 'JUAN PEREZ', invoice_count: 1 })
})

test('warns about tax ids that the registry does not know', async () => {
  const { ask } = await freshTaxRecords()
  const { warnings } = await ask<Checked>('POST', '/clients', { rfc: 'GODE561231GR8', nombre: 'NOBODY' })
  expect(warnings).toEqual([{ code: 'RFC_NOT_FOUND', message: 'The registry does not have GODE561231GR8.' }])
})

test('warns about flagged tax ids, and about no others', async () => {
  const { ask, fresh } = await freshTaxRecords()
  registerTaxpayer(fresh.workspace, { rfc: 'GODE561231GR8', nombre: 'FLAGGED', flagged: true })
  registerTaxpayer(fresh.workspace, { rfc: 'CACX7605101P8', nombre: 'HONEST' })
  const flagged = await ask<Checked>('POST', '/clients', { rfc: 'GODE561231GR8', nombre: 'FLAGGED' })
  expect(flagged.warnings.map(({ code }) => code)).toEqual(['RFC_69B_DEFINITIVO'])
  const honest = await ask<Checked>('POST', '/clients', { rfc: 'CACX7605101P8', nombre: 'HONEST' })
  expect(honest.warnings).toEqual([])
  const other = { rfc: 'URE180429TM6', nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA' }
  const changed = await ask<Checked>('PATCH', `/clients/${honest.id}`, other)
  expect(changed.warnings).toEqual([])
  const again = await ask<Checked>('PATCH', `/clients/${flagged.id}`, { telefono: '1' })
  expect(again.warnings).toHaveLength(1)
})

const PERSON = { rfc: 'MISC491214B86', nombre: 'CECILIA MIRANDA SANCHEZ' }

test.each([
  [{ rfc: 'XIA190128J6' }, 'rfc', 'validation_error'],
  [{ rfc: 'XIA190230J61' }, 'rfc', 'validation_error'],
  [{ regimen_fiscal: '600' }, 'regimen_fiscal', 'CFDI40157'],
  [{ regimen_fiscal: '612' }, 'regimen_fiscal', 'CFDI40158'],
  [{ ...PERSON, regimen_fiscal: '601' }, 'regimen_fiscal', 'CFDI40158'],
  [{ rfc: 'XAXX010101000', regimen_fiscal: '612' }, 'regimen_fiscal', 'CFDI40158'],
  [{ uso_cfdi_default: 'G99' }, 'uso_cfdi_default', 'CFDI40160'],
  [{ uso_cfdi_default: 'D01' }, 'uso_cfdi_default', 'CFDI40160'],
  [{ ...PERSON, regimen_fiscal: '605', uso_cfdi_default: 'G01' }, 'uso_cfdi_default', 'CFDI40161'],
])('refuses a client with %j', async (fields, field, code) => {
  const { call, ask, fresh } = await freshTaxRecords()
  const before = fresh.dump()
  expect(await call('POST', '/clients', { body: { ...XENON_CLIENT, ...fields } })).toMatchObject(
    refusal(422, code, field),
  )
  expect(fresh.dump()).toEqual(before)
  // And refuses a change that leads to it.
  const { id } = await ask<Checked>('POST', '/clients', { rfc: 'XEXX010101000', nombre: 'X' })
  const changed = await call('PATCH', `/clients/${id}`, { body: { ...XENON_CLIENT, ...fields } })
  expect(changed).toMatchObject(refusal(422, code, field))
})

test.each([
  [{ ...PERSON, regimen_fiscal: '612', uso_cfdi_default: 'D01' }],
  [{ rfc: 'XAXX010101000', regimen_fiscal: '616', uso_cfdi_default: 'S01' }],
  [{ regimen_fiscal: '626' }],
])('accepts a client with %j', async (fields) => {
  const { call } = await freshTaxRecords()
  expect((await call('POST', '/clients', { body: { ...XENON_CLIENT, ...fields } })).status).toBe(201)
})

test('refuses a second client with the same tax id, except for the generic ones', async () => {
  const { call, ask } = await freshTaxRecords()
  const { id } = await ask<Checked>('POST', '/clients', XENON_CLIENT)
  const second = { ...XENON_CLIENT, rfc: 'xia190128j61' }
  expect(await call('POST', '/clients', { body: second })).toMatchObject(refusal(409, 'conflict'))
  const other = await ask<Checked>('POST', '/clients', { rfc: 'URE180429TM6', nombre: 'URE' })
  const taken = await call('PATCH', `/clients/${other.id}`, { body: { rfc: 'XIA190128J61' } })
  expect(taken).toMatchObject(refusal(409, 'conflict'))
  expect((await call('PATCH', `/clients/${id}`, { body: { rfc: 'XIA190128J61' } })).status).toBe(200)
  for (const nombre of ['JOHN', 'JANE']) {
    const { warnings } = await ask<Checked>('POST', '/clients', { rfc: 'XEXX010101000', nombre })
    expect(warnings).toEqual([])
  }
})

test.each<[what: string, fields: Fields, codes: string[]]>([
  ['a name in lower case', { nombre: 'Xenon Industrial Articles' }, ['NOMBRE_MISMATCH']],
  ['another regime', { regimen_fiscal: '603' }, ['REGIMEN_FISCAL_MISMATCH']],
  ['another postal code', { domicilio_fiscal: '06600' }, ['DOMICILIO_FISCAL_MISMATCH']],
  [
    'all of them',
    { nombre: 'X', regimen_fiscal: '603', domicilio_fiscal: '06600' },
    ['NOMBRE_MISMATCH', 'REGIMEN_FISCAL_MISMATCH', 'DOMICILIO_FISCAL_MISMATCH'],
  ],
  ['the data of the registry', { regimen_fiscal: '601', domicilio_fiscal: '76343' }, []],
  ['spaces around words', { nombre: ' XENON  INDUSTRIAL ARTICLES ' }, []],
  ['a postal code for the public', { ...GENERIC, domicilio_fiscal: '06600' }, ['DOMICILIO_FISCAL_MISMATCH']],
  ['the public in other cases', { ...GENERIC, nombre: 'Público en general' }, ['NOMBRE_MISMATCH']],
  ['another name of the public', { ...GENERIC, nombre: 'Juan Pérez' }, []],
  ['the postal code of the issuer for the public', { ...GENERIC, domicilio_fiscal: '42501' }, []],
])('warns about a client with %s according to the registry', async (_what, fields, codes) => {
  const { ask } = await freshTaxRecords()
  const { warnings } = await ask<Checked>('POST', '/clients', { ...XENON_CLIENT, ...fields })
  expect(warnings.map(({ code }) => code)).toEqual(codes)
})

test('changes the given fields in an update, and clears with null', async () => {
  const { ask } = await freshTaxRecords()
  const client = await ask<Checked>('POST', '/clients', WHOLE)
  const changed = await ask<Checked>('PATCH', `/clients/${client.id}`, { nombre: 'XENON', email: null })
  expect(changed).toMatchObject({ warnings: [{ code: 'NOMBRE_MISMATCH' }] })
  expect({ ...changed, warnings: [] }).toEqual({ ...client, nombre: 'XENON', email: null })
  expect(await ask('PATCH', `/clients/${client.id}`, {})).toEqual(changed)
})

test('counts invoices of a client, including those before its creation', async () => {
  const { ask, put, fresh } = await freshTaxRecords()
  await put({
    invoices: [
      invoiceRecord(1, { receptor: XENON }),
      invoiceRecord(2, { receptor: XENON, type: 'E', mxnCents: 16_000 }),
      invoiceRecord(3, { receptor: XENON, status: 'cancelled', cancelledAt: NOON }),
      invoiceRecord(4, { receptor: XENON, status: 'cancellation_pending', mxnCents: 1 }),
      invoiceRecord(5, { receptor: XENON, type: 'P', mxnCents: 0 }),
      invoiceRecord(6),
    ],
  })
  const { workspace } = fresh
  const { id } = await ask<Checked>('POST', '/clients', XENON_CLIENT)
  const counts = async () => {
    const { invoice_count: count, total_facturado: total } = await ask<ClientBody>('GET', `/clients/${id}`)
    return [count, total]
  }
  expect(await counts()).toEqual([4, 1000.01])
  const invoice = invoices.get(workspace, `inv_${'1'.padStart(20, '0')}`)
  workspace.write(() => {
    countInvoiceOfClient(workspace, { ...invoice, mxnCents: 250 })
  })
  expect(await counts()).toEqual([5, 1002.51])
  workspace.write(() => {
    countCancellationOfClient(workspace, { ...invoice, mxnCents: 250 })
    countInvoiceOfClient(workspace, { ...invoice, type: 'P' })
  })
  expect(await counts()).toEqual([5, 1000.01])
  await ask('PATCH', `/clients/${id}`, { rfc: 'URE180429TM6' })
  expect(await counts()).toEqual([1, 1160])
})

test('distinguishes clients with a generic tax id by their names', async () => {
  const { ask, put } = await freshTaxRecords()
  await put({ invoices: [invoiceRecord(1, { receptor: recipient('XAXX010101000', 'JOSÉ') })] })
  const named = async (nombre: string) =>
    (await ask<Checked>('POST', '/clients', { rfc: 'XAXX010101000', nombre })).invoice_count
  expect([await named('Jose'), await named('Juan')]).toEqual([1, 0])
})

test('deletes a client only without invoices', async () => {
  const { ask, call, put } = await freshTaxRecords()
  await put({ invoices: [invoiceRecord(1, { status: 'cancelled', cancelledAt: NOON })] })
  const free = await ask<Checked>('POST', '/clients', XENON_CLIENT)
  expect((await call('DELETE', `/clients/${free.id}`)).status).toBe(204)
  expect((await call('GET', `/clients/${free.id}`)).status).toBe(404)
  expect((await call('DELETE', `/clients/${free.id}`)).status).toBe(404)
  const bound = await ask<Checked>('POST', '/clients', { rfc: 'URE180429TM6', nombre: 'URE' })
  expect(await call('DELETE', `/clients/${bound.id}`)).toMatchObject(refusal(409, 'conflict'))
  expect((await call('GET', `/clients/${bound.id}`)).status).toBe(200)
})

interface Page {
  readonly data: readonly ClientBody[]
  readonly meta: { readonly total_count: number }
}

test.each([
  ['search=robotica espa%C3%B1ola', ['URE180429TM6']],
  ['search=ESPANOLA', ['URE180429TM6']],
  ['search=0429tm', ['URE180429TM6']],
  ['search=compras@', ['XIA190128J61']],
  ['search=nobody', []],
  ['regimen_fiscal=601', ['XIA190128J61']],
  ['sort_by=name&sort_order=asc', ['URE180429TM6', 'XIA190128J61']],
  ['sort_by=rfc&sort_order=desc', ['XIA190128J61', 'URE180429TM6']],
  ['sort_by=invoice_count', ['URE180429TM6', 'XIA190128J61']],
  ['', ['XIA190128J61', 'URE180429TM6']],
])('returns the list with %s', async (query, expected) => {
  const { ask, put } = await freshTaxRecords()
  await put({ invoices: [invoiceRecord(1)] })
  await ask('POST', '/clients', { rfc: 'URE180429TM6', nombre: 'Universidad Robótica Española' })
  await ask('POST', '/clients', WHOLE)
  const { data } = await ask<Page>('GET', `/clients?${query}`)
  expect(data.map(({ rfc }) => rfc)).toEqual(expected)
})

test('stores the same as the responses show', async () => {
  const { ask, fresh } = await freshTaxRecords()
  const { id } = await ask<Checked>('POST', '/clients', WHOLE)
  expect(clients.get(fresh.workspace, id)).toMatchObject({ regimenFiscal: '601', invoicedCents: 0 })
})
