/** The hosted payment pages in a real browser: by mouse, by keyboard, on a phone and without scripts. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'
import {
  describeInBrowser,
  navigate,
  openTab,
  PHONE,
  problemsOnPhones,
  violationsInBothModesOn,
} from '../../support/browser.ts'
import { VALID_EXPIRY, listenTo } from '../../support/payers.ts'

interface Link {
  readonly id: string
  readonly url: string
  readonly status: string
}

async function setup() {
  const fresh = await freshApp()
  await listenTo(fresh)
  const payments = fresh.at<{ data: unknown }>('payments')
  return {
    ...fresh,
    link: async (fields = {}) => {
      const body = { amount: 1250, currency: 'USD', description: 'Standing desk', ...fields }
      return (await payments('POST', '/payment-links', { body })).body.data as Link
    },
    stateOf: async ({ id }: Link) =>
      ((await payments('GET', `/payment-links/${id}`)).body.data as Link).status,
    transactions: async () =>
      (await payments('GET', '/transactions')).body.data as readonly Readonly<Record<string, unknown>>[],
    trigger: (name: string, body: object) =>
      fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/payments.${name}`, { body }),
  }
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(VALID_EXPIRY)
  await page.getByLabel('Security code').fill('123')
}

const pay = (page: Page) => navigate(page, () => page.getByRole('button', { name: 'Pay' }).click())

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

describeInBrowser('paying in a browser', () => {
  test('with an approved card ends with the receipt', async () => {
    const { link, stateOf, transactions } = await setup()
    const made = await link()
    const page = await openTab()
    await page.goto(made.url)
    expect(await page.title()).toBe('Pay $12.50 – Standing desk')
    await typeCard(page, '4242 4242 4242 4242')
    await page.getByLabel('Name').fill('Ana Pérez')
    await pay(page)
    expect(await heading(page)).toBe('Payment completed')
    expect(page.url()).toBe((await transactions())[0]?.['receipt_url'])
    expect(await stateOf(made)).toBe('paid')
    await page.reload()
    expect(await transactions()).toHaveLength(1)
  })

  test.each([
    ['4000 0000 0000 0002', 'The payment was declined.'],
    ['4000 0000 0000 9995', 'The payment was declined: there are not enough funds.'],
  ])('with %s shows the reason, and allows another card', async (number, message) => {
    const { link, transactions } = await setup()
    const page = await openTab()
    await page.goto((await link()).url)
    await typeCard(page, number)
    await pay(page)
    const alert = page.getByRole('alert')
    expect(await alert.getByRole('heading').innerText()).toBe(message)
    expect(await alert.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    expect(await page.getByLabel('Card number').inputValue()).toBe('')
    await typeCard(page, '4242 4242 4242 4242')
    await pay(page)
    expect(await heading(page)).toBe('Payment completed')
    expect((await transactions()).map(({ status }) => status)).toEqual(['completed', 'failed'])
  })

  test('sends no form again on Back or a reload, after a refusal and after a confirmation', async () => {
    const { link, transactions } = await setup()
    const page = await openTab()
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url())
    })
    await page.goto((await link()).url)
    await pay(page)
    await navigate(page, () => page.reload())
    await typeCard(page, '4000 0000 0000 0002')
    await pay(page)
    await typeCard(page, '4000 0000 0000 3220')
    await pay(page)
    expect(await heading(page)).toBe('Confirm that it is you')
    await navigate(page, () => page.reload())
    await navigate(page, () => page.getByRole('button', { name: 'Confirm' }).click())
    expect(await heading(page)).toBe('Payment completed')
    expect(posts).toHaveLength(4)
    for (let back = 0; back < 3; back++) {
      await page.goBack()
      expect(await heading(page)).toBe('Already paid')
    }
    expect(posts).toHaveLength(4)
    expect(await transactions()).toHaveLength(2)
  })

  test('with a slow card shows the end of the payment', async () => {
    const { link, transactions, trigger } = await setup()
    const made = await link()
    const page = await openTab()
    await page.goto(made.url)
    await typeCard(page, '4000 0000 0000 0077')
    await pay(page)
    expect(await heading(page)).toBe('Payment pending')
    const other = await openTab()
    await other.goto(made.url)
    expect(await heading(other)).toBe('A payment is being processed')
    await trigger('transaction.settle', {
      transaction_id: (await transactions())[0]?.['id'],
      outcome: 'completed',
    })
    await page.reload()
    expect(await heading(page)).toBe('Payment completed')
    await other.reload()
    expect(await heading(other)).toBe('Already paid')
  })

  test('with an open amount formats the input', async () => {
    const { link, transactions } = await setup()
    const page = await openTab()
    await page.goto((await link({ amount: undefined, open_amount: true, currency: 'PAB' })).url)
    await page.getByLabel('Amount in PAB').fill('twelve')
    await typeCard(page, '5555 5555 5555 4444')
    await pay(page)
    const summary = page.getByRole('alert')
    expect(await summary.getByRole('listitem').allInnerTexts()).toContain(
      'Enter the amount in digits with at most two decimals, such as 12.50.',
    )
    await summary.getByRole('link', { name: 'Enter the amount' }).click()
    expect(await page.getByLabel('Amount in PAB').inputValue()).toBe('twelve')
    await page.getByLabel('Amount in PAB').fill('12.50')
    await typeCard(page, '5555 5555 5555 4444')
    await pay(page)
    expect(await heading(page)).toBe('Payment completed')
    expect(await transactions()).toMatchObject([
      { amount: 1250, currency: 'PAB', payment_method: 'network_2' },
    ])
  })

  test('with a wallet shows only the fields of the wallet', async () => {
    const { link, transactions } = await setup()
    const page = await openTab()
    await page.goto((await link()).url)
    expect(await page.getByLabel('Card number').isVisible()).toBe(true)
    await page.getByRole('radio', { name: 'Wallet 1' }).check()
    expect(await page.getByLabel('Card number').isVisible()).toBe(false)
    await page.getByLabel('Phone number of the wallet').filter({ visible: true }).fill('6000-0001')
    await pay(page)
    expect(await heading(page)).toBe('Payment completed')
    expect(await transactions()).toMatchObject([{ payment_method: 'wallet_1', card_last_four: null }])
  })

  test('with repeated clicks pays once', async () => {
    const { link, transactions } = await setup()
    const page = await openTab()
    await page.goto((await link({ max_payments: 5 })).url)
    await typeCard(page, '4242 4242 4242 4242')
    await navigate(page, () => page.getByRole('button', { name: 'Pay' }).dblclick())
    await page.waitForURL('**/receipts/**')
    expect(await heading(page)).toBe('Payment completed')
    expect(await transactions()).toHaveLength(1)
  })

  test('works with only the keyboard', async () => {
    const { link, transactions } = await setup()
    const page = await openTab()
    await page.goto((await link()).url)
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'Tab')
    await page.keyboard.type('4242424242424242')
    await press('Tab')
    await page.keyboard.type(VALID_EXPIRY)
    await press('Tab')
    await page.keyboard.type('123')
    // Past the drawer of the test cards.
    await press('Tab', 'Tab')
    await page.keyboard.type('Ana')
    await navigate(page, () => press('Tab', 'Tab', 'Enter'))
    await page.waitForURL('**/receipts/**')
    expect(await heading(page)).toBe('Payment completed')
    expect(await transactions()).toMatchObject([{ payment_method: 'network_1', customer: { name: 'Ana' } }])
  })

  test('works without scripts', async () => {
    const { link, stateOf } = await setup()
    const made = await link()
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto(made.url)
    await page.getByRole('radio', { name: 'Bank account' }).check()
    await page.getByLabel('Account number').fill('000123456789')
    await pay(page)
    expect(await heading(page)).toBe('Payment completed')
    expect(await stateOf(made)).toBe('paid')
  })
})

describeInBrowser('the pages of a link', () => {
  test.each([
    ['in light and dark mode', {}],
    ['on phones', PHONE],
  ] as const)('are accessible %s', async (_where, screen) => {
    const { link, trigger } = await setup()
    const page = await openTab(screen)
    const barriers: string[] = []
    const look = async (): Promise<void> => {
      barriers.push(
        ...('isMobile' in screen
          ? await problemsOnPhones(page)
          : Object.values(await violationsInBothModesOn(page)).flat()),
      )
    }
    const open = await link({
      amount: undefined,
      open_amount: true,
      description: 'A_long_word_without_any_break_'.repeat(8),
    })
    await page.goto(open.url)
    for (const way of ['Wallet 1', 'Wallet 2', 'Bank account', 'Card']) {
      await page.getByRole('radio', { name: way }).check()
      await look()
    }
    await pay(page)
    expect(await page.title()).toMatch(/^Error: /)
    await look()
    const made = await link({ payment_methods: ['network_1'] })
    await page.goto(made.url)
    await look()
    await typeCard(page, '4000000000000002')
    await pay(page)
    expect(await page.title()).toMatch(/^Declined: /)
    await look()
    await trigger('link.pay', { link_id: made.id })
    await page.reload()
    expect(await heading(page)).toBe('Already paid')
    await look()
    expect(barriers).toEqual([])
  })
})

describeInBrowser('the form of a link', () => {
  test('groups the number, can be filled from the drawer, and keeps the button visible on a phone', async () => {
    const { link } = await setup()
    const page = await openTab(PHONE)
    await page.goto((await link()).url)
    const number = page.getByLabel('Card number')
    await number.pressSequentially('4242424242424242')
    expect(await number.inputValue()).toBe('4242 4242 4242 4242')
    const button = page.getByRole('button', { name: 'Pay' })
    const box = await button.boundingBox()
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
    await page.getByText('Test cards').click()
    await page.getByRole('button', { name: /^Fill in 5555/ }).press('Enter')
    expect(await number.inputValue()).toBe('5555 5555 5555 4444')
    await pay(page)
    expect(await heading(page)).toBe('Payment completed')
    await page.goBack()
    expect(await page.locator('body').innerText()).not.toContain('5555 5555')
  })

  test('of a pending payment updates its receipt automatically', async () => {
    const { link, transactions, trigger } = await setup()
    const page = await openTab()
    await page.clock.install()
    await page.goto((await link()).url)
    await typeCard(page, '4000 0000 0000 0077')
    await pay(page)
    expect(await heading(page)).toBe('Payment pending')
    const [transaction] = await transactions()
    await trigger('transaction.settle', { transaction_id: transaction?.['id'], outcome: 'completed' })
    await page.clock.runFor(5000)
    await page.getByRole('heading', { name: 'Payment completed' }).waitFor()
  })

  test('is empty after Back', async () => {
    const { link } = await setup()
    const page = await openTab()
    await page.goto((await link()).url)
    await typeCard(page, '4242 4242 4242 4242')
    await page.goto('about:blank')
    await page.goBack()
    // The script empties the fields after the browser has restored them.
    await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('')
    expect(await page.getByLabel('Security code').inputValue()).toBe('')
  })
})
