/** The page of a report in a browser: on a phone and on a desktop, light and dark, and on paper. */
import { expect, test } from 'vitest'
import {
  describeInBrowser,
  NO_VIOLATIONS,
  openTab,
  PHONE,
  phoneProblemsOn,
  violationsInBothModesOn,
} from '../../../../test/support/browser.ts'
import { reportAsHtml } from '../../src/report/html.ts'
import { reportOf } from '../../src/report/report.ts'
import type { Part } from '../../src/report/part.ts'
import { mutateScoreOf } from '../../src/report/scores.ts'
import { mutateReport, outcome } from './mutateReport.ts'

const LONG = `/accounts/{account_id}/conversations/{id}/${'toggle_priority_'.repeat(6)}`

const PART: Part = {
  workspace: { id: 'P7azAxbINBPYHxMAGCqbN', name: 'Almendro <script>alert(1)</script>' },
  observedAt: '2026-11-01T08:00:00.000Z',
  examined: 9,
  reliances: Array.from({ length: 12 }, (_each, index) => ({
    key: String(index),
    interface: index % 2 === 0 ? 'payments' : 'crm',
    kind: 'refusal',
    question: `Does \`POST ${LONG}\` answer 409, for the reason "${String(index)}"?`,
    place: `POST ${LONG} 409`,
    why: `The specification does not list the status 409 of ${LONG}.`,
    sentence: index % 3 === 0 ? 'Other transitions: not shown.' : null,
    isObserved: index === 11,
    count: 3,
    requests: ['req_1', 'req_2'],
    claims: [],
  })),
  notes: [{ interface: 'crm', operation: `GET ${LONG}`, why: 'Assumed: the newest first.', calls: 1 }],
  covered: {
    operations: [
      { interface: 'crm', operation: 'toggleConversationPriority', calls: 9, statuses: { 409: 9 } },
    ],
    transitions: [{ machine: 'crm.deal', move: 'win', from: 'open', to: 'won', count: 1 }],
    events: [{ interface: 'crm', event: 'deal.won', count: 1 }],
  },
}

const PAGE = reportAsHtml(
  reportOf(
    [PART],
    { mutate: mutateScoreOf(mutateReport([outcome('survived', 'status-other', LONG)])) },
    '2026-11-29T12:00:00.000Z',
  ),
)

describeInBrowser('the page', () => {
  test.each([
    ['a phone', PHONE],
    ['a desktop', { viewport: { width: 1280, height: 900 } }],
  ] as const)('fits %s, has no barriers in light and dark, and asks for nothing', async (_name, options) => {
    const tab = await openTab(options)
    await tab.setContent(PAGE)
    expect(await tab.title()).toBe('Before going live')
    expect(await tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(await tab.locator('script').count()).toBe(0)
    expect(await tab.locator('ol').first().locator('> li').count()).toBe(10)
    if ('isMobile' in options) expect(await phoneProblemsOn(tab)).toEqual([])
    expect(await violationsInBothModesOn(tab)).toEqual(NO_VIOLATIONS)
  })

  test('is black on white on paper, also of a dark screen', async () => {
    const tab = await openTab({ colorScheme: 'dark' })
    await tab.setContent(PAGE)
    const colors = () =>
      tab.evaluate<string>(
        '`${getComputedStyle(document.body).color} ${getComputedStyle(document.body).backgroundColor}`',
      )
    expect(await colors()).toBe('rgb(204, 210, 218) rgb(19, 23, 31)')
    await tab.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await colors()).toBe('rgb(0, 0, 0) rgb(255, 255, 255)')
    await tab.emulateMedia({ media: 'screen' })
  })
})
