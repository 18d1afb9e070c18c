/** Products and services. Specification part 2, "Tax invoicing". */
import type { Static } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import type { Product } from '../../../src/interfaces/tax-invoicing/shapes/products.ts'
import { countUsesOfProducts } from '../../../src/state/tax-invoicing/masterData/products.ts'
import type { Concept } from '../../../src/state/tax-invoicing/jsonColumns.ts'
import { freshInvoicing, invoiceBody, line } from '../../support/taxInvoicing.ts'
import { freshTaxRecords, invoiceRecord, NOON, refusal } from '../../support/taxRecords.ts'

type ProductBody = Static<typeof Product.item>

const IVA = { impuesto: '002', tipo_factor: 'Tasa', tasa: 0.16 }
const CHAIR = {
  nombre_interno: 'Office chair',
  clave_prod_serv: '56101500',
  descripcion: 'Silla de oficina',
  clave_unidad: 'H87',
  valor_unitario: 2890.5,
  objeto_imp: '02',
  impuestos: { traslados: [IVA], retenciones: [] },
}

test('returns a created product unchanged', async () => {
  const { ask } = await freshTaxRecords()
  const product = await ask<ProductBody>('POST', '/products', CHAIR)
  expect(product).toEqual({
    ...CHAIR,
    id: expect.stringMatching(/^prod_\w{20}$/) as string,
    usage_count: 0,
    created_at: NOON,
  })
  expect(await ask('GET', `/products/${product.id}`)).toEqual(product)
})

const withTaxes = (traslados: unknown[], retenciones: unknown[] = [], objeto = '02') => ({
  objeto_imp: objeto,
  impuestos: { traslados, retenciones },
})

test.each([
  [{ valor_unitario: '0.000001' }],
  [{ clave_prod_serv: '56101502' }],
  [{ clave_prod_serv: '01010101' }],
  [{ objeto_imp: '01', impuestos: undefined }],
  [withTaxes([], [], '01')],
  [withTaxes([{ ...IVA, tasa: '0.160000' }])],
  [withTaxes([{ ...IVA, tasa: 0 }])],
  [withTaxes([{ impuesto: '002', tipo_factor: 'Exento' }])],
  [withTaxes([{ impuesto: '002', tipo_factor: 'Exento', tasa: null }])],
  [withTaxes([{ impuesto: '003', tipo_factor: 'Cuota', tasa: 5.9 }])],
  [
    withTaxes(
      [IVA],
      [
        { ...IVA, tasa: 0.106667 },
        { impuesto: '001', tipo_factor: 'Tasa', tasa: 0.1 },
      ],
    ),
  ],
])('accepts a product with %j', async (fields) => {
  const { call } = await freshTaxRecords()
  const { status, text } = await call('POST', '/products', { body: { ...CHAIR, ...fields } })
  expect(status, text).toBe(201)
})

