/**
 * One journey on each set of pages that the interfaces serve, in a real browser, with a check of its accessibility.
 * Each page's other rules: `test/interfaces/*\/*.browser.test.ts`, in the full run.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freshApp } from '../support/app.ts'
import {
  accessibilityViolationsOn,
  describeInBrowser,
  navigate,
  openTab,
  PHONE,
  phoneProblemsOn,
} from '../support/browser.ts'
import { freshChat } from '../support/chatting.ts'
import { freshForms } from '../support/formBuilding.ts'
import { CANAL, freshLiteInvoicing } from '../support/liteInvoicing.ts'
import { freshMeetings } from '../support/meeting.ts'
import { listenTo, VALID_EXPIRY } from '../support/payers.ts'
import { build } from '../support/process.ts'
import { freshRecruiting } from '../support/recruiting.ts'
import { drawing, EVERY_DAY, freshSignage, type ReportBody } from '../support/signage.ts'
import { dashboardHere } from '../../packages/dashboard/test/dashboardServer.ts'

/** The script of the API reference. */
beforeAll(build)

const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

/** Types a valid card with this number. */
async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(VALID_EXPIRY)
  await page.getByLabel('Security code').fill('123')
}

async function expectNoBarriers(page: Page): Promise<void> {
  expect([await accessibilityViolationsOn(page), await phoneProblemsOn(page)]).toEqual([[], []])
}

