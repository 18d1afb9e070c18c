/** Each page of the dashboard in a real browser: content and actions, light and dark, on a phone, accessible. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolationsOn, describeInBrowser, openTab } from '../../../test/support/browser.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import {
  barriersOn,
  detail,
  dashboardServer,
  goTo,
  NO_BARRIERS,
  row,
  openPage,
  untilShown,
} from './dashboardServer.ts'

/**
 * A server with all kinds of entries: successful and failed calls, unmatched calls, a hint, a payment, a webhook, an
 * e-mail and an invitation.
 */
async function filledServer() {
  const server = await dashboardServer()
  const { call, sim, ask } = server
  await call('GET', '/crm/v1/contacts?colour=red')
  await call('GET', '/crm/v1/contacts/none')
  await ask('GET', '/crm/v1/contacts')
  await ask('GET', '/crm/v2/contacts')
  const sink = await receiver()
  await sim('POST', '/subscriptions', { interface: 'payments', url: sink.url })
  const body = { amount: 1500, currency: 'USD', description: 'Chair' }
  const { data: link } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', body)
  await sim('POST', '/triggers/payments.link.pay', { link_id: link.id })
  await sim('GET', '/deliveries?status=delivered&wait=300&count=1')
  const first = async (path: string): Promise<string> => {
    const { data } = await ask<{ data: { id: string }[] }>('GET', `/_sim/workspaces/demo${path}`)
    return data[0]?.id ?? ''
  }
  const pages = async () => [
    'now',
    `now?open=${await first('/timeline?kind=event')}`,
    'calls',
    `calls?open=${await first('/requests?status=404')}`,
    'hints',
    'inbox',
    'changes',
    'recordings',
    `recordings?open=${await first('/recordings')}`,
    'webhooks',
    `webhooks?open=${await first('/deliveries')}`,
    'records',
    'records?section=crm.deals&open=deal_demo0000000000000003',
    'triggers?open=payments.link.pay',
    'clock',
    'emails',
    `emails?open=${await first('/emails')}`,
    'coverage',
  ]
  return { ...server, sink, link: link.id, pages, first }
}

describeInBrowser('every page', () => {
  test('says that it loads until its content arrives', async () => {
    const { open, pages } = await filledServer()
    const tab = await open('clock')
    await untilShown(tab)
    // Holds requests until they are released. A route of the test would switch off the cache of the browser.
    await tab.addInitScript(`{
      const { fetch } = globalThis
      const released = new Promise((resolve) => { globalThis.release = resolve })
      const isHeld = /\\/_sim\\/(?:workspaces\\/demo\\/(?!stream)|machines|triggers)/
      globalThis.fetch = async (...request) => {
        if (isHeld.test(request[0].url ?? String(request[0]))) await released
        return fetch(...request)
      }
    }`)
    const loading = tab.getByText('Loading\u2026')
    for (const page of await pages()) {
      await openPage(tab, page)
      await loading.waitFor()
      await tab.evaluate('release()')
      await loading.waitFor({ state: 'detached' })
    }
  })

  test('has no accessibility violations in light and dark mode and on a phone, where it fits', async () => {
    const { open, pages, sim } = await filledServer()
    const { id } = await sim<{ id: string }>('POST', '/recordings', { name: 'Checkout' })
    await sim('POST', `/recordings/${id}/stop`)
    // Its notice is on every page.
    await sim('POST', '/recordings', { name: 'Refund' })
    const tab = await open('clock')
    for (const page of await pages()) {
      await goTo(tab, page)
      await untilShown(tab)
      if (page.includes('open=')) await detail(tab).getByRole('heading', { level: 2 }).first().waitFor()
      if (page === 'coverage') {
        await tab.getByText('Payment link', { exact: false }).first().click()
        await tab.getByRole('group', { name: 'Diagram of Payment link' }).waitFor()
      }
      expect({ page, barriers: await barriersOn(tab) }).toEqual({ page, barriers: NO_BARRIERS })
    }
  })
})

