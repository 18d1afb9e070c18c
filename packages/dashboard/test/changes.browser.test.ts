/** The page Changes in a real browser: what changed since a snapshot, and the causes. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser, PHONE } from '../../../test/support/browser.ts'
import { dashboardServer, detail, openPage } from './dashboardServer.ts'

const smallServer = () => dashboardServer({ fixtures: 'small' })

const changesIn = (tab: Page, section: string) =>
  tab
    .locator('.changes')
    .filter({ has: tab.getByRole('heading', { name: section, exact: true }) })
    .locator('details')

/** Adds contacts, by a snapshot that replaces the records. */
async function addContacts({ sim }: Awaited<ReturnType<typeof smallServer>>, count: number): Promise<void> {
  const snapshot = await sim<{ crm: { contacts: object[] } }>('GET', '/snapshot')
  const [first] = snapshot.crm.contacts
  for (let index = 0; index < count; index++) {
    const id = `con_${String(index).padStart(20, '0')}`
    snapshot.crm.contacts.push({
      ...first,
      id,
      name: `Person ${String(index)}`,
      email: `p${String(index)}@example.com`,
    })
  }
  await sim('PUT', '/snapshot', snapshot)
}

describeInBrowser('the page Changes', () => {
  test('lists what changed since a moment, live, with fields and causes', async () => {
    const { open, call } = await smallServer()
    const tab = await open('changes')
    await tab.getByRole('button', { name: 'Watch from now' }).click()
    await tab.getByText('No record has changed since I started watching.').waitFor()
    await call('POST', '/crm/v1/contacts', { name: 'New person', tags: ['gold'] })
    const change = changesIn(tab, 'crm.contacts')
    expect(await change.locator('summary').innerText()).toMatch(
      /^added\s+con_\S+\s+New person\s+by POST \/crm\/v1\/contacts 201/,
    )
    await change.locator('summary').click()
    await change.getByRole('rowheader', { name: 'tags' }).waitFor()
    expect(await change.getByRole('rowheader', { name: 'createdAt' }).count()).toBe(0)
    await change.getByText('3 new ids and times are hidden.').waitFor()
    await tab.getByLabel('New ids and times').check()
    await change.getByRole('rowheader', { name: 'createdAt volatile' }).waitFor()
    expect(await change.getByRole('rowheader', { name: 'tags', exact: true }).count()).toBe(1)
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    // A reload by a new entry leaves the record open.
    await call('POST', '/crm/v1/contacts', { name: 'Another person' })
    await expect.poll(() => change.count()).toBe(2)
    await change.getByRole('rowheader', { name: 'tags' }).waitFor()
    await change.getByRole('link', { name: 'Open record' }).click()
    await detail(tab).getByText('New person').first().waitFor()
  })

  test('leads to each kind of cause: call, trigger, event and job', async () => {
    const { open, call, sim } = await smallServer()
    const { data: link } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', {
      amount: 1500,
      currency: 'USD',
      description: 'Chair & <b>desk</b>',
    })
    await sim('POST', '/triggers/payments.link.pay', { link_id: link.id })
    await sim('POST', '/triggers/signage.pairing_code.issue', {})
    await call('POST', '/crm/v1/automations', {
      name: 'Follow up',
      active: true,
      trigger: { event: 'contact.created', conditions: [] },
      actions: [{ type: 'create_task', config: { title: 'Call {{contact.name}}', due_in_hours: 1 } }],
    })
    await call('POST', '/crm/v1/contacts', { name: 'Ana "A/B" Prado' })
    await sim('POST', '/clock/advance', { duration: 'P7D' })
    for (const [section, summary, cause] of [
      ['payments.links', 'Chair & <b>desk</b>', 'request POST /pay/v1/payment-links 201'],
      ['payments.links', 'Chair & <b>desk</b>', 'trigger payments.link.pay'],
      ['crm.activities', 'Call Ana "A/B" Prado', 'event crm contact.created'],
      ['signage.pairingCodes', 'status: expired', 'job signage.pairing_code.expire'],
    ] as const) {
      const tab = await open('changes')
      const change = changesIn(tab, section).filter({ hasText: summary }).first()
      await change.locator('summary').click()
      await change.getByRole('link', { name: cause, exact: true }).click()
      const [kind = ''] = cause.split(' ', 1)
      const title = cause.slice(kind.length + 1)
      await detail(tab).getByRole('heading', { level: 2, name: title, exact: true }).waitFor()
      await detail(tab).getByText(kind, { exact: true }).first().waitFor()
    }
  })

  test('compares with a snapshot, limits the list to a section or an interface, and keeps the other sections', async () => {
    const { open, call, sim } = await smallServer()
    await sim('POST', '/snapshots', { name: 'before_it-all.1' })
    await call('POST', '/crm/v1/contacts', { name: 'New person' })
    await call('DELETE', '/crm/v1/contacts/con_demo0000000000000001')
    const tab = await open('changes?from=before_it-all.1')
    await tab.getByRole('heading', { name: 'crm.deals' }).waitFor()
    await tab.getByLabel('Section').selectOption('crm.contacts')
    await tab.getByText('1 removed').waitFor()
    expect(await tab.getByRole('heading', { name: 'crm.deals' }).count()).toBe(0)
    await tab.getByLabel('Section').selectOption('crm.deals')
    await tab.getByRole('heading', { name: 'crm.deals' }).waitFor()
    await tab.getByLabel('Section').selectOption('crm')
    await tab.getByRole('heading', { name: 'crm.contacts' }).waitFor()
    // Of conversations, all that are compared.
    const offered = await tab.getByLabel('Section').locator('option').allTextContents()
    expect(offered).toContain('conversations.messages')
    expect(offered).not.toContain('conversations.counters')
    await tab.getByLabel('Section').selectOption('payments')
    await tab.getByText('No record of payments has changed since snapshot before_it-all.1.').waitFor()
    await tab.getByLabel('Since').selectOption('start')
    await tab.getByText('No record of payments has changed since the start.').waitFor()
  })

  test('says that a snapshot was deleted, and offers the others', async () => {
    const { open, call, sim } = await smallServer()
    const tab = await open('changes')
    await tab.getByRole('button', { name: 'Watch from now' }).click()
    await tab.getByText('No record has changed since I started watching.').waitFor()
    await sim('POST', '/snapshots', { name: 'other' })
    await sim('DELETE', '/snapshots/watched-since')
    await call('POST', '/crm/v1/contacts', { name: 'New person' })
    await tab.getByText('There is no snapshot watched-since').waitFor()
    await tab.getByRole('button', { name: 'Refresh' }).click()
    await tab.getByText('This snapshot was deleted. Choose another one').waitFor()
    await tab.getByLabel('Since').selectOption('other')
    await tab.getByRole('heading', { name: 'crm.contacts' }).waitFor()
    await openPage(tab, 'changes?from=unknown')
    await tab.getByText('There is no snapshot unknown').waitFor()
  })

  test('lists thousands of changes in steps, and keeps open records and the place', async () => {
    const server = await smallServer()
    await addContacts(server, 5100)
    const tab = await server.open('changes')
    await tab.getByText(/^The first 100 of 5,1\d\d are listed\./).waitFor()
    await changesIn(tab, 'crm.contacts').first().locator('summary').click()
    const more = tab.getByRole('button', { name: 'Show more' })
    await more.click()
    await tab.getByText('The first 1,100 of 5,1', { exact: false }).waitFor()
    // The list does not begin anew: its first record is still open.
    expect(await tab.locator('.changes details[open] table').count()).toBe(1)
    const visible = changesIn(tab, 'crm.contacts').filter({ hasText: 'Person 300' })
    await visible.scrollIntoViewIfNeeded()
    const place = await visible.boundingBox()
    await server.call('PATCH', '/crm/v1/contacts/con_demo0000000000000002', { name: 'New name' })
    await changesIn(tab, 'crm.contacts').filter({ hasText: 'New name' }).waitFor()
    expect(await tab.locator('.changes details[open] table').count()).toBe(1)
    expect((await visible.boundingBox())?.y).toBe(place?.y)
    while ((await more.count()) > 0) {
      const shown = await tab.locator('.changes details').count()
      await more.click()
      await expect.poll(() => tab.locator('.changes details').count()).toBeGreaterThan(shown)
    }
    expect(await tab.locator('.changes details').count()).toBe(5000)
    await tab.getByText('Choose a section to see others, or use suite-sim diff.').waitFor()
  })

  test('fits on a phone, with long ids, texts and causes', async () => {
    const { open, call } = await smallServer()
    await call('PATCH', '/crm/v1/contacts/con_demo0000000000000002', {
      name: `Long ${'name '.repeat(30)}`,
      custom_fields: { note: 'x'.repeat(900) },
    })
    const tab = await open('changes', { ...PHONE, colorScheme: 'dark' })
    const change = changesIn(tab, 'crm.contacts')
    await change.locator('summary').click()
    await change.getByRole('columnheader', { name: 'Before' }).waitFor()
    expect(await tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(await change.locator('summary code').innerText()).toBe('con_demo0000000000000002')
    expect(await accessibilityViolationsOn(tab)).toEqual([])
  })
})
