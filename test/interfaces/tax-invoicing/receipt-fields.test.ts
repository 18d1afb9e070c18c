/** Dates, rates and banks of payments, on both sides of each limit. */
import { describe, expect, test } from 'vitest'
import { attributeOf, schemaErrors, whyNoOfficialFiles } from '../../support/authority.ts'
import { freshPaying, problemsOf } from '../../support/paying.ts'
import { refusalOf } from '../../support/taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

const EQUIVALENCE = 'documentos_relacionados.0.equivalencia_dr'

describe('a payment in another currency', () => {
  const paid = (tipoCambio: unknown, equivalencia: unknown): [Fields, Fields] => [
    { moneda: 'USD', tipo_cambio: tipoCambio, monto: 10_000 },
    { equivalencia_dr: equivalencia },
  ]

  test.each<[tipoCambio: unknown, equivalencia: unknown, field: string, code: string]>([
    [17.123456789, 17, 'tipo_cambio', 'too_precise'],
    [17.1234567, 17, 'tipo_cambio', 'too_precise'],
    ['17.1234567', 17, 'tipo_cambio', 'too_precise'],
    ['0.000000', 17, 'tipo_cambio', 'invalid_format'],
    [0, 17, 'tipo_cambio', 'too_small'],
    [1_000_000, 17, 'tipo_cambio', 'too_large'],
    ['1000000', 17, 'tipo_cambio', 'too_large'],
    [17, 1_000_000, EQUIVALENCE, 'too_large'],
    [17, '1000000.5', EQUIVALENCE, 'invalid_format'],
    [17, 17.12345678912345, EQUIVALENCE, 'too_precise'],
    [17, 17.12345678912, EQUIVALENCE, 'too_precise'],
    [17, 0.00000000025, EQUIVALENCE, 'too_precise'],
    [17, '17.12345678912', EQUIVALENCE, 'invalid_format'],
    [17, '0.0000000000', EQUIVALENCE, 'invalid_format'],
    [17, '0', EQUIVALENCE, 'invalid_format'],
    [17, 0.00000000001, EQUIVALENCE, 'too_small'],
  ])(
    'at %j per unit and %j of the invoice is refused for one reason',
    async (rate, equivalence, field, code) => {
      const { issueLater, tryPay, fresh } = await freshPaying()
      const { uuid } = await issueLater()
      const before = fresh.dump()
      const answer = await tryPay(uuid, 100, ...paid(rate, equivalence))
      expect(answer.status).toBe(422)
      expect(problemsOf(answer)).toEqual([{ field, code }])
      expect(fresh.dump()).toEqual(before)
    },
  )

  test.each<[tipoCambio: unknown, equivalencia: unknown, written: string]>([
    [17.123456, 17.1234567891, '17.1234567891'],
    [17.1 + 0.2, 0.1 + 17.2, '17.3'],
    ['17.123456', '0.0571428571', '0.0571428571'],
    [0.000001, 0.0571428571, '0.0571428571'],
    [17, 0.0000002, '0.0000002'],
    [17, '17', '17'],
    ['999999.999999', '0.5', '0.5'],
    [999999.999999, '0.5', '0.5'],
  ])('at %j per unit and %j of the invoice is stamped', async (rate, equivalence, written) => {
    const { issueLater, pay, call, fresh } = await freshPaying()
    const { uuid } = await issueLater()
    const [fields, document] = paid(rate, equivalence)
    const { id } = await pay(uuid, 0.02, { ...fields, monto: 200_000 }, document)
    const { text: xml } = await call('GET', `/payment-receipts/${id}/xml`)
    expect(attributeOf(xml, 'EquivalenciaDR')).toBe(written)
    if (whyNoOfficialFiles === null) expect(schemaErrors(xml)).toBe('')

    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    expect(await fresh.call('PUT', path, { body })).toMatchObject({ status: 204 })
  })

  test('is limited to the largest exact amount in pesos', async () => {
    const { issueLater, tryPay } = await freshPaying()
    const { uuid } = await issueLater()
    const pay = (monto: unknown) =>
      tryPay(uuid, 1, { moneda: 'USD', tipo_cambio: '10', monto }, { equivalencia_dr: 1 })
    expect(refusalOf(await pay('100000000000.00'))).toEqual([422, 'validation_error', 'monto'])
    expect(await pay('99999999999.99')).toMatchObject({ status: 201 })
  })
})

