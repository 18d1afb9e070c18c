/** Hints in the request log about stamped documents that are probably wrong. */
import { expect, test } from 'vitest'
import { freshPaying } from '../../support/paying.ts'
import { COMPANY, invoiceBody, line, PUBLIC, type Invoicing } from '../../support/taxInvoicing.ts'

type Fields = Readonly<Record<string, unknown>>

interface Hint {
  readonly code: string
  readonly message: string
}

/** The hints of the latest call, without those about assumptions. */
async function lastHints({ fresh }: Pick<Invoicing, 'fresh'>): Promise<Hint[]> {
  const path = `/_sim/workspaces/${fresh.workspace.id}/requests`
  const { body } = await fresh.call('GET', `${path}?limit=1`)
  const [newest] = (body as { data: { id: string }[] }).data
  const entry = await fresh.call('GET', `${path}/${newest?.id ?? ''}`)
  return (entry.body as { hints: Hint[] }).hints.filter(({ code }) => !code.startsWith('assumed_'))
}

const codes = (hints: readonly Hint[]): string[] => hints.map(({ code }) => code)

// ---------------------------------------------------------------- substitutes

const XENON = {
  ...COMPANY,
  rfc: 'XIA190128J61',
  nombre: 'XENON INDUSTRIAL ARTICLES',
  domicilio_fiscal: '76343',
}

test.each<[what: string, fields: (uuid: string) => Fields, expected: string[]]>([
  ['is related', (uuid) => ({ cfdi_relacionados: [{ tipo_relacion: '04', uuids: [uuid] }] }), []],
  ['is not related', () => ({}), ['substitute_not_related']],
  [
    'has another relation',
    (uuid) => ({ cfdi_relacionados: [{ tipo_relacion: '02', uuids: [uuid] }] }),
    ['substitute_not_related'],
  ],
  [
    'is to another recipient',
    (uuid) => ({ receptor: XENON, cfdi_relacionados: [{ tipo_relacion: '04', uuids: [uuid] }] }),
    ['substitute_of_another_recipient'],
  ],
])('returns the hints for a substitute that %s', async (_what, fields, expected) => {
  const invoicing = await freshPaying()
  const { issue, ask } = invoicing
  const { id, uuid } = await issue()
  const substitute = await issue(fields(uuid))
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '01', uuid_sustitucion: substitute.uuid })
  expect(codes(await lastHints(invoicing))).toEqual(expected)
})

test('returns the hints for a substitute that is older, related to another invoice and to another recipient', async () => {
  const invoicing = await freshPaying()
  const { issue, ask, fresh } = invoicing
  const other = await issue()
  const relation = { cfdi_relacionados: [{ tipo_relacion: '04', uuids: [other.uuid] }] }
  const older = await issue({ receptor: XENON, ...relation })
  fresh.setClock('2026-11-21T12:00:00.001Z')
  const { id, uuid } = await issue()
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '01', uuid_sustitucion: older.uuid })
  const hints = await lastHints(invoicing)
  expect(codes(hints)).toEqual([
    'substitute_not_related',
    'substitute_of_another_recipient',
    'substitute_older',
  ])
  for (const { message } of hints) expect(message).toContain(uuid)
})

// ---------------------------------------------------------------- e-mails

test('returns a hint for enviar_email only if no client has an address', async () => {
  const invoicing = await freshPaying()
  const { issue, ask, emails } = invoicing
  await issue({ enviar_email: true })
  expect(await lastHints(invoicing)).toMatchObject([
    { code: 'email_not_sent', message: expect.stringContaining(COMPANY.rfc) as string },
  ])
  await ask('POST', '/invoices/batch', { invoices: [invoiceBody({ enviar_email: true })] })
  expect(codes(await lastHints(invoicing))).toEqual(['email_not_sent'])
  await issue({ enviar_email: false })
  expect(await lastHints(invoicing)).toEqual([])
  await ask('POST', '/clients', { rfc: COMPANY.rfc, nombre: COMPANY.nombre })
  await issue({ enviar_email: true })
  expect(codes(await lastHints(invoicing))).toEqual(['email_not_sent'])
  expect(emails()).toEqual([])

  await ask('POST', '/clients', { rfc: PUBLIC.rfc, nombre: PUBLIC.nombre, email: 'caja@example.com' })
  await issue({ receptor: PUBLIC, enviar_email: true })
  expect(await lastHints(invoicing)).toEqual([])
  expect(emails()).toHaveLength(1)
})

