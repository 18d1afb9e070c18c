/** Two reports: what is new, what is gone, and what is unknown. */
import { describe, expect, test } from 'vitest'
import { comparedWith, parseReport } from '../../src/report/since.ts'
import { claimWith, differenceWith, reportWith } from '../../../../test/support/verifyReport.ts'

const NAME = 'crm | field Contact.name | type | GET /contacts 200.data[].name'

describe('compared with an earlier report', () => {
  test('a difference is gone only if its claim was checked again', () => {
    const email = differenceWith({ claim: 'field Contact.email', aspect: 'null' })
    const before = reportWith({ differences: [differenceWith(), email], run: { id: 'run_0' } })
    const now = reportWith({
      claims: [claimWith(), claimWith({ claim: 'field Contact.email', verdict: 'not_checked' })],
      differences: [],
    })
    expect(comparedWith(now, before).since).toEqual({
      report: 'run_0',
      gone: [NAME],
      added: [],
      notChecked: ['crm | field Contact.email | null | GET /contacts 200.data[].name'],
    })
  })

  test('a difference that neither report has before is new', () => {
    const { since } = comparedWith(reportWith(), reportWith({ differences: [] }))
    expect(since).toMatchObject({ added: [NAME], gone: [] })
  })

  test('a difference keeps the instant at which it was first seen, and gets the new last one', () => {
    const before = reportWith({
      differences: [
        differenceWith({ firstSeen: '2026-01-01T00:00:00.000Z', lastSeen: '2026-02-01T00:00:00.000Z' }),
      ],
    })
    const { differences, since } = comparedWith(reportWith(), before)
    expect(differences[0]).toMatchObject({
      firstSeen: '2026-01-01T00:00:00.000Z',
      lastSeen: '2026-11-26T10:00:02.000Z',
    })
    expect(since).toMatchObject({ added: [], gone: [] })
  })

  test('a later report changes nothing in an earlier one', () => {
    const later = reportWith({ differences: [differenceWith({ firstSeen: '2027-01-01T00:00:00.000Z' })] })
    expect(comparedWith(reportWith(), later).differences).toEqual(reportWith().differences)
  })
})

describe('an earlier report', () => {
  test.each([
    ['{', 'must be JSON'],
    ['[]', 'must be a report of suite-sim verify --report json (format: suite-simulator-verify/1)'],
    ['{"format":"suite-simulator-verify/2"}', 'must be a report of suite-sim verify'],
    ['{"format":"suite-simulator-verify/1"}', 'run.id must be a string'],
    ['{"format":"suite-simulator-verify/1","run":{"id":"r"}}', 'differences must be an array'],
    [
      '{"format":"suite-simulator-verify/1","run":{"id":"r"},"differences":[null]}',
      'differences[0].interface must be a string',
    ],
  ])('is refused if it is %s', (text, words) => {
    expect(() => parseReport(text)).toThrow(words)
  })
})
