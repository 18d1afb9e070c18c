/** Forms in a real browser: by mouse, question by question, on a phone, without scripts, framed, accessible. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import {
  accessibilityViolationsOn,
  describeInBrowser,
  navigate,
  NO_VIOLATIONS,
  openTab,
  PHONE,
  phoneProblemsOn,
  violationsInBothModesOn,
} from '../../support/browser.ts'
import { freshForms } from '../../support/formBuilding.ts'
import { listenTo } from '../../support/payers.ts'

const FIELDS = [
  { id: 'name', type: 'short_text', label: 'Name', required: true },
  { id: 'mail', type: 'email', label: 'E-mail address' },
  { id: 'stars', type: 'rating', label: 'How happy are you?', required: true, description: '5 is very.' },
  {
    id: 'why',
    type: 'long_text',
    label: 'Why?',
    required: true,
    visibleIf: { fieldId: 'stars', operator: 'equals', value: 1 },
  },
  {
    id: 'some',
    type: 'multi_select',
    label: 'What did you buy?',
    options: ['Desk', 'Chair'],
    required: true,
  },
  { id: 'place', type: 'select', label: 'Where?', options: ['Colón', 'David'] },
  { id: 'rooms', type: 'number', label: 'Rooms', validations: { min: 1 } },
  { id: 'day', type: 'date', label: 'When?' },
  { id: 'plan', type: 'file', label: 'Plan' },
  { id: 'yes', type: 'boolean', label: 'You may call me', required: true },
]

async function setup() {
  const forms = await freshForms()
  const address = await listenTo(forms.fresh)
  const form = await forms.publishNew(FIELDS)
  const last = async () => {
    const [item] = await forms.responses(form.id)
    return forms.response(form.id, item?.id ?? '')
  }
  const values = async () =>
    Object.fromEntries((await last()).answers.map(({ fieldId, value }) => [fieldId, value]))
  return { ...forms, form, last, values, base: `${address}/forms` }
}

const h1 = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

describeInBrowser('answering in a browser', () => {
  test('works without scripts in classic mode', async () => {
    const { base, form, values } = await setup()
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto(`${base}/f/${form.slug}`)
    expect(await page.getByText('Only if “How happy are you?” is 1.').isVisible()).toBe(true)
    await page.getByLabel('Name').fill('Rosa')
    await page.getByLabel('4', { exact: true }).check({ force: true })
    await page.getByLabel('Chair').check()
    await page
      .getByLabel('Plan')
      .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByLabel('You may call me').check()
    await navigate(page, () => page.getByRole('button', { name: 'Send' }).click())
    expect(await h1(page)).toBe('Thank you')
    expect(await values()).toMatchObject({ name: 'Rosa', stars: 4, some: ['Chair'], yes: true, mail: null })
  })

  test('shows and hides a conditional field, and shows the progress', async () => {
    const { base, form, values, last } = await setup()
    const page = await openTab()
    await page.goto(`${base}/f/${form.slug}?mode=classic`)
    expect(await page.getByLabel('Why?').isVisible()).toBe(false)
    expect(await page.getByText('0 of 9 answered').isVisible()).toBe(true)
    await page.getByLabel('1', { exact: true }).check({ force: true })
    expect(await page.getByLabel('Why?').isVisible()).toBe(true)
    expect(await page.getByText('1 of 10 answered').isVisible()).toBe(true)
    await page.getByLabel('Name').fill('Rosa')
    await page.getByLabel('Name').blur()
    await page.getByLabel('Name').fill('Rosa Medina')
    await page.getByLabel('Why?').fill('It squeaks')
    await page.getByLabel('You may call me').check()
    // The browser itself submits nothing that the server would refuse.
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.evaluate<string>('document.activeElement.value')).toBe('Desk')
    await page.getByLabel('Desk').check()
    await navigate(page, () => page.getByRole('button', { name: 'Send' }).click())
    expect(await values()).toMatchObject({ name: 'Rosa Medina', why: 'It squeaks', some: ['Desk'] })
    expect((await last()).answers[0]).toMatchObject({ fieldId: 'name', revisions: 1 })
    expect((await last()).mode).toBe('classic')
  })

  test('asks one question at a time in a conversation, back and forth, with the keyboard', async () => {
    const { base, form, values, last } = await setup()
    const page = await openTab()
    await page.goto(`${base}/f/${form.slug}`)
    const focused = () => page.evaluate<string>('document.activeElement.name')
    const next = page.getByRole('button', { name: 'Next' })
    expect(await page.locator('.question').filter({ visible: true }).count()).toBe(1)
    await page.getByLabel('Name').focus()
    await page.keyboard.press('Enter')
    // A required field must be answered first.
    expect(await focused()).toBe('answer_name')
    await page.keyboard.type('Rosa')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('answer_mail')
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await focused()).toBe('answer_name')
    await next.click()
    await next.click()
    await page.keyboard.press('Space')
    await next.click()
    // 1 was chosen: why?
    expect(await focused()).toBe('answer_why')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByLabel('5', { exact: true }).check({ force: true })
    await next.click()
    expect(await focused()).toBe('answer_some')
    await page.getByLabel('Chair').check()
    for (let count = 0; count < 5; count += 1) await next.click()
    await page.getByLabel('You may call me').check()
    expect(await accessibilityViolationsOn(page)).toEqual([])
    await navigate(page, () => page.getByRole('button', { name: 'Send' }).click())
    expect(await h1(page)).toBe('Thank you')
    expect(await values()).toMatchObject({ name: 'Rosa', stars: 5, some: ['Chair'], yes: true })
    const { mode, answers } = await last()
    expect(mode).toBe('conversational')
    expect(answers.map(({ fieldId }) => fieldId)).not.toContain('why')
  })

  test('shows errors of the server at their fields', async () => {
    const { base, publishNew } = await setup()
    const { slug } = await publishNew([
      { id: 'name', type: 'short_text', label: 'Name' },
      { id: 'phone', type: 'phone', label: 'Phone' },
    ])
    const page = await openTab()
    await page.goto(`${base}/f/${slug}`)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel('Phone').fill('call me')
    await navigate(page, () => page.getByRole('button', { name: 'Send' }).click())
    expect(await page.title()).toMatch(/^Error: /)
    expect(await page.getByLabel('Phone').inputValue()).toBe('call me')
    await page.getByRole('link', { name: /must be a phone number/ }).click()
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('answer_phone')
    expect(await accessibilityViolationsOn(page)).toEqual([])
  })

  test('has no accessibility violations in light and dark mode, and fits a phone', async () => {
    const { base, form } = await setup()
    const page = await openTab(PHONE)
    for (const path of [`${form.slug}?mode=classic`, form.slug, `${form.slug}/done`]) {
      await page.goto(`${base}/f/${path}`)
      expect(await violationsInBothModesOn(page), path).toEqual(NO_VIOLATIONS)
      expect(await phoneProblemsOn(page), path).toEqual([])
    }
  })

  test('is framed by a page of another origin, which receives its height', async () => {
    const { base, form, values } = await setup()
    const host = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Shop</title><script>
        addEventListener('message', ({ data }) => {
          if (data.type === 'sim_form_height') document.querySelector('iframe').style.height = data.height + 'px'
          if (data.type === 'sim_form_submitted') document.title = 'Answered'
        })</script><iframe src="${base}/embed/${form.slug}?mode=classic" style="height:10px" title="Form"></iframe>`)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => {
      host.close()
    })
    const page = await openTab()
    await page.goto(`http://localhost:${String((host.address() as AddressInfo).port)}/`)
    await page.waitForFunction('document.querySelector("iframe").clientHeight > 500')
    const frame = page.frameLocator('iframe')
    await frame.getByLabel('Name').fill('Rosa')
    await frame.getByLabel('3', { exact: true }).check({ force: true })
    await frame.getByLabel('Desk').check()
    await frame.getByLabel('You may call me').check()
    await frame.getByRole('button', { name: 'Send' }).click()
    await page.waitForFunction('document.title === "Answered"')
    expect(await values()).toMatchObject({ name: 'Rosa', stars: 3 })
  })

  test('is not framed at /f', async () => {
    const { base, form } = await setup()
    const page = await openTab({ expected: /frame|Framing/ })
    const frame = `<iframe src="${base}/f/${form.slug}" title="Form"></iframe>`
    await Promise.all([page.waitForEvent('console'), page.setContent(frame)])
    expect(await page.frameLocator('iframe').getByLabel('Name').count()).toBe(0)
  })
})