describeInBrowser('a person', () => {
  test('pays a link on a phone, after a declined card', async () => {
    const fresh = await freshApp()
    await listenTo(fresh)
    const payments = fresh.at<{ data: { id: string; url: string; status: string } }>('payments')
    const body = { amount: 1250, currency: 'USD', description: 'Standing desk' }
    const { data: link } = (await payments('POST', '/payment-links', { body })).body
    const page = await openTab(PHONE)
    await page.goto(link.url)
    await typeCard(page, '4000 0000 0000 0002')
    const pay = () => navigate(page, () => page.getByRole('button', { name: 'Pay' }).click())
    await pay()
    expect(await page.getByRole('alert').innerText()).toContain('The payment was declined.')
    await expectNoBarriers(page)
    await page.getByText('Test cards').click()
    await page.getByRole('button', { name: /^Fill in 5555/ }).click()
    await pay()
    expect(await heading(page)).toBe('Payment completed')
    expect((await payments('GET', `/payment-links/${link.id}`)).body.data.status).toBe('paid')
  })

  test('pays in a popup of a shop, which is notified', async () => {
    const shop = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,"><button>Open</button><script>
        addEventListener('message', ({ data }) => { document.title = data.type + ' ' + data.card.last4 })
        document.querySelector('button').onclick = () => open(decodeURIComponent(location.hash.slice(1)), 'checkout')
        </script>`)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => {
      shop.close()
      shop.closeAllConnections()
    })
    const fresh = await freshApp()
    await listenTo(fresh)
    const api = fresh.at<{ data: { paymentLinkUrl: string } }>('integration-payments')
    const product = { productCode: 'plan', name: 'Plan', paymentType: 'one_time', price: 1, currency: 'USD' }
    const triggers = `/_sim/workspaces/${fresh.workspace.id}/triggers`
    await fresh.call('POST', `${triggers}/integration-payments.product.create`, { body: product })
    const customer = { name: 'Ana Pérez', email: 'ana@example.com' }
    const body = { concept: 'Annual plan', amount: 129_900, productCode: 'plan', customer }
    const { paymentLinkUrl } = (await api('POST', '/v1/collections/payment-links', { body })).body.data
    const page = await openTab()
    const { port } = shop.address() as AddressInfo
    await page.goto(`http://localhost:${String(port)}/#${encodeURIComponent(paymentLinkUrl)}`)
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Open' }).click(),
    ])
    await popup.getByRole('heading', { level: 1, name: 'Annual plan' }).waitFor()
    await typeCard(popup, '4242 4242 4242 4242')
    expect(await accessibilityViolationsOn(popup)).toEqual([])
    await Promise.all([
      popup.waitForEvent('close'),
      // The popup may close before the click is reported.
      popup
        .locator('button[type=submit]')
        .click()
        .catch((error: unknown) => {
          if (!popup.isClosed()) throw error
        }),
    ])
    await page.waitForFunction("document.title === 'sim_paid 4242'")
  })

  test('answers a form question by question, with the keyboard', async () => {
    const { fresh, publishNew, responses, response } = await freshForms()
    const base = await listenTo(fresh)
    const { id, slug } = await publishNew([
      { id: 'name', type: 'short_text', label: 'Name', required: true },
      { id: 'stars', type: 'rating', label: 'How happy are you?', required: true, description: '5 is very.' },
      {
        id: 'why',
        type: 'long_text',
        label: 'Why?',
        required: true,
        visibleIf: { fieldId: 'stars', operator: 'equals', value: 1 },
      },
      { id: 'some', type: 'multi_select', label: 'What did you buy?', options: ['Desk', 'Chair'] },
    ])
    const page = await openTab(PHONE)
    await page.goto(`${base}/forms/f/${slug}?mode=classic`)
    await expectNoBarriers(page)
    await page.goto(`${base}/forms/f/${slug}`)
    const next = page.getByRole('button', { name: 'Next' })
    await page.getByLabel('Name').focus()
    await page.keyboard.type('Rosa')
    await page.keyboard.press('Enter')
    await page.getByLabel('1', { exact: true }).check({ force: true })
    await next.click()
    await page.getByLabel('Why?').fill('It squeaks')
    await next.click()
    await page.getByLabel('Chair').check()
    await navigate(page, () => page.getByRole('button', { name: 'Send' }).click())
    expect(await heading(page)).toBe('Thank you')
    const [item] = await responses(id)
    expect((await response(id, item?.id ?? '')).answers.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['Rosa', 1, 'It squeaks', ['Chair']]),
    )
  })

  test('asks in the widget, and reads the answer without a reload', async () => {
    const chat = await freshChat()
    const inbox = await chat.website({ greeting_enabled: true, greeting_message: 'Hello!' })
    const page = await openTab(PHONE)
    await page.goto(`${await listenTo(chat)}/chat/widget/${chat.workspace.id}/${String(inbox)}`)
    await page.getByLabel('Name').fill('Marta')
    await navigate(page, () => page.getByRole('button', { name: 'Start conversation' }).click())
    await page.getByText('Live').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is my desk?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#talk').getByText('Where is my desk?').waitFor()
    const { body } = await chat.chat('GET', '/conversations')
    const messages = `/conversations/${String(body.data.payload[0].id)}/messages`
    await chat.chat('POST', messages, { content: 'A note', private: true })
    await chat.chat('POST', messages, { content: 'On its <b>way</b>.' })
    await page.locator('#talk').getByText('On its <b>way</b>.').waitFor()
    // The greeting, the question and the answer; notes are visible only to agents.
    expect(await page.locator('#talk .saying').count()).toBe(3)
    await expectNoBarriers(page)
  })

  test('joins a meeting and ends it', async () => {
    const { fresh, create, admit, act } = await freshMeetings()
    await listenTo(fresh)
    const id = await create()
    const host = await admit(id, { preset_name: 'sim_meet_host', name: 'Ana' })
    const page = await openTab(PHONE)
    await page.goto(host.url)
    await navigate(page, () => page.getByRole('button', { name: 'Join' }).click())
    await act(host.guestUrl, { action: 'join', name: 'Eva' })
    await page.reload()
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['Ana (you)', 'Eva'])
    await expectNoBarriers(page)
    await navigate(page, () => page.getByRole('button', { name: 'End the meeting for all' }).click())
    expect(await page.getByText('Nobody is in the meeting.').isVisible()).toBe(true)
  })

  test('applies for a vacancy, after an error, with a résumé', async () => {
    const { fresh, addVacancy, ask, getCandidate } = await freshRecruiting()
    await listenTo(fresh)
    const vacancy = await addVacancy({ title: 'Joiner', description: 'You make doors.', skills: ['wood'] })
    const page = await openTab(PHONE)
    await page.goto(vacancy.public_url)
    await page.getByLabel('Name').fill('Rosa Medina')
    const send = () => navigate(page, () => page.getByRole('button', { name: 'Send application' }).click())
    await send()
    expect(await page.title()).toMatch(/^Error: Joiner/)
    await expectNoBarriers(page)
    await page.getByRole('link', { name: 'Give your e-mail address.' }).click()
    await page.keyboard.type('rosa@example.com')
    const buffer = Buffer.from('I make doors.')
    await page.getByLabel('Résumé').setInputFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer })
    await send()
    expect(await heading(page)).toBe('Thank you for your application')
    const { data } = await ask<{ data: { id: string }[] }>('GET', `/vacancies/${vacancy.id}/candidates`)
    const profile = await getCandidate(String(data[0]?.id))
    expect(profile.name).toBe('Rosa Medina')
    expect(profile.documents.cv_url).toContain('cv.txt')
  })

  test('pairs a screen with the code of its player, which plays and reports', async () => {
    const { fresh, addMedia, addPlaylist, addSchedule, ask } = await freshSignage()
    const base = await listenTo(fresh)
    const media = await addMedia({ name: 'Desk', file: drawing(160, 90) })
    const page = await openTab({ viewport: { width: 1280, height: 720 } })
    await page.goto(`${base}/grid/player/${fresh.workspace.id}`)
    await navigate(page, () => page.getByRole('button', { name: 'Show a code' }).click())
    expect(await accessibilityViolationsOn(page)).toEqual([])
    const pairing_code = await page.locator('.amount').innerText()
    const { id } = await ask<{ id: string }>('POST', '/screens', { pairing_code, name: 'Window' })
    await page.waitForURL(`**/screens/${id}`)
    await page.getByText('Nothing to show').waitFor()
    const { id: playlist_id } = await addPlaylist({ items: [{ media_id: media.id, duration: 10 }] })
    const rules = [{ days: EVERY_DAY, time_start: '00:00', time_end: '00:00', playlist_id }]
    await addSchedule({ rules, screen_ids: [id] })
    await page.clock.install()
    await page.reload()
    const item = page.locator(`#stage img[data-media="${media.id}"]`).last()
    await item.waitFor()
    expect(await item.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 720 })
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/playbacks')),
      page.clock.runFor(10_000),
    ])
    expect((await ask<ReportBody>('GET', '/analytics/playback')).data).toMatchObject([
      { media_id: media.id, total_plays: 1, total_duration_seconds: 10 },
    ])
  })

  test('reads an invoice, and that it was canceled', async () => {
    const { fresh, issue, cancel } = await freshLiteInvoicing()
    await listenTo(fresh)
    const { id, documentUrl } = await issue({ client: { taxReceiverType: '01', ...CANAL } })
    const page = await openTab(PHONE)
    await page.goto(documentUrl)
    expect(await page.getByRole('cell').allInnerTexts()).toEqual(['Chair', '1', '10', '0 %', '10.00'])
    await cancel({ id })
    await page.reload()
    expect(await page.title()).toMatch(/^Canceled: Invoice/)
    await expectNoBarriers(page)
  })

  test('tries an operation in the API reference', async () => {
    const { open, sim, workspace } = await dashboardHere()
    const tab = await open('now')
    await tab.getByRole('link', { name: 'Docs' }).click()
    await tab.waitForURL(`**/docs?workspace=${workspace}`)
    await tab.goto(`${tab.url().split('#')[0] ?? ''}&utm_source=mail&interface=forms#/Forms/listForms`)
    await tab.getByRole('button', { name: 'Execute' }).click()
    await tab.locator('.live-responses-table').getByText('200').first().waitFor()
    const { data } = await sim<{ data: { path: string; status: number }[] }>('GET', '/requests')
    expect(data).toMatchObject([{ path: '/forms/api/v1/forms', status: 200 }])
  })
})
