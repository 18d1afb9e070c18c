/** The page on which a user acts as the recipient of an invoice, in a browser. */
import { expect, test } from 'vitest'
import {
  accessibilityViolationsOn,
  describeInBrowser,
  openTab,
  PHONE,
  phoneProblemsOn,
} from '../../support/browser.ts'
import { listenTo } from '../../support/payers.ts'
import { freshInvoicing, type InvoiceBody } from '../../support/taxInvoicing.ts'

describeInBrowser('page of the recipient', () => {
  test('is accessible and works without scripts', async () => {
    const invoicing = await freshInvoicing()
    await listenTo(invoicing.fresh)
    const { id } = await invoicing.issue()
    const { cancellation } = await invoicing.ask<InvoiceBody>('POST', `/invoices/${id}/cancel`, {
      motivo: '02',
    })
    const url = cancellation?.decision_url ?? ''
    const reading = await openTab()
    await reading.goto(url)
    expect(await accessibilityViolationsOn(reading)).toEqual([])
    const phone = await openTab(PHONE)
    await phone.goto(url)
    expect(await phoneProblemsOn(phone)).toEqual([])
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto(url)
    await page.getByRole('button', { name: 'Reject cancellation' }).click()
    expect(await page.getByRole('heading').innerText()).toBe('This invoice is active')
    expect(await invoicing.getInvoice(id)).toMatchObject({ cancellation: { status: 'rejected' } })
  })
})
