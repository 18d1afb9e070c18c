/** The dashboard of several servers behind one proxy. */
import { beforeAll, expect, test } from 'vitest'
import { describeInBrowser, openTab } from '../support/browser.ts'
import { build } from '../support/process.ts'
import { twoShards } from '../support/shards.ts'

beforeAll(build)

describeInBrowser('the dashboard behind a proxy', () => {
  test('lists the workspaces of all shards, and shows each', async () => {
    const { url, ids } = await twoShards()
    const tab = await openTab()
    await tab.goto(`${url}/_sim/#/now`)
    const choice = tab.getByRole('combobox', { name: 'Workspace', exact: true })
    await choice.selectOption(ids[1] ?? '')
    await tab.waitForURL(`**/*workspace=${ids[1] ?? ''}`)
    await expect
      .poll(() => choice.locator('option').allTextContents())
      .toEqual([`Shop of s1 (${ids[0] ?? ''})`, `Shop of s2 (${ids[1] ?? ''})`])
    expect(await tab.getByText('does not answer').count()).toBe(0)
  })

  test('names a shard that does not answer', async () => {
    const { url, apps, ids } = await twoShards()
    await apps[1]?.close()
    const tab = await openTab({ expected: /502/ })
    await tab.goto(`${url}/_sim/#/now`)
    await tab.getByText('Shard s2 does not answer. Its workspaces are missing.').waitFor()
    const choice = tab.getByRole('combobox', { name: 'Workspace', exact: true })
    expect(await choice.locator('option').allTextContents()).toEqual([`Shop of s1 (${ids[0] ?? ''})`])
  })
})
