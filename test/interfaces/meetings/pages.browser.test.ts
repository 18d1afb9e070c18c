/** The page of a meeting in a real browser: joining, leaving and ending, on a phone, accessible. */
import { expect, test } from 'vitest'
import {
  describeInBrowser,
  navigate,
  NO_VIOLATIONS,
  openTab,
  PHONE,
  phoneProblemsOn,
  violationsInBothModesOn,
} from '../../support/browser.ts'
import { freshMeetings } from '../../support/meeting.ts'
import { listenTo } from '../../support/payers.ts'

describeInBrowser('meeting in a browser', () => {
  test('people join and leave on a phone, without barriers in light and dark mode', async () => {
    const meetings = await freshMeetings()
    await listenTo(meetings.fresh)
    const id = await meetings.create()
    const host = await meetings.admit(id, { preset_name: 'sim_meet_host', name: 'Ana' })
    const [one, other] = [await openTab(PHONE), await openTab(PHONE)]
    const hasNoBarriers = async (page: typeof one) => {
      expect(await violationsInBothModesOn(page)).toEqual(NO_VIOLATIONS)
      expect(await phoneProblemsOn(page)).toEqual([])
    }
    await one.goto(host.url)
    await hasNoBarriers(one)
    await navigate(one, () => one.getByRole('button', { name: 'Join' }).click())
    await other.goto(host.guestUrl)
    await navigate(other, () => other.getByRole('button', { name: 'Join' }).click())
    expect(await other.title()).toMatch(/^Error: /)
    await hasNoBarriers(other)
    await other.getByLabel('Name').fill('Eva')
    await navigate(other, () => other.getByRole('button', { name: 'Join' }).click())
    await one.reload()
    expect(await one.getByRole('listitem').allInnerTexts()).toEqual(['Ana (you)', 'Eva'])
    await hasNoBarriers(one)
    await navigate(other, () => other.getByRole('button', { name: 'Leave' }).click())
    expect(await other.getByRole('listitem').allInnerTexts()).toEqual(['Ana'])
    await navigate(one, () => one.getByRole('button', { name: 'End the meeting for all' }).click())
    expect(await one.getByText('Nobody is in the meeting.').isVisible()).toBe(true)
  })
})
