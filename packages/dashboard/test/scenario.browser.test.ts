/** A complete scenario in the dashboard, and malicious texts in every field. */
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../../test/support/browser.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import { detail, dashboardServer, row, openPage, untilShown } from './dashboardServer.ts'

describeInBrowser('complete scenario', () => {
  test('creates and pays a link, repairs the receiver of its failed webhook, sends it again, and advances the clock', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    let status = 500
    const sink = await receiver(() => status)
    const body = { amount: 2500, currency: 'USD', description: 'Desk' }
    const { data: link } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', body)

    // A frozen clock retries nothing by itself, however slow the machine is.
    const tab = await open('clock')
    await tab.getByRole('button', { name: 'Freeze' }).click()
    await tab.getByText('frozen').waitFor()

    await tab.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await tab.getByRole('button', { name: 'Add subscription' }).click()
    await tab.locator('form').getByRole('combobox', { name: 'Interface' }).selectOption('payments')
    await tab.getByLabel('URL').fill(sink.url)
    await tab.getByRole('button', { name: 'Create subscription' }).click()
    await tab.getByText('Subscription created.').waitFor()

    await tab.getByRole('link', { name: 'Triggers', exact: true }).click()
    await row(tab, 'payments.link.pay').click()
    await detail(tab).getByLabel('link_id *').fill(link.id)
    await detail(tab).getByRole('button', { name: 'Pull trigger' }).click()
    await detail(tab).getByText('transaction_id').waitFor()

    await tab.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await row(tab, 'pending payments payment.completed').click()
    const delivery = detail(tab)
    await delivery.getByText('the receiver responded with 500').first().waitFor()

    status = 200
    await delivery.getByRole('button', { name: 'Redeliver' }).click()
    await delivery.getByRole('heading', { name: 'delivered payment.completed' }).waitFor()
    expect(sink.requests).toHaveLength(2)

    status = 503
    await sim('POST', '/triggers/payments.link.pay', {
      link_id: (await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', body)).data.id,
    })
    await row(tab, 'pending payments payment.completed').waitFor()
    status = 200
    await tab.getByRole('link', { name: 'Clock', exact: true }).click()
    await tab.getByRole('button', { name: 'Advance to this time: next delivery attempt' }).click()
    await tab.getByText('1 delivery attempts').waitFor()
    await openPage(tab, 'webhooks?status=delivered')
    await expect
      .poll(() => tab.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').count())
      .toBe(2)
    await openPage(tab, 'clock')
    await tab.getByText('frozen').waitFor()
    await tab.getByRole('button', { name: '+ 30 days' }).click()
    await tab.getByRole('heading', { name: 'Completed jobs' }).waitFor()
    await tab.getByRole('button', { name: 'Resume clock' }).click()
    await tab.getByRole('button', { name: 'Freeze' }).waitFor()
    expect(await sim('GET', '/clock')).toMatchObject({ frozen: false })
  })
})

const HOSTILE = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`

describeInBrowser('malicious texts', () => {
  test('are shown as text in every field', async () => {
    const { open, call, sim, ask } = await dashboardServer({ fixtures: 'small' })
    const { workspace } = await ask<{ workspace: { id: string } }>('POST', '/_sim/workspaces', {
      name: HOSTILE,
    })
    const contact = await call<{ id: string }>('POST', '/crm/v1/contacts', {
      name: HOSTILE,
      email: 'harm@example.com',
      company: HOSTILE,
      tags: ['<b>x</b>'],
      custom_fields: { [HOSTILE]: HOSTILE },
    })
    await call('GET', `/crm/v1/contacts/${encodeURIComponent(HOSTILE)}?${encodeURIComponent(HOSTILE)}=1`)
    await sim('POST', '/triggers/crm.template.define', {
      id: 'tpl_harm',
      name: HOSTILE,
      subject: HOSTILE,
      body: HOSTILE,
    })
    await sim('POST', '/faults', { path: `/${encodeURIComponent(HOSTILE)}`, status: 500, body: HOSTILE })
    await sim('POST', '/subscriptions', {
      interface: 'crm',
      url: `http://127.0.0.1:9/?${encodeURIComponent(HOSTILE)}`,
    })
    const tab = await open('now')
    // Records what would have run without the policy.
    await tab.addInitScript(
      "globalThis.stopped = []; addEventListener('securitypolicyviolation', (event) => stopped.push(event.violatedDirective))",
    )
    const pages = [
      'now',
      'calls',
      'webhooks',
      `records?section=crm.contacts&open=${contact.id}`,
      'records?section=crm.templates&open=tpl_harm',
      'emails',
      'coverage',
      `now?workspace=${workspace.id}`,
      `now?text=${encodeURIComponent(HOSTILE)}`,
      `records?section=${encodeURIComponent(HOSTILE)}`,
      `calls?open=${encodeURIComponent(HOSTILE)}`,
      `${encodeURIComponent(HOSTILE)}?workspace=${encodeURIComponent(HOSTILE)}`,
    ]
    for (const page of pages) {
      await openPage(tab, page)
      await untilShown(tab)
      expect({
        page,
        images: await tab.locator('img').count(),
        stopped: await tab.evaluate('stopped'),
        title: await tab.title(),
      }).toEqual({
        page,
        images: 0,
        stopped: [],
        title: expect.stringMatching(/Suite Simulator$/) as string,
      })
    }
  })
})
