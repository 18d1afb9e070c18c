/** Live lists while the server is slow, and the stream of the timeline while the user switches workspaces. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../../test/support/browser.ts'
import { dashboardServer, row } from './dashboardServer.ts'

describeInBrowser('a live list', () => {
  test('shows new entries while responses take longer than the interval of reloads', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts')
    const tab = await open('calls')
    await row(tab, '/crm/v1/contacts').waitFor()
    await tab.getByText('live', { exact: true }).waitFor()
    await tab.route('**/requests?*', async (route) => {
      await delay(1500)
      await route.fallback()
    })
    let count = 0
    const rowsAfterCall = async (): Promise<number> => {
      await call('POST', `/crm/v1/unknown-${String(++count)}`)
      return tab.locator('.rows').getByRole('listitem').count()
    }
    // A call arrives during each response, so that the list never rests.
    await expect.poll(rowsAfterCall, { interval: 100 }).toBeGreaterThan(1)
  })
})

describeInBrowser('reloads after entries', () => {
  test.each([
    ['calls', '/requests?'],
    ['coverage', '/coverage'],
    ['changes', '/diff?'],
    ['hints', '/hints'],
    ['webhooks', '/deliveries?'],
  ])('of the page %s, and those of the faults, are at most one per second', async (page, path) => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    const tab = await open(page)
    await tab.clock.install()
    const urls: string[] = []
    tab.on('request', (request) => urls.push(request.url()))
    await tab.reload()
    await tab.locator('.live.on').waitFor()
    const countOf = (part: string): number => urls.filter((url) => url.includes(`/demo${part}`)).length
    // The storm lasts until both were loaded and reloaded five times. Each call causes an event, too.
    for (let step = 0; Math.min(countOf(path), countOf('/faults')) < 6; step++) {
      await call('POST', '/crm/v1/contacts', { name: 'Ana', email: `ana${String(step)}@example.com` })
      await tab.clock.runFor(200)
    }
    const seconds = (await tab.evaluate<number>('performance.now()')) / 1000
    // The first request, that of the opened stream, and the first reload after an entry are less than a second apart.
    for (const part of [path, '/faults']) expect(countOf(part)).toBeLessThanOrEqual(seconds + 3)
  })

  test('include one after the last entry', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('calls')
    await tab.getByText('live', { exact: true }).waitFor()
    for (let step = 0; step < 20; step++) await call('POST', `/crm/v1/unknown-${String(step)}`)
    await row(tab, '/crm/v1/unknown-19').waitFor()
    await call('POST', '/crm/v1/unknown-last')
    await row(tab, '/crm/v1/unknown-last').waitFor()
  })
})

describeInBrowser('the stream', () => {
  test('is one, after a switch to another workspace and back before it reconnects', async () => {
    const { open, ask, call } = await dashboardServer({ fixtures: 'small' })
    const { workspace } = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', {
      name: 'Other',
    })
    const tab = await open('now', { expected: /ERR_FAILED/ })
    await tab.getByText('live', { exact: true }).waitFor()
    await tab.clock.install()
    let isBroken = true
    await tab.route('**/stream', (route) => (isBroken ? route.abort() : route.fallback()))
    const asked = (id: string) =>
      tab.waitForRequest((request) => request.url().endsWith(`/workspaces/${id}/stream`))
    await Promise.all([asked('demo'), tab.reload()])
    // The delay before the next connection is the maximum now.
    for (let step = 0; step < 10; step++) await Promise.all([asked('demo'), tab.clock.runFor(10_000)])
    for (const id of [workspace.id, 'demo'])
      await Promise.all([asked(id), tab.evaluate(`location.hash = '#/now?workspace=${id}'`)])

    let opened = 0
    tab.on('response', (response) => {
      if (response.url().endsWith('/workspaces/demo/stream')) opened++
    })
    isBroken = false
    await tab.clock.runFor(30_000)
    await tab.getByText('live', { exact: true }).waitFor()
    await call('GET', '/crm/v1/deals')
    await row(tab, '/crm/v1/deals').waitFor()
    expect(opened).toBe(1)
  })
})
