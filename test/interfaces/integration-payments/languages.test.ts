/** The hosted checkout in Spanish, in each of its states. */
import { expect, test } from 'vitest'
import { freshProject, PAYMENT } from '../../support/integrationPayments.ts'
import { inSpanish } from '../../support/languages.ts'
import { asForm, cardFields, nextOf, pathOf, titleOf, visibleTextOf } from '../../support/payers.ts'

const DATA = ['Plan anual', 'Ana Castillo', 'network_1', 'network_2', 'network_3', 'shop.example']

async function setup() {
  const { fresh, addPaymentLink, addCollectionLink, pull, linkInState } = await freshProject()
  const pathTo = ({ paymentLinkUrl }: { readonly paymentLinkUrl: string }) => pathOf(paymentLinkUrl)
  return {
    call: fresh.call,
    pull,
    linkInState,
    pathTo,
    payment: () =>
      addPaymentLink({ ...PAYMENT, concept: 'Plan anual', redirectUrl: 'https://shop.example/ok' }),
    collection: () => addCollectionLink({ customer: PAYMENT.customer }),
  }
}

test.each(['payment', 'collection'] as const)('the checkout of a %s speaks Spanish', async (kind) => {
  const { call, pull, pathTo, ...made } = await setup()
  const link = await made[kind]()
  const path = pathTo(link)
  const page = await inSpanish(call, path, DATA)
  expect(titleOf(page)).toMatch(kind === 'payment' ? /^Pagar USD.49\.00 – Plan anual/ : /^Guarde su tarjeta/)
  await inSpanish(call, path, DATA, {})
  for (const [number, email] of [
    ['4000000000000002', 'ana@example.com'],
    ['4000000000009995', 'ana@example.com'],
    ['4000000000000069', 'ana@example.com'],
    ['4000000000000127', 'ana@example.com'],
    ['4000000000000119', 'ana@example.com'],
    ['', 'ana'],
  ] as const) {
    await inSpanish(call, path, DATA, { ...cardFields(number), email })
  }
  await inSpanish(call, `${path}/cancelled`, DATA)
  await pull('link.complete', { hashUrl: link.hashUrl })
  await inSpanish(call, path, DATA)
  await inSpanish(call, `${path}/done`, DATA)
  await inSpanish(call, `${path}/done?receipt`, DATA)
})

test.each(['processing', 'expired', 'cancelled'] as const)(
  'a link that is %s says so in Spanish',
  async (state) => {
    const { call, linkInState, pathTo } = await setup()
    await inSpanish(call, pathTo(await linkInState(state)), [...DATA, PAYMENT.concept])
  },
)

test('a chosen language stays through the form, the confirmation and the end', async () => {
  const { call, payment, pathTo } = await setup()
  const path = `${pathTo(await payment())}?lang=es`
  const form = (number: string) => asForm({ ...cardFields(number), email: 'ana@example.com' })
  const confirm = await call('GET', nextOf(await call('POST', path, form('4000000000003220')), path))
  expect(visibleTextOf(confirm)).toContain('Confirme que es usted')
  expect((await call('GET', path)).text).toContain('/cancelled?lang=es"')
  const done = nextOf(await call('POST', path, form('4242424242424242')), path)
  expect(done).toMatch(/\/done\?lang=es$/)
  expect(visibleTextOf(await call('GET', done))).toContain('Pago completado')
  expect((await call('GET', path)).text).toContain('/done?receipt&amp;lang=es"')
})
