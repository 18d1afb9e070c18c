/** The page Hints in a real browser. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../../test/support/browser.ts'
import { barriersOn, dashboardServer, detail, NO_BARRIERS, openPage } from './dashboardServer.ts'

const own = (tab: Page) => tab.getByRole('region', { name: 'Calls of this workspace' }).getByRole('listitem')
const unmatched = (tab: Page) =>
  tab.getByRole('region', { name: 'Calls that reached no workspace' }).getByRole('listitem')

describeInBrowser('page Hints', () => {
  test('lists each hint with its count, what to do and its calls, live', async () => {
    const { open, call, ask } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts?colour=red')
    await ask('GET', '/crm/v1/contacts', undefined, { authorization: 'Bearer mistyped-key' })
    const tab = await open('hints')
    await tab.getByText('live', { exact: true }).waitFor()
    await expect.poll(() => own(tab).count()).toBe(1)
    expect(await own(tab).innerText()).toMatch(
      /warning\s+unknown_query_parameter\s+1 call\s+listContacts has no query parameter colour\. It was ignored\. Check the name/,
    )
    expect(await unmatched(tab).innerText()).toMatch(
      /error\s+credential_unknown\s+1 call\s+The key is unknown/,
    )

    await call('GET', '/crm/v1/contacts?colour=blue')
    await expect.poll(() => own(tab).innerText()).toContain('2 calls')
    await call('POST', '/crm/v1/contacts', { name: 'Ana', email: 'ana@example.com', colour: 'red' })
    await expect.poll(() => own(tab).count()).toBe(2)
    await own(tab).first().getByRole('link', { name: /^req_/ }).first().click()
    await detail(tab).getByText('listContacts has no query parameter colour').waitFor()
    expect(tab.url()).toContain('calls?open=req_')
  })

  test('is filtered by severity, code and text, and shows assumed behavior on request', async () => {
    const { open, call, ask } = await dashboardServer({ fixtures: 'small' })
    await call('GET', '/crm/v1/contacts?colour=red')
    await call('POST', '/crm/v1/contacts', { name: 'Ana', email: 'ana@example.com', shape: 'round' })
    await ask('GET', '/crm/v2/contacts')
    const tab = await open('hints')
    await expect.poll(async () => [await own(tab).count(), await unmatched(tab).count()]).toEqual([2, 1])
    await tab.getByLabel('Severity').selectOption('error')
    await expect.poll(async () => [await own(tab).count(), await unmatched(tab).count()]).toEqual([0, 1])
    await openPage(tab, 'hints?code=unknown_body_field')
    await expect.poll(() => own(tab).allInnerTexts()).toEqual([expect.stringContaining('no field shape')])
    expect(await tab.getByLabel('Code').inputValue()).toBe('unknown_body_field')
    await openPage(tab, 'hints')
    await tab.getByLabel('Text').fill('NO QUERY PARAMETER')
    await expect.poll(() => own(tab).allInnerTexts()).toEqual([expect.stringContaining('colour')])
    await tab.getByLabel('Text').fill('no such hint')
    await tab.getByText('No matching hints.').waitFor()
    await openPage(tab, 'hints')
    await tab.getByLabel('Show assumed behavior').check()
    await own(tab).filter({ hasText: 'assumed_behavior' }).first().waitFor()
    expect(tab.url()).toContain('assumed=yes')
  })

  test('is accessible in light and dark mode and on a phone', async () => {
    const { open, call, ask } = await dashboardServer({ fixtures: 'small' })
    for (let index = 0; index < 12; index++) await call('GET', '/crm/v1/contacts?colour=red')
    await ask('GET', '/crm/v1/contacts')
    const tab = await open('hints')
    await tab.getByText('and 4 more').waitFor()
    expect(await barriersOn(tab)).toEqual(NO_BARRIERS)
  })
})