// ---------------------------------------------------------------- payments

/** On the day of the invoice, which is before its noon. */
const SAME_DAY = { fecha_pago: '2026-11-21' }

test.each<[what: string, fields: Fields, document: Fields, expected: string[]]>([
  ['of the day of the invoice', {}, {}, []],
  ['of the day before', { fecha_pago: '2026-11-20' }, {}, ['payment_before_invoice']],
  ['of the last second before', { fecha_pago: '2026-11-21T05:59:59Z' }, {}, ['payment_before_invoice']],
  ['of the first second of the day', { fecha_pago: '2026-11-21T06:00:00Z' }, {}, []],
  ['that is not subject to tax', {}, { objeto_imp_dr: '01' }, ['untaxed_payment']],
  ['without a breakdown of taxes', {}, { objeto_imp_dr: '03' }, []],
])('returns the hints for a payment %s of a taxed invoice', async (_what, fields, document, expected) => {
  const invoicing = await freshPaying()
  const { uuid } = await invoicing.issueLater()
  expect(await invoicing.tryPay(uuid, 100, { ...SAME_DAY, ...fields }, document)).toMatchObject({
    status: 201,
  })
  expect(codes(await lastHints(invoicing))).toEqual(expected)
})

test('returns no hint for a payment without taxes of an invoice without taxes', async () => {
  const invoicing = await freshPaying()
  const { uuid } = await invoicing.issueLater({ conceptos: [line({ objeto_imp: '01', impuestos: null })] })
  await invoicing.tryPay(uuid, 100, SAME_DAY, { objeto_imp_dr: '01' })
  expect(await lastHints(invoicing)).toEqual([])
})

const USD = { moneda: 'USD', tipo_cambio: 18.5 }

test.each<[what: string, invoice: Fields, fields: Fields, equivalence: unknown, expected: string[]]>([
  ['pesos for one dollar', {}, { ...USD, monto: 100 }, 18.5, []],
  ['pesos for one dollar at another rate', {}, { ...USD, monto: 100 }, 17.9, []],
  [
    'dollars for one peso of a payment in dollars',
    {},
    { ...USD, monto: 5000 },
    '0.054',
    ['inverted_equivalence'],
  ],
  ['dollars for one peso', USD, { monto: 1850 }, '0.054054', []],
  ['pesos for one dollar of a payment in pesos', USD, { monto: 1850 }, 18.5, ['inverted_equivalence']],
  ['yen for one dollar', { moneda: 'JPY', tipo_cambio: '0.12' }, { ...USD, monto: 100 }, '154.17', []],
  [
    'dollars for one yen of a payment in dollars',
    { moneda: 'JPY', tipo_cambio: '0.12' },
    { ...USD, monto: 99_999 },
    '0.006487',
    ['inverted_equivalence'],
  ],
])(
  'returns the hints for an equivalence of %s',
  async (_what, invoice, fields, equivalencia_dr, expected) => {
    const invoicing = await freshPaying()
    const { uuid } = await invoicing.issueLater(invoice)
    const answer = await invoicing.tryPay(uuid, 100, { ...SAME_DAY, ...fields }, { equivalencia_dr })
    expect(answer).toMatchObject({ status: 201 })
    expect(codes(await lastHints(invoicing))).toEqual(expected)
  },
)

test('returns the hint about an inverted equivalence even if the receipt is refused because of it', async () => {
  const invoicing = await freshPaying()
  const { uuid } = await invoicing.issueLater()
  const answer = await invoicing.tryPay(
    uuid,
    100,
    { ...SAME_DAY, ...USD, monto: 100 },
    { equivalencia_dr: '0.054' },
  )
  expect(answer).toMatchObject({ status: 422, body: { error: { code: 'CRP20217' } } })
  expect(codes(await lastHints(invoicing))).toEqual(['inverted_equivalence'])
})