describeInBrowser('timeline', () => {
  test('is shown live, with causes and effects', async () => {
    const { open, call, sim } = await filledServer()
    const tab = await open('now')
    await tab.getByText('live', { exact: true }).waitFor()
    await call('POST', '/crm/v1/contacts', { name: 'Live Person', email: 'live@example.com' })
    await row(tab, 'POST /crm/v1/contacts 201').waitFor()
    await row(tab, 'event payments payment.completed').click()
    const details = detail(tab)
    await details.getByText('payments.link.pay').waitFor()
    await details.getByText('answered 200').waitFor()
    expect(tab.url()).toContain('open=evt_')

    await tab.getByLabel('Kind').selectOption('trigger')
    await expect.poll(() => tab.getByRole('list', { name: 'Timeline' }).getByRole('listitem').count()).toBe(1)
    expect(tab.url()).toContain('kind=trigger')
    await sim('POST', '/triggers/signage.pairing_code.issue', {})
    await row(tab, 'signage.pairing_code.issue').waitFor()
  })

  test('the key is copied with a click, and a workspace is created and opened', async () => {
    const { open, ask } = await dashboardServer()
    const tab = await open('now', { permissions: ['clipboard-read', 'clipboard-write'] })
    await tab.getByRole('button', { name: 'Copy the key' }).click()
    await tab.getByText('Copied').waitFor()
    expect(await tab.evaluate<string>('navigator.clipboard.readText()')).toBe('demo-key')
    await tab.getByRole('button', { name: 'Add workspace' }).click()
    await tab.getByLabel('Name').fill('Mine')
    await tab.getByLabel('Records').selectOption('small')
    await tab.getByRole('button', { name: 'Create workspace' }).click()
    await tab.getByRole('link', { name: 'Open workspace' }).click()
    await expect.poll(() => tab.url()).toMatch(/workspace=(?!demo)/)
    const { data } = await ask<{ data: { name: string }[] }>('GET', '/_sim/workspaces')
    expect(data.map(({ name }) => name)).toContain('Mine')
  })
})

describeInBrowser('unmatched calls', () => {
  const list = (tab: Page) => tab.getByRole('list', { name: 'Unmatched calls, newest first' })

  test('appear while the page is open, newest first, each with its error', async () => {
    const { open, ask, call } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('now')
    await tab.clock.install()
    await tab.reload()
    await tab.getByText('live', { exact: true }).waitFor()
    await call('GET', '/crm/v1/contacts')
    await expect
      .poll(async () => {
        await tab.clock.runFor(1000)
        return row(tab, 'GET /crm/v1/contacts 200').count()
      })
      .toBe(1)
    // A call with a workspace is only in its timeline.
    expect(await list(tab).count()).toBe(0)

    await ask('GET', '/crm/v1/deals', undefined, { authorization: 'Bearer mistyped-key-4711' })
    await ask('GET', '/crm/v1/contacts')
    await ask('GET', '/crm/v2/contacts')
    // They are not in the timeline, so the page polls for them.
    await tab.clock.runFor(5000)
    await expect.poll(() => list(tab).locator('> li').count()).toBe(3)
    const calls = await list(tab).locator('> li').allInnerTexts()
    expect(calls[0]).toMatch(/404\s+GET \/crm\/v2\/contacts\s+Nothing is mounted at \/crm\/v2\/contacts/)
    expect(calls[1]).toMatch(
      /401\s+GET \/crm\/v1\/contacts\s+The request has no authorization header\. This interface reads Authorization: Bearer KEY/,
    )
    expect(calls[2]).toMatch(
      /401\s+GET \/crm\/v1\/deals\s+The key is unknown\. .+ GET \/_sim\/keys\?workspaceId=ID lists/,
    )

    await list(tab).locator('> li').last().getByText('Request and response').click()
    await list(tab).getByText('"Bearer [redacted]"').waitFor()
    expect(await tab.content()).not.toContain('mistyped-key-4711')
  })

  test('are limited to the newest ten', async () => {
    const { open, ask } = await dashboardServer({ fixtures: 'small' })
    for (let count = 1; count <= 11; count++) await ask('GET', `/nowhere/${String(count)}`)
    const tab = await open('now')
    await list(tab).getByText('GET /nowhere/11', { exact: true }).waitFor()
    expect(await list(tab).locator('> li').count()).toBe(10)
    expect(await list(tab).getByText('GET /nowhere/1', { exact: true }).count()).toBe(0)
  })

  test.each([390, 1440, 1024])('are not broken within words at a width of %i', async (width) => {
    const { open, ask } = await dashboardServer({ fixtures: 'small' })
    await ask('GET', '/crm/v1/contacts')
    const tab = await open('now', { viewport: { width, height: 900 } })
    await list(tab).waitFor()
    for (const words of [list(tab).locator('time'), list(tab).locator('code').first()]) {
      const { height = 0 } = (await words.boundingBox()) ?? {}
      // Two lines are higher in any font.
      expect(height).toBeLessThan(40)
    }
    // They leave space for the timeline.
    const { height = 0 } = (await list(tab).boundingBox()) ?? {}
    expect(height).toBeLessThan(320)
  })
})

