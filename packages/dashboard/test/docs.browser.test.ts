/** The API reference in a real browser: display, trying calls, and the admin token. */
import { expect, test } from 'vitest'
import { describeInBrowser, openTab } from '../../../test/support/browser.ts'
import { dashboardServer } from './dashboardServer.ts'

describeInBrowser('API reference page', () => {
  test('shows the operation in the URL, and calls it with a key of the workspace', async () => {
    const { url, ask } = await dashboardServer({ fixtures: 'small' })
    const { workspace } = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', {
      fixtures: 'small',
    })
    const tab = await openTab()
    // The links keep the workspace of the address while the list of workspaces is still on its way.
    await tab.route(/_sim\/(?:access|workspaces)\b/, () => undefined)
    await tab.goto(`${url}/_sim/#/now?workspace=${workspace.id}`)
    await tab.getByRole('link', { name: 'Docs' }).click()
    await tab.waitForURL(/\/docs\?workspace=/)
    await tab.unrouteAll({ behavior: 'ignoreErrors' })
    // Parameters of other tools do no harm.
    await tab.goto(`${tab.url().split('#')[0] ?? ''}&utm_source=mail&interface=forms#/Forms/listForms`)
    await tab.getByRole('button', { name: 'Execute' }).click()
    await tab.locator('.live-responses-table').getByText('200').first().waitFor()
    const calls = await ask<{ data: { path: string; status: number }[] }>(
      'GET',
      `/_sim/workspaces/${workspace.id}/requests`,
    )
    expect(calls.data.map(({ path, status }) => [path, status])).toEqual([['/forms/api/v1/forms', 200]])
  })

  test('asks for the token once, and shares it with the dashboard', async () => {
    const { url } = await dashboardServer({ fixtures: 'small', adminToken: 'right' })
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
