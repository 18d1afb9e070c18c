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
const lastHints = (invoicing: Pick<Invoicing, 'fresh'>): Promise<Hint[]> => hintsOf(invoicing, '')

/** The hints of the latest receipt, after which the helper `pay` reads it. */
const lastHintsOfReceipt = (invoicing: Pick<Invoicing, 'fresh'>): Promise<Hint[]> =>
  hintsOf(invoicing, '&operation=createPaymentReceipt')

async function hintsOf({ fresh }: Pick<Invoicing, 'fresh'>, filter: string): Promise<Hint[]> {
  const path = `/_sim/workspaces/${fresh.workspace.id}/requests`
  const { body } = await fresh.call('GET', `${path}?limit=1${filter}`)
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

// ---------------------------------------------------------------- credit notes

const relatedTo = (...uuids: readonly string[]): Fields => ({
  type: 'E',
  cfdi_relacionados: [{ tipo_relacion: '01', uuids }],
})

const UNKNOWN = '5F6B7C8D-0000-4000-8000-000000000001'

test.each<[what: string, fields: (uuid: string) => Fields, expected: string[]]>([
  ['of the total of its invoice', (uuid) => relatedTo(uuid), []],
  [
    'above the total of its invoice',
    (uuid) => ({ ...relatedTo(uuid), conceptos: [line({ valor_unitario: 1000.01 })] }),
    ['credit_note_exceeds_invoice'],
  ],
  ['without a relation', () => ({ type: 'E' }), ['credit_note_unrelated']],
  [
    'that only substitutes',
    (uuid) => ({ type: 'E', cfdi_relacionados: [{ tipo_relacion: '04', uuids: [uuid] }] }),
    ['credit_note_unrelated'],
  ],
  ['of an unknown invoice', () => relatedTo(UNKNOWN), ['credit_note_unrelated']],
  ['of a known and an unknown invoice', (uuid) => relatedTo(uuid, UNKNOWN), ['credit_note_unrelated']],
  [
    'to another recipient',
    (uuid) => ({ ...relatedTo(uuid), receptor: XENON }),
    ['credit_note_of_another_recipient'],
  ],
  ['that is no credit note', (uuid) => ({ ...relatedTo(uuid, UNKNOWN), type: 'I', receptor: XENON }), []],
])('returns the hints for a credit note %s', async (_what, fields, expected) => {
  const invoicing = await freshPaying()
  const { uuid } = await invoicing.issue()
  await invoicing.issue(fields(uuid))
  const hints = await lastHints(invoicing)
  expect(codes(hints)).toEqual(expected)
})

test('returns a hint for a credit note of a cancelled invoice, and for one of another note', async () => {
  const invoicing = await freshPaying()
  const { issue, ask, trigger } = invoicing
  const { id, uuid } = await issue()
  await ask('POST', `/invoices/${id}/cancel`, { motivo: '03' })
  await trigger('cancellation.accept', { invoice_id: id })
  const note = await issue(relatedTo(uuid))
  const [hint] = await lastHints(invoicing)
  expect(hint).toMatchObject({
    code: 'credit_note_of_cancelled',
    message: expect.stringContaining(uuid) as string,
  })
  await issue(relatedTo(note.uuid))
  expect(codes(await lastHints(invoicing))).toEqual(['credit_note_unrelated'])
})

test('compares the total of a credit note with the invoices less their other notes', async () => {
  const invoicing = await freshPaying()
  const { issue, ask } = invoicing
  const [one, other] = [await issue(), await issue({ moneda: 'USD', tipo_cambio: 20 })]
  const credit = async (pesos: number) => {
    const note = await issue({
      ...relatedTo(one.uuid, other.uuid),
      conceptos: [line({ valor_unitario: pesos, objeto_imp: '01', impuestos: null })],
    })
    return { note, hints: await lastHints(invoicing) }
  }
  expect((await credit(24_000)).hints).toEqual([])
  const { note, hints } = await credit(360.01)
  expect(hints).toEqual([
    {
      code: 'credit_note_exceeds_invoice',
      message:
        'The total of the credit note, 360.01 MXN, is more than its related invoices less their other credit notes, 360 MXN.',
    },
  ])
  await ask('POST', `/invoices/${note.id}/cancel`, { motivo: '02' })
  expect((await credit(360)).hints).toEqual([])
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

test('returns a hint for a payment of more than credit notes left, which the complement ignores', async () => {
  const invoicing = await freshPaying()
  const { issueLater, issue, pay, ask } = invoicing
  const { uuid } = await issueLater()
  const note = await issue({ ...relatedTo(uuid), conceptos: [line({ valor_unitario: 100 })] })
  const partial = await pay(uuid, 1044, SAME_DAY)
  const half = await lastHintsOfReceipt(invoicing)
  expect(codes(half)).toEqual([])
  const receipt = await pay(uuid, 116, SAME_DAY)
  expect(receipt.documentos_relacionados).toMatchObject([{ saldo_anterior: 116, saldo_insoluto: 0 }])
  const hints = await lastHintsOfReceipt(invoicing)
  expect(codes(hints)).toEqual(['payment_exceeds_balance'])
  expect(hints[0]?.message).toContain('116.00 less 116')
  expect(await ask('GET', '/reports/receivables?status=paid')).toMatchObject({
    data: [{ total: 1160, paid: 1160, credited: 116, balance: -116, status: 'paid' }],
  })
  for (const { id } of [receipt, note]) await ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  await pay(uuid, 116, SAME_DAY)
  expect(codes(await lastHintsOfReceipt(invoicing))).toEqual([])
  expect(partial.documentos_relacionados).toMatchObject([{ saldo_anterior: 1160 }])
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

test.each<[what: string, related: 'receipt' | 'replaced' | 'invoice', expected: string[]]>([
  ['a receipt', 'receipt', []],
  ['a receipt that was already replaced', 'replaced', ['receipt_replaces_nothing']],
  ['a document that is no receipt', 'invoice', ['receipt_replaces_nothing']],
])('returns the hints for a receipt that replaces %s', async (_what, related, expected) => {
  const invoicing = await freshPaying()
  const { issueLater, pay } = invoicing
  const invoice = await issueLater()
  const payInPlaceOf = (uuid: string) =>
    pay(invoice.uuid, 100, {
      fecha_pago: '2026-11-21',
      cfdi_relacionados: [{ tipo_relacion: '04', uuids: [uuid] }],
    })
  const { uuid: replaced } = await pay(invoice.uuid, 100)
  const { uuid: receipt } = await payInPlaceOf(replaced)
  await payInPlaceOf({ invoice: invoice.uuid, receipt, replaced }[related])
  expect(codes(await lastHintsOfReceipt(invoicing))).toEqual(expected)
})

test.each<[motivo: string, what: string, fields: Fields, expected: string[]]>([
  ['02', 'to a company', {}, []],
  ['02', 'to the public', { receptor: PUBLIC }, ['recipient_cannot_answer']],
  [
    '02',
    'to a foreigner',
    { receptor: { ...PUBLIC, rfc: 'XEXX010101000', nombre: 'ACME INC' } },
    ['recipient_cannot_answer'],
  ],
  [
    '02',
    'of a small amount to the public',
    { receptor: PUBLIC, conceptos: [line({ valor_unitario: 1 })] },
    [],
  ],
  ['04', 'to a company', {}, ['reason_of_global_invoice']],
  [
    '04',
    'of a small amount to a company',
    { conceptos: [line({ valor_unitario: 1 })] },
    ['reason_of_global_invoice'],
  ],
  ['04', 'to the public', { receptor: PUBLIC }, ['recipient_cannot_answer']],
])(
  'returns the hints for the cancellation by %s of an invoice %s',
  async (motivo, _what, fields, expected) => {
    const invoicing = await freshPaying()
    const { id } = await invoicing.issue(fields)
    await invoicing.ask('POST', `/invoices/${id}/cancel`, { motivo })
    expect(codes(await lastHints(invoicing))).toEqual(expected)
  },
)

test('returns no hint for a cancellation that the reading makes immediate', async () => {
  const invoicing = await freshPaying()
  invoicing.fresh.workspace.change({ readings: { 'tax-invoicing.cancellation_exempt': 'authority' } })
  const { id } = await invoicing.issue({ receptor: PUBLIC })
  await invoicing.ask('POST', `/invoices/${id}/cancel`, { motivo: '02' })
  expect(codes(await lastHints(invoicing))).toEqual([])
})

const INVERTED = ['inverted_equivalence']

test.each<[moneda: string, tipo_cambio: number, expected: string[]]>([
  ['USD', 18.5, []],
  ['USD', 0.054, INVERTED],
  ['USD', 1, []],
  ['EUR', 0.05, INVERTED],
  ['EUR', 20, []],
  ['JPY', 8.1, INVERTED],
  ['JPY', 0.123, []],
  ['CZK', 1.2, []],
])('returns the hints for an invoice in %s at %d', async (moneda, tipo_cambio, expected) => {
  const invoicing = await freshPaying()
  const { uuid } = await invoicing.issueLater({ moneda, tipo_cambio })
  expect(codes(await lastHints(invoicing))).toEqual(expected)
  await invoicing.pay(uuid, 100, { fecha_pago: '2026-11-21', moneda, tipo_cambio })
  expect(codes(await lastHintsOfReceipt(invoicing))).toEqual(expected)
})

test.each<[path: string, expected: string[]]>([
  ['products?search=xyzzy', ['catalog_selection']],
  ['units?search=xyzzy', ['catalog_selection']],
  ['products?search=cafe', []],
  ['units?search=kgm', []],
  ['products?search=cafe&page=9', []],
  ['tax-regimes?page=9', []],
])('returns the hints for the catalog %s', async (path, expected) => {
  const invoicing = await freshPaying()
  await invoicing.ask('GET', `/sat-catalogs/${path}`)
  expect(codes(await lastHints(invoicing))).toEqual(expected)
})