describeInBrowser('clock', () => {
  test('explains what delays a past attempt, links both, and offers no jump to it', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    const sink = await receiver(() => 500)
    await sim('PUT', '/clock', { frozen: true })
    await sim('POST', '/subscriptions', { interface: 'catalog', url: sink.url })
    const { data: product } = await call<{ data: { id: string } }>('POST', '/workspace/public/v1/products', {
      name: 'Desk',
      type: 'physical',
    })
    await sim('POST', '/clock/advance', { duration: 'PT0S' })
    const tab = await open('clock')
    const due = tab.getByRole('row').filter({ hasText: 'next delivery attempt' })
    await due.getByRole('button', { name: /^Advance to/ }).waitFor()
    expect(await tab.getByText('Held back by').count()).toBe(0)

    await call('PUT', `/workspace/public/v1/products/${product.id}`, { name: 'Table' })
    const { data } = await sim<{ data: { id: string; nextAttemptAt: string }[] }>('GET', '/deliveries')
    const [second, first] = data
    await tab
      .getByText(
        `Held back by delivery ${String(first?.id)} of the same record, which is retried at ${String(first?.nextAttemptAt)}`,
      )
      .waitFor()
    expect(await due.count()).toBe(2)
    const held = due.filter({ hasText: 'Held back by' })
    expect(await held.getByRole('button').count()).toBe(0)
    expect(await due.getByRole('button', { name: /^Advance to/ }).count()).toBe(1)
    expect(await accessibilityViolationsOn(tab)).toEqual([])
    await held.getByRole('link', { name: `delivery ${String(second?.id)}` }).click()
    await detail(tab).getByRole('heading', { name: 'pending product.updated' }).waitFor()
  })
})

