/** The frame of the dashboard: command palette, shortcuts, counts, times, and how it looks on a phone. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser, openTab } from '../../../test/support/browser.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import { dashboardServer, detail, goTo, openPage, row, untilShown } from './dashboardServer.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const palette = (tab: Page) => tab.getByRole('dialog', { name: 'Command palette' })
const option = (tab: Page, name: string | RegExp) => palette(tab).getByRole('option', { name })

/** Opens the palette, types, and chooses the first option with this name. */
async function choose(tab: Page, text: string, name: string | RegExp): Promise<void> {
  await tab.keyboard.press('Control+k')
  await palette(tab).getByRole('combobox').fill(text)
  await option(tab, name).first().click()
  await palette(tab).waitFor({ state: 'detached' })
}

const focusedName = (tab: Page): Promise<string> =>
  tab.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.tagName')

describeInBrowser('command palette', () => {
  test('goes to pages, workspaces, triggers and record sections with the keyboard', async () => {
    const { open, ask } = await dashboardServer()
    const { workspace } = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', {
      name: 'Second',
    })
    const tab = await open('now')
    await untilShown(tab)
    await tab.keyboard.press('Control+k')
    await option(tab, 'Coverage').waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    const selected = palette(tab).locator('[aria-selected=true]')
    expect(await selected.innerText()).toBe('Now')
    await tab.keyboard.press('ArrowDown')
    expect(await selected.innerText()).toBe('Calls')
    const active = await palette(tab).getByRole('combobox').getAttribute('aria-activedescendant')
    expect(active).toBe(await selected.getAttribute('id'))
    await tab.keyboard.press('ArrowUp')
    await tab.keyboard.press('ArrowUp')
    expect(await selected.innerText()).toBe('Show keyboard shortcuts')
    await tab.keyboard.type('cove')
    await expect.poll(() => selected.innerText()).toBe('Coverage')
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { level: 1, name: 'Coverage' }).waitFor()
    expect(await palette(tab).count()).toBe(0)

    await choose(tab, 'link.pay', /^payments\.link\.pay/)
    await detail(tab).getByRole('heading', { name: 'payments.link.pay' }).waitFor()
    await choose(tab, 'crm deals', /^CRM: deals/)
    await row(tab, 'Two floors in Torre Norte').waitFor()
    await choose(tab, 'second', /^Second/)
    await expect.poll(() => tab.url()).toContain(`#/now?workspace=${workspace.id}`)
  })

  test('finds calls, e-mails, deliveries and records by their texts', async () => {
    const { open, call } = await dashboardServer()
    const { id } = await call<{ id: string }>('POST', '/crm/v1/contacts', {
      name: 'Xochitl Zamudio',
      email: 'xochitl@example.com',
    })
    const tab = await open('clock')
    await untilShown(tab)
    await choose(tab, 'zamudio', /^POST \/crm\/v1\/contacts 201/)
    await detail(tab)
      .getByRole('heading', { name: /201 POST/ })
      .waitFor()
    await choose(tab, 'xochitl zamudio', /^Xochitl Zamudio/)
    await detail(tab).getByRole('heading', { name: id }).waitFor()
    await tab.keyboard.press('Control+k')
    await tab.keyboard.type(id)
    // The record itself is before the call that mentions it, with its section and the match.
    const first = palette(tab).getByRole('option').first()
    await expect.poll(() => first.innerText()).toMatch(/^Xochitl Zamudio\s*crm\.contacts/)
    expect(await first.locator('mark').innerText()).toBe(id)
    // The excerpt of the call begins in the middle of its text.
    expect(
      await option(tab, /^POST.*\u2026/)
        .locator('mark')
        .allInnerTexts(),
    ).toEqual([id])
    await tab.keyboard.press('Enter')
    await expect.poll(() => tab.url()).toContain(`section=crm.contacts&open=${id}`)
    await tab.keyboard.press('Control+k')
    await tab.keyboard.type('qqq nothing like this qqq')
    await palette(tab).getByText('Nothing found.').waitFor()
  })

  test('puts records before pages only if the text is their whole id', async () => {
    const { open, sim } = await dashboardServer()
    const template = { id: 'night-clock', name: 'Night shift', subject: 'Tonight', body: 'Good evening.' }
    await sim('POST', '/triggers/crm.template.define', template)
    const tab = await open('now')
    await untilShown(tab)
    for (const [text, first] of [
      ['clock', /^Clock/],
      ['night-clock', /^Night shift/],
    ] as const) {
      await tab.keyboard.press('Control+k')
      await tab.keyboard.type(text)
      await option(tab, 'Night shift').waitFor()
      expect(await palette(tab).getByRole('option').first().innerText()).toMatch(first)
      await tab.keyboard.press('Escape')
    }
  })

  test('advances the clock, copies the key, and resets the workspace after asking', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    await sim('PUT', '/clock', { now: '2030-01-01T12:00:00Z', frozen: true })
    const tab = await open('clock', { permissions: ['clipboard-read', 'clipboard-write'] })
    await untilShown(tab)
    await choose(tab, 'advance clock day', 'Advance the clock by 1 day')
    await tab.getByText('Clock advanced by 1 day.').waitFor()
    expect(await sim('GET', '/clock')).toMatchObject({ now: '2030-01-02T12:00:00.000Z', frozen: true })
    await tab.getByText('2 Jan 2030', { exact: false }).first().waitFor()

    await choose(tab, 'key', 'Copy the key')
    await tab.getByText('Key copied.').waitFor()
    expect(await tab.evaluate('navigator.clipboard.readText()')).toBe('demo-key')

    const { id } = await call<{ id: string }>('POST', '/crm/v1/contacts', {
      name: 'A',
      email: 'a@example.com',
    })
    const questions: string[] = []
    let answer: 'accept' | 'dismiss' = 'dismiss'
    tab.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog[answer]()
    })
    await choose(tab, 'reset', 'Reset workspace')
    await expect.poll(() => questions).toHaveLength(1)
    expect(await sim('GET', `/records/crm.contacts/${id}`)).toMatchObject({ record: { id } })
    answer = 'accept'
    await Promise.all([tab.waitForEvent('load'), choose(tab, 'reset', 'Reset workspace')])
    expect(await sim('GET', `/records/crm.contacts/${id}`)).toHaveProperty('error.code', 'not_found')
  })

  test('opens from its button, closes with Escape, and gives the focus back', async () => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('calls')
    await untilShown(tab)
    const button = tab.getByRole('button', { name: 'Search', exact: true })
    await button.click()
    await expect.poll(() => focusedName(tab)).toBe('Search pages, records, calls and actions')
    await tab.keyboard.press('Escape')
    await palette(tab).waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  })
})