test.each([
  [{ descripcion: 'a|b' }, 'descripcion', 'validation_error'],
  [{ descripcion: '\u0001' }, 'descripcion', 'validation_error'],
  [{ valor_unitario: 0 }, 'valor_unitario', 'CFDI40166'],
  [{ valor_unitario: '1e3' }, 'valor_unitario', 'validation_error'],
  [{ valor_unitario: 0.0000001 }, 'valor_unitario', 'too_precise'],
  [{ clave_prod_serv: '99999999' }, 'clave_prod_serv', 'CFDI40162'],
  [{ clave_prod_serv: '5610150' }, 'clave_prod_serv', 'CFDI40162'],
  [{ clave_unidad: 'ZZZ' }, 'clave_unidad', 'CFDI40165'],
  [{ objeto_imp: '99' }, 'objeto_imp', 'CFDI40170'],
  [withTaxes([]), 'impuestos', 'CFDI40171'],
  [{ impuestos: undefined }, 'impuestos', 'CFDI40171'],
  [withTaxes([IVA], [], '01'), 'impuestos', 'CFDI40172'],
  [withTaxes([{ ...IVA, impuesto: '004' }]), 'impuestos.traslados.0.impuesto', 'CFDI40175'],
  [withTaxes([IVA, { ...IVA, impuesto: '001' }]), 'impuestos.traslados.1.impuesto', 'CFDI40175'],
  [withTaxes([{ ...IVA, tasa: 0.17 }]), 'impuestos.traslados.0.tasa', 'CFDI40179'],
  [withTaxes([{ ...IVA, tasa: 0.1600001 }]), 'impuestos.traslados.0.tasa', 'too_precise'],
  [withTaxes([{ ...IVA, tasa: null }]), 'impuestos.traslados.0.tasa', 'CFDI40178'],
  [withTaxes([{ ...IVA, tipo_factor: 'Exento' }]), 'impuestos.traslados.0.tasa', 'CFDI40177'],
  [
    withTaxes([], [{ impuesto: '002', tipo_factor: 'Exento' }]),
    'impuestos.retenciones.0.tipo_factor',
    'CFDI40184',
  ],
  [withTaxes([], [{ ...IVA, tasa: 0.2 }]), 'impuestos.retenciones.0.tasa', 'CFDI40185'],
  [withTaxes([], [{ ...IVA, tasa: null }]), 'impuestos.retenciones.0.tasa', 'CFDI40185'],
])('refuses a product with %j', async (fields, field, code) => {
  const { call, ask, fresh } = await freshTaxRecords()
  const { id } = await ask<ProductBody>('POST', '/products', CHAIR)
  const before = fresh.dump()
  const expectedCode = code === 'too_precise' ? 'validation_error' : code
  expect(await call('POST', '/products', { body: { ...CHAIR, ...fields } })).toMatchObject(
    refusal(422, expectedCode, field),
  )
  // And refuses a change that leads to it; omitted fields do not change.
  if (!Object.values(fields).includes(undefined)) {
    const changed = await call('PATCH', `/products/${id}`, { body: fields })
    expect(changed).toMatchObject(refusal(422, expectedCode, field))
  }
  expect(fresh.dump()).toEqual(before)
})

test('changes the given fields in an update', async () => {
  const { ask } = await freshTaxRecords()
  const product = await ask<ProductBody>('POST', '/products', CHAIR)
  const path = `/products/${product.id}`
  expect(await ask('PATCH', path, { valor_unitario: '3000.00' })).toEqual({
    ...product,
    valor_unitario: 3000,
  })
  const untaxed = { objeto_imp: '01', impuestos: {} }
  expect(await ask('PATCH', path, untaxed)).toMatchObject({
    objeto_imp: '01',
    impuestos: { traslados: [], retenciones: [] },
  })
  expect(await ask('PATCH', path, {})).toMatchObject({ valor_unitario: 3000, objeto_imp: '01' })
})

test('counts lines with its key and description as uses, which prevent its deletion', async () => {
  const { ask, call, fresh } = await freshTaxRecords()
  const chair = await ask<ProductBody>('POST', '/products', CHAIR)
  const twin = await ask<ProductBody>('POST', '/products', { ...CHAIR, nombre_interno: 'The same once more' })
  const desk = await ask<ProductBody>('POST', '/products', { ...CHAIR, descripcion: 'Escritorio' })
  const conceptos = invoiceRecord(1)['conceptos'] as Concept[]
  fresh.workspace.write(() => {
    countUsesOfProducts(fresh.workspace, { conceptos: [...conceptos, ...conceptos] })
  })
  expect((await ask<ProductBody>('GET', `/products/${chair.id}`)).usage_count).toBe(2)
  expect((await ask<ProductBody>('GET', `/products/${twin.id}`)).usage_count).toBe(2)
  expect((await ask<ProductBody>('GET', `/products/${desk.id}`)).usage_count).toBe(0)
  expect(await call('DELETE', `/products/${chair.id}`)).toMatchObject(refusal(409, 'conflict'))
  expect((await call('DELETE', `/products/${desk.id}`)).status).toBe(204)
  expect((await call('GET', `/products/${desk.id}`)).status).toBe(404)
  expect((await call('GET', `/products/${chair.id}`)).status).toBe(200)
})

