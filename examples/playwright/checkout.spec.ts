/** Customers pay on the page of a payment link, as they would in the suite. */
import type { Page } from '@playwright/test'
import { expect, test as base } from 'suite-simulator/playwright'
import { Shop, type Link } from '../shop/shop.mjs'

const test = base.extend<{ link: Link }>({
  link: async ({ workspace }, use) => {
    const shop = new Shop({ url: workspace.urlOf('payments'), key: workspace.key })
    await use(await shop.sell({ amount: 1250, currency: 'USD', description: 'Desk lamp' }))
  },
})

async function payBy(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry date').fill('12 / 40')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay' }).click()
}

test('a card that is good pays', async ({ page, workspace, link }) => {
  await page.goto(link.url)
  await payBy(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: 'Payment completed' })).toBeVisible()
  await workspace.records.wait('payments.links', link.id, { until: 'status:paid' })
})

test('a card that is declined may be followed by another', async ({ page, workspace, link }) => {
  await page.goto(link.url)
  await payBy(page, '4000 0000 0000 0002')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await workspace.records.get('payments.links', link.id)).toMatchObject({ state: 'active' })
  await payBy(page, '5555 5555 5555 4444')
  await expect(page.getByRole('heading', { name: 'Payment completed' })).toBeVisible()
})
