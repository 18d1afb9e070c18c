/** Lists with very many entries, lists in which entries arrive, and a walk through the main jobs without a mouse. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser } from '../../../test/support/browser.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import { dashboardServer, detail, goTo, openContacts, openPage, row, untilShown } from './dashboardServer.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const MANY = 10_000

describeInBrowser('the focus', () => {
  test('is visible wherever Tab leads', async () => {
    const { open, call, ask } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts/none')
    await ask('GET', '/crm/v1/contacts')
    const tab = await open('now')
    const kinds = new Set<string>()
    for (const page of ['now', 'calls', 'changes', 'coverage', 'triggers?open=payments.link.pay']) {
      await openPage(tab, page)
      await untilShown(tab)
      const pale: string[] = []
      for (let count = 0; count < 60; count++) {
        await tab.keyboard.press('Tab')
        const [kind, isVisible] = await tab.evaluate<[string, boolean]>(FOCUS)
        if (kind === 'BODY') break
        kinds.add(kind)
        if (!isVisible) pale.push(kind)
      }
      expect({ page, pale }).toEqual({ page, pale: [] })
    }
    for (const kind of ['A', 'BUTTON', 'SUMMARY', 'SELECT', 'INPUT']) expect(kinds).toContain(kind)
  })
})

/** The kind of the focused element, and whether an outline, or the border and the shadow of a field, has the accent color. */
const FOCUS = `(() => {
  const element = document.activeElement
  const { outlineColor, outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element)
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = 'var(--accent)'
  const accent = getComputedStyle(probe).color
  probe.remove()
  const hasOutline = outlineStyle === 'solid' && outlineWidth === '2px' && outlineColor === accent
  return [element.tagName, hasOutline || (borderColor === accent && boxShadow.startsWith(accent))]
})()`

describeInBrowser('a list of 10,000 records', () => {
  test('keeps few rows in the page, its first and last row are a key away, and it is scrolled and searched', async () => {
    const tab = await openContacts(MANY)
    const rows = tab.getByRole('list', { name: 'Records of crm.contacts' }).getByRole('listitem')
    await row(tab, 'Person 0').focus()
    const focused = (): Promise<string> => tab.evaluate('document.activeElement.innerText')
    await expect
      .poll(
        async () => {
          await tab.keyboard.press('End')
          return focused()
        },
        { interval: 20 },
      )
      .toContain(`Person ${String(MANY - 1)}`)
    expect(await rows.count()).toBeLessThan(80)
    await expect.poll(() => rows.last().isVisible()).toBe(true)

    await tab.keyboard.press('Home')
    await expect.poll(focused).toMatch(/Person 0\b/)
    await tab.keyboard.press('PageDown')
    await expect.poll(focused).not.toMatch(/Person 0\b/)
    const below = Number(/Person (\d+)/.exec(await focused())?.[1])
    expect(below).toBeGreaterThan(3)
    await tab.keyboard.press('ArrowUp')
    await expect.poll(focused).toMatch(new RegExp(`Person ${String(below - 1)}\\b`))
    await tab.keyboard.press('PageUp')
    await expect.poll(focused).toMatch(/Person 0\b/)
    expect(await rows.count()).toBeLessThan(80)

    const toEnd = () =>
      tab.locator('.rows').evaluate((element) => {
        const { scrollHeight } = element as unknown as { scrollHeight: number }
        Object.assign(element, { scrollTop: scrollHeight })
      })
    await expect
      .poll(
        async () => {
          await toEnd()
          return rows.last().innerText()
        },
        { interval: 20 },
      )
      .toContain(`Person ${String(MANY - 1)}`)
    expect(await rows.count()).toBeLessThan(80)
    expect(await accessibilityViolationsOn(tab)).toEqual([])

    await tab.getByLabel('Text').fill('person 4321')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.innerText()).toContain('Person 4321')
  })
})

/** Collects layout shifts from now on, with the elements that moved. One that left the page in the same frame has no node. */
const watchShifts = (tab: Page): Promise<unknown> =>
  tab.evaluate(`globalThis.shifts = []
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        const moved = sources.flatMap(({ node }) => (node ? [(node.outerHTML ?? node.textContent).slice(0, 120)] : []))
        if (moved.length > 0) shifts.push([value, ...moved])
      }
    }).observe({ type: 'layout-shift' })`)

