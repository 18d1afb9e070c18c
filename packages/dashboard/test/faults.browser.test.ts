/** The faults of a workspace in a real browser: the form, and the calls that wait for one. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser, PHONE } from '../../../test/support/browser.ts'
import { barriersOn, dashboardHere, NO_BARRIERS } from './dashboardServer.ts'

const fault = (tab: Page, words: string) => tab.getByRole('listitem').filter({ hasText: words }).first()

describeInBrowser('faults', () => {
  test('of answers, limits, lags and random delays are created with the form, which has examples', async () => {
    const { open, sim } = await dashboardHere()
    const tab = await open('calls')
    await tab.getByRole('button', { name: 'Add fault' }).click()
    const field = (name: string) =>
      tab.locator('form.schema label').filter({ hasText: new RegExp(`^${name}`) })
    const input = (name: string) => field(name).locator('input, textarea, select')
    await input('limit').waitFor()
    for (const [name, example] of [
      ['limit', 'such as {"calls":10,"per":"PT1M"}'],
      ['lag', 'such as PT2S'],
      ['delayMs', 'such as 250'],
    ] as const)
      expect(await input(name).getAttribute('placeholder')).toBe(example)
    await input('after').selectOption('true')
    await input('reset').selectOption('true')
    await input('delayMs').fill('{"min": 1, "max": 2}')
    expect(await barriersOn(tab)).toEqual(NO_BARRIERS)
    await tab.getByRole('button', { name: 'Create fault' }).click()
    await tab.getByText('Fault created.').waitFor()
    await fault(tab, '"after":true').waitFor()
    expect(await sim('GET', '/faults')).toMatchObject({
      data: [{ after: true, reset: true, delayMs: { min: 1, max: 2 } }],
    })
  })

  test('show the calls that wait, and release one or all of them', async () => {
    const { open, sim, call } = await dashboardHere()
    await sim('POST', '/faults', { hold: true, interface: 'crm' })
    const tab = await open('calls', PHONE)
    await tab.getByText('No calls wait.').waitFor()
    const held = [1, 2, 3].map((limit) => call('GET', `/crm/v1/contacts?limit=${String(limit)}`))
    for (const limit of [1, 2, 3]) await fault(tab, `GET /crm/v1/contacts?limit=${String(limit)}`).waitFor()
    expect(await barriersOn(tab)).toEqual(NO_BARRIERS)
    await tab.locator('.held li').filter({ hasText: 'limit=2' }).getByRole('button').click()
    expect(await held[1]).toHaveProperty('data')
    expect((await sim<{ data: { waiting: object[] }[] }>('GET', '/faults')).data[0]?.waiting).toHaveLength(2)
    await tab.getByRole('button', { name: 'Release all calls of fault_1' }).click()
    expect(await Promise.all(held)).toHaveLength(3)
    await tab.getByText('No calls wait.').waitFor()
  })
})
