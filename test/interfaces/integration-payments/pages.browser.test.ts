/**
 * The hosted checkout in a real browser. Specification part 2, "Hosted checkout in a popup": in a popup it sends a
 * message to its opener and closes; in a normal tab it continues to redirectUrl.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
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
  readonly hashUrl: string
  readonly paymentLinkUrl: string
  readonly status: string
}

async function setup() {
  const fresh = await freshApp()
  const url = await listenTo(fresh)
  const api = fresh.at<{ data: unknown }>('integration-payments')
  const make = async (path: string, fields: object) => {
    const body = { customer: { name: 'Ana Pérez', email: 'ana@example.com' }, ...fields }
    return (await api('POST', `/v1/collections/${path}`, { body })).body.data as Link
  }
  const trigger = (name: string, body: object) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/integration-payments.${name}`, {
      body,
    })
  const product = { productCode: 'plan', name: 'Plan', paymentType: 'one_time', price: 1, currency: 'USD' }
  await trigger('product.create', product)
  return {
    ...fresh,
    url,
    trigger,
    collection: (fields = {}) => make('links', fields),
    payment: (fields = {}) =>
      make('payment-links', { concept: 'Annual plan', amount: 129_900, productCode: 'plan', ...fields }),
    stored: async () =>
      ((await api('GET', '/v1/payment-links')).body.data as { paymentLinks: unknown[] }).paymentLinks,
    customers: async () =>
      ((await api('GET', '/v1/customers')).body.data as { customers: Readonly<Record<string, unknown>>[] })
        .customers,
  }
}

/** The messages that the integrator's page received, with their origins. */
interface Received {
  readonly origin: string
  readonly data: unknown
}

/** A page on an integrator's own server, which opens a checkout in a popup and listens to it. */
async function integrator(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': policyIn(request.url) })
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
      <h1>Shop</h1><button>Open</button><script>
      window.heard = []
      window.addEventListener('message', ({ origin, data }) => heard.push({ origin, data }))
      document.querySelector('button').onclick = () => {
        window.popup = window.open(decodeURIComponent(location.hash.slice(1)), 'checkout', 'width=480,height=720')
      }
      </script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  )
  // A browser treats localhost and 127.0.0.1 as different sites, like a shop and the suite.
  return `http://localhost:${String((server.address() as AddressInfo).port)}`
}

/** The policy that the path names: "/no-referrer". */
const policyIn = (url = ''): string =>
  /^\/(no-referrer|same-origin)$/.exec(url)?.[1] ?? 'strict-origin-when-cross-origin'

/** Opens the checkout from the integrator's page at `path` and returns both pages. */
async function openPopup(
  shop: string,
  link: Link,
  { path = '/', opener }: { path?: string; opener?: Page } = {},
): Promise<{ opener: Page; popup: Page }> {
  opener ??= await openTab()
  await opener.goto('about:blank')
  await opener.goto(`${shop}${path}#${encodeURIComponent(link.paymentLinkUrl)}`)
  const [popup] = await Promise.all([
    opener.waitForEvent('popup'),
    opener.getByRole('button', { name: 'Open' }).click(),
  ])
  await popup.waitForURL(link.paymentLinkUrl)
  return { opener, popup }
}

const messagesOf = (opener: Page): Promise<Received[]> => opener.evaluate('window.heard')

async function receivedMessages(opener: Page): Promise<Received[]> {
  await opener.waitForFunction('window.heard.length > 0')
  return messagesOf(opener)
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(VALID_EXPIRY)
  await page.getByLabel('Security code').fill('123')
}

const submit = (page: Page) => navigate(page, () => page.locator('button[type=submit]').click())

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

/** Submits the form of a popup, which may close before the click is reported. */
async function submitAndClose(popup: Page): Promise<void> {
  const closed = popup.waitForEvent('close')
  await popup
    .locator('button[type=submit]')
    .click()
    .catch((error: unknown) => {
      if (!popup.isClosed()) throw error
    })
  await closed
}

