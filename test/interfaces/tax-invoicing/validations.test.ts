/**
 * Invoices that the tax authority would refuse: the code of its matrix and the path of the field, without changes.
 */
import { describe, expect, test } from 'vitest'
import {
  COMPANY,
  freshInvoicing,
  invoiceBody,
  IVA_16,
  line,
  PUBLIC,
  refusalOf,
} from '../../support/taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

const to = (fields: Fields): Fields => ({ receptor: { ...COMPANY, ...fields } })
const of = (fields: Fields): Fields => ({ conceptos: [line(fields)] })
const charged = (fields: Fields): Fields =>
  of({ impuestos: { traslados: [{ ...IVA_16, ...fields }], retenciones: [] } })
const withheld = (fields: Fields): Fields =>
  of({ impuestos: { traslados: [], retenciones: [{ ...IVA_16, ...fields }] } })
const transfer = (fields: Fields = {}, more: Fields = {}): Fields => ({
  type: 'T',
  metodo_pago: null,
  forma_pago: null,
  receptor: { ...COMPANY, uso_cfdi: 'S01' },
  conceptos: [line({ valor_unitario: 0, objeto_imp: '01', impuestos: null, ...more })],
  ...fields,
})

describe.each<[why: string, field: string, code: string, fields: Fields]>([
  ['a malformed tax id', 'receptor.rfc', 'CFDI40143', to({ rfc: 'NOT-AN-RFC' })],
  ['a tax id with an impossible date', 'receptor.rfc', 'CFDI40143', to({ rfc: 'URE180231TM6' })],
  ['a tax id with a wrong check digit', 'receptor.rfc', 'CFDI40143', to({ rfc: 'URE180429TM5' })],
  ['an unregistered tax id', 'receptor.rfc', 'CFDI40143', to({ rfc: 'GODE561231GR8' })],
  ['a name other than the registered one', 'receptor.nombre', 'CFDI40145', to({ nombre: 'OTRA EMPRESA' })],
  [
    'the registered name in lower case',
    'receptor.nombre',
    'CFDI40145',
    to({ nombre: 'universidad robotica española' }),
  ],
  [
    'the registered name with N instead of Ñ',
    'receptor.nombre',
    'CFDI40145',
    to({ nombre: 'UNIVERSIDAD ROBOTICA ESPANOLA' }),
  ],
  [
    'the registered name with an additional accent',
    'receptor.nombre',
    'CFDI40145',
    to({ nombre: 'UNIVERSIDAD ROBÓTICA ESPAÑOLA' }),
  ],
  ...['publico en general', 'Publico en General', 'PÚBLICO EN GENERAL', 'público  en general'].map(
    (nombre): [string, string, string, Fields] => [
      `the public as "${nombre}"`,
      'receptor.nombre',
      'CFDI40130',
      { receptor: { ...PUBLIC, nombre } },
    ],
  ),
  [
    'the public as "publico en general" in a credit note',
    'receptor.nombre',
    'CFDI40130',
    { type: 'E', receptor: { ...PUBLIC, nombre: 'publico en general' } },
  ],
  [
    'a postal code for the public other than that of the issuer',
    'receptor.domicilio_fiscal',
    'CFDI40149',
    { receptor: { ...PUBLIC, domicilio_fiscal: '06600' } },
  ],
  [
    'a postal code for a foreigner other than that of the issuer',
    'receptor.domicilio_fiscal',
    'CFDI40149',
    { receptor: { ...PUBLIC, rfc: 'XEXX010101000', nombre: 'ACME INC', domicilio_fiscal: '86991' } },
  ],
  ['another postal code', 'receptor.domicilio_fiscal', 'CFDI40148', to({ domicilio_fiscal: '06600' })],
  ['an unknown regime', 'receptor.regimen_fiscal', 'CFDI40157', to({ regimen_fiscal: '999' })],
  [
    'a regime of persons for a company',
    'receptor.regimen_fiscal',
    'CFDI40158',
    to({ regimen_fiscal: '605' }),
  ],
  [
    'a regime other than the registered one',
    'receptor.regimen_fiscal',
    'CFDI40158',
    to({ regimen_fiscal: '603' }),
  ],
  [
    'a regime other than 616 for the public',
    'receptor.regimen_fiscal',
    'CFDI40158',
    { receptor: { ...PUBLIC, regimen_fiscal: '601' } },
  ],
  ['an unknown use', 'receptor.uso_cfdi', 'CFDI40160', to({ uso_cfdi: 'Z99' })],
  ['a use of persons for a company', 'receptor.uso_cfdi', 'CFDI40161', to({ uso_cfdi: 'D01' })],
  ['a use that does not match the regime', 'receptor.uso_cfdi', 'CFDI40161', to({ uso_cfdi: 'CN01' })],
  [
    'a use other than S01 for the public',
    'receptor.uso_cfdi',
    'CFDI40161',
    { receptor: { ...PUBLIC, uso_cfdi: 'G03' } },
  ],
  [
    'a foreign residence of a domestic company',
    'receptor.residencia_fiscal',
    'CFDI40999',
    to({ residencia_fiscal: 'USA' }),
  ],
  ['an unknown currency', 'moneda', 'CFDI40113', { moneda: 'ABC' }],
  ['no currency', 'moneda', 'CFDI40113', { moneda: 'XXX' }],
  ['an exchange rate for the peso', 'tipo_cambio', 'CFDI40114', { tipo_cambio: 1.1 }],
  ['no exchange rate for another currency', 'tipo_cambio', 'CFDI40115', { moneda: 'USD' }],
  ['an unknown export code', 'exportacion', 'CFDI40123', { exportacion: '09' }],
  ['an export code that requires a complement', 'exportacion', 'CFDI40123', { exportacion: '02' }],
  ['no payment method', 'metodo_pago', 'CFDI40124', { metodo_pago: null }],
  ['an unknown payment method', 'metodo_pago', 'CFDI40124', { metodo_pago: 'PXX' }],
  ['no payment form', 'forma_pago', 'CFDI40104', { forma_pago: null }],
  ['an unknown payment form', 'forma_pago', 'CFDI40104', { forma_pago: '77' }],
  [
    'a deferred payment with a known form',
    'forma_pago',
    'CFDI40105',
    { metodo_pago: 'PPD', forma_pago: '03' },
  ],
  ['an immediate payment with an unknown form', 'forma_pago', 'CFDI40104', { forma_pago: '99' }],
  [
    'an unknown relation',
    'cfdi_relacionados.0.tipo_relacion',
    'CFDI40137',
    { cfdi_relacionados: [{ tipo_relacion: '99', uuids: ['5f6b7c8d-0000-4000-8000-000000000001'] }] },
  ],
  ['an unknown product key', 'conceptos.0.clave_prod_serv', 'CFDI40162', of({ clave_prod_serv: '99999999' })],
  ['an invalid product key', 'conceptos.0.clave_prod_serv', 'CFDI40162', of({ clave_prod_serv: '561015' })],
  ['an unknown unit key', 'conceptos.0.clave_unidad', 'CFDI40165', of({ clave_unidad: 'ZZZZ' })],
  ['a price of 0', 'conceptos.0.valor_unitario', 'CFDI40166', of({ valor_unitario: 0 })],
  [
    'an amount above its limits',
    'conceptos.0.importe',
    'CFDI40167',
    of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.58' }),
  ],
  [
    'an amount below its limits',
    'conceptos.0.importe',
    'CFDI40167',
    of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.27' }),
  ],
  [
    'an amount below its limits with two decimals',
    'conceptos.0.importe',
    'CFDI40167',
    of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.2' }),
  ],
  [
    'an amount with six decimals above its limits',
    'conceptos.0.importe',
    'CFDI40167',
    of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.564726' }),
  ],
  [
    'an amount with six decimals below its limits',
    'conceptos.0.importe',
    'CFDI40167',
    of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.286524' }),
  ],
  [
    'an amount above the limits of the written price',
    'conceptos.0.importe',
    'CFDI40167',
    of({ cantidad: 1, valor_unitario: 100, importe: 150.02 }),
  ],
  ['a discount above the line', 'conceptos.0.descuento', 'CFDI40169', of({ descuento: 1000.01 })],
  [
    'a discount with more decimals than the line',
    'conceptos.0.descuento',
    'CFDI40168',
    of({ valor_unitario: 100, descuento: 33.333333 }),
  ],
  [
    'a discount with one decimal more than the line',
    'conceptos.0.descuento',
    'CFDI40168',
    of({ valor_unitario: '10.123', descuento: '1.1234' }),
  ],
  [
    'an amount that rounds to 0',
    'conceptos.0.cantidad',
    'CFDI40174',
    of({ cantidad: 0.0001, valor_unitario: 0.001 }),
  ],
  ['a discount that leaves no base', 'conceptos.0.descuento', 'CFDI40174', of({ descuento: 1000 })],
  ['an unknown object code', 'conceptos.0.objeto_imp', 'CFDI40170', of({ objeto_imp: '99' })],
  ['a taxed line without taxes', 'conceptos.0.impuestos', 'CFDI40171', of({ impuestos: null })],
  ['an untaxed line with taxes', 'conceptos.0.impuestos', 'CFDI40172', of({ objeto_imp: '01' })],
  ['IVA where it is not charged', 'conceptos.0.impuestos.traslados', 'CFDI40172', of({ objeto_imp: '06' })],
  ['charged ISR', 'conceptos.0.impuestos.traslados.0.impuesto', 'CFDI40175', charged({ impuesto: '001' })],
  [
    'a rate for an exempt tax',
    'conceptos.0.impuestos.traslados.0.tasa',
    'CFDI40177',
    charged({ tipo_factor: 'Exento' }),
  ],
  ['no rate', 'conceptos.0.impuestos.traslados.0.tasa', 'CFDI40178', charged({ tasa: null })],
  ['an unknown rate', 'conceptos.0.impuestos.traslados.0.tasa', 'CFDI40179', charged({ tasa: 0.15 })],
  [
    'an unknown withheld tax',
    'conceptos.0.impuestos.retenciones.0.impuesto',
    'CFDI40182',
    withheld({ impuesto: '009' }),
  ],
  [
    'an exempt withheld tax',
    'conceptos.0.impuestos.retenciones.0.tipo_factor',
    'CFDI40184',
    withheld({ tipo_factor: 'Exento', tasa: null }),
  ],
  [
    'a withheld rate above its limit',
    'conceptos.0.impuestos.retenciones.0.tasa',
    'CFDI40185',
    withheld({ tasa: 0.1601 }),
  ],
  ['a transfer with a price', 'conceptos.0.valor_unitario', 'CFDI40109', transfer({}, { valor_unitario: 1 })],
  ['a transfer with an amount', 'conceptos.0.importe', 'CFDI40109', transfer({}, { importe: 0.5 })],
  ['a transfer with a discount of 0', 'conceptos.0.descuento', 'CFDI40111', transfer({}, { descuento: 0 })],
  ['a transfer with a discount', 'conceptos.0.descuento', 'CFDI40111', transfer({}, { descuento: 1 })],
  ['a taxed transfer', 'conceptos.0.objeto_imp', 'CFDI40171', transfer({}, { objeto_imp: '02' })],
  ['a transfer with a payment form', 'forma_pago', 'CFDI40103', transfer({ forma_pago: '03' })],
  ['a transfer with a payment method', 'metodo_pago', 'CFDI40124', transfer({ metodo_pago: 'PUE' })],
  [
    'a transfer with taxes',
    'conceptos.0.impuestos',
    'CFDI40172',
    transfer({}, { objeto_imp: '02', impuestos: { traslados: [IVA_16] } }),
  ],
  [
    'a total above the largest exact number',
    'conceptos',
    'CFDI40119',
    { conceptos: [line({ valor_unitario: 999_999_999_999 }), line()] },
  ],
])('an invoice with %s', (_why, field, code, fields) => {
  test('is refused with the code of the authority and the path of the field', async () => {
    const { send, fresh } = await freshInvoicing()
    const before = fresh.dump()
    expect(refusalOf(await send(fields))).toEqual([422, code, field])
    expect(fresh.dump()).toEqual(before)
  })
})

