/** The printed form of an invoice in a real browser, checked for accessibility. */
import { expect, test } from 'vitest'
import {
  accessibilityViolationsOn,
  describeInBrowser,
  openTab,
  PHONE,
  phoneProblemsOn,
} from '../../support/browser.ts'
import { CANAL, freshLiteInvoicing } from '../../support/liteInvoicing.ts'
import { listenTo } from '../../support/payers.ts'

describeInBrowser('invoice in a browser', () => {
  test.each([true, false])('has no accessibility violations, canceled or not: %s', async (isCanceled) => {
    const { issue, cancel, fresh } = await freshLiteInvoicing()
    await listenTo(fresh)
    const { id, documentUrl } = await issue({ client: { taxReceiverType: '01', ...CANAL } })
    if (isCanceled) await cancel({ id })
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto(documentUrl)
    expect(await page.getByRole('cell').allInnerTexts()).toEqual(['Chair', '1', '10', '0 %', '10.00'])
    const phone = await openTab(PHONE)
    await phone.goto(documentUrl)
    expect(await phoneProblemsOn(phone)).toEqual([])
    await phone.setViewportSize({ width: 1280, height: 720 })
    expect(await accessibilityViolationsOn(phone)).toEqual([])
  })
})