test('has only one error for a rate of 0, as has an invoice', async () => {
  const { send } = await freshPaying()
  const refused = async (tipo_cambio: unknown) => problemsOf(await send({ moneda: 'USD', tipo_cambio }))
  expect(await refused(0)).toEqual([{ field: 'tipo_cambio', code: 'too_small' }])
  expect(await refused('0')).toEqual([{ field: 'tipo_cambio', code: 'invalid_format' }])
  expect(await refused({})).toEqual([{ field: 'tipo_cambio', code: 'invalid_type' }])
  expect(await send({ moneda: 'USD', tipo_cambio: 0.000001 })).toMatchObject({ status: 201 })
  expect(await send({ moneda: 'MXN', tipo_cambio: null })).toMatchObject({ status: 201 })
})

describe('payment date', () => {
  test.each([
    '0001-01-01',
    '1899-12-31',
    '2009-12-31',
    '2100-01-01',
    '9999-12-31',
    // In the time zone of the issuer.
    '2010-01-01T05:59:59Z',
    '2100-01-01T06:00:00Z',
  ])('%s is refused', async (fecha_pago) => {
    const { issueLater, tryPay } = await freshPaying()
    const { uuid } = await issueLater()
    expect(refusalOf(await tryPay(uuid, 100, { fecha_pago }))).toEqual([422, 'CRP20999', 'fecha_pago'])
  })

  test.each(['2010-01-01', '2099-12-31', '2010-01-01T06:00:00Z', '2100-01-01T05:59:59Z'])(
    '%s is stamped with valid XML',
    async (fecha_pago) => {
      const { issueLater, pay, call } = await freshPaying()
      const { uuid } = await issueLater()
      const { id } = await pay(uuid, 100, { fecha_pago })
      const { text: xml } = await call('GET', `/payment-receipts/${id}/xml`)
      if (whyNoOfficialFiles === null) expect(schemaErrors(xml)).toBe('')
    },
  )
})

describe('banks and accounts of a payment', () => {
  const BANK = 'BBA830831LJ2'
  const PERSON = 'GODE561231GR8'
  const ABROAD = 'XEXX010101000'
  const ACCOUNT = '0123456789'

  test.each<[form: string, field: string, value: string]>([
    ['01', 'rfc_banco_ordenante', BANK],
    ['01', 'cuenta_ordenante', ACCOUNT],
    ['01', 'rfc_banco_beneficiario', BANK],
    ['01', 'cuenta_beneficiaria', ACCOUNT],
    ['06', 'rfc_banco_beneficiario', BANK],
    ['06', 'cuenta_beneficiaria', ACCOUNT],
    ['06', 'cuenta_ordenante', `${ACCOUNT}0`],
    ['04', 'cuenta_ordenante', ACCOUNT],
    ['03', 'cuenta_beneficiaria', `${ACCOUNT}0`],
    ['03', 'rfc_banco_ordenante', PERSON],
    ['03', 'rfc_banco_beneficiario', PERSON],
    ['03', 'rfc_banco_beneficiario', ABROAD],
  ])('in the form %s are refused with a %s of %s', async (forma_pago, field, value) => {
    const { issueLater, tryPay } = await freshPaying()
    const { uuid } = await issueLater()
    const answer = await tryPay(uuid, 100, { forma_pago, [field]: value })
    expect(refusalOf(answer)).toEqual([422, 'CRP20221', field])
  })

  test.each<[form: string, fields: Fields]>([
    ['06', { rfc_banco_ordenante: BANK, cuenta_ordenante: ACCOUNT }],
    ['05', { rfc_banco_beneficiario: BANK, cuenta_beneficiaria: ACCOUNT }],
    ['03', { rfc_banco_ordenante: ABROAD, rfc_banco_beneficiario: BANK, cuenta_beneficiaria: ACCOUNT }],
  ])('in the form %s are stamped with %j', async (forma_pago, fields) => {
    const { issueLater, pay, call } = await freshPaying()
    const { uuid } = await issueLater()
    const { id } = await pay(uuid, 100, { forma_pago, ...fields })
    const { text: xml } = await call('GET', `/payment-receipts/${id}/xml`)
    if (whyNoOfficialFiles === null) expect(schemaErrors(xml)).toBe('')
  })
})
