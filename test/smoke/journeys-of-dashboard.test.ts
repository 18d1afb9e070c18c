/**
 * One journey on each set of pages of the dashboard, in a real browser, with a check of its accessibility. Each page's
 * other rules: `packages/dashboard/test/*.browser.test.ts`, in the full run.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { freshApp } from '../support/app.ts'
import { accessibilityViolationsOn, describeInBrowser, openTab, PHONE } from '../support/browser.ts'
import { listenTo } from '../support/payers.ts'
import { build } from '../support/process.ts'
import { dashboardHere, detail, row } from '../../packages/dashboard/test/dashboardServer.ts'

beforeAll(build)

const rows = (tab: Page) => tab.locator('.rows').getByRole('listitem')
const link = (tab: Page, name: string) => tab.getByRole('link', { name, exact: true })
const untilLive = (tab: Page) => tab.getByText('live', { exact: true }).waitFor()

describeInBrowser('a person', () => {
  test('follows the first steps, and sees the call and its webhook arrive', async () => {
    const { open, url, key } = await dashboardHere()
    const tab = await open('now')
    const steps = tab.getByRole('region', { name: 'First steps' })
    await untilLive(tab)
    const example = `curl '${url}/crm/v1/contacts?per_page=2' -H 'Authorization: Bearer ${key}'`
    expect(await steps.getByLabel('Example call').innerText()).toBe(example)
    await fetch(`${url}/crm/v1/contacts?per_page=2`, { headers: { authorization: `Bearer ${key}` } })
    await steps.getByText('GET /crm/v1/contacts 200').waitFor()
    await steps.getByRole('button', { name: 'Send me a webhook' }).click()
    await steps.getByText('the receiver answered 200').waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await steps.getByRole('link', { name: 'Open delivery' }).click()
    await detail(tab).getByRole('heading', { name: 'delivered sale.completed' }).waitFor()
  })

  test('finds a refused call among repeats, reads why, and makes the next one fail', async () => {
    const { open, call, sim } = await dashboardHere()
    for (let count = 0; count < 3; count++) await call('GET', '/crm/v1/contacts?colour=red')
    await call('GET', '/crm/v1/contacts/none')
    const tab = await open('calls')
    await expect.poll(() => rows(tab).count()).toBe(2)
    expect(await rows(tab).nth(1).innerText()).toMatch(/contacts\?colour=red\s+! 1\s+1 hint\s+× 3/)
    await untilLive(tab)
    await call('GET', '/crm/v1/deals')
    await row(tab, '/crm/v1/deals').waitFor()
    await tab.getByLabel('Status').selectOption('4xx')
    await row(tab, '/crm/v1/contacts/none').click()
    await detail(tab).getByText('There is no contact none.').first().waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await detail(tab).getByRole('button', { name: 'Create fault for this call' }).click()
    await detail(tab).getByRole('button', { name: 'Create fault', exact: true }).click()
    await tab.getByRole('link', { name: '1 active fault' }).waitFor()
    expect(await sim('GET', '/faults')).toMatchObject({ data: [{ path: '/crm/v1/contacts/none' }] })
  })

  test('subscribes the built-in receiver, and checks a webhook in the inbox', async () => {
    const { open, url } = await dashboardHere()
    const tab = await open('webhooks')
    await tab.getByRole('button', { name: 'Add subscription' }).click()
    await tab.getByRole('button', { name: 'Use built-in receiver' }).click()
    expect(await tab.getByLabel('URL').inputValue()).toBe(`${url}/_sim/receiver`)
    await tab.getByRole('button', { name: 'Create subscription' }).click()
    const secret = await tab.getByRole('status').locator('code').innerText()
    await tab.getByRole('button', { name: 'Send test event' }).click()
    await row(tab, 'delivered pos sale.completed').waitFor()
    await link(tab, 'Inbox').click()
    await row(tab, 'verified pos sale.completed').click()
    const opened = detail(tab)
    await opened.getByRole('group', { name: 'Payload' }).getByText('"sale.completed"').waitFor()
    await opened.getByRole('tab', { name: 'Verify it yourself' }).click()
    await opened.getByText(secret).first().waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
  })

  test('finds a record, and moves it with a call of its machine', async () => {
    const { open, sim } = await dashboardHere()
    const tab = await open('records')
    await tab.getByLabel('Find a record').fill('deal_demo0000000000000003')
    const one = detail(tab)
    await one.getByRole('button', { name: /^win / }).click()
    await one.getByLabel('reason').fill('price')
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await one.getByRole('button', { name: /^POST \/deals\/deal_demo0000000000000003\/won/ }).click()
    await one.getByText('win open to won').waitFor()
    expect(await sim('GET', '/records/crm.deals/deal_demo0000000000000003')).toMatchObject({ state: 'won' })
  })

  test('watches what changes, and opens the cause', async () => {
    const { open, call } = await dashboardHere()
    const tab = await open('changes')
    await tab.getByRole('button', { name: 'Watch from now' }).click()
    await tab.getByText('No record has changed since I started watching.').waitFor()
    await call('POST', '/crm/v1/contacts', { name: 'New person', tags: ['gold'] })
    const change = tab.locator('.changes details').filter({ hasText: 'New person' })
    await change.locator('summary').click()
    await change.getByRole('rowheader', { name: 'tags' }).waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await change.getByRole('link', { name: 'request POST /crm/v1/contacts 201' }).click()
    await detail(tab).getByRole('heading', { level: 2, name: 'POST /crm/v1/contacts 201' }).waitFor()
  })

  test('reads an invitation, and saves its calendar file', async () => {
    const { open, call, sim } = await dashboardHere()
    const vacancies = await call<{ data: { id: string }[] }>(
      'GET',
      '/recruiting/v1/vacancies?status=published',
    )
    const applicant = { vacancy_id: vacancies.data[0]?.id, name: 'Ivo Ruiz', email: 'ivo@example.com' }
    const { candidate_id } = await sim<{ candidate_id: string }>(
      'POST',
      '/triggers/recruiting.candidate.apply',
      applicant,
    )
    await call('POST', '/recruiting/v1/interviews', {
      vacancy_id: applicant.vacancy_id,
      candidate_id,
      type: 'video_platform',
      scheduled_at: '2031-05-05T15:00:00Z',
      interviewers: [{ name: 'Marco Vega', email: 'marco@example.com' }],
    })
    const tab = await open('emails?to=marco@example.com')
    await row(tab, 'marco@example.com').click()
    await detail(tab).getByText('Mon, 05 May 2031').first().waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      detail(tab).getByRole('button', { name: /\.ics/ }).click(),
    ])
    expect(readFileSync(await file.path(), 'utf8')).toContain('BEGIN:VCALENDAR')
  })

  test('freezes the clock, pulls a trigger, and advances to what is due', async () => {
    const { open, call, sim } = await dashboardHere()
    const body = { amount: 2500, currency: 'USD', description: 'Newest desk' }
    const { data } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', body)
    const tab = await open('clock')
    await tab.getByRole('button', { name: 'Freeze' }).click()
    await tab.getByText('frozen').waitFor()
    await link(tab, 'Triggers').click()
    await row(tab, 'signage.pairing_code.issue').click()
    await detail(tab).getByRole('button', { name: 'Pull trigger' }).click()
    await detail(tab).getByText('pairing_code', { exact: false }).first().waitFor()
    await row(tab, 'payments.link.pay').click()
    const field = detail(tab).getByLabel('link_id *')
    await field.focus()
    const options = detail(tab).locator('datalist option')
    await expect.poll(() => options.first().getAttribute('value')).toBe(data.id)
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await field.fill(data.id)
    await detail(tab).getByRole('button', { name: 'Pull trigger' }).click()
    await detail(tab).getByText('transaction_id').waitFor()
    await link(tab, 'Clock').click()
    const before = await sim<{ now: string }>('GET', '/clock')
    await tab.getByRole('button', { name: '+ 1 week' }).click()
    await tab.getByRole('heading', { name: 'Completed jobs' }).waitFor()
    const { now } = await sim<{ now: string }>('GET', '/clock')
    expect(Date.parse(now) - Date.parse(before.now)).toBe(7 * 86_400_000)
  })

  test('records a session, stops it on another page, and saves its file', async () => {
    const { open, call } = await dashboardHere()
    const tab = await open('recordings')
    const notice = tab.getByRole('region', { name: 'Running recording' })
    await tab.getByLabel('Name').fill('Zoë pays')
    await tab.getByRole('button', { name: 'Start recording' }).click()
    await notice.getByText('0 steps').waitFor()
    await link(tab, 'Calls').click()
    await call('POST', '/crm/v1/contacts', { name: 'New person' })
    await notice.getByText('1 step').waitFor()
    await notice.getByRole('button', { name: 'Stop recording' }).click()
    await detail(tab).getByRole('heading', { name: 'stopped Zoë pays' }).waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      detail(tab).getByRole('button', { name: 'Download file' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('zoe-pays.json')
    const { steps } = JSON.parse(readFileSync(await file.path(), 'utf8')) as { steps: { kind: string }[] }
    expect(steps.map(({ kind }) => kind)).toEqual(['call'])
  })

  test('goes to pages, records and workspaces with the keyboard alone', async () => {
    const { open, ask } = await dashboardHere()
    const other = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', { name: 'Second' })
    const tab = await open('now')
    await untilLive(tab)
    const palette = tab.getByRole('dialog', { name: 'Command palette' })
    const choose = async (words: string, name: RegExp): Promise<void> => {
      await tab.keyboard.press('Control+k')
      await palette.getByRole('combobox').fill(words)
      await palette.getByRole('option', { name }).first().waitFor()
      await expect.poll(() => palette.locator('[aria-selected=true]').innerText()).toMatch(name)
      await tab.keyboard.press('Enter')
      await palette.waitFor({ state: 'detached' })
    }
    await choose('crm deals', /^CRM: deals/)
    await row(tab, 'Two floors in Torre Norte').focus()
    await tab.keyboard.press('Enter')
    await detail(tab).waitFor()
    await tab.keyboard.press('Escape')
    await detail(tab).waitFor({ state: 'detached' })
    await tab.keyboard.press('?')
    await tab.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await tab.keyboard.press('Escape')
    await tab.keyboard.press('Control+k')
    await palette.getByRole('option', { name: 'Coverage' }).waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await tab.keyboard.press('Escape')
    await choose(other.workspace.id, /^Second/)
    await expect.poll(() => tab.url()).toContain(`#/now?workspace=${other.workspace.id}`)
  })

  test('finds a hint among others, and opens its call', async () => {
    const { open, call } = await dashboardHere()
    await call('GET', '/crm/v1/contacts?colour=red')
    await call('POST', '/crm/v1/contacts', { name: 'Ana', email: 'ana@example.com', shape: 'round' })
    const tab = await open('hints')
    const hints = tab.getByRole('region', { name: 'Calls of this workspace' }).getByRole('listitem')
    await expect.poll(() => hints.count()).toBe(2)
    await tab.getByLabel('Text').fill('NO QUERY PARAMETER')
    await expect.poll(() => hints.allInnerTexts()).toEqual([expect.stringContaining('colour')])
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await hints.getByRole('link', { name: /^req_/ }).first().click()
    await detail(tab).getByText('listContacts has no query parameter colour').waitFor()
  })

  test('opens the menu on a phone, and a row as a card', async () => {
    const { open, call } = await dashboardHere()
    await call('GET', '/crm/v1/contacts/none')
    const tab = await open('calls', PHONE)
    await row(tab, 'There is no contact none.').click()
    await detail(tab)
      .getByRole('heading', { name: /404 GET/ })
      .waitFor()
    await detail(tab).getByRole('link', { name: 'Close' }).click()
    await tab.getByRole('button', { name: 'Menu' }).click()
    await link(tab, 'Webhooks').click()
    await tab.getByRole('button', { name: 'Add subscription' }).click()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    expect(await tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  })

  test('types the control token of a workspace, and sees that workspace alone', async () => {
    const fresh = await freshApp({ adminToken: 'right' })
    const url = await listenTo(fresh)
    const response = await fetch(`${url}/_sim/workspaces`, {
      method: 'POST',
      headers: { authorization: 'Bearer right', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Shop' }),
    })
    const { workspace, controlToken } = (await response.json()) as {
      workspace: { id: string }
      controlToken: string
    }
    const tab = await openTab()
    await tab.goto(`${url}/_sim/#/now`)
    await tab.getByLabel('Token').fill('wrong')
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByText('The admin token is wrong.', { exact: false }).waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await tab.getByLabel('Token').fill(controlToken)
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByText(workspace.id, { exact: true }).waitFor()
    expect(await tab.locator('label.workspace option').allTextContents()).toEqual([`Shop (${workspace.id})`])
  })
})