describeInBrowser('a workspace', () => {
  test('that was deleted leaves the list, and the page names the others', async () => {
    const { ask, url } = await dashboardServer({ fixtures: 'small' })
    const { workspace } = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', {
      name: 'Second',
    })
    const tab = await openTab()
    await tab.clock.install()
    await tab.goto(`${url}/_sim/#/clock?workspace=${workspace.id}`)
    await tab.getByRole('button', { name: 'Freeze clock' }).waitFor()
    await ask('DELETE', `/_sim/workspaces/${workspace.id}`)
    await tab.clock.runFor(15_000)
    const others = tab.locator('main').getByRole('listitem').filter({ hasText: '(demo)' })
    await others.waitFor()
    await tab.getByText(`There is no workspace ${workspace.id}.`).waitFor()
    const choice = tab.getByRole('combobox', { name: 'Workspace', exact: true })
    expect((await choice.locator('option').allTextContents()).join()).not.toContain(workspace.id)
  })

  test('shows its labels, when it is deleted, and its usage', async () => {
    const { ask, open } = await dashboardServer({ fixtures: 'small' })
    const labels = { team: 'checkout', 'ci/run': '7' }
    const { workspace } = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', {
      labels,
      ttl: 'P2D',
    })
    const tab = await open(`now?workspace=${workspace.id}`)
    const glance = tab.getByRole('region', { name: 'Workspace' })
    const facts = (name: string) =>
      glance
        .locator('dl div')
        .filter({ has: tab.getByText(name, { exact: true }) })
        .locator('dd')
        .allInnerTexts()
    await expect
      .poll(() => facts('Usage'))
      .toEqual([expect.stringMatching(/^[\d.]+ (?:bytes|kB) of [\d.]+ MB, \d+ records?$/)])
    expect((await facts('Labels'))[0]?.split(', ').sort()).toEqual(['ci/run:7', 'team:checkout'])
    expect(await facts('Deleted after')).toEqual(['P2D without calls'])
    await openPage(tab, 'now?workspace=demo')
    await expect.poll(() => facts('Usage')).toHaveLength(1)
    expect([await facts('Labels'), await facts('Deleted after')]).toEqual([[], []])
  })
})

describeInBrowser('shortcuts', () => {
  test('focus the search field and show the help, but not while typing', async () => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('calls')
    await untilShown(tab)
    await tab.keyboard.press('/')
    const field = tab.getByLabel('Path')
    await tab.keyboard.type('/?j')
    await tab.keyboard.press('Control+k')
    expect(await field.inputValue()).toBe('/?j')
    expect(await tab.getByRole('dialog').count()).toBe(0)

    await field.blur()
    await tab.keyboard.press('?')
    const help = tab.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Open the command palette', { exact: false }).waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    // The dialog takes no shortcuts.
    await tab.keyboard.press('/')
    expect(await help.count()).toBe(1)
    await tab.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await tab.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await help.getByRole('button', { name: 'Close' }).click()
    await help.waitFor({ state: 'detached' })
  })

  test('open the palette instead on a page without a search field', async () => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('clock')
    await tab.getByRole('button', { name: 'Freeze clock' }).waitFor()
    await tab.keyboard.press('/')
    await palette(tab).waitFor()
  })
})