describeInBrowser('a failure', () => {
  test('is red in every list, with its query and its reason; a refusal is amber', async () => {
    const { open, call, sim } = await dashboardServer()
    const dead = await receiver()
    await dead.close()
    await sim('POST', '/subscriptions', { interface: 'pos', url: dead.url })
    await sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
    await sim('POST', '/faults', { interface: 'crm', path: '/deals', status: 503 })
    await expect(call('GET', '/crm/v1/deals?page=1&per_page=5')).rejects.toThrow(
      'A fault that a test has set.',
    )
    await call('GET', '/crm/v1/contacts/none')
    const tab = await open('now')
    const isRed = (text: string): Promise<number> => row(tab, text).and(tab.locator('.failed')).count()
    await expect.poll(() => isRed('delivery pos sale.completed connection refused')).toBe(1)
    await expect.poll(() => isRed('request GET /crm/v1/deals 503')).toBe(1)
    expect(await isRed('GET /crm/v1/contacts/none 404')).toBe(0)
    expect(await row(tab, 'contacts/none 404').locator('.badge').getAttribute('class')).toBe('badge warn')
    expect(await row(tab, 'queued for').locator('.badge').getAttribute('class')).toBe('badge plain')
    await openPage(tab, 'calls')
    await expect.poll(() => isRed('/crm/v1/deals?page=1&per_page=5 Injected fault')).toBe(1)
    await row(tab, '/crm/v1/contacts/none There is no contact none.').click()
    await detail(tab).getByText('There is no contact none.').first().waitFor()
    expect(await row(tab, 'There is no contact none.').count()).toBe(0)
    expect(await accessibilityViolationsOn(tab)).toEqual([])

    await tab.getByRole('link', { name: '1 active fault' }).waitFor()
    await sim('DELETE', '/faults')
    // A new entry reloads the faults before the next poll.
    await call('GET', '/crm/v1/contacts')
    await tab.getByRole('link', { name: '1 active fault' }).waitFor({ state: 'detached' })
  })
})

describeInBrowser('a deletion', () => {
  test('asks first and says what is lost', async () => {
    const { open, call, sim } = await dashboardServer()
    await call('GET', '/crm/v1/contacts')
    const tab = await open('calls')
    const questions: string[] = []
    let answer: 'accept' | 'dismiss' = 'dismiss'
    tab.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog[answer]()
    })
    await tab.getByRole('button', { name: 'Clear journal' }).click()
    expect(questions).toEqual(['Delete all recorded calls of Almendro Office Furnishing?'])
    expect(await sim<{ data: unknown[] }>('GET', '/requests')).toHaveProperty('data.length', 1)
    answer = 'accept'
    await tab.getByRole('button', { name: 'Clear journal' }).click()
    await tab.getByText('No calls yet.', { exact: false }).waitFor()
  })
})

