/** The page of the recipient of an invoice in Spanish. E-mails with invoices are always in Spanish, as invoices are. */
import { expect, test } from 'vitest'
import { inSpanish, SPANISH } from '../../support/languages.ts'
import { asForm, nextOf, pathOf, titleOf, visibleTextOf } from '../../support/payers.ts'
import { freshInvoicing, type InvoiceBody } from '../../support/taxInvoicing.ts'

async function setup() {
  const invoicing = await freshInvoicing()
  const { fresh, issue, ask } = invoicing
  const { id } = await issue()
  const { uuid, emisor, receptor } = await invoicing.getInvoice(id)
  const path = `/einvoicing/recipient/${fresh.workspace.id}/${uuid}`
  return {
    ...invoicing,
    id,
    path,
    /** Opens the page in both languages and returns the visible words of the Spanish one. */
    shown: async (fields?: Readonly<Record<string, string>>) =>
      visibleTextOf(
        await inSpanish(
          fresh.call,
          path,
          [emisor.nombre, emisor.rfc, receptor.nombre, receptor.rfc, uuid, 'MXN'],
          fields,
        ),
      ),
    request: () => ask<InvoiceBody>('POST', `/invoices/${id}/cancel`, { motivo: '02' }),
    decide: (decision: string) => fresh.call('POST', `${path}?lang=es`, asForm({ decision })),
  }
}

test.each([
  ['accept', 'Esta factura está cancelada', 'Se canceló el '],
  ['reject', 'Esta factura está vigente', 'Usted rechazó su cancelación el '],
])('a recipient who chooses %s does so in Spanish', async (decision, heading, note) => {
  const { fresh, path, shown, request, decide } = await setup()
  expect(await shown()).toContain('No se ha solicitado su cancelación.')
  const { cancellation } = await request()
  expect(pathOf(cancellation?.decision_url ?? '')).toBe(path)
  const asked = await shown()
  expect(asked).toContain('ESCUELA KEMPER URGATE solicita cancelar esta factura')
  expect(asked).toContain('Motivo: Comprobante emitido con errores sin relación.')
  expect(asked).toMatch(
    /Si no responde a más tardar el \d+ de \w+ de 2026 a las .* GMT-6, quedará cancelada\./,
  )
  expect(await shown({})).toContain('Elija aceptar o rechazar')
  const next = nextOf(await decide(decision), path)
  expect(next).toBe(`${path}?lang=es`)
  const decided = await fresh.call('GET', next)
  expect(titleOf(decided)).toBe(`${heading} – A-1`)
  expect(visibleTextOf(decided)).toContain(note)
  expect(await shown({ decision })).toContain('Esta cancelación ya se resolvió')
})

test.each([SPANISH, {}])('an e-mail with an invoice is in Spanish, with %j', async (headers) => {
  const { call, emails, id } = await setup()
  const body = { email: 'ana@example.com', include_pdf: false }
  expect(await call('POST', `/invoices/${id}/send`, { body, headers })).toMatchObject({ status: 200 })
  expect(emails()).toMatchObject([
    {
      subject: 'ESCUELA KEMPER URGATE: CFDI A-1',
      text: expect.stringMatching(
        /^UNIVERSIDAD ROBOTICA ESPAÑOLA:\n\nLe enviamos el comprobante A-1 por un total de 1160\.00 MXN\./,
      ),
    },
  ])
})
