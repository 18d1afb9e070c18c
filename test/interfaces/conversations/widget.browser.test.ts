/** The widget in a real browser: a visitor writes, an agent answers, and the answer appears without a reload. */
import { expect, test } from 'vitest'
import {
  accessibilityViolationsOn,
  describeInBrowser,
  navigate,
  openTab,
  PHONE,
  phoneProblemsOn,
} from '../../support/browser.ts'
import { freshChat } from '../../support/chatting.ts'
import { formOf } from '../../support/forms.ts'
import { PIXEL } from '../../support/signage.ts'
import { soundOf } from '../../support/videos.ts'
import { listenTo } from '../../support/payers.ts'

describeInBrowser('widget', () => {
  test('is live, works on a phone, and has no accessibility violations', async () => {
    const chat = await freshChat()
    const inbox = await chat.website({ greeting_enabled: true, greeting_message: 'Hello!' })
    const address = `${await listenTo(chat)}/chat/widget/${chat.workspace.id}/${String(inbox)}`
    const page = await openTab(PHONE)
    await page.goto(address)
    expect([await accessibilityViolationsOn(page), await phoneProblemsOn(page)]).toEqual([[], []])
    await page.getByLabel('Name').fill('Marta')
    await navigate(page, () => page.getByRole('button', { name: 'Start conversation' }).click())
    await page.getByText('Live').waitFor()

    await page.getByRole('textbox', { name: 'Message' }).fill('Where is my desk?')
    await page.getByRole('textbox', { name: 'Message' }).press('Enter')
    await page.locator('#talk').getByText('Where is my desk?').waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')

    const { body } = await chat.chat('GET', '/conversations')
    const messages = `/conversations/${String(body.data.payload[0].id)}/messages`
    await chat.chat('POST', messages, { content: 'A note', private: true })
    await chat.chat('POST', messages, { content: 'On its <b>way</b>.' })
    await page.locator('#talk').getByText('On its <b>way</b>.').waitFor()
    // The greeting, the question and the answer; notes are visible only to agents.
    expect(await page.locator('#talk .saying').count()).toBe(3)
    expect([await accessibilityViolationsOn(page), await phoneProblemsOn(page)]).toEqual([[], []])
  })

  test('has a field as wide as its button, loads pictures, and keeps a playing voice note', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const address = await listenTo(chat)
    const page = await openTab(PHONE)
    await page.goto(`${address}/chat/widget/${chat.workspace.id}/${String(inbox)}`)
    await page.getByLabel('Name').fill('Marta')
    await navigate(page, () => page.getByRole('button', { name: 'Start conversation' }).click())
    await page.getByText('Live').waitFor()
    const field = page.getByRole('textbox', { name: 'Message' })
    const widthOf = async (each: typeof field) => (await each.boundingBox())?.width
    expect(await widthOf(field)).toBe(await widthOf(page.getByRole('button', { name: 'Send' })))

    await field.fill('Hi')
    await field.press('Enter')
    await page.locator('#talk').getByText('Hi').waitFor()
    const { body } = await chat.chat('GET', '/conversations')
    const messages = `/conversations/${String(body.data.payload[0].id)}/messages`
    const files = [
      { filename: 'pixel.png', content: PIXEL },
      { filename: 'voice.webm', content: await soundOf('webm') },
    ]
    const path = `/accounts/${String(chat.workspace.tenantId)}${messages}`
    await chat.at('conversations')('POST', path, formOf({ 'attachments[]': files }))
    const picture = page.getByRole('img', { name: 'pixel.png' })
    await picture.waitFor()
    await page.waitForFunction("document.querySelector('#talk img').naturalWidth === 1")
    // Not an attribute, which would make it another element.
    await page.evaluate("document.querySelector('audio').mark = 'kept'")
    await page.waitForFunction("document.querySelector('audio').readyState > 0")
    const items = [{ title: 'Delivery' }, { title: 'Invoice' }]
    await chat.chat('POST', messages, {
      content: '**About** what?',
      content_type: 'input_select',
      content_attributes: { items },
    })
    await page.getByText('About').waitFor()
    expect(await page.evaluate("document.querySelector('audio').mark")).toBe('kept')
    await navigate(page, () => page.getByRole('button', { name: 'Invoice' }).click())
    await page.locator('#talk .own').getByText('Invoice').waitFor()
    expect([await accessibilityViolationsOn(page), await phoneProblemsOn(page)]).toEqual([[], []])
  })

  test('ends when its contact is deleted, and starts again', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const page = await openTab()
    await page.goto(`${await listenTo(chat)}/chat/widget/${chat.workspace.id}/${String(inbox)}`)
    await page.getByLabel('Name').fill('Marta')
    await navigate(page, () => page.getByRole('button', { name: 'Start conversation' }).click())
    await page.getByText('Live').waitFor()
    const { body } = await chat.chat('GET', '/contacts')
    await chat.chat('DELETE', `/contacts/${String(body.payload[0].id)}`)
    await page.getByText('no longer available').waitFor()
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await navigate(page, () => page.getByRole('link', { name: 'Start a new conversation' }).click())
    expect(await page.getByLabel('Name').inputValue()).toBe('')
  })

  test('works without scripts', async () => {
    const chat = await freshChat()
    const inbox = await chat.website()
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto(`${await listenTo(chat)}/chat/widget/${chat.workspace.id}/${String(inbox)}`)
    await page.getByLabel('Name').fill('Marta')
    await navigate(page, () => page.getByRole('button', { name: 'Start conversation' }).click())
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await navigate(page, () => page.getByRole('button', { name: 'Send' }).click())
    expect(await page.locator('#talk').innerText()).toContain('Hello')
  })
})
