/** The report of a run from what its workspaces relied on: order, confirmations, several tests, and scores. */
import { describe, expect, test } from 'vitest'
import type { Part, Reliance } from '../../src/report/part.ts'
import { costOf } from '../../src/report/questions.ts'
import { reportAsMarkdown } from '../../src/report/markdown.ts'
import { reportOf } from '../../src/report/report.ts'
import { examScore, mutateScore, mutateScoreOf } from '../../src/report/scores.ts'
import { mutateReport, outcome, REPORT, REPORT_TEXT } from './mutateReport.ts'

const reliance = (given: Partial<Reliance> & Pick<Reliance, 'key'>): Reliance => ({
  interface: 'crm',
  kind: 'field',
  question: `${given.key}?`,
  place: 'Contact.tags',
  why: 'Assumed.',
  sentence: null,
  isObserved: false,
  count: 1,
  requests: ['req_1'],
  claims: [`field ${given.key}`],
  ...given,
})

const part = (name: string, reliances: readonly Reliance[]): Part => ({
  workspace: { id: name, name },
  observedAt: '2026-11-01T08:00:00.000Z',
  examined: 2,
  reliances,
  notes: [{ interface: 'crm', operation: 'GET /deals', why: 'Assumed: newest first.', calls: 2 }],
  covered: {
    operations: [
      { interface: 'crm', operation: 'listDeals', calls: 2, statuses: { 200: 2 } },
      { interface: 'crm', operation: 'createDeal', calls: 0, statuses: {} },
    ],
    transitions: [{ machine: 'crm.deal', move: 'win', from: 'open', to: 'won', count: 1 }],
    events: [{ interface: 'crm', event: 'deal.won', count: 0 }],
  },
})

const NOW = '2026-11-29T12:00:00.000Z'
const keysIn = (all: readonly { readonly key: string }[]) => all.map(({ key }) => key)

describe('questions', () => {
  test('begin with what costs most if it is wrong, and then with what the run relied on most', () => {
    const all = [
      reliance({ key: 'code', kind: 'value', place: 'Error.error', count: 900 }),
      reliance({ key: 'tags' }),
      reliance({ key: 'tags often', count: 50 }),
      reliance({ key: 'key scope', kind: 'refusal', place: 'GET /deals 403' }),
      reliance({ key: 'won', kind: 'move', place: 'crm.deal win' }),
      reliance({ key: 'folio', interface: 'tax-invoicing', kind: 'value', place: 'Invoice.serie' }),
      reliance({
        key: 'refund',
        kind: 'move',
        interface: 'payments',
        place: 'payments.refund fail',
        count: 4,
      }),
    ]
    const { questions } = reportOf([part('a', all)], {}, NOW)
    expect(keysIn(questions)).toEqual(['refund', 'folio', 'key scope', 'won', 'tags often', 'tags', 'code'])
    expect(questions.map(({ cost }) => cost)).toEqual([
      ...['money', 'fiscal', 'security', 'state', 'data', 'data', 'wording'],
    ])
  })

  test.each([
    [{ interface: 'tax-invoicing', kind: 'field', place: 'Invoice.total' }, 'fiscal'],
    [{ interface: 'tax-invoicing', kind: 'refusal', place: 'GET /clients 403' }, 'security'],
    [{ interface: 'payments', kind: 'field', place: 'Error.message' }, 'wording'],
    [{ interface: 'crm', kind: 'field', place: 'Deal.amount' }, 'money'],
    [{ interface: 'crm', kind: 'field', place: 'Activity.status' }, 'state'],
    [{ interface: 'forms', kind: 'field', place: 'Form.slug' }, 'data'],
  ] as const)('about %j cost %s', (about, cost) => {
    expect(costOf(about)).toBe(cost)
  })
})

