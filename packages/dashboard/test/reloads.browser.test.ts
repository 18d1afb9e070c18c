/** Pages that load again after new entries, and entries that no longer exist, in a real browser. */
import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../../test/support/browser.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import { dashboardServer, detail, row, untilShown } from './dashboardServer.ts'

/** A server with entries of all kinds, and what makes more of them. */
async function busyServer() {
  const server = await dashboardServer({ fixtures: 'small' })
  const { call, sim, ask, url } = server
  const sink = await receiver()
  await sim('POST', '/subscriptions', { interface: 'crm', url: sink.url })
  await sim('POST', '/subscriptions', { interface: 'pos', url: `${url}/_sim/receiver` })
  let count = 0
  const cause = async (): Promise<void> => {
    const index = String(++count)
    await call('POST', '/crm/v1/contacts', { name: `Person ${index}`, email: `p${index}@example.com` })
    await call('GET', `/crm/v1/contacts?colour=red`)
    await ask('GET', '/crm/v2/contacts')
    await sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
    await call('PATCH', '/crm/v1/deals/deal_demo0000000000000003', { value: count })
  }
  for (let round = 0; round < 15; round++) await cause()
  await sim('GET', '/inbox?wait=20&count=1')
  const first = async (path: string): Promise<string> =>
    (await sim<{ data: { id: string }[] }>('GET', path)).data[0]?.id ?? ''
  return { ...server, cause, first }
}

/** Remembers fields, open details and places of the page. */
const REMEMBER = `(() => {
  const main = document.querySelector('main')
  for (const button of main.querySelectorAll('button[aria-expanded=false]')) button.click()
  for (const each of main.querySelectorAll('details')) each.open = true
})()`

const FILL = `(() => {
  const main = document.querySelector('main')
  const fields = [...main.querySelectorAll('input:not([type=checkbox], [type=search]), textarea')]
  for (const field of fields) {
    const prototype = field.tagName === 'INPUT' ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(field, '7')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const places = [...main.querySelectorAll('.detail, .json pre, .unmatched ol')]
  for (const each of places) each.scrollTop = 30
  scrollTo(0, 40)
  const focused = main.querySelector('input:not([type=checkbox]), textarea, select, summary')
  focused?.focus({ preventScroll: true })
  window.kept = {
    fields: fields.map((field) => [field, field.value]),
    details: [...main.querySelectorAll('details')],
    places: places.map((each) => [each, each.scrollTop]),
    focused,
    scrollY,
  }
})()`

/** Returns what the page has lost. */
const LOST = `(() => {
  const { fields, details, places, focused, scrollY: place } = window.kept
  const nameOf = (each) => each.outerHTML.slice(0, 120)
  return [
    ...fields.filter(([field, value]) => !field.isConnected || field.value !== value)
      .map(([field]) => 'text: ' + nameOf(field)),
    ...details.filter((each) => !each.isConnected || !each.open).map((each) => 'open: ' + nameOf(each)),
    ...places.filter(([each, top]) => !each.isConnected || each.scrollTop !== top)
      .map(([each]) => 'place: ' + nameOf(each)),
    ...(focused && document.activeElement !== focused ? ['focus: ' + nameOf(focused)] : []),
    ...(scrollY === place ? [] : ['page: ' + place + ' to ' + scrollY]),
  ]
})()`

/** Returns a function that waits until the requests of the page are answered, except the stream, which stays open. */
function requestsOf(tab: Page): () => Promise<void> {
  const running = new Set<Request>()
  tab.on('request', (request) => {
    if (!request.url().endsWith('/stream')) running.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    tab.on(end as 'requestfinished', (request) => running.delete(request))
  return () => expect.poll(() => running.size).toBe(0)
}

describeInBrowser('a page that loads again after new entries', () => {
  test('keeps the places, open details, text in fields, and the focus', async () => {
    const { open, cause, first } = await busyServer()
    const contact = await first('/records/crm.contacts')
    const tab = await open('now')
    const settle = requestsOf(tab)
    const pages = [
      `now?open=${await first('/timeline?kind=request')}`,
      `calls?open=${await first('/requests')}`,
      'hints',
      `webhooks?open=${await first('/deliveries')}`,
      `inbox?open=${await first('/inbox')}`,
      `records?section=crm.contacts&open=${contact}`,
      'records?section=crm.deals&open=deal_demo0000000000000003',
      'changes',
      'recordings',
      'triggers?open=payments.link.pay',
      'clock',
      'emails',
      'coverage',
    ]
    const lost: Record<string, unknown> = {}
    await tab.clock.install()
    await tab.reload()
    for (const page of pages) {
      await tab.evaluate(`location.hash = '#/${page}'`)
      await untilShown(tab)
      if (page.includes('open=')) await detail(tab).getByRole('heading', { level: 2 }).first().waitFor()
      await tab.locator('.live.on').waitFor()
      await settle()
      await tab.evaluate(REMEMBER)
      await settle()
      await tab.evaluate(FILL)
      for (let round = 0; round < 3; round++) {
        await cause()
        await tab.clock.runFor(1500)
      }
      await settle()
      const found = await tab.evaluate<string[]>(LOST)
      if (found.length > 0) lost[page] = found
    }
    expect(lost).toEqual({})
  })
})

describeInBrowser('an entry that no longer exists', () => {
  test.each([
    ['now?open=req_999999', 'This entry is no longer in the timeline', 'newest 1,000 calls'],
    ['calls?open=req_999999', 'This call is no longer in the journal', 'newest 1,000 calls'],
    ['webhooks?open=dlv_1', 'This delivery is not in the list', 'newest 1,000 deliveries'],
    ['inbox?open=unknown', 'This webhook is no longer in the inbox', 'last 200 webhooks'],
    ['emails?open=eml_1', 'This e-mail no longer exists', 'A reset and a restored snapshot'],
    ['records?section=crm.contacts&open=con_1', 'There is no record con_1', 'lists removed records'],
    ['triggers?open=unknown', 'There is no trigger unknown', 'The list has all of them.'],
    ['recordings?open=rec_1', 'This recording no longer exists', 'It was deleted'],
  ])('is explained at %s', async (page, title, words) => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open(page)
    await detail(tab).getByRole('heading', { level: 2, name: title }).waitFor()
    await detail(tab).getByText(words, { exact: false }).waitFor()
    await detail(tab).getByRole('link', { name: 'Close' }).click()
    await expect.poll(() => detail(tab).count()).toBe(0)
  })

  test('was a call when it was linked, and the journal has dropped it since', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts/none')
    const tab = await open('calls')
    await row(tab, '/crm/v1/contacts/none').click()
    await detail(tab).getByText('There is no contact none.').first().waitFor()
    await sim('DELETE', '/requests')
    // The open call stays readable until the page is loaded again.
    await call('GET', '/crm/v1/deals')
    await row(tab, '/crm/v1/deals').waitFor()
    await detail(tab).getByText('There is no contact none.').first().waitFor()
    await tab.reload()
    await detail(tab).getByRole('heading', { name: 'This call is no longer in the journal' }).waitFor()
  })
})