describeInBrowser('a checkout in a popup', () => {
  test('notifies its opener of a payment, and closes', async () => {
    const { payment, url, stored, customers } = await setup()
    const shop = await integrator()
    const link = await payment({
      customer: { name: 'Ana Pérez', email: 'ana@example.com' },
      redirectUrl: `${shop}/thanks?order=7`,
    })
    const { opener, popup } = await openPopup(shop, link)
    expect(await heading(popup)).toBe('Annual plan')
    await typeCard(popup, '4242 4242 4242 4242')
    await submitAndClose(popup)
    const [message, ...more] = await receivedMessages(opener)
    expect(more).toEqual([])
    expect(message).toEqual({
      origin: url,
      data: {
        type: 'sim_paid',
        status: 'completed',
        orderId: expect.stringMatching(/^ord_/) as string,
        customerEmail: 'ana@example.com',
        card: { brand: 'network_1', last4: '4242' },
      },
    })
    expect(await opener.evaluate('window.popup.closed')).toBe(true)
    expect(opener.url()).toContain(shop)
    expect(await stored()).toMatchObject([{ status: 'completed' }])
    expect(await customers()).toMatchObject([
      { name: 'Ana Pérez', cardBrand: 'network_1', cardLast4: '4242' },
    ])
  })

  test('notifies its opener of a saved card, with the typed address', async () => {
    const { collection, url, customers } = await setup()
    const shop = await integrator()
    const { opener, popup } = await openPopup(
      shop,
      await collection({ customer: { name: 'Ana Pérez' }, redirectUrl: `${shop}/thanks` }),
    )
    await popup.getByLabel('E-mail address').fill('eva@example.com')
    await typeCard(popup, '5555 5555 5555 4444')
    await submitAndClose(popup)
    expect(await receivedMessages(opener)).toEqual([
      {
        origin: url,
        data: {
          type: 'sim_collected',
          status: 'collected',
          orderId: expect.stringMatching(/^ord_/) as string,
          customerEmail: 'eva@example.com',
          card: { brand: 'network_2', last4: '4444' },
        },
      },
    ])
    expect(await customers()).toMatchObject([{ email: 'eva@example.com', cardLast4: '4444' }])
  })

  test('without redirectUrl notifies its opener as well, even after a decline', async () => {
    const { payment } = await setup()
    const shop = await integrator()
    const { opener, popup } = await openPopup(shop, await payment())
    await typeCard(popup, '4000 0000 0000 0002')
    await submit(popup)
    expect(await popup.getByRole('alert').innerText()).toContain('The payment was declined.')
    expect(await messagesOf(opener)).toEqual([])
    await typeCard(popup, '4242 4242 4242 4242')
    await submitAndClose(popup)
    expect(await receivedMessages(opener)).toMatchObject([
      { data: { type: 'sim_paid', customerEmail: 'ana@example.com' } },
    ])
  })

  test.each(['/', '/no-referrer', '/same-origin'])(
    'notifies the opener at %s once, also with a redirectUrl of another origin',
    async (path) => {
      const { payment, collection } = await setup()
      const opener = await openTab()
      const [shop, other] = [await integrator(), await integrator()]
      for (const [link, type] of [
        [await payment({ redirectUrl: `${other}/thanks` }), 'sim_paid'],
        [await collection(), 'sim_collected'],
      ] as const) {
        const { popup } = await openPopup(shop, link, { path, opener })
        await typeCard(popup, '4242 4242 4242 4242')
        await submitAndClose(popup)
        expect(await receivedMessages(opener)).toMatchObject([{ data: { type } }])
      }
    },
  )

  test('that is cancelled notifies its opener, and can be opened again', async () => {
    const { payment, stored, url } = await setup()
    const shop = await integrator()
    const { opener, popup } = await openPopup(shop, await payment())
    const closed = popup.waitForEvent('close')
    await popup
      .getByRole('link', { name: 'Cancel' })
      .click()
      .catch(() => undefined)
    await closed
    const card = null
    expect(await receivedMessages(opener)).toEqual([
      {
        origin: url,
        data: { type: 'sim_cancelled', status: 'cancelled', orderId: null, customerEmail: null, card },
      },
    ])
    expect(await stored()).toMatchObject([{ status: 'pending' }])
  })

  test('with a slow card waits, notifies after the payment, and then closes', async () => {
    const { payment, trigger } = await setup()
    const shop = await integrator()
    const link = await payment({ redirectUrl: `${shop}/thanks` })
    const { opener, popup } = await openPopup(shop, link)
    await typeCard(popup, '4000 0000 0000 0077')
    await submit(popup)
    await popup.waitForURL('**/done')
    expect(await heading(popup)).toBe('Your payment is being processed')
    expect(await messagesOf(opener)).toEqual([])
    const closed = popup.waitForEvent('close')
    await trigger('link.complete', { hashUrl: link.hashUrl })
    await closed
    expect(await receivedMessages(opener)).toMatchObject([
      { data: { type: 'sim_paid', status: 'completed', card: { brand: 'network_1', last4: '0077' } } },
    ])
  })
})

