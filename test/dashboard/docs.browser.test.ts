/** The API reference in a real browser: display, trying calls, and the admin token. */
import { beforeAll, expect, test } from 'vitest'
import { describeInBrowser, openTab } from '../support/browser.ts'
import { build } from '../support/process.ts'
import { dashboardServer } from './dashboardServer.ts'

beforeAll(build)

describeInBrowser('API reference page', () => {
  test('shows the operation in the URL', async () => {
    const { url } = await dashboardServer('--fixtures', 'small')
    const tab = await openTab()
    await tab.goto(`${url}/_sim/docs#crm/tag/contacts/GET/contacts/{contact_id}`)
    await tab.getByRole('heading', { name: 'Get a contact' }).first().waitFor()
  })

  test('asks for the token once, and shares it with the dashboard', async () => {
    const { url } = await dashboardServer('--fixtures', 'small', '--admin-token', 'right')
    const tab = await openTab()
    await tab.goto(`${url}/_sim/docs`)
    await tab.getByLabel('Admin token').fill('wrong')
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByLabel('Wrong token. Admin token').fill('right')
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByRole('heading', { name: 'Catalog and activities' }).first().waitFor()
    await tab.goto(`${url}/_sim/#/clock`)
    await tab.getByRole('button', { name: 'Freeze' }).waitFor()
    expect(await tab.getByLabel('Admin token').count()).toBe(0)
  })
})
