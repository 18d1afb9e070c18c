/** The pages Now and Calls in a real browser: groups of repeats, the first steps, and the search in bodies. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser } from '../../../test/support/browser.ts'
import { dashboardServer, detail, openPage, row } from './dashboardServer.ts'

/** Nothing listens on the port discard. */
const NOBODY = 'http://127.0.0.1:9/hook'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const timeline = (tab: Page) => tab.getByRole('list', { name: 'Timeline' })
const calls = (tab: Page) => tab.getByRole('list', { name: 'Calls' })
const first = (tab: Page) => tab.getByRole('region', { name: 'First steps' })

const untilLive = (tab: Page) => tab.getByText('live', { exact: true }).waitFor()

async function stormServer() {
  const server = await dashboardServer({ fixtures: 'small' })
  await server.sim('POST', '/subscriptions', { interface: 'pos', url: NOBODY })
  // Otherwise retries would add attempts on a slow machine.
  await server.sim('PUT', '/clock', { frozen: true })
  const attempts = async (): Promise<number> => {
    const { data } = await server.sim<{ data: { outcome?: string }[] }>(
      'GET',
      '/timeline?kind=delivery&limit=1000',
    )
    return data.filter(({ outcome }) => outcome === 'failed').length
  }
  return {
    ...server,
    /** Fails this many deliveries, and waits for their first attempts. */
    async fail(count: number, event = 'sale.completed'): Promise<void> {
      const before = await attempts()
      for (let index = 0; index < count; index++)
        // Of different records, because those of one wait for each other.
        await server.sim('POST', '/triggers/pos.event.emit', {
          event,
          ...(event === 'stock.low' && { data: { productId: String(index) } }),
        })
      await expect.poll(attempts).toBeGreaterThanOrEqual(before + count)
    },
  }
}

describeInBrowser('repeats on the page Now', () => {
  test('are one row with their count, which a new one increments without moving rows', async () => {
    const { open, call, fail } = await stormServer()
    await call('GET', '/crm/v1/contacts')
    await fail(12)
    await fail(2, 'stock.low')
    const tab = await open('now?kind=delivery')
    const failed = row(tab, 'connection refused')
    await failed.waitFor()
    await untilLive(tab)
    expect(await failed.innerText()).toMatch(/2 events: connection refused\s+× 14\s+first/)
    const texts = await timeline(tab).getByRole('listitem').allInnerTexts()
    expect(texts).toHaveLength(3)

    await fail(1)
    await expect.poll(() => failed.innerText()).toContain('× 15')
    expect(await timeline(tab).getByRole('listitem').count()).toBe(3)

    await openPage(tab, 'now')
    // The storm does not hide the call.
    for (const text of ['GET /crm/v1/contacts 200', 'connection refused']) {
      await tab.getByLabel('Text').fill(text)
      await expect.poll(() => timeline(tab).getByRole('listitem').count()).toBe(1)
    }
  })

  test('open to their members, and ungroup; the address keeps both', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    for (let page = 1; page <= 4; page++) await call('GET', `/crm/v1/contacts?page=${String(page)}`)
    await call('GET', '/crm/v1/deals')
    const tab = await open('now?kind=request')
    const group = row(tab, '× 4')
    expect(await group.innerText()).toContain('GET /crm/v1/contacts 200 ?…')
    await group.click()
    const rows = timeline(tab).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(6)
    expect(tab.url()).toMatch(/group=req_\d+$/)
    expect((await rows.allInnerTexts()).slice(2).map((text) => /page=\d/.exec(text)?.[0])).toEqual([
      'page=4',
      'page=3',
      'page=2',
      'page=1',
    ])
    await row(tab, 'page=3').click()
    await detail(tab).getByRole('heading', { level: 2, name: 'GET /crm/v1/contacts 200' }).waitFor()
    expect(await tab.locator('.rows a[aria-current=true]').innerText()).toContain('page=3')
    await tab.reload()
    await expect.poll(() => rows.count()).toBe(6)
    await detail(tab).getByRole('link', { name: 'Close' }).click()
    await group.click()
    await expect.poll(() => rows.count()).toBe(2)

    await tab.getByLabel('Group repeats').uncheck()
    await expect.poll(() => rows.count()).toBe(5)
    expect(tab.url()).toContain('grouped=no')
    await tab.reload()
    await expect.poll(() => rows.count()).toBe(5)
    await tab.getByLabel('Group repeats').check()
    await expect.poll(() => rows.count()).toBe(2)
    expect(tab.url()).not.toContain('grouped')
  })

  test('show the reason of a refusal, and keep other calls apart', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    await call('POST', '/crm/v1/contacts', {})
    await call('POST', '/crm/v1/contacts', { name: 'Ana', email: 'no address' })
    await call('POST', '/crm/v1/contacts', {})
    const tab = await open('now?kind=request')
    const rows = timeline(tab).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    expect((await rows.allInnerTexts()).map((text) => text.includes('× 2'))).toEqual([true, false])
    expect(await row(tab, '× 2').innerText()).toContain('name is required')
  })

  test('of calls without a workspace are one entry', async () => {
    const { open, ask } = await dashboardServer({ fixtures: 'small' })
    for (let index = 0; index < 12; index++) {
      await ask('GET', '/crm/v1/deals', undefined, { authorization: 'Bearer mistyped-key' })
      if (index === 6) await ask('GET', '/crm/v2/deals')
    }
    const tab = await open('now')
    const entries = tab.getByRole('list', { name: 'Unmatched calls' }).locator('> li')
    await expect.poll(() => entries.count()).toBe(2)
    expect(await entries.first().innerText()).toMatch(/401\s+GET \/crm\/v1\/deals\s+× 12 first/)
    await openPage(tab, 'now?grouped=no')
    await expect.poll(() => entries.count()).toBe(10)
    await tab.getByText('Newest first, at most 10.').waitFor()
  })
})

