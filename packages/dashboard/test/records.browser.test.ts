/** The pages Records, Triggers and Changes: finding records, links between them, suggestions, and what changed. */
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser } from '../../../test/support/browser.ts'
import { detail, dashboardServer, openPage, row } from './dashboardServer.ts'

const DEAL = 'deal_demo0000000000000003'

describeInBrowser('the page Records', () => {
  test('groups sections by interface and shows internal ones on request', async () => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('records')
    await tab.getByRole('heading', { name: 'Payments', exact: true }).waitFor()
    const internal = tab.getByRole('link', { name: 'activity entities' })
    expect(await internal.count()).toBe(0)
    await tab.getByLabel('Internal sections').check()
    await internal.waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
  })

  test('opens the record with an id, and lists those with a name', async () => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('records')
    await tab.getByLabel('Find a record').fill(DEAL)
    await detail(tab).getByRole('heading', { name: DEAL }).waitFor()
    expect(tab.url()).toContain('section=crm.deals')
    await openPage(tab, 'records?find=forty%20classrooms')
    await row(tab, 'deal_demo0000000000000001').waitFor()
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await openPage(tab, 'records?find=nothing-like-this')
    await tab.getByText('No record has this id, key or name.').waitFor()
  })

  test('filters records without regard to accents', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    await call('POST', '/workspace/public/v1/products', { name: 'Sillón Ñandú', type: 'physical' })
    const tab = await open('records?section=catalog.products&order=newest')
    const listed = tab.getByRole('list', { name: 'Records of catalog.products' }).getByRole('listitem')
    for (const text of ['sillon nandu', 'SILLÓN ÑANDÚ', 'Sillón Ñandú'.normalize('NFD')]) {
      await tab.getByLabel('Text').fill(text)
      await listed.filter({ hasText: 'Sillón Ñandú' }).waitFor()
      await expect.poll(() => listed.count()).toBe(1)
    }
    await tab.getByLabel('Text').fill('sillon nandi')
    await expect.poll(() => listed.count()).toBe(0)
  })

  test('links ids in a record to their records', async () => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open(`records?section=crm.deals&open=${DEAL}`)
    await detail(tab).getByRole('link', { name: '"pipe_demo' }).click()
    await tab.waitForURL(/section=crm\.pipelines/)
    await detail(tab)
      .getByRole('heading', { name: /^pipe_demo/ })
      .waitFor()
  })

  test('shows money with its currency, and the newest records first on request', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    const body = { amount: 123456, currency: 'USD', description: 'Newest desk' }
    const { data } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', body)
    const tab = await open('records?section=payments.links')
    await tab.getByLabel('Order').selectOption('newest')
    const first = tab.getByRole('list', { name: 'Records of payments.links' }).getByRole('listitem').first()
    await first.getByText('USD 1,234.56').waitFor()
    expect(await first.innerText()).toContain(data.id)
    expect(await accessibilityViolationsOn(tab)).toEqual([])
  })
})

describeInBrowser('a state of a diagram', () => {
  test('can be read: its text has the color of the page, although it is a button', async () => {
    const { open } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('records?section=payments.links&open=pl_demo0000000000000001')
    const texts = tab.getByRole('group', { name: 'Diagram of Payment link' }).locator('text')
    await texts.first().waitFor()
    const colors = await texts.evaluateAll((all) =>
      all.map((each) => each.ownerDocument.defaultView?.getComputedStyle(each).fill),
    )
    expect([...new Set(colors)]).toEqual([expect.stringContaining('rgb')])
  })

  test('puts a new record into it with a click, and shows the way', async () => {
    const { open, sim } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('records?section=payments.links&open=pl_demo0000000000000001')
    await tab.getByRole('button', { name: 'disabled: put a new record into this state' }).click()
    await tab.getByText('A new record is disabled.').waitFor()
    const way = tab.getByLabel('The way there')
    expect(await way.innerText()).toMatch(/^# Create a payment link\.\nlink_data_id=\$\(curl /)
    await tab.getByRole('button', { name: 'Library' }).click()
    expect(await way.innerText()).toContain(
      "await workspace.fetch('payments', `/payment-links/${link.data.id}`",
    )
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    const { data } = await sim<{ data: { status: string }[] }>(
      'GET',
      '/records/payments.links?order=newest&limit=1',
    )
    expect(data).toMatchObject([{ status: 'disabled', amount: 1000 }])

    // With the keyboard, for a machine without a section.
    await openPage(tab, 'coverage')
    await tab.getByText('webhooks.delivery').click()
    await tab.getByRole('button', { name: 'dead: put a new record into this state' }).press('Enter')
    await tab.getByText('a delivery follows an event').waitFor()
  })
})

describeInBrowser('the form of a trigger', () => {
  test('suggests the records that a field refers to, and accepts any other text', async () => {
    const { open, call } = await dashboardServer({ fixtures: 'small' })
    const body = { amount: 2500, currency: 'USD', description: 'Newest desk' }
    const { data } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', body)
    const tab = await open('triggers?open=payments.link.pay')
    const field = detail(tab).getByLabel('link_id *')
    await field.focus()
    const options = detail(tab).locator('datalist option')
    await expect.poll(() => options.first().getAttribute('value')).toBe(data.id)
    expect(await options.first().textContent()).toBe('Newest desk \u00B7 active')
    await field.fill('no such link')
    await expect.poll(() => options.count()).toBe(0)
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await field.fill(data.id)
    await detail(tab).getByRole('button', { name: 'Pull trigger' }).click()
    await detail(tab).getByText('transaction_id').waitFor()
  })
})