describeInBrowser('live entries', () => {
  test.each([
    ['now', {}],
    ['calls', {}],
    ['emails', {}],
    ['webhooks', {}],
    ['calls', PHONE],
    ['webhooks', PHONE],
  ])('shift nothing on the page %s %o', async (page, options) => {
    const { open, call, sim } = await dashboardServer()
    const sink = await receiver()
    await sim('POST', '/subscriptions', { interface: 'crm', url: sink.url })
    await call('GET', '/crm/v1/contacts')
    const tab = await open(page, options)
    await tab.locator('.rows').getByRole('listitem').first().waitFor()
    await expect.poll(() => tab.locator('.live.on').count()).toBe(1)
    const callCount = tab.locator('nav a', { hasText: 'Calls' }).locator('.count')
    await expect.poll(() => callCount.textContent()).toBe('1')
    await watchShifts(tab)
    const template = await sim<{ id: string }>('POST', '/triggers/crm.template.define', {
      name: 'Welcome',
      subject: 'Hello {{contact.name}}',
      body: '<p>Hello</p>',
    })
    await call('POST', '/crm/v1/automations', {
      name: 'Greet',
      active: true,
      trigger: { event: 'contact.created', conditions: [] },
      actions: [{ type: 'send_email', config: { template_id: template.id, to: '{{contact.email}}' } }],
    })
    // The next entry reloads the faults.
    await sim('POST', '/faults', { interface: 'crm', path: '/deals', status: 503 })
    for (let count = 1; count <= 12; count++) {
      await call('POST', '/crm/v1/contacts', {
        name: `Person ${String(count)}`,
        email: `p${String(count)}@example.com`,
      })
      await call('GET', `/crm/v1/contacts/none-${String(count)}`)
    }
    await tab.getByRole('link', { name: '1 active fault' }).waitFor()
    await expect.poll(() => callCount.textContent()).toBe('26')
    await row(
      tab,
      { now: /none-12/, calls: /none-12/, emails: /Person 12/ }[page] ?? /contact\.created/,
    ).waitFor()
    expect(await tab.evaluate('shifts')).toEqual([])
  })

  test('leave the visible rows in their place if the list is scrolled', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    for (let count = 1; count <= 60; count++) await call('GET', `/crm/v1/contacts/none-${String(count)}`)
    const tab = await open('calls')
    await row(tab, 'none-60').waitFor()
    await tab.locator('.rows').evaluate((element) => Object.assign(element, { scrollTop: 700 }))
    const kept = row(tab, 'none-35')
    await kept.waitFor()
    const before = await kept.boundingBox()
    await call('GET', '/crm/v1/deals')
    const size = () => tab.locator('.rows [aria-setsize]').first().getAttribute('aria-setsize')
    await expect.poll(size).toBe('61')
    expect(await kept.boundingBox()).toEqual(before)
    // At its start, the list shows new rows.
    await tab.locator('.rows').evaluate((element) => Object.assign(element, { scrollTop: 0 }))
    await call('GET', '/crm/v1/activities')
    await row(tab, '/crm/v1/activities').waitFor()
    const top = (element: unknown): number => (element as { scrollTop: number }).scrollTop
    expect(await tab.locator('.rows').evaluate(top)).toBe(0)
  })
})