describeInBrowser('counts in the navigation', () => {
  test('follow the workspace, with failed deliveries in red', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('clock')
    const counts = (page: string) =>
      tab
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: page, exact: true })
        .locator('.count')
        .allInnerTexts()
    await expect.poll(() => counts('Calls')).toEqual(['0'])
    await call('GET', '/crm/v1/contacts')
    await expect.poll(() => counts('Calls')).toEqual(['1'])

    const sink = await receiver(() => 500)
    await sim('POST', '/subscriptions', { interface: 'pos', url: sink.url })
    await sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
    await expect.poll(() => counts('Webhooks')).toEqual(['1'])
    await sim('POST', '/clock/advance', { duration: 'P30D' })
    await expect.poll(() => counts('Webhooks')).toEqual(['1', '1'])
    const link = tab.getByRole('link', { name: 'Webhooks', exact: true })
    expect(await link.locator('.count.failed').count()).toBe(1)
    const description = await link.evaluate((element) => {
      const id = element.getAttribute('aria-describedby') ?? ''
      return element.ownerDocument.getElementById(id)?.textContent
    })
    expect(description).toBe('1 deliveries, 1 failed')
  })
})

describeInBrowser('times', () => {
  const NOON = '2026-11-12T12:00:00.000Z'
  const days = (tab: Page) => tab.locator('.rows .daybreak').allInnerTexts()
  const times = (tab: Page) => tab.locator('.rows time').allInnerTexts()

  test('are relative to the clock of the workspace, with days in between', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    await sim('PATCH', '', { timezone: 'America/Mexico_City' })
    await sim('PUT', '/clock', { now: NOON, frozen: true })
    await call('GET', '/crm/v1/contacts')
    await sim('POST', '/clock/advance', { duration: 'PT20H' })
    await call('GET', '/crm/v1/contacts')
    await sim('POST', '/clock/advance', { duration: 'PT2M30S' })
    const tab = await open('calls')
    await row(tab, 'GET').first().waitFor()
    // 13 November, 02:02:30 in Mexico City. The real time does not matter.
    await expect.poll(() => times(tab)).toEqual(['2 min ago', '20 h ago'])
    expect(await days(tab)).toEqual(['Today', 'Yesterday'])
    const first = tab.locator('.rows time').first()
    expect(await first.getAttribute('datetime')).toBe('2026-11-13T08:00:00.000Z')
    expect(await first.getAttribute('title')).toBe('Fri, 13 Nov 2026, 02:00:00 (America/Mexico_City)')

    await sim('POST', '/clock/advance', { duration: 'P1D' })
    await call('GET', '/crm/v1/contacts')
    await expect.poll(() => days(tab)).toEqual(['Today', 'Yesterday', '12 Nov 2026'])
    await expect.poll(async () => (await times(tab))[0]).toBe('just now')
    expect((await times(tab))[2]).toContain('06:00:00')
    expect(await accessibilityViolationsOn(tab)).toEqual([])
  })
})

describeInBrowser('on a phone', () => {
  test('pages are in a menu, rows and tables are cards, and nothing is wider than the screen', async () => {
    const { open, call } = await dashboardServer()
    await call('GET', '/crm/v1/contacts/none')
    const tab = await open('calls', PHONE)
    await row(tab, 'There is no contact none.').waitFor()
    expect(await tab.locator('.rows.cards').count()).toBe(1)
    expect(await tab.getByRole('link', { name: 'Clock' }).isVisible()).toBe(false)
    await tab.getByRole('button', { name: 'Menu' }).click()
    await tab.getByRole('link', { name: 'Clock' }).click()
    const cells = tab.getByRole('table', { name: 'Due jobs' }).getByRole('row').nth(1).getByRole('cell')
    await cells.first().waitFor()
    const [first, second] = await Promise.all([cells.first().boundingBox(), cells.nth(1).boundingBox()])
    expect(second?.y).toBeGreaterThan(first?.y ?? Infinity)
    for (const page of [
      'now',
      'calls',
      'webhooks',
      'records?section=crm.deals',
      'clock',
      'emails',
      'coverage',
    ]) {
      await goTo(tab, page)
      await untilShown(tab)
      const wide = await tab.evaluate<string[]>(
        `[...document.querySelectorAll('html, .rows, table, .list, main')].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className || each.tagName)`,
      )
      expect({ page, wide }).toEqual({ page, wide: [] })
    }
  })

  test('the badge of faults takes no line of its own', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('clock', PHONE)
    const heading = tab.getByRole('heading', { level: 1 })
    await heading.waitFor()
    await expect.poll(() => tab.locator('.live.on').count()).toBe(1)
    const header = tab.locator('header')
    const before = [await header.boundingBox(), await tab.getByLabel('Workspace').boundingBox()]
    await sim('POST', '/faults', { interface: 'crm', path: '/deals', status: 503 })
    // A new entry reloads the faults before the next poll.
    await call('GET', '/crm/v1/contacts')
    await tab.getByRole('link', { name: '1 active fault' }).waitFor()
    expect([await header.boundingBox(), await tab.getByLabel('Workspace').boundingBox()]).toEqual(before)
  })
})
