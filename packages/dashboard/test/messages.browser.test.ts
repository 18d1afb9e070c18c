/** The pages Webhooks, Inbox and E-mails in a real browser. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../../../test/support/browser.ts'
import { receiver } from '../../../test/support/webhooks.ts'
import { barriersOn, dashboardServer, detail, goTo, NO_BARRIERS, openPage, row } from './dashboardServer.ts'

interface Rows<Row> {
  readonly data: Row[]
}

const smallServer = () => dashboardServer({ fixtures: 'small' })
type Server = Awaited<ReturnType<typeof smallServer>>

/** Subscribes the built-in receiver to the point of sale, and waits for one delivery. */
async function receivedOne({ sim, url }: Server, event = 'sale.completed') {
  const subscription = await sim<{ id: string; secret: string }>('POST', '/subscriptions', {
    interface: 'pos',
    url: `${url}/_sim/receiver`,
  })
  await sim('POST', '/triggers/pos.event.emit', { event })
  const { data } = await sim<Rows<{ id: string; body: string }>>('GET', '/inbox?wait=300&count=1')
  return { subscription, entry: data[0] }
}

const chips = (tab: Page) => tab.getByRole('region', { name: 'Subscriptions' })

describeInBrowser('webhooks, inbox and e-mails', () => {
  test('have no accessibility violations in light and dark mode and on a phone, where they fit', async () => {
    const server = await dashboardServer()
    const { open, sim } = server
    const gone = await receiver(() => 410)
    await sim('POST', '/subscriptions', { interface: 'pos', url: gone.url })
    const { subscription, entry } = await receivedOne(server)
    await sim('POST', '/faults', { delivery: 'truncate', times: 1 })
    await sim('POST', '/triggers/pos.event.emit', { event: 'stock.low' })
    const { data: inbox } = await sim<Rows<{ id: string }>>('GET', '/inbox?wait=300&count=2')
    const { data: dead } = await sim<Rows<{ id: string }>>('GET', '/deliveries?status=dead&interface=pos')
    const { data: emails } = await sim<Rows<{ id: string }>>('GET', '/emails')
    const tab = await open('clock')
    for (const [page = '', ...tabs] of [
      ['webhooks'],
      [`webhooks?subscription=${subscription.id}`],
      [`webhooks?open=${String(dead[0]?.id)}`],
      ['inbox'],
      [`inbox?open=${String(inbox[0]?.id)}`],
      [`inbox?open=${String(entry?.id)}`, 'Raw body', 'Headers', 'Verify it yourself'],
      ['emails'],
      [`emails?open=${String(emails[0]?.id)}`, 'Text', 'Headers', 'Source'],
    ]) {
      await goTo(tab, page)
      if (page.includes('open='))
        await detail(tab).getByRole('tab').first().or(detail(tab).getByText('Attempts')).waitFor()
      else await tab.locator('.rows').getByRole('listitem').first().waitFor()
      for (const name of [null, ...tabs]) {
        if (name !== null) await detail(tab).getByRole('tab', { name }).click()
        expect({ page, name, barriers: await barriersOn(tab) }).toEqual({ page, name, barriers: NO_BARRIERS })
      }
    }
  })
})

