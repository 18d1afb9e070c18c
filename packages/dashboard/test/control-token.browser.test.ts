/** The dashboard in a tab with the control token of a workspace: it shows that workspace alone. */
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../../test/support/browser.ts'
import { dashboardServer } from './dashboardServer.ts'

const ADMIN = { authorization: 'Bearer right' }

interface Created {
  readonly workspace: { readonly id: string }
  readonly controlToken: string
}

describeInBrowser('control token', () => {
  test('shows its workspace, and nothing of the server', async () => {
    const { open, ask, url } = await dashboardServer({ fixtures: 'small', adminToken: 'right' })
    const { workspace, controlToken } = await ask<Created>(
      'POST',
      '/_sim/workspaces',
      { name: 'Shop' },
      ADMIN,
    )
    await fetch(`${url}/workspace/public/v1/products`)
    const tab = await open('now')
    const refused: string[] = []
    tab.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await tab.getByLabel('Token').fill(controlToken)
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByText(workspace.id, { exact: true }).waitFor()
    expect(await tab.locator('label.workspace option').allTextContents()).toEqual([`Shop (${workspace.id})`])
    expect(await tab.getByText('Add workspace').count()).toBe(0)
    await tab.getByText('Waiting for a call.', { exact: true }).waitFor()
    expect(await tab.getByText('Calls that reached no workspace').count()).toBe(0)
    for (const page of [
      'hints',
      'coverage',
      'webhooks',
      'records',
      'changes',
      'recordings',
      'triggers',
      'clock',
    ]) {
      await tab.goto(`${url}/_sim/#/${page}?workspace=${workspace.id}`)
      await tab.getByRole('heading', { level: 1, name: new RegExp(page, 'i') }).waitFor()
    }
    await tab.goto(`${url}/_sim/#/recordings?workspace=${workspace.id}`)
    await tab.getByRole('button', { name: 'Start recording' }).click()
    await tab.getByRole('button', { name: 'Stop recording' }).click()
    await tab.getByRole('button', { name: 'Download file' }).waitFor()
    await tab.goto(`${url}/_sim/#/coverage?workspace=${workspace.id}`)
    await tab.getByLabel('Interface').waitFor()
    expect(await tab.getByLabel('Scope').count()).toBe(0)
    expect(refused).toEqual([])

    await tab.goto(`${url}/_sim/#/now?workspace=demo`)
    await tab.getByText('There is no workspace demo.').waitFor()
  })
  test('that is unknown gets the reason of the server', async () => {
    const { open, ask } = await dashboardServer({ fixtures: 'small', adminToken: 'right' })
    const { workspace, controlToken } = await ask<Created>('POST', '/_sim/workspaces', {}, ADMIN)
    await ask('DELETE', `/_sim/workspaces/${workspace.id}`, undefined, ADMIN)
    const tab = await open('now')
    await tab.getByText('or the control token of a workspace', { exact: false }).waitFor()
    await tab.getByLabel('Token').fill(controlToken)
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByText('The control token is unknown. Its workspace was deleted', { exact: false }).waitFor()
    await tab.getByLabel('Token').fill('right')
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByRole('button', { name: 'Add workspace' }).waitFor()
  })

  test('of a workspace that the page creates is shown, and opens it', async () => {
    const { open, ask } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('now')
    await tab.getByRole('button', { name: 'Add workspace' }).click()
    await tab.getByLabel('Name').fill('Bakery')
    await tab.getByRole('button', { name: 'Create workspace' }).click()
    const created = tab.getByRole('status').filter({ hasText: 'Its control token is shown only now' })
    await created.getByRole('button', { name: 'Copy the control token' }).waitFor()
    const authorization = `Bearer ${await created.locator('code').innerText()}`
    const { workspaceId } = await ask<{ workspaceId: string }>('GET', '/_sim/access', undefined, {
      authorization,
    })
    await created.getByRole('link', { name: 'Open workspace' }).click()
    await expect.poll(() => tab.url()).toContain(`#/now?workspace=${workspaceId}`)
    await tab.getByText(workspaceId, { exact: true }).waitFor()
    expect(await created.count()).toBe(0)
  })
})
