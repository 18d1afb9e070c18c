/** Entries that are older than those that a page loads first. */
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../../test/support/browser.ts'
import { dashboardServer, detail, openPage } from './dashboardServer.ts'

const smallServer = () => dashboardServer({ fixtures: 'small' })
type Server = Awaited<ReturnType<typeof smallServer>>

interface Item {
  readonly id: string
  readonly causedBy: string | null
  readonly ref: string
}

const timelineOf = async ({ sim }: Server, query = ''): Promise<Item[]> =>
  (await sim<{ data: Item[] }>('GET', `/timeline?limit=1000${query}`)).data

/** The entries that a call caused, newest first. */
const effectsIn = async (server: Server): Promise<Item[]> =>
  (await timelineOf(server)).filter(({ causedBy }) => causedBy?.startsWith('req_') === true)

describeInBrowser('an older entry of the timeline', () => {
  test('is loaded with its causes if its address is opened', async () => {
    const server = await smallServer()
    const { open, call } = server
    await call('POST', '/crm/v1/contacts', { name: 'Early Person', email: 'early@example.com' })
    const [oldest] = (await effectsIn(server)).toReversed()
    const before = (await timelineOf(server)).findIndex(({ id }) => id === oldest?.id)
    // The page starts with 500 entries: the oldest effect is the last of them, and its cause is the next one.
    for (let place = before; place < 499; place += 20)
      await Promise.all(
        Array.from({ length: Math.min(20, 499 - place) }, () => call('GET', '/crm/v1/contacts/none')),
      )
    await expect.poll(async () => (await timelineOf(server))[499]).toEqual(oldest)
    const tab = await open(`now?open=${String(oldest?.id)}`)
    const cause = detail(tab).getByRole('link', { name: 'POST /crm/v1/contacts 201' })
    await cause.waitFor()

    const address = await cause.getAttribute('href')
    await openPage(tab, String(address).replace('#/', ''))
    await detail(tab).getByRole('heading', { level: 2, name: 'POST /crm/v1/contacts 201' }).waitFor()
    await detail(tab).getByText('No causes. A client or the clock started it.').waitFor()
  })

  test('that the timeline no longer has is not shown as one without causes', async () => {
    const server = await smallServer()
    const { open, call, sim } = server
    await call('POST', '/crm/v1/contacts', { name: 'Early Person', email: 'early@example.com' })
    const [effect] = await effectsIn(server)
    await sim('DELETE', '/requests')
    const tab = await open(`now?open=${String(effect?.id)}`)
    await detail(tab).getByText('The first cause is not in the timeline.').waitFor()
    expect(await detail(tab).getByText('No causes.').count()).toBe(0)

    await openPage(tab, 'now?open=req_1')
    await detail(tab).getByText('This entry is no longer in the timeline').waitFor()
  })
})

describeInBrowser('the cause of a delivery', () => {
  test('is found behind 1,000 newer entries about deliveries', async () => {
    const server = await smallServer()
    const { open, sim, url } = server
    for (let count = 0; count < 20; count++)
      await sim('POST', '/subscriptions', {
        interface: 'pos',
        url: `${url}/_sim/receiver?n=${String(count)}`,
      })
    const emit = () => sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
    await emit()
    const deliveries = () => timelineOf(server, '&kind=delivery')
    await expect.poll(async () => (await deliveries()).length).toBe(40)
    const [oldest] = (await deliveries()).toReversed()
    // Each of the 20 deliveries is queued, and answered later.
    for (let count = 0; count < 26; count += 2) await Promise.all([emit(), emit()])
    await expect.poll(async () => (await deliveries()).some(({ ref }) => ref === oldest?.ref)).toBe(false)
    const tab = await open(`webhooks?open=${String(oldest?.ref)}`)
    await detail(tab).getByRole('link', { name: 'event pos sale.completed' }).waitFor()
  })
})

describeInBrowser('a list that has its newest entries only', () => {
  test.each([
    ['webhooks', 'deliveries'],
    ['emails', 'emails'],
  ])('says so on the page %s', async (page, path) => {
    const { open, sim, url } = await dashboardServer()
    await sim('POST', '/subscriptions', { interface: 'pos', url: `${url}/_sim/receiver` })
    await sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
    const tab = await open('clock')
    let count = 999
    // Thousands of e-mails take long, so the server answers with copies here.
    await tab.route(`**/${path}?*`, async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: { id: string }[] }
      const copies = Array.from({ length: count }, (_, index) => ({ ...data[0], id: String(index) }))
      await route.fulfill({ response, json: { data: copies } })
    })
    const note = tab.getByText('Only the newest 1,000 are shown.')
    const shown = () => tab.locator('.rows [role=listitem]').first().getAttribute('aria-setsize')
    await openPage(tab, page)
    await expect.poll(shown).toBe('999')
    expect(await note.count()).toBe(0)
    count = 1000
    await openPage(tab, page)
    await expect.poll(shown).toBe('1000')
    await note.waitFor()
  })
})