describe('what was measured on the real service', () => {
  const run = { baseUrl: 'https://suite.example.com', endedAt: '2026-11-20T08:00:00.000Z' }
  const verdict = (claim: string, name: string) => ({ interface: 'crm', claim, verdict: name })
  const verified = {
    run,
    claims: [
      verdict('field right', 'agrees'),
      verdict('field half', 'agrees'),
      verdict('field other half', 'not_checked'),
      verdict('field wrong', 'differs'),
      { ...verdict('field elsewhere', 'agrees'), interface: 'payments' },
    ],
  }
  const all = [
    reliance({ key: 'right' }),
    reliance({ key: 'half', claims: ['field half', 'field other half'] }),
    reliance({ key: 'wrong', place: 'Error.error' }),
    reliance({ key: 'elsewhere' }),
    reliance({ key: 'unclaimed', claims: [] }),
    reliance({ key: 'seen', isObserved: true }),
  ]
  const measured = { verify: verified as never }

  test('is no question any more, and has the time at which it was measured', () => {
    const { confirmed, questions, verify } = reportOf([part('a', all)], measured, NOW)
    expect(confirmed.map(({ key, by, at }) => [key, by, at])).toEqual([
      ['right', 'verify', run.endedAt],
      ['seen', 'observed', '2026-11-01T08:00:00.000Z'],
    ])
    expect(keysIn(questions)).toEqual(['wrong', 'half', 'elsewhere', 'unclaimed'])
    expect(verify).toEqual({ service: run.baseUrl, at: run.endedAt })
  })

  test('comes first if the service does otherwise, and says if only a part was checked', () => {
    const { questions } = reportOf([part('a', all)], measured, NOW)
    expect(questions.map(({ verified: found }) => found)).toEqual([
      'differs',
      'in part',
      undefined,
      undefined,
    ])
  })
})

test('several tests make one report: counts are added, and calls have the name of their test', () => {
  const parts = [
    part('pays', [reliance({ key: 'tags', count: 2, requests: ['req_1', 'req_3'] })]),
    part('wins', [reliance({ key: 'tags' }), reliance({ key: 'won' })]),
  ]
  const { questions, summary, notes, covered, workspaces } = reportOf(parts, {}, NOW)
  expect(questions.map(({ key, count, requests }) => ({ key, count, requests }))).toEqual([
    { key: 'tags', count: 3, requests: ['pays: req_1, req_3', 'wins: req_1'] },
    { key: 'won', count: 1, requests: ['wins: req_1'] },
  ])
  expect(summary).toEqual({
    ...{ calls: 4, examined: 4, questions: 2, confirmed: 0 },
    operations: { met: 1, of: 2 },
    transitions: { met: 1, of: 1 },
    events: { met: 0, of: 1 },
  })
  expect(notes).toEqual([
    { interface: 'crm', operation: 'GET /deals', why: 'Assumed: newest first.', calls: 4 },
  ])
  expect(covered.operations).toEqual([
    { interface: 'crm', operation: 'listDeals', calls: 4, statuses: { 200: 4 } },
  ])
  expect(covered.events).toEqual([])
  expect(workspaces.map(({ name }) => name)).toEqual(['pays', 'wins'])
})

describe('the page', () => {
  test('has ten questions with details, at most 200 others, and says what it leaves out', () => {
    const many = Array.from({ length: 230 }, (_each, index) => reliance({ key: `tag ${String(index)}` }))
    const page = reportAsMarkdown(reportOf([part('a', many)], {}, NOW))
    expect(page).toContain('\n10. **tag 9?** (data)\n    - What the simulator assumes, and why: Assumed.\n')
    expect(page).toContain(
      '\n## Then these: 220 more questions\n\n11. **tag 10?** (data)\n    - Assumed. Your run',
    )
    expect(page).toContain('\n210. **tag 209?**')
    expect(page).not.toContain('211.')
    expect(page).toContain('\n20 more entries: see the JSON.\n')
  })

  test('says that the journal has forgotten calls', () => {
    const { covered, ...rest } = part('a', [])
    const operations = covered.operations.map((each) => ({ ...each, calls: each.calls * 700 }))
    const page = reportAsMarkdown(
      reportOf([{ ...rest, examined: 1000, covered: { ...covered, operations } }], {}, NOW),
    )
    expect(page).toContain(
      'the last 1,000 calls only; the answers of 400 earlier calls could not be examined',
    )
    expect(page).toContain('None: all that the run relied on is in the specification')
    expect(reportAsMarkdown(reportOf([part('a', [])], {}, NOW))).not.toContain('earlier')
  })
})

