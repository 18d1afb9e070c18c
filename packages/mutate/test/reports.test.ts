/** The report in each format, and the names of failed tests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Example, Mutation } from '@suite-sim/mutate/mutation'
import { excerptOf } from '@suite-sim/mutate/report/excerpt'
import { REPORT_FORMATS, writeReport } from '@suite-sim/mutate/report/formats'
import { headlineOf, percent, reportOf, survivorsOf, type Report } from '@suite-sim/mutate/report/report'
import { failedIn, failedTests } from '@suite-sim/mutate/run/failedTests'
import type { Outcome, Verdict } from '@suite-sim/mutate/run/outcome'
import { scratchFolder } from '../../../test/support/process.ts'

const mutation = (kind: string, subject: string, half: Mutation['half'] = 'harmful'): Mutation => ({
  id: `${kind} payments ${subject}`,
  kind,
  half,
  interface: 'payments',
  subject,
  operations: ['getLink'],
  places: [{ operation: 'getLink', at: '/data/amount' }],
})

const EXAMPLE: Example = {
  where: 'getLink',
  before: { status: 200, json: { data: { amount: 1250 } } },
  after: { status: 200, json: { data: { amount: 125000 } } },
}

const outcome = (verdict: Verdict, of: Mutation, failed: readonly string[] = []): Outcome => ({
  mutation: of,
  verdict,
  example: verdict === 'not met' || verdict === 'not run' ? null : EXAMPLE,
  failed,
  failedByChance: verdict === 'not met' ? ['slow test'] : null,
  durationMs: 1200,
})

const OUTCOMES = [
  outcome('noticed', mutation('field-gone', 'Link.amount'), ['cart <pays>']),
  outcome('noticed', mutation('field-gone', 'Link.status'), ['cart <pays>', 'other']),
  outcome('survived', mutation('amount-times-100', 'Link.amount')),
  outcome('survived', mutation('state-never', 'Link.status=paid')),
  outcome('refused', mutation('field-more', 'payments', 'harmless'), ['strict']),
  outcome('tolerated', mutation('header-more', 'payments', 'harmless')),
  outcome('not met', mutation('order-reversed', 'listLinks')),
  outcome('not run', mutation('page-ends', 'listLinks')),
]

const report = (minScore: number | null = null): Report =>
  reportOf(
    { met: [], outcomes: OUTCOMES, failedAtLast: null, undisturbedMs: 1000, isInterrupted: false },
    { command: ['npm', 'test'], seed: '1', minScore },
  )

test('counts the changes that have a verdict', () => {
  expect(report().score).toEqual({ harmful: 4, noticed: 2, harmless: 2, tolerated: 1, share: 0.5 })
  expect([0.999, 1, 0.005].map(percent)).toEqual(['99%', '100%', '0%'])
})

test('says what is wrong: a low score, or an over-strict test', () => {
  const strict = '1 of 2 harmless changes failed a test'
  expect(report().problems).toEqual([strict])
  expect(report(0.5).problems).toEqual([strict])
  expect(report(0.6).problems).toEqual(['50% of the harmful changes were noticed, less than 60%', strict])
})

test('names the tests that alone notice a change', () => {
  expect(report().guards).toEqual([{ test: 'cart <pays>', mutations: ['field-gone payments Link.amount'] }])
})

test('says which runs failed by chance', () => {
  const [unsteady] = report().unsteady
  expect(unsteady).toEqual({ mutation: 'order-reversed payments listLinks', failedTests: ['slow test'] })
  for (const format of ['text', 'md', 'html'] as const) {
    expect(writeReport(format, report())).toContain(
      '1 run failed without a change, so the grade may be too good: slow test',
    )
    expect(writeReport(format, { ...report(), unsteady: [] })).not.toContain('too good')
  }
})

test('says in the headline that nothing harmful was tried', () => {
  const score = { harmful: 0, noticed: 0, harmless: 1, tolerated: 1, share: 1 }
  expect(headlineOf({ score })).toBe('No harmful change was tried, 1 of 1 harmless change passed')
  expect(headlineOf({ score: { ...score, harmful: 1, noticed: 1 } })).toBe(
    '100%: 1 of 1 harmful change was noticed, 1 of 1 harmless change passed',
  )
})

test('lists what tells most first, and fields that no test reads last', () => {
  const { mutations } = reportOf(
    {
      met: [],
      outcomes: [
        outcome('survived', mutation('field-gone', 'Link.url')),
        outcome('survived', mutation('field-null', 'Link.url')),
        outcome('survived', mutation('field-null', 'Link.id')),
        outcome('survived', mutation('field-gone', 'Link.amount')),
        outcome('survived', mutation('amount-times-100', 'Link.amount')),
        outcome('noticed', mutation('field-gone', 'Link.status')),
      ],
      failedAtLast: null,
      undisturbedMs: 1,
      isInterrupted: false,
    },
    { command: [], seed: '1', minScore: null },
  )
  const { told, unread } = survivorsOf({ mutations })
  expect(told.map(({ subject }) => subject)).toEqual(['Link.amount', 'Link.id'])
  expect(unread).toEqual(['payments Link.url'])
})

describe.each(REPORT_FORMATS)('as %s', (format) => {
  const text = writeReport(format, report())

  test('has the score, what survived with its example, and what is over-strict', () => {
    for (const part of ['amount-times-100', 'state-never', '125000', 'strict']) expect(text).toContain(part)
    if (format !== 'json') expect(text).toContain('50%: 2 of 4 harmful changes were noticed')
  })
})

test('as JUnit has a failure for each change that the tests got wrong', () => {
  const xml = writeReport('junit', report())
  expect(failedIn(xml)).toEqual([
    'payments.Link.amount › amount-times-100',
    'payments.Link.status=paid › state-never',
    'payments.payments › field-more',
  ])
  expect(xml.match(/<skipped/g)).toHaveLength(2)
})

test('as HTML loads nothing, and escapes the names of tests', () => {
  const html = writeReport('html', report())
  expect(html).not.toMatch(/<script|src=|href=|<pays>/)
  expect(html).toContain('cart &lt;pays&gt;')
})

describe('an excerpt', () => {
  test('is the value that changed', () => {
    const { places, ...rest } = mutation('amount-times-100', 'Link.amount')
    expect(excerptOf({ ...rest, places }, EXAMPLE)).toEqual({
      where: 'getLink',
      before: '1250',
      after: '125000',
    })
  })

  test('is the first difference of a whole answer or webhook', () => {
    const whole = { ...mutation('answer-fails', 'getLink'), places: [{ operation: 'getLink', at: '' }] }
    const fails = { where: 'getLink', before: { status: 200, json: {} }, after: { status: 500, json: {} } }
    expect(excerptOf(whole, fails)).toMatchObject({ before: 'status 200', after: 'status 500' })
    const rows = (...ids: readonly string[]): object => ({
      status: 200,
      json: { data: ids.map((id) => ({ id })) },
    })
    const shorter = { where: 'listLinks', before: rows('a', 'b'), after: rows('a') }
    expect(excerptOf(whole, shorter)).toMatchObject({ before: 'rows 2', after: 'rows 1' })
    const reversed = { where: 'listLinks', before: rows('a', 'b'), after: rows('b', 'a') }
    expect(excerptOf(whole, reversed)).toMatchObject({ before: '"a"', after: '"b"' })
    const twice = { where: 'paid', before: { times: 1, data: {} }, after: { times: 2, data: {} } }
    expect(excerptOf(whole, twice)).toMatchObject({ before: 'times 1', after: 'times 2' })
  })
})

describe('failed tests', () => {
  test('are the cases of a JUnit file with a failure or an error', () => {
    const xml = `<testsuites><testsuite>
      <testcase classname="a" name="passes"/>
      <testcase name="x &gt; 1 &#39;y&#39;" classname="shop.test.ts"><failure>no</failure></testcase>
      <testcase classname="b" name="slow"><skipped/></testcase>
      <testcase classname="b" name='breaks'><error message="e"/></testcase>
    </testsuite></testsuites>`
    expect(failedIn(xml)).toEqual(['b › breaks', "shop.test.ts › x > 1 'y'"])
  })

  test('are those that the reporters and the fixtures write down, without a JUnit file', () => {
    const names = join(scratchFolder(), 'names.jsonl')
    writeFileSync(names, '"cart.test.ts pays"\n"cart.test.ts adds \\"two\\""\n"cart.test.ts pays"\n')
    const listed = { junit: null, failedTests: names }
    expect(failedTests(listed)).toEqual(['cart.test.ts adds "two"', 'cart.test.ts pays'])
    expect(failedTests({ ...listed, failedTests: `${names}.none` })).toEqual([])
    expect(failedTests({ ...listed, junit: `${names}.xml` })).toEqual([])
    const junit = join(scratchFolder(), 'report.xml')
    writeFileSync(junit, '<testcase name="t"><failure/></testcase>')
    expect(failedTests({ ...listed, junit })).toEqual(['t'])
  })
})