describeInBrowser('a checkout in a normal tab', () => {
  test('continues to redirectUrl unchanged', async () => {
    const { payment, stored } = await setup()
    const shop = await integrator()
    const page = await openTab()
    await page.goto((await payment({ redirectUrl: `${shop}/thanks?order=7&x=%22#top` })).paymentLinkUrl)
    await typeCard(page, '4242 4242 4242 4242')
    await submit(page)
    await page.waitForURL(`${shop}/thanks?order=7&x=%22#top`)
    expect(await stored()).toMatchObject([{ status: 'completed' }])
  })

  test('without redirectUrl shows a confirmation, and a reload charges nothing', async () => {
    const { payment, customers } = await setup()
    const page = await openTab()
    await page.goto((await payment()).paymentLinkUrl)
    await typeCard(page, '4242 4242 4242 4242')
    await submit(page)
    await page.waitForURL('**/done')
    expect(await heading(page)).toBe('Payment completed')
    await page.reload()
    expect(await heading(page)).toBe('Payment completed')
    expect(await customers()).toHaveLength(1)
  })

  test('that is submitted twice at once pays once', async () => {
    const { payment, customers } = await setup()
    const page = await openTab()
    await page.goto((await payment()).paymentLinkUrl)
    await typeCard(page, '4242 4242 4242 4242')
    await navigate(page, () => page.locator('button[type=submit]').dblclick())
    await page.waitForURL('**/done')
    expect(await heading(page)).toBe('Payment completed')
    expect(await customers()).toHaveLength(1)
  })

  test('works without scripts, up to redirectUrl', async () => {
    const { collection, stored } = await setup()
    const shop = await integrator()
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto((await collection({ redirectUrl: `${shop}/thanks` })).paymentLinkUrl)
    await typeCard(page, '4000 0000 0000 9995')
    await submit(page)
    expect(await page.getByRole('alert').innerText()).toContain('there are not enough funds')
    await typeCard(page, '378282246310005')
    await submit(page)
    expect(await page.getByRole('alert').innerText()).toContain('Give the security code: 4 digits.')
    await typeCard(page, '378282246310005')
    await page.getByLabel('Security code').fill('1234')
    await submit(page)
    await page.waitForURL(`${shop}/thanks`)
    expect(await stored()).toMatchObject([{ status: 'completed' }])
  })
})

describeInBrowser('the pages of the checkout', () => {
  test('cover no text with the button in a small popup', async () => {
    const { payment } = await setup()
    const page = await openTab({ viewport: { width: 420, height: 700 } })
    await page.goto((await payment({ isTest: true })).paymentLinkUrl)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const [text, button] = await Promise.all(
      [page.getByText('Your card is stored for later payments.'), page.locator('.pay-button')].map((each) =>
        each.boundingBox(),
      ),
    )
    expect(text?.y).toBeGreaterThanOrEqual((button?.y ?? Infinity) + (button?.height ?? 0))
  })

  test.each([
    ['in light and dark mode', {}],
    ['on phones', PHONE],
  ] as const)('are accessible %s', async (_where, screen) => {
    const { collection, payment, trigger, at } = await setup()
    const page = await openTab(screen)
    const barriers: string[] = []
    const look = async (title: string): Promise<void> => {
      expect(await page.title()).toContain(title)
      barriers.push(
        ...('isMobile' in screen
          ? await problemsOnPhones(page)
          : Object.values(await violationsInBothModesOn(page)).flat()),
      )
    }
    const card = await collection({ isTest: true })
    await page.goto(card.paymentLinkUrl)
    await look('Save your card')
    await submit(page)
    await look('Error: Save your card')
    const paid = await payment({ concept: 'A_long_word_without_any_break_'.repeat(8) })
    await page.goto(paid.paymentLinkUrl)
    await look('Pay $1,299.00')
    await typeCard(page, '4000000000000002')
    await submit(page)
    await look('Declined: ')
    await typeCard(page, '4000000000000077')
    await submit(page)
    await look('Your payment is being processed')
    await trigger('link.complete', { hashUrl: paid.hashUrl })
    await page.goto(`${paid.paymentLinkUrl}/done`)
    await look('Payment completed')
    await page.goto(paid.paymentLinkUrl)
    await look('Already paid')
    await at('integration-payments')('PATCH', `/v1/payment-links/${card.hashUrl}/cancel`)
    await page.goto(card.paymentLinkUrl)
    await look('This link was cancelled')
    expect(barriers).toEqual([])
  })
})