describe('a score', () => {
  test('of an exam counts the properties that were judged', () => {
    const properties = [
      { title: 'Works once', grade: 'pass' },
      { title: 'Checks signatures', grade: 'fail' },
      { title: 'Survives outages', grade: 'not judged' },
    ]
    const score = { result: 'failed', passed: 1, of: 2, failed: ['Checks signatures'] }
    const receiver = JSON.stringify({ receiver: 'http://localhost/hooks', result: 'failed', properties })
    expect(examScore(receiver)).toEqual({ examined: 'http://localhost/hooks', ...score })
    const caller = JSON.stringify({ caller: 'node shop.mjs', result: 'failed', properties })
    expect(examScore(caller)).toEqual({ examined: 'node shop.mjs', ...score })
  })

  test('of mutate has its numbers, and the changes that the tests got wrong, in its own words', () => {
    const score = mutateScore(REPORT_TEXT)
    expect(score).toMatchObject({ harmful: 4, noticed: 3, harmless: 2, tolerated: 1, share: 0.75, notRun: 1 })
    const sentence = 'is larger by one cent; getLink had 44901 instead of 44900'
    expect(score.survived).toEqual([{ interface: 'payments', subject: 'Link.amount', sentence }])
    expect(score.refused).toMatchObject([{ subject: 'payments' }])

    const page = reportAsMarkdown(reportOf([part('a', [])], { mutate: score }, NOW))
    expect(page).toContain(
      [
        '- **Would your tests notice if the vendor changed (mutate)? 75%: 3 of 4 harmful changes were noticed, 1 of 2 harmless changes passed**',
        `  - Would not be noticed: \`payments Link.amount\` ${sentence}`,
        '  - Harmless, but fails a test: `payments` has a field more in each object; ',
      ].join('\n'),
    )
    expect(page).toContain('  - 1 change did not run.\n')
  })

  test('of mutate names ten changes on the page, and all in the JSON', () => {
    const outcomes = Array.from({ length: 12 }, (_each, index) =>
      outcome('survived', 'amount-cent', `Link.part_${String(index)}`),
    )
    const mutate = mutateScoreOf(mutateReport(outcomes))
    expect(mutate.survived).toHaveLength(12)
    const page = reportAsMarkdown(reportOf([part('a', [])], { mutate }, NOW))
    expect(page.match(/Would not be noticed: `/g)).toHaveLength(10)
    expect(page).toContain('Would not be noticed: and 2 more\n')
    expect(page).not.toMatch(/harmless ones? .*\n.*Harmless|did not run/)
  })

  test.each([
    [examScore, 'no JSON', 'must be JSON'],
    [examScore, '[1]', 'must be a report of suite-sim exam'],
    [examScore, '7', 'must be a JSON object'],
    [mutateScore, 'no JSON', 'must be JSON'],
    [mutateScore, '{"score":0.9,"survivors":[]}', 'must be a report of suite-sim mutate --report json'],
    [mutateScore, JSON.stringify({ ...REPORT, version: 2 }), 'must be a report of suite-sim mutate'],
    [mutateScore, JSON.stringify({ ...REPORT, score: 0.75 }), 'must be a report of suite-sim mutate'],
    [mutateScore, JSON.stringify({ ...REPORT, mutations: [null] }), 'must be a report of suite-sim mutate'],
  ])('is refused if the file has something else (%#)', (read, text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