describeInBrowser('first steps', () => {
  test('show the first call and a webhook as they arrive', async () => {
    const { open, url, sim } = await dashboardServer()
    const tab = await open('now', { permissions: ['clipboard-read', 'clipboard-write'] })
    const steps = first(tab)
    await untilLive(tab)
    await steps.getByText('Waiting for a call.').waitFor()
    const code = steps.getByLabel('Example call')
    expect(await code.innerText()).toBe(
      `curl '${url}/crm/v1/contacts?per_page=2' -H 'Authorization: Bearer demo-key'`,
    )
    await steps.getByRole('button', { name: 'Python' }).click()
    expect(await code.innerText()).toContain('urllib.request')
    await steps.getByRole('button', { name: 'fetch' }).click()
    await steps.getByRole('button', { name: 'Copy the call' }).click()
    await steps.getByText('Copied').waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])

    // The copied text runs as it is.
    const copied = await tab.evaluate<string>('navigator.clipboard.readText()')
    await tab.evaluate(`(async () => { ${copied.replace(/console\.log.*/, '')} })()`)
    await steps.getByText('Your call arrived:').waitFor()
    await steps.getByText('GET /crm/v1/contacts 200').waitFor()

    const button = steps.getByRole('button', { name: 'Send me a webhook' })
    await button.click()
    await steps.getByText('the receiver answered 200').waitFor()
    await button.click()
    const toReceiver = async (path: string): Promise<number> => {
      const { data } = await sim<{ data: { url: string }[] }>('GET', path)
      return data.filter((each) => each.url === `${url}/_sim/receiver`).length
    }
    await expect.poll(() => toReceiver('/deliveries?status=delivered')).toBe(2)
    // The second webhook needs no other subscription.
    expect(await toReceiver('/subscriptions')).toBe(1)
    await steps.getByRole('link', { name: 'Open delivery' }).click()
    await detail(tab).getByRole('heading', { name: 'delivered sale.completed' }).waitFor()

    await openPage(tab, 'now')
    await row(tab, 'GET /crm/v1/contacts 200').waitFor()
    expect(await steps.count()).toBe(0)
  })

  test('stay hidden, and empty pages have a call to copy', async () => {
    const { open, ask } = await dashboardServer({ fixtures: 'small' })
    const { workspace, key } = await ask<{ workspace: { id: string }; key: string }>(
      'POST',
      '/_sim/workspaces',
      {
        name: 'Empty',
      },
    )
    const address = `workspace=${workspace.id}`
    const tab = await open(`now?${address}`, PHONE)
    await first(tab).getByLabel('Example call').getByText(key).waitFor()
    await tab.getByText('No entries yet.').waitFor()
    expect(await tab.getByLabel('Example call').count()).toBe(1)
    await first(tab).getByRole('button', { name: 'Hide first steps' }).click()
    await expect.poll(() => first(tab).count()).toBe(0)
    await tab.getByLabel('Example call').getByText(key).waitFor()
    for (const page of ['now', 'calls', 'hints']) {
      await openPage(tab, `${page}?${address}`)
      await tab.getByText(/^No (?:entries|calls|hints) yet\./).waitFor()
      await tab.getByLabel('Example call').getByText(key).waitFor()
      expect(await first(tab).count()).toBe(0)
      expect(await tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    }
  })
})