describeInBrowser('deliveries', () => {
  test('show their last result, repeats and next attempt, and the clock advances to it', async () => {
    const { open, sim } = await smallServer()
    const sink = await receiver(() => 500)
    await sim('PUT', '/clock', { frozen: true })
    await sim('POST', '/subscriptions', { interface: 'pos', url: sink.url })
    await sim('POST', '/triggers/pos.event.emit', { event: 'sale.completed' })
    await sim('POST', '/clock/advance', { duration: 'PT1M' })
    const tab = await open('webhooks')
    const delivery = row(tab, `pending pos sale.completed ${sink.url}`)
    await delivery.getByText(/^500, 2 times, next in [34] min$/).waitFor()
    expect(await delivery.locator('.badge').getAttribute('class')).toBe('badge warn')
    await delivery.click()
    await detail(tab).getByText('and the clock is frozen').waitFor()
    await detail(tab).getByRole('button', { name: 'Advance clock to next attempt' }).click()
    await row(tab, '500, 3 times').waitFor()
    await detail(tab).getByRole('row').filter({ hasText: '3 times' }).waitFor()

    await sim('POST', '/clock/advance', { duration: 'P2D' })
    await row(tab, 'dead pos sale.completed').and(tab.locator('.failed')).getByText('500, 8 times').waitFor()
  })

  test('are filtered by subscription, with the numbers of its pending and dead deliveries', async () => {
    const { open, sim } = await smallServer()
    const subscribe = async (of: string, url: string): Promise<void> => {
      await sim('POST', '/subscriptions', { interface: of, url })
    }
    const [failing, gone] = [await receiver(() => 500), await receiver(() => 410)]
    await sim('PUT', '/clock', { frozen: true })
    await subscribe('pos', failing.url)
    await subscribe('pos', gone.url)
    await sim('POST', '/triggers/pos.event.emit', { event: 'stock.low' })
    await sim('POST', '/clock/advance', { duration: 'PT0S' })
    const tab = await open('webhooks')
    await row(tab, failing.url).waitFor()
    await row(tab, gone.url).waitFor()
    await chips(tab).getByRole('link', { name: '1 pending' }).waitFor()
    await chips(tab).getByRole('link', { name: 'inactive 1 dead' }).click()
    await row(tab, failing.url).waitFor({ state: 'detached' })
    await row(tab, gone.url).waitFor()
    expect(tab.url()).toContain('subscription=')
    expect(await chips(tab).locator('[aria-current]').innerText()).toMatch(/1\s+dead/)

    const questions: string[] = []
    tab.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.accept()
    })
    await tab.getByRole('button', { name: /^Delete subscription/ }).click()
    await row(tab, failing.url).waitFor()
    expect(questions).toEqual([
      `Delete the subscription of pos to ${gone.url}? No new webhooks are sent there.`,
    ])
    const { data } = await sim<Rows<{ url: string }>>('GET', '/subscriptions')
    expect(data.map(({ url }) => url)).not.toContain(gone.url)
  })

  test('stay in their place when the subscriptions arrive', async () => {
    const { open, sim, url } = await dashboardServer()
    for (let count = 0; count < 10; count++) {
      await sim('POST', '/subscriptions', { interface: 'pos', url: `${url}/_sim/receiver` })
    }
    await sim('POST', '/triggers/pos.event.emit', { event: 'stock.low' })
    await sim('GET', '/deliveries?interface=pos&status=delivered&wait=300&count=10')
    const tab = await open('webhooks')
    await row(tab, 'stock.low').waitFor()
    await tab.goto('about:blank')
    await tab.addInitScript(
      "globalThis.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true })",
    )
    for (const page of ['webhooks', 'inbox', 'emails']) {
      await tab.goto('about:blank')
      await tab.goto(`${url}/_sim/#/${page}`)
      await tab.locator('.rows').getByRole('listitem').first().waitFor()
      if (page === 'webhooks') await chips(tab).getByRole('listitem').nth(10).waitFor()
      const shifts = await tab.evaluate<number[]>('shifts')
      expect({ page, sum: shifts.reduce((sum, value) => sum + value, 0) < 0.02 }).toEqual({ page, sum: true })
    }
  })

  test('that are dead are sent again together, also if only older ones are dead', async () => {
    const { open, sim } = await smallServer()
    const gone = await receiver(() => 410)
    await sim('POST', '/subscriptions', { interface: 'pos', url: gone.url })
    await sim('POST', '/triggers/pos.event.emit', { event: 'stock.low' })
    const { data } = await sim<Rows<object>>('GET', '/deliveries?status=dead&wait=300&count=1')
    const tab = await open('webhooks')
    const button = tab.getByRole('button', { name: 'Redeliver all dead' })
    const result = tab.getByText('No dead delivery has an active subscription.')
    await button.click()
    await result.waitFor()
    await tab.getByRole('combobox', { name: 'Interface' }).selectOption('pos')
    await result.waitFor({ state: 'detached' })

    let shown = 1000
    await tab.route('**/deliveries?*', (route) =>
      route.fulfill({
        json: {
          data: Array.from({ length: shown }, (_, index) => ({
            ...data[0],
            id: `whd_${String(index)}`,
            status: 'delivered',
          })),
        },
      }),
    )
    await openPage(tab, 'webhooks')
    await button.click()
    await result.waitFor()
    shown = 999
    await openPage(tab, 'webhooks')
    await row(tab, 'stock.low').waitFor()
    expect(await button.count()).toBe(0)
  })

  test('and a test event say what was sent', async () => {
    const { open, url } = await smallServer()
    const tab = await open('webhooks')
    await tab.getByRole('button', { name: 'Send test event' }).click()
    await tab.getByText('No active subscription to sale.completed of pos.').waitFor()
    await tab.getByRole('button', { name: 'Add subscription' }).click()
    await tab.getByRole('button', { name: 'Use built-in receiver' }).click()
    await tab.getByRole('button', { name: 'Create subscription' }).click()
    await chips(tab)
      .getByRole('link', { name: `pos ${url.replace('http://', '')}/_sim/receiver` })
      .waitFor()
    await tab.getByRole('button', { name: 'Send test event' }).click()
    await tab.getByText('The test event was sent.').waitFor()
    await row(tab, 'delivered pos sale.completed').waitFor()
  })
})