describe.each<[what: string, fields: Fields]>([
  ['an exchange rate of 1 for the peso', { tipo_cambio: 1 }],
  ['an amount at its lower limit', of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.28' })],
  ['an amount at its upper limit', of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.57' })],
  ['an amount as a number', of({ cantidad: 14.16, valor_unitario: 13.66, importe: 193.57 })],
  [
    'six decimals at the lower limit',
    of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.286525' }),
  ],
  [
    'six decimals at the upper limit',
    of({ cantidad: '14.16', valor_unitario: '13.66', importe: '193.564725' }),
  ],
  ['a discount that leaves a base', of({ descuento: 999.99 })],
  ['a discount with the decimals of the line', of({ valor_unitario: '10.123', descuento: '1.123' })],
  ['a discount with zeros after the decimals of the line', of({ descuento: '33.330000' })],
  [
    'an amount at the upper limit of the written price',
    of({ cantidad: 1, valor_unitario: 100, importe: 150.01 }),
  ],
  ['a transfer without amounts', transfer({}, { importe: 0, descuento: null })],
  ['a name with more spaces than the registered one', to({ nombre: ' UNIVERSIDAD  ROBOTICA ESPAÑOLA ' })],
  ['a name with combining marks', to({ nombre: COMPANY.nombre.normalize('NFD') })],
  ['the postal code of the issuer for the public', { receptor: PUBLIC }],
  ['more spaces in the name of the public', { receptor: { ...PUBLIC, nombre: ' PUBLICO  EN GENERAL' } }],
  ['the name of a buyer without a tax id', { receptor: { ...PUBLIC, nombre: 'Juan Pérez' } }],
  ['fully withheld IVA', withheld({ tasa: 0.16 })],
  ['the key for products without their own', of({ clave_prod_serv: '01010101' })],
  ['a leaf of a known class', of({ clave_prod_serv: '56101504' })],
])('an invoice with %s', (_what, fields) => {
  test('is stamped', async () => {
    const { send } = await freshInvoicing()
    expect(await send(fields)).toMatchObject({ status: 201 })
  })
})

test('accepts a tax id after its registration, with its name and regime', async () => {
  const { send, trigger } = await freshInvoicing()
  const rfc = 'GODE561231GR8'
  const fields = to({
    rfc,
    nombre: 'ESTELA GODINEZ',
    regimen_fiscal: '612',
    uso_cfdi: 'G03',
    domicilio_fiscal: '06600',
  })
  expect(refusalOf(await send(fields))).toEqual([422, 'CFDI40143', 'receptor.rfc'])
  const registration = { rfc, nombre: 'ESTELA GODINEZ', regimen_fiscal: '612' }
  expect(await trigger('taxpayer.register', registration)).toMatchObject({ status: 200 })
  expect(await send(fields)).toMatchObject({ status: 201 })
  const other = { receptor: { ...(fields['receptor'] as Fields), regimen_fiscal: '606' } }
  expect(refusalOf(await send(other))).toEqual([422, 'CFDI40158', 'receptor.regimen_fiscal'])
})

test('stamps a tax id with lowercase letters, spaces and dashes in its normal form', async () => {
  const { send, trigger, ask } = await freshInvoicing()
  const stamped = await send(to({ rfc: ' ure-180429 tm6' }))
  expect(stamped).toMatchObject({ status: 201 })
  const { id } = stamped.body as { id: string }
  expect(await ask('GET', `/invoices/${id}`)).toMatchObject({ receptor: { rfc: COMPANY.rfc } })
  expect(
    await trigger('taxpayer.register', { rfc: 'gode561231gr8', nombre: 'ESTELA GODINEZ' }),
  ).toMatchObject({
    status: 200,
    body: { rfc: 'GODE561231GR8' },
  })
})

test('requires a postal code of some state if the registry has none', async () => {
  const { send, trigger } = await freshInvoicing()
  const rfc = 'GODE561231GR8'
  await trigger('taxpayer.register', { rfc, nombre: 'ESTELA GODINEZ', regimen_fiscal: '612' })
  const at = (domicilio_fiscal: string) =>
    send(to({ rfc, nombre: 'ESTELA GODINEZ', regimen_fiscal: '612', uso_cfdi: 'G03', domicilio_fiscal }))
  for (const code of ['01000', '16999', '20000', '99999'])
    expect(await at(code)).toMatchObject({ status: 201 })
  for (const code of ['00999', '17000', '19999']) {
    expect(refusalOf(await at(code))).toEqual([422, 'CFDI40148', 'receptor.domicilio_fiscal'])
  }
})

test('reports all errors of an invoice at once, at most twenty', async () => {
  const { send } = await freshInvoicing()
  const { body } = await send({ moneda: 'ABC', ...to({ uso_cfdi: 'Z99' }), ...of({ clave_unidad: 'ZZZZ' }) })
  const { error } = body as { error: { details: { field: string }[]; message: string } }
  expect(error.details.map(({ field }) => field)).toEqual([
    'receptor.uso_cfdi',
    'moneda',
    'conceptos.0.clave_unidad',
  ])
  const many = await send({ conceptos: Array.from({ length: 50 }, () => line({ clave_unidad: 'ZZZZ' })) })
  expect((many.body as { error: { details: unknown[] } }).error.details).toHaveLength(20)
})

test.each([
  ['no lines', { conceptos: [] }, 'conceptos'],
  ['201 lines', { conceptos: Array.from({ length: 201 }, () => line()) }, 'conceptos'],
  ['the type of payment receipts', { type: 'P' }, 'type'],
  ['a text with a |', of({ descripcion: 'a|b' }), 'conceptos.0.descripcion'],
  [
    'a text with characters that XML forbids',
    of({ descripcion: '\u0001 \ufffe' }),
    'conceptos.0.descripcion',
  ],
  ['a quantity of 0', of({ cantidad: 0 }), 'conceptos.0.cantidad'],
  ['a quantity that is not a number', of({ cantidad: '1,5' }), 'conceptos.0.cantidad'],
  ['a negative price', of({ valor_unitario: -1 }), 'conceptos.0.valor_unitario'],
  ['a series with a |', { serie: 'A|1' }, 'serie'],
  ['a series with two spaces', { serie: 'A  1' }, 'serie'],
  ['a series that begins with a space', { serie: ' A' }, 'serie'],
  ['a series with a line break', { serie: 'A\n1' }, 'serie'],
  ['a series with characters that XML forbids', { serie: 'A\u0001' }, 'serie'],
  ['an empty series', { serie: '' }, 'serie'],
  ['a series of 26 characters', { serie: 'A-'.repeat(13) }, 'serie'],
  ['a postal code of four digits', to({ domicilio_fiscal: '0660' }), 'receptor.domicilio_fiscal'],
])('refuses an invoice with %s by its schema', async (_what, fields, field) => {
  const { send } = await freshInvoicing()
  expect(refusalOf(await send(fields))).toEqual([422, 'validation_error', field])
})

test('states the rule for a blank text and one with a |', async () => {
  const { send } = await freshInvoicing()
  for (const descripcion of [' ', 'a|b']) {
    const { body } = await send(of({ descripcion }))
    expect(body).toMatchObject({
      error: {
        message: 'conceptos.0.descripcion must contain at least one non-blank character and no |',
      },
    })
  }
})

test('refuses more than six decimals, as a number and as a text', async () => {
  const { call } = await freshInvoicing()
  const send = (valor_unitario: unknown) =>
    call('POST', '/invoices', { body: invoiceBody(of({ valor_unitario })) })
  expect(await send('1.123456')).toMatchObject({ status: 201 })
  expect(await send('1.1234567')).toMatchObject({ status: 422 })
  expect(await send(1.1234567)).toMatchObject({ status: 422 })
})

test.each<[sent: number, stored: number]>([
  [0.1 + 0.2, 0.3],
  [0.7 + 0.1, 0.8],
  [1.1 * 3, 3.3],
  [100 / 3, 33.333333],
  [2 / 3, 0.666667],
])('rounds %d, which a client computed, to six decimals', async (sent, stored) => {
  const { send, getInvoice, issue } = await freshInvoicing()
  const { id } = await issue(of({ valor_unitario: sent, cantidad: sent }))
  expect(await getInvoice(id)).toMatchObject({ conceptos: [{ valor_unitario: stored, cantidad: stored }] })
  expect(await send({ moneda: 'USD', tipo_cambio: 10 + sent })).toMatchObject({ status: 201 })
  expect(await send(of({ valor_unitario: String(sent) }))).toMatchObject({ status: 422 })
})