describeInBrowser('without a mouse', () => {
  const focused = (tab: Page): Promise<string> =>
    tab.evaluate(
      `(({ activeElement: it }) => it.getAttribute('aria-label') ?? it.labels?.[0]?.innerText ?? it.innerText)(document)`,
    )

  /** Presses Tab until the element with this label or text has the focus. */
  async function tabTo(tab: Page, name: RegExp): Promise<void> {
    for (let presses = 0; presses < 80; presses++) {
      await tab.keyboard.press('Tab')
      if (name.test((await focused(tab)).trim())) return
    }
    throw new Error(`Tab does not reach ${String(name)}`)
  }

  test('a page is chosen, entries are filtered, opened and closed, a trigger is pulled and the clock advanced', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts/none')
    await call('GET', '/crm/v1/deals')
    const { data: link } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', {
      amount: 900,
      currency: 'USD',
    })
    await sim('PUT', '/clock', { now: '2030-01-01T12:00:00Z', frozen: true })
    const tab = await open('now')
    await untilShown(tab)
    await tab.keyboard.press('Tab')
    expect(await focused(tab)).toBe('Skip to main content')
    await tabTo(tab, /^Calls/)
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    await row(tab, '/pay/v1/payment-links').waitFor()

    // Filters: by a list of options, then by a text.
    await tabTo(tab, /^Status/)
    await tab.keyboard.press('4')
    await expect.poll(() => tab.url()).toContain('status=4xx')
    const rows = tab.getByRole('list', { name: 'Calls, newest first' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(1)
    await tab.keyboard.press('Home')
    await expect.poll(() => rows.count()).toBe(3)
    await tabTo(tab, /^Path/)
    await tab.keyboard.type('/contacts/*')
    await expect.poll(() => rows.count()).toBe(1)
    await tab.keyboard.press('Control+a')
    await tab.keyboard.press('Delete')
    await expect.poll(() => rows.count()).toBe(3)

    // The list is one stop of Tab; the arrow keys move in it.
    await tabTo(tab, /payment-links/)
    await tab.keyboard.press('ArrowDown')
    await expect.poll(() => focused(tab)).toContain('/crm/v1/deals')
    await tab.keyboard.press('j')
    await expect.poll(() => focused(tab)).toContain('/crm/v1/contacts/none')
    await tab.keyboard.press('Enter')
    await detail(tab).getByText('There is no contact none.').first().waitFor()
    await tabTo(tab, /^Close/)
    await tab.keyboard.press('Enter')
    await detail(tab).waitFor({ state: 'detached' })
    await expect.poll(() => focused(tab)).toContain('/crm/v1/contacts/none')
    await tab.keyboard.press('Enter')
    await detail(tab).waitFor()
    await tab.keyboard.press('Escape')
    await detail(tab).waitFor({ state: 'detached' })

    await tab.keyboard.press('Control+k')
    await tab.keyboard.type('payments.link.pay')
    await tab.getByRole('option', { name: /^payments\.link\.pay/ }).waitFor()
    await tab.keyboard.press('Enter')
    await detail(tab).getByRole('heading', { name: 'payments.link.pay' }).waitFor()
    await tabTo(tab, /^link_id/)
    await tab.keyboard.type(link.id)
    await tabTo(tab, /^Pull trigger/)
    await tab.keyboard.press('Enter')
    await detail(tab).getByText('transaction_id').waitFor()

    await tab.keyboard.press('Control+k')
    await tab.keyboard.type('clock')
    await tab.getByRole('option', { name: 'Clock', exact: true }).waitFor()
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { level: 1, name: 'Clock' }).waitFor()
    await tabTo(tab, /^\+ 1 day/)
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { name: 'Completed jobs' }).waitFor()
    expect(await sim('GET', '/clock')).toMatchObject({ now: '2030-01-02T12:00:00.000Z' })
  })

  test('an open entry on a phone has the focus, and gives it back to its row', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts/none?first=1&second=2&third=3')
    const tab = await open('calls', { viewport: { width: 390, height: 844 } })
    await row(tab, '/crm/v1/contacts/none').focus()
    await tab.keyboard.press('Enter')
    await expect.poll(() => focused(tab)).toBe('Details')
    // The filters of the list, which is hidden, leave their place to the response body.
    const { y = Infinity } = (await tab.getByRole('group', { name: 'Response body' }).boundingBox()) ?? {}
    expect(y).toBeLessThan(700)
    await tab.keyboard.press('Escape')
    await expect.poll(() => focused(tab)).toContain('/crm/v1/contacts/none')
  })

  test('deliveries that fail alike are one row, however often each was attempted', async () => {
    const { open, sim } = await dashboardServer({ fixtures: 'small' })
    await sim('PUT', '/clock', { now: '2030-01-01T12:00:00Z', frozen: true })
    await sim('POST', '/subscriptions', { interface: 'pos', url: 'http://127.0.0.1:9/' })
    for (const duration of ['PT6M', 'PT1M', 'PT1S']) {
      await sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
      await sim('POST', '/clock/advance', { duration })
    }
    const attempts = await sim<{ data: { attempts: unknown[] }[] }>('GET', '/deliveries')
    expect(attempts.data.map((delivery) => delivery.attempts.length)).toEqual([1, 2, 3])
    const tab = await open('webhooks')
    await row(tab, 'sale.completed').waitFor()
    const rows = tab.locator('.rows').getByRole('listitem')
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('× 3')])
  })

  test('a filter with a search field is reached from every list page', async () => {
    const { open } = await dashboardServer()
    const tab = await open('now')
    for (const page of ['now', 'calls', 'webhooks', 'records?section=crm.deals', 'triggers', 'emails']) {
      await goTo(tab, page)
      await untilShown(tab)
      await tab.locator('main input[type=search]').first().waitFor()
      await tab.keyboard.press('/')
      await expect.poll(() => tab.evaluate('document.activeElement.type')).toBe('search')
    }
  })
})