describeInBrowser('the inbox', () => {
  test('is empty until its receiver is subscribed, and then shows webhooks live', async () => {
    const { open, sim } = await smallServer()
    const tab = await open('inbox')
    await tab.getByText('No webhooks received yet.', { exact: false }).waitFor()
    await tab.getByText('live', { exact: true }).waitFor()
    await tab.getByRole('button', { name: 'Subscribe receiver' }).click()
    await tab.getByText('The receiver gets all events of pos.', { exact: false }).waitFor()
    await sim('POST', '/triggers/pos.event.emit', { event: 'stock.low' })
    await row(tab, 'verified pos stock.low').click()
    await detail(tab).getByRole('tab', { name: 'Payload', selected: true }).waitFor()
    await detail(tab).getByRole('group', { name: 'Payload' }).getByText('"stock.low"').waitFor()

    await openPage(tab, 'inbox?event=STOCK.high')
    await tab.getByText('No matching webhooks.').waitFor()
    await openPage(tab, 'inbox?event=POS+Stock.LOW')
    await row(tab, 'verified pos stock.low').waitFor()

    tab.on('dialog', (dialog) => void dialog.accept())
    await tab.getByRole('button', { name: 'Clear inbox' }).click()
    await tab.getByText('No webhooks received yet.', { exact: false }).waitFor()
    expect(await sim('GET', '/inbox')).toEqual({ data: [] })
  })

  test('shows the raw body, the headers, and why a signature is wrong', async () => {
    const server = await smallServer()
    const { open, sim } = server
    await sim('POST', '/faults', { delivery: 'truncate', times: 1 })
    const { entry, subscription } = await receivedOne(server)
    const tab = await open('inbox')
    await row(tab, 'not verified pos sale.completed').and(tab.locator('.failed')).click()
    const opened = detail(tab)
    await opened.getByText('is not the signature of this body', { exact: false }).waitFor()
    await opened.getByText('The body is not valid JSON', { exact: false }).waitFor()
    await opened.getByText(subscription.secret).waitFor()
    await opened.getByRole('tab', { name: 'Payload' }).press('ArrowRight')
    await opened.getByRole('tab', { name: 'Raw body', selected: true }).waitFor()
    expect(await opened.getByRole('group', { name: 'Raw body' }).innerText()).toBe(entry?.body)
    await opened.getByRole('tab', { name: 'Raw body' }).press('ArrowRight')
    await opened.getByRole('row').filter({ hasText: 'x-service-delivery' }).waitFor()
    await opened.getByRole('tab', { name: 'Headers' }).press('End')
    await opened.getByRole('tab', { name: 'Verify it yourself', selected: true }).waitFor()
    await openPage(tab, 'inbox?signature=verified')
    await tab.getByText('No matching webhooks.').waitFor()
  })

  test('has programs with the secret and the header, to copy and to save with the raw body', async () => {
    const server = await smallServer()
    const { open } = server
    const { entry, subscription } = await receivedOne(server)
    const tab = await open(`inbox?open=${String(entry?.id)}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const opened = detail(tab)
    await opened.getByRole('tab', { name: 'Verify it yourself' }).click()
    for (const [language, file] of [
      ['Node.js', 'verify.mjs'],
      ['Python', 'verify.py'],
      ['Go', 'verify.go'],
      ['Java', 'Verify.java'],
      ['PHP', 'verify.php'],
      ['Ruby', 'verify.rb'],
    ] as const) {
      await opened.getByRole('tab', { name: language, exact: true }).click()
      const program = await opened.getByRole('group', { name: file }).innerText()
      expect(program).toContain(subscription.secret)
      expect(program).toMatch(/sha256=[0-9a-f]{64}/)
      await opened.getByRole('button', { name: `Copy ${file.toLowerCase()}` }).click()
      const copied = () => tab.evaluate<string>('navigator.clipboard.readText()')
      await expect.poll(async () => (await copied()).trim()).toBe(program.trim())
    }
    const [saved] = await Promise.all([
      tab.waitForEvent('download'),
      opened.getByRole('button', { name: 'Save body.json' }).click(),
    ])
    expect(readFileSync(await saved.path(), 'utf8')).toBe(entry?.body)
  })
})

describeInBrowser('an e-mail', () => {
  test('shows its sender, cause, headers, source and attachments', async () => {
    const { open, call, sim } = await smallServer()
    const { data: vacancies } = await call<Rows<{ id: string }>>(
      'GET',
      '/recruiting/v1/vacancies?status=published',
    )
    const vacancy_id = vacancies[0]?.id
    const { candidate_id } = await sim<{ candidate_id: string }>(
      'POST',
      '/triggers/recruiting.candidate.apply',
      { vacancy_id, name: 'Ivo Ruiz', email: 'ivo@example.com' },
    )
    await call('POST', '/recruiting/v1/interviews', {
      vacancy_id,
      candidate_id,
      type: 'video_platform',
      scheduled_at: '2031-05-05T15:00:00Z',
      interviewers: [{ name: 'Marco Vega', email: 'marco@example.com' }],
    })
    const tab = await open('emails')
    await row(tab, 'Suite Simulator to marco@example.com').getByText('1 attachment').waitFor()
    await row(tab, 'Suite Simulator to marco@example.com').click()
    const opened = detail(tab)
    await opened.getByText('Suite Simulator <no-reply@suite-simulator.example>').waitFor()
    await opened.getByRole('button', { name: 'Preview attachment 1' }).click()
    await opened.getByText('BEGIN:VCALENDAR').waitFor()
    await opened.getByRole('tab', { name: 'Headers' }).click()
    await opened.getByRole('row').filter({ hasText: 'X-Suite-Interface' }).getByText('recruiting').waitFor()
    await opened.getByRole('tab', { name: 'Source' }).click()
    await opened.getByText('MIME-Version: 1.0', { exact: false }).waitFor()
    await opened.getByRole('link', { name: 'request POST /recruiting/v1/interviews 201' }).click()
    await detail(tab).getByRole('heading', { name: 'POST /recruiting/v1/interviews 201' }).waitFor()
  })

  test('opens a PDF in a tab of its own, and shows texts and images in the page', async () => {
    const { open, call, sim } = await dashboardServer()
    const { data } = await call<Rows<{ id: string }>>('GET', '/einvoicing/v1/invoices?limit=1')
    const body = { email: 'client@example.com' }
    await call('POST', `/einvoicing/v1/invoices/${String(data[0]?.id)}/send`, body)
    const { data: emails } = await sim<Rows<{ id: string; attachments: { contentType: string }[] }>>(
      'GET',
      '/emails?to=client@example.com',
    )
    const types = emails[0]?.attachments.map(({ contentType }) => contentType) ?? []
    const numberOf = (type: string) => String(types.findIndex((each) => each.startsWith(type)) + 1)
    const tab = await open(`emails?open=${String(emails[0]?.id)}`)
    const opened = detail(tab)
    const [pdf] = await Promise.all([
      tab.context().waitForEvent('page'),
      opened.getByRole('button', { name: `Preview attachment ${numberOf('application/pdf')}` }).click(),
    ])
    expect(pdf.url()).toMatch(/^blob:/)
    await opened.getByRole('button', { name: `Preview attachment ${numberOf('application/xml')}` }).click()
    await opened.getByText('<cfdi:Comprobante', { exact: false }).waitFor()

    // No interface attaches images, so the server answers with one here.
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await tab.route(/emails\/[^/]+$/, async (route) => {
      const response = await route.fetch()
      const email = (await response.json()) as object
      const types = ['image/png', 'image/svg+xml', 'text/html']
      const attachments = types.map((contentType) => ({ filename: 'pixel', contentType, size: 70 }))
      await route.fulfill({ response, json: { ...email, attachments } })
    })
    await tab.route(/attachments\/0$/, (route) =>
      route.fulfill({ contentType: 'image/png', body: Buffer.from(pixel, 'base64') }),
    )
    await tab.reload()
    await opened.getByRole('button', { name: 'Preview attachment 1' }).click()
    await opened.getByRole('img', { name: 'pixel' }).waitFor()
    expect(await opened.getByRole('button', { name: 'Preview attachment 2' }).count()).toBe(0)
    expect(
      await opened
        .getByRole('img')
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(1)
  })
})
