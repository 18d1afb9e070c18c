/** The payment pages in Spanish, in each of their states. */
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'
import { inSpanish } from '../../support/languages.ts'
import { asForm, cardFields, nextOf, pathOf, titleOf, visibleTextOf } from '../../support/payers.ts'

const DATA = ['Escritorio', 'INV-42', 'network_1', 'network_2', 'network_3', 'USD', 'PAB', 'Ana Pérez', 'UTC']

interface Record {
  readonly id: string
  readonly url: string
  readonly receipt_url: string
}

async function setup() {
  const fresh = await freshApp()
  fresh.setClock('2026-11-22T15:00:00Z')
  const payments = fresh.at<{ data: unknown }>('payments')
  const { call, workspace } = fresh
  return {
    call,
    workspace,
    link: async (fields: object = {}) => {
      const body = {
        amount: 125_000,
        currency: 'USD',
        description: 'Escritorio',
        reference: 'INV-42',
        ...fields,
      }
      return (await payments('POST', '/payment-links', { body })).body.data as Record
    },
    trigger: (name: string, body: object) =>
      call('POST', `/_sim/workspaces/${workspace.id}/triggers/payments.${name}`, { body }),
    disable: ({ id }: Record) => payments('DELETE', `/payment-links/${id}`),
    refund: (id: string, amount: number) =>
      payments('POST', `/transactions/${id}/refund`, { body: { amount } }),
    transactions: async () => (await payments('GET', '/transactions')).body.data as Record[],
  }
}

test('a link is paid in Spanish, with amounts and dates as in Mexico and Panama', async () => {
  const { call, link } = await setup()
  const made = await link({ expires_at: '2026-12-01T05:00:00Z' })
  const page = await inSpanish(call, pathOf(made.url), DATA)
  expect(titleOf(page)).toBe('Pagar USD\u00a01,250.00 – Escritorio')
  expect(visibleTextOf(page)).toContain(
    'Pago a Test workspace Escritorio USD 1,250.00 Referencia INV-42 Puede pagarse hasta el 1 de diciembre de 2026 a las 5:00 a.m. UTC',
  )
  const empty = await inSpanish(call, pathOf(made.url), DATA, { method: 'card', email: 'ana' })
  expect(empty.status).toBe(422)
  const declined = cardFields('4000000000009995')
  const again = await inSpanish(call, pathOf(made.url), DATA, declined)
  expect(visibleTextOf(again)).toContain('El pago fue rechazado: no hay fondos suficientes.')
  const open = await link({ amount: undefined, open_amount: true, currency: 'PAB' })
  for (const amount of ['', 'x', '0', '99999999999', '1']) {
    await inSpanish(call, pathOf(open.url), DATA, { ...declined, amount, name: 'a'.repeat(121) })
  }
  expect(visibleTextOf(await inSpanish(call, pathOf(open.url), DATA))).toContain('Monto en PAB')
})

test.each([
  ['4000000000000002', 'declined'],
  ['4000000000000069', 'expired card'],
  ['4000000000000127', 'wrong code'],
  ['4000000000000119', 'processing error'],
  ['1234', 'no card'],
  ['4111111111111111', 'no test card'],
])('a form with the card %s is refused in Spanish: %s', async (number) => {
  const { call, link } = await setup()
  await inSpanish(call, pathOf((await link()).url), DATA, cardFields(number))
})

test.each([
  ['wallet_1', { method: 'wallet_1' }],
  ['wallet_1', { method: 'wallet_1', wallet_1_phone: '1' }],
  ['wallet_2', { method: 'wallet_2', wallet_2_phone: '60000002' }],
  ['ach', { method: 'ach', ach_account: '' }],
  ['ach', { method: 'ach', ach_account: '1' }],
  ['ach', { method: '' }],
] as const)('a form of a link with %s is refused in Spanish: %j', async (method, fields) => {
  const { call, link } = await setup()
  const made = await link({ payment_methods: ['network_1', method] })
  await inSpanish(call, pathOf(made.url), DATA, fields)
})

test('links and receipts say their state in Spanish', async () => {
  const { call, workspace, link, trigger, disable, refund, transactions } = await setup()
  const paid = await link()
  await trigger('link.pay', { link_id: paid.id })
  const [first] = await transactions()
  expect(visibleTextOf(await inSpanish(call, pathOf(paid.url), DATA))).toContain(
    'El pago se hizo el 22 de noviembre de 2026 a las 3:00 p.m. UTC.',
  )
  const receipt = pathOf(first?.receipt_url ?? '')
  await inSpanish(call, receipt, DATA)
  await refund(first?.id ?? '', 1000)
  expect(visibleTextOf(await inSpanish(call, receipt, DATA))).toContain('Pago reembolsado parcialmente')
  await refund(first?.id ?? '', 124_000)
  await inSpanish(call, receipt, DATA)
  const several = await link({ max_payments: 2 })
  await trigger('link.pay', { link_id: several.id })
  await trigger('link.pay', { link_id: several.id })
  await inSpanish(call, pathOf(several.url), DATA)
  const disabled = await link()
  await disable(disabled)
  await inSpanish(call, pathOf(disabled.url), DATA)
  for (const outcome of ['pending', 'failed']) {
    const made = await link()
    await trigger('link.pay', { link_id: made.id, outcome })
    await inSpanish(call, pathOf(made.url), DATA)
    const [newest] = await transactions()
    await inSpanish(call, `/pay/links/${workspace.id}/receipts/${newest?.id ?? ''}`, DATA)
  }
})

test('a chosen language stays through form, confirmation and receipt, in a browser that prefers English', async () => {
  const { call, link } = await setup()
  const made = await link()
  const path = `${pathOf(made.url)}?lang=es`
  const page = await call('GET', path, { headers: { 'accept-language': 'en' } })
  expect(page.text).toContain('<html lang="es">')
  expect(page.text).toContain('script.js?lang=es')
  const step = nextOf(await call('POST', path, asForm(cardFields('4000000000003220'))), path)
  const confirm = await call('GET', step)
  expect(visibleTextOf(confirm)).toContain('Su banco le pide que confirme el pago de USD 1,250.00 (tarjeta')
  const action = /<form method="post" action="([^"]+)"/.exec(confirm.text)?.[1] ?? ''
  expect(action).toBe(`${made.id}?lang=es`)
  const hidden = [...confirm.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  const refused = await call('POST', path, asForm({ ...fields, decision: 'refuse' }))
  expect(visibleTextOf(refused)).toContain('El titular de la tarjeta no confirmó el pago.')
  const receipt = nextOf(await call('POST', path, asForm({ ...fields, decision: 'confirm' })), path)
  expect(receipt).toMatch(/\/receipts\/[\w-]+\?lang=es$/)
  expect(visibleTextOf(await call('GET', receipt))).toContain('Gracias. Este es su comprobante.')
  expect((await call('GET', path)).text).toMatch(/href="receipts\/[\w-]+\?lang=es"\s*>Ver el comprobante</)
})
