/** The callers of calls on the page Calls, in a real browser. */
import { beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../support/browser.ts'
import { build } from '../support/process.ts'
import { dashboardServer, detail, row } from './dashboardServer.ts'

beforeAll(build)

describeInBrowser('page Calls', () => {
  test('shows and filters by the name of the caller, and repeats a call without it', async () => {
    const { open, ask, call, sim } = await dashboardServer('--fixtures', 'small')
    const headers = { authorization: 'Bearer demo-key', 'x-sim-caller': 'run-7' }
    await ask('GET', '/crm/v1/contacts', undefined, headers)
    await call('GET', '/crm/v1/contacts')
    await call('GET', '/crm/v1/deals')
    const tab = await open('calls')
    const rows = tab.locator('.rows').getByRole('listitem')
    // Equal calls of another caller are no repeats.
    await expect.poll(() => rows.count()).toBe(3)
    expect(await row(tab, 'run-7').innerText()).toContain('/crm/v1/contacts')

    await tab.getByLabel('Caller').fill('run-7')
    await expect.poll(() => rows.count()).toBe(1)
    expect(tab.url()).toContain('caller=run-7')
    await row(tab, '/crm/v1/contacts').click()
    const link = detail(tab).getByRole('link', { name: 'run-7', exact: true })
    expect(await link.getAttribute('href')).toContain('calls?caller=run-7')
    await detail(tab).getByText('with a key of demo-user').waitFor()

    await detail(tab).getByRole('button', { name: 'Repeat call' }).click()
    await detail(tab).getByRole('status').waitFor()
    const { data } = await sim<{ data: { caller: object }[] }>('GET', '/requests')
    expect(data.map(({ caller }) => 'name' in caller)).toEqual([false, false, false, true])
    await expect.poll(() => rows.count()).toBe(1)
  })
})