describeInBrowser('call', () => {
  test('shows why it was refused and its hints, and is copied and repeated', async () => {
    const { open, url, sim } = await filledServer()
    const tab = await open('calls?status=4xx', { permissions: ['clipboard-read', 'clipboard-write'] })
    await row(tab, '/crm/v1/contacts/none').click()
    const call = detail(tab)
    await call.getByText('There is no contact none.').first().waitFor()
    await call.getByText('part 1, "CRM"; refusals in part 1, "Errors"').waitFor()
    // The response body is in view, because the headers are collapsed.
    const body = call.getByRole('group', { name: 'Response body' })
    const { y = 0 } = (await body.boundingBox()) ?? {}
    expect(y).toBeLessThan(500)
    expect(await call.getByRole('group', { name: 'Response headers' }).isVisible()).toBe(false)
    const docs = call.getByRole('link', { name: 'CRM, Contacts: Get a contact' })
    expect(await docs.getAttribute('href')).toBe('docs?workspace=demo&interface=crm#/Contacts/getContact')
    await call.getByRole('button', { name: 'Copy as curl' }).click()
    const copied = () => tab.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(copied).toContain(`curl`)
    await call.getByRole('button', { name: 'Copy as fetch' }).click()
    await expect.poll(copied).toContain(`await fetch("${url}/crm/v1/contacts/none"`)
    const [saved] = await Promise.all([
      tab.waitForEvent('download'),
      call.getByRole('button', { name: 'Save as HAR' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/\.har$/)
    await call.getByRole('button', { name: 'Repeat call' }).click()
    await call.getByText('Repeated call: 404').waitFor()
    const { data } = await sim<{ data: object[] }>('GET', '/requests?status=404')
    expect(data).toHaveLength(2)

    await openPage(tab, 'calls?status=2xx')
    await row(tab, 'GET /crm/v1/contacts').click()
    await detail(tab).getByText('colour', { exact: false }).first().waitFor()
  })

  test('is made to fail', async () => {
    const { open, call, sim } = await filledServer()
    const tab = await open('calls?method=GET&status=2xx')
    await row(tab, 'GET /crm/v1/contacts').click()
    await detail(tab).getByRole('button', { name: 'Create fault for this call' }).click()
    await detail(tab).getByRole('button', { name: 'Create fault', exact: true }).click()
    await detail(tab).getByText('Fault created.').waitFor()
    expect(await sim('GET', '/faults')).toMatchObject({
      data: [{ interface: 'crm', path: '/crm/v1/contacts', status: 503, times: 1 }],
    })
    await tab.getByRole('button', { name: /^Delete fault/ }).click()
    await tab.getByText('No faults yet. Create one to make calls or deliveries fail.').waitFor()
    expect(await call('GET', '/crm/v1/contacts')).toHaveProperty('data')
  })
})

describeInBrowser('webhooks', () => {
  test('are subscribed with the built-in receiver, tested with a sample, and their signature is checked', async () => {
    const { open, url, sim } = await dashboardServer({ fixtures: 'small' })
    const tab = await open('webhooks')
    await tab.getByRole('button', { name: 'Add subscription' }).click()
    await tab.getByRole('button', { name: 'Use built-in receiver' }).click()
    expect(await tab.getByLabel('URL').inputValue()).toBe(`${url}/_sim/receiver`)
    await tab.getByRole('button', { name: 'Create subscription' }).click()
    const secret = await tab.getByRole('status').locator('code').innerText()
    await tab.getByRole('button', { name: 'Send test event' }).click()
    await row(tab, 'delivered pos sale.completed').click()
    const delivery = detail(tab)
    await delivery.getByLabel('Secret of the subscription').fill(secret)
    const { createHmac } = await import('node:crypto')
    const [sent] = (
      await sim<{ data: { payload: object }[] }>('GET', '/deliveries?status=delivered&interface=pos')
    ).data
    const signature = `sha256=${createHmac('sha256', secret).update(JSON.stringify(sent?.payload)).digest('hex')}`
    await delivery.getByText(signature).waitFor()
    await delivery.getByLabel('Received signature').fill(signature)
    await delivery.getByText('Signatures match').waitFor()
    await delivery.getByLabel('Received signature').fill('sha256=00')
    await delivery.getByText('Signatures differ').waitFor()
  })
})

describeInBrowser('records', () => {
  test('are found by a text, and moved with the call and the trigger of their machine', async () => {
    const { open, sim } = await filledServer()
    const tab = await open('records?section=crm.deals')
    await tab.getByLabel('Text').fill('torre norte')
    await row(tab, 'Two floors in Torre Norte').click()
    const one = detail(tab)
    await one.getByRole('button', { name: /^win / }).click()
    await one.getByLabel('reason').fill('price')
    await one.getByRole('button', { name: /^POST \/deals\/deal_demo0000000000000003\/won/ }).click()
    await one.getByText('win open to won').waitFor()
    await one.getByRole('button', { name: /^reopen / }).waitFor()
    expect(await sim('GET', '/records/crm.deals/deal_demo0000000000000003')).toMatchObject({
      state: 'won',
      record: { closeReason: 'price' },
    })
  })

  test('a link is paid from its record with the form of the trigger', async () => {
    const { open, call, sim } = await filledServer()
    const { data } = await call<{ data: { id: string } }>('POST', '/pay/v1/payment-links', {
      amount: 900,
      currency: 'USD',
    })
    const tab = await open(`records?section=payments.links&open=${data.id}`)
    await detail(tab).getByRole('button', { name: 'payments.link.pay' }).click()
    expect(await detail(tab).getByLabel('link_id *').inputValue()).toBe(data.id)
    await detail(tab).getByLabel('outcome').selectOption('completed')
    await detail(tab).getByRole('button', { name: 'Pull trigger' }).click()
    await detail(tab).getByText('pay active to paid').waitFor()
    expect(await sim('GET', `/records/payments.links/${data.id}`)).toMatchObject({ state: 'paid' })
  })
})

describeInBrowser('e-mails', () => {
  test('are shown with their HTML in a frame that runs no scripts', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    const template = await sim<{ id: string }>('POST', '/triggers/crm.template.define', {
      name: 'Page',
      subject: 'Hello {{contact.name}}',
      body: `<p style="color: rgb(0, 128, 0)">Dear {{contact.name}}</p><img src="x" onerror="parent.document.title='run'">
        <a href="https://example.com/offer">The offer</a><script>parent.document.title = 'run'</script>`,
    })
    await call('POST', '/crm/v1/automations', {
      name: 'Greet',
      active: true,
      trigger: { event: 'contact.created', conditions: [] },
      actions: [{ type: 'send_email', config: { template_id: template.id, to: '{{contact.email}}' } }],
    })
    await call('POST', '/crm/v1/contacts', { name: 'Ana', email: 'ana@example.com' })
    // The browser logs what the policy of the frame blocks.
    const tab = await open('emails', { expected: /Content Security Policy|sandboxed/ })
    await row(tab, 'Hello Ana').click()
    const letter = tab.frameLocator('iframe')
    const paragraph = letter.getByText('Dear Ana')
    await paragraph.waitFor()
    expect(
      await paragraph.evaluate((element) => (element as unknown as { style: { color: string } }).style.color),
    ).toBe('rgb(0, 128, 0)')
    expect(await letter.getByRole('link', { name: 'The offer' }).getAttribute('target')).toBe('_blank')
    expect(await tab.title()).toBe('E-mails \u00B7 Suite Simulator')
  })

  test('are shown with their invitations and attachments', async () => {
    const { open, call, sim } = await dashboardServer({ fixtures: 'small' })
    const { data: vacancies } = await call<{ data: { id: string; status: string }[] }>(
      'GET',
      '/recruiting/v1/vacancies?status=published',
    )
    const candidate = await sim<{ candidate_id: string }>('POST', '/triggers/recruiting.candidate.apply', {
      vacancy_id: vacancies[0]?.id,
      name: 'Ivo Ruiz',
      email: 'ivo@example.com',
    })
    await call('POST', '/recruiting/v1/interviews', {
      vacancy_id: vacancies[0]?.id,
      candidate_id: candidate.candidate_id,
      type: 'video_platform',
      scheduled_at: '2031-05-05T15:00:00Z',
      interviewers: [{ name: 'Marco Vega', email: 'marco@example.com' }],
    })
    const tab = await open('emails?to=marco@example.com')
    await row(tab, 'marco@example.com').click()
    const invitation = detail(tab).getByRole('article')
    await invitation.getByText('Mon, 05 May 2031').first().waitFor()
    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      detail(tab).getByRole('button', { name: /\.ics/ }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.ics$/)
    const [eml] = await Promise.all([
      tab.waitForEvent('download'),
      detail(tab).getByRole('button', { name: 'Save as .eml' }).click(),
    ])
    expect(eml.suggestedFilename()).toMatch(/\.eml$/)
  })
})

describeInBrowser('admin token', () => {
  test('is requested once, kept for the tab, and requested again if it is wrong', async () => {
    const { open, url } = await dashboardServer({ fixtures: 'small', adminToken: 'right' })
    const tab = await open('clock')
    await tab.getByLabel('Token').fill('wrong')
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab
      .getByText('The admin token is wrong. Use the value of --admin-token', { exact: false })
      .waitFor()
    await tab.getByLabel('Token').fill('right')
    await tab.getByRole('button', { name: 'Open' }).click()
    await tab.getByRole('button', { name: 'Freeze' }).waitFor()
    await tab.getByText('live', { exact: true }).waitFor()
    await tab.reload()
    await tab.getByRole('button', { name: 'Freeze' }).waitFor()
    const other = await openTab()
    await other.goto(`${url}/_sim/#/now`)
    await other.getByLabel('Token').waitFor()
    expect(await accessibilityViolationsOn(other)).toEqual([])
  })
})