test('normalizes spaces and line breaks of a description like lines, so that its uses are counted', async () => {
  const { ask, call } = await freshInvoicing()
  const sent = { ...CHAIR, descripcion: ' Silla  de\noficina ' }
  const made = await ask<ProductBody>('POST', '/products', sent)
  const changed = await ask<ProductBody>('POST', '/products', { ...CHAIR, descripcion: 'Escritorio' })
  await ask('PATCH', `/products/${changed.id}`, { descripcion: sent.descripcion })
  await ask(
    'POST',
    '/invoices',
    invoiceBody({ conceptos: [line({ ...CHAIR, descripcion: sent.descripcion })] }),
  )
  for (const { id } of [made, changed]) {
    const current = await ask<ProductBody>('GET', `/products/${id}`)
    expect(current).toMatchObject({ descripcion: 'Silla de oficina', usage_count: 1 })
    expect(await call('DELETE', `/products/${id}`)).toMatchObject(refusal(409, 'conflict'))
  }
})

test('counts the lines from before a product was created or renamed', async () => {
  const { ask, call, issue } = await freshInvoicing()
  await issue({ conceptos: [line(), line(), line({ descripcion: 'Mesa "de \\ centro"' })] })
  const chair = await ask<ProductBody>('POST', '/products', CHAIR)
  expect(chair.usage_count).toBe(2)
  expect(await call('DELETE', `/products/${chair.id}`)).toMatchObject(refusal(409, 'conflict'))
  const key = await ask<ProductBody>('PATCH', `/products/${chair.id}`, { clave_prod_serv: '56101504' })
  expect(key.usage_count).toBe(0)
  const table = { clave_prod_serv: CHAIR.clave_prod_serv, descripcion: ' Mesa  "de \\ centro"' }
  expect((await ask<ProductBody>('PATCH', `/products/${chair.id}`, table)).usage_count).toBe(1)
  expect(await call('DELETE', `/products/${chair.id}`)).toMatchObject(refusal(409, 'conflict'))
  await ask('PATCH', `/products/${chair.id}`, { descripcion: 'Banco' })
  expect((await call('DELETE', `/products/${chair.id}`)).status).toBe(204)
})

test('normalizes the description of a snapshot like lines', async () => {
  const { ask, fresh } = await freshInvoicing()
  const { id } = await ask<ProductBody>('POST', '/products', CHAIR)
  const at = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { text } = await fresh.call('GET', at)
  const body = JSON.parse(text.replace('"Silla de oficina"', '"Silla  de\\n oficina"')) as unknown
  expect((await fresh.call('PUT', at, { body })).status).toBe(204)
  expect(await ask<ProductBody>('GET', `/products/${id}`)).toMatchObject({ descripcion: 'Silla de oficina' })
})

interface Page {
  readonly data: readonly ProductBody[]
}

test.each([
  ['search=OFICINA', ['Silla']],
  ['search=diseno', ['Diseño']],
  ['search=5610', ['Silla']],
  ['search=nothing', []],
  ['clave_prod_serv=81101500', ['Diseño']],
  ['sort_by=name&sort_order=asc', ['Diseño', 'Silla']],
  ['sort_by=price', ['Diseño', 'Silla']],
  ['sort_by=price&sort_order=asc', ['Silla', 'Diseño']],
  ['sort_by=usage_count', ['Silla', 'Diseño']],
  ['', ['Diseño', 'Silla']],
])('returns the list with %s', async (query, expected) => {
  const { ask, fresh } = await freshTaxRecords()
  await ask('POST', '/products', { ...CHAIR, nombre_interno: 'Silla' })
  const design = { clave_prod_serv: '81101500', descripcion: 'Diseño de espacios', valor_unitario: 12_500 }
  await ask('POST', '/products', { ...CHAIR, ...design, nombre_interno: 'Diseño' })
  const conceptos = invoiceRecord(1)['conceptos'] as Concept[]
  fresh.workspace.write(() => {
    countUsesOfProducts(fresh.workspace, { conceptos })
  })
  const { data } = await ask<Page>('GET', `/products?${query}`)
  expect(data.map(({ nombre_interno: name }) => name)).toEqual(expected)
})
