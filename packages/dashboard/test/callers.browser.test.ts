/** The callers of calls on the page Calls, in a real browser. */
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser } from '../../../test/support/browser.ts'
import { dashboardServer, detail, row } from './dashboardServer.ts'

describeInBrowser('page Calls', () => {
  test('shows and filters by the name of the caller, and repeats a call without it', async () => {
    const { open, ask, call, sim } = await dashboardServer({ fixtures: 'small' })
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

  test('shows the session of an agent in the order of its calls, and suggests the names of callers', async () => {
    const { open, ask, call } = await dashboardServer({ fixtures: 'small' })
    const callAs = (name: string, path: string) =>
      ask('GET', path, undefined, { authorization: 'Bearer demo-key', 'x-sim-caller': name })
    await callAs('run-7', '/crm/v1/contacts?page=1')
    await callAs('run-8', '/crm/v1/pipelines')
    await callAs('run-7', '/crm/v1/contacts?page=2')
    await call('GET', '/crm/v1/contacts')
    await callAs('run-7', '/crm/v1/deals')
    const tab = await open('calls')
    const options = tab.locator('datalist option')
    await expect.poll(() => options.count()).toBe(2)
    await tab.getByLabel('Caller').fill('run-7')
    await tab.getByLabel('Order').selectOption('Oldest first')
    const texts = () => tab.locator('.rows').getByRole('listitem').allInnerTexts()
    await expect
      .poll(async () => (await texts()).map((text) => /\/crm\S+/.exec(text)?.[0]))
      .toEqual(['/crm/v1/contacts?page=1', '/crm/v1/contacts?page=2', '/crm/v1/deals'])
    expect(tab.url()).toContain('order=oldest')
    // The filter does not hide the names of the other callers.
    expect(await options.count()).toBe(2)
    await callAs('run-7', '/crm/v1/pipelines')
    await expect.poll(async () => (await texts()).at(-1)).toContain('/crm/v1/pipelines')
    expect(await accessibilityViolationsOn(tab)).toEqual([])
  })
})
