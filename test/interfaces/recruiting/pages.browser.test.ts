/** The page of a vacancy in a real browser: applying, on a phone, without scripts, accessible. */
import { expect, test } from 'vitest'
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
import { listenTo } from '../../support/payers.ts'
import { freshRecruiting } from '../../support/recruiting.ts'

async function setup() {
  const hiring = await freshRecruiting()
  await listenTo(hiring.fresh)
  const vacancy = await hiring.addVacancy({
    title: 'Joiner',
    description: 'You make doors.',
    responsibilities: ['Make doors'],
    skills: ['wood'],
  })
  return { ...hiring, vacancy }
}

describeInBrowser('applying in a browser', () => {
  test('works with a résumé and shows a confirmation', async () => {
    const { vacancy, ask, getCandidate } = await setup()
    const page = await openTab({ javaScriptEnabled: false })
    await page.goto(vacancy.public_url)
    await page.getByLabel('Name').fill('Rosa Medina')
    await page.getByLabel('E-mail address').fill('rosa@example.com')
    await page.getByLabel('Country').selectOption('Panama')
    await page.getByLabel('Skills').fill('wood')
    await page.getByLabel('Résumé').setInputFiles({
      name: 'cv.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('I make doors.'),
    })
    await navigate(page, () => page.getByRole('button', { name: 'Send application' }).click())
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Thank you for your application')
    const { data } = await ask<{ data: { id: string }[] }>('GET', `/vacancies/${vacancy.id}/candidates`)
    const profile = await getCandidate(String(data[0]?.id))
    expect(profile).toMatchObject({ name: 'Rosa Medina', location: { country: 'Panama' } })
    expect(profile.documents.cv_url).toContain('cv.txt')
  })

  test('shows each error at its field and keeps the input', async () => {
    const { vacancy } = await setup()
    const page = await openTab()
    await page.goto(vacancy.public_url)
    await page.getByLabel('Name').fill('Rosa')
    await navigate(page, () => page.getByRole('button', { name: 'Send application' }).click())
    expect(await page.title()).toMatch(/^Error: Joiner/)
    expect(await page.getByLabel('Name').inputValue()).toBe('Rosa')
    await page.getByRole('link', { name: 'Give your e-mail address.' }).click()
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('email')
    expect(await accessibilityViolationsOn(page)).toEqual([])
  })

  test('has no accessibility violations in light and dark mode, and fits a phone', async () => {
    const { vacancy, apply, schedule, ask } = await setup()
    const interview = await schedule(vacancy.id, await apply(vacancy.id))
    const page = await openTab(PHONE)
    for (const address of [
      vacancy.public_url,
      `${vacancy.public_url}/applied`,
      interview.video_room_url ?? '',
    ]) {
      await page.goto(address)
      expect(await violationsInBothModesOn(page), address).toEqual(NO_VIOLATIONS)
      expect(await phoneProblemsOn(page), address).toEqual([])
    }
    await ask('POST', `/vacancies/${vacancy.id}/status`, { status: 'paused' })
    await page.goto(vacancy.public_url)
    expect(await violationsInBothModesOn(page)).toEqual(NO_VIOLATIONS)
  })
})