describeInBrowser('page Calls', () => {
  test('with hints are marked in the timeline, too', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/deals')
    const tab = await open('now')
    await row(tab, 'GET /crm/v1/deals 200').waitFor()
    await call('GET', '/crm/v1/contacts?colour=red')
    await row(tab, /contacts 200 \?colour=red.*1 hint/).waitFor()
    expect(await row(tab, '1 hint').count()).toBe(1)
  })

  test('with a hint that many calls have are all marked in the timeline', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts?colour=first')
    // A hint names its 25 newest calls.
    for (let count = 0; count < 25; count++) await call('GET', '/crm/v1/contacts?colour=red')
    await call('GET', '/crm/v1/contacts?per_page=3')
    const tab = await open('now?grouped=no&text=colour=first')
    await row(tab, /colour=first.*1 hint/).waitFor()
    await openPage(tab, 'now?grouped=no&kind=request')
    await row(tab, '1 hint').waitFor()
    expect(await row(tab, 'per_page=3').innerText()).not.toContain('hint')
  })

  test('marks calls with hints, groups repeats and finds texts in bodies', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    for (let index = 0; index < 3; index++) await call('GET', '/crm/v1/contacts?colour=red')
    await call('POST', '/crm/v1/contacts', { name: 'Ana Searched', email: 'ana@example.com' })
    await call('GET', '/crm/v1/contacts/none')
    const tab = await open('calls')
    const rows = calls(tab).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(3)
    expect(await rows.nth(2).innerText()).toMatch(/contacts\?colour=red\s+! 1\s+1 hint\s+× 3/)
    expect(await rows.nth(1).innerText()).not.toContain('hint')

    await tab.getByLabel('Text in bodies').fill('ana searched')
    await expect.poll(() => rows.count()).toBe(1)
    expect(tab.url()).toContain('body=ana+searched')
    expect(await rows.innerText()).toContain('POST')
    await tab.getByLabel('Text in bodies').fill('nobody at all')
    await tab.getByText('No matching calls.').waitFor()

    await openPage(tab, 'calls?grouped=no')
    await expect.poll(() => rows.count()).toBe(5)
    await row(tab, '1 hint').click()
    await detail(tab).getByText('listContacts has no query parameter colour').waitFor()
    await detail(tab).getByRole('link', { name: 'All such hints' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Hints' }).waitFor()
    expect(tab.url()).toContain('code=unknown_query_parameter')
  })
})
