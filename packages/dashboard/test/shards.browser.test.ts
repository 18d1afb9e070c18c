/** The dashboard of several servers behind one proxy. */
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeInBrowser, openTab } from '../../../test/support/browser.ts'
import { build } from '../../../test/support/process.ts'
import { twoShards } from '../../../test/support/shards.ts'
import { buildApp } from '../../../test/support/subject.ts'

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
  test('shows the workspaces of a shard that answers again, without another visit', async () => {
    const { url, urls, apps, ids } = await twoShards()
    const [, id = ''] = ids
    await apps[1]?.close()
    const tab = await openTab({ expected: /502/ })
    await tab.goto(`${url}/_sim/#/clock?workspace=${id}`)
    await tab.getByText('Shard s2 does not answer. Its workspaces are missing.').waitFor()
    expect(await tab.getByText('There is no workspace').count()).toBe(0)

    const restarted = await buildApp({ shard: 's2', fixtures: 'none' })
    onTestFinished(() => restarted.close())
    restarted.workspaces.create({ id, name: 'Shop of s2' }, (workspace) =>
      workspace.addUser({ name: 'Ana', email: 'ana@example.com' }),
    )
    await restarted.listen({ host: '127.0.0.1', port: Number(new URL(urls[1] ?? '').port) })
    await tab.getByRole('button', { name: 'Freeze clock' }).waitFor()
    expect(await tab.getByText('does not answer').count()).toBe(0)
  })

  test('shows the coverage and the unmatched calls of the server of each workspace', async () => {
    const { url, urls, ids } = await twoShards()
    for (const [index, each] of urls.entries()) {
      await fetch(`${each}/crm/v1/contacts/of-s${String(index + 1)}`, {
        headers: { authorization: 'Bearer mistyped' },
      })
    }
    const tab = await openTab()
    for (const [index, id] of ids.entries()) {
      const [own, other] = index === 0 ? ['of-s1', 'of-s2'] : ['of-s2', 'of-s1']
      await tab.goto(`${url}/_sim/#/now?workspace=${id}`)
      const unmatched = tab.getByRole('list', { name: 'Unmatched calls, newest first' })
      await unmatched.getByText(own, { exact: false }).first().waitFor()
      expect(await unmatched.getByText(other, { exact: false }).count()).toBe(0)
      const called = tab.waitForRequest(/_sim\/coverage/)
      await tab.goto(`${url}/_sim/#/coverage?of=server&workspace=${id}`)
      expect((await called).url()).toContain(`shard=s${String(index + 1)}`)
      const listed = tab.waitForRequest(/_sim\/requests/)
      await tab.goto(`${url}/_sim/#/hints?workspace=${id}`)
      expect((await listed).url()).toContain(`shard=s${String(index + 1)}`)
      await tab.getByRole('region', { name: 'Calls that reached no workspace' }).waitFor()
    }
  })
})
