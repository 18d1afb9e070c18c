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

  test('leaves a phone room for values next to long Spanish names, and breaks no number', async () => {
    const { issue, fresh } = await freshLiteInvoicing()
    await listenTo(fresh)
    const { documentUrl } = await issue({
      client: { taxReceiverType: '04', taxName: 'Zoe Miller', foreignTaxId: 'US-998877665544' },
      items: [{ description: 'Chair '.repeat(20), qty: 1000, price: 99.999999 }],
      payments: [{ type: '02', amount: 100_000 }],
    })
    const phone = await openTab(PHONE)
    await phone.goto(`${documentUrl}?lang=es`)
    expect(await phoneProblemsOn(phone)).toEqual([])
    const linesOf = (selector: string) =>
      phone.locator(selector).evaluateAll((cells) =>
        cells.map((cell) => {
          const range = cell.ownerDocument.createRange()
          range.selectNodeContents(cell)
          return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size
        }),
      )
    expect(await linesOf('.lines tr:last-child > *')).toEqual(Array.from({ length: 8 }, () => 1))
    expect(Math.max(...(await linesOf('.facts dt')))).toBe(3)
    expect(Math.max(...(await linesOf('.facts:not(:last-child) dd')))).toBeLessThan(4)
  })
})
