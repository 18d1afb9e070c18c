/** The sample receivers: the exam names the fault of each, and only that. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examine } from '../../src/exam/examine.ts'
import { UrlObserver } from '../../src/exam/observers.ts'
import { casesOf } from '../../../../test/support/extent.ts'
import { shortExam } from '../../../../test/support/exams.ts'
import { FAULTY, startSample } from '../../../../test/support/receivers.ts'
import { ROOT } from '../../../../test/support/root.ts'

/** The property that a sample fails, as its first line says; null for the correct one. */
function faultOf(name: string): string | null {
  const [line = ''] = readFileSync(join(ROOT, `examples/receivers/${name}.mjs`), 'utf8').split('\n')
  return /Fails "(\w+)"/.exec(line)?.[1] ?? null
}

/** Examines a sample; returns the grades that are not a pass, by property. */
async function gradesOf(name: string, run: typeof shortExam = shortExam): Promise<Record<string, string>> {
  const sample = await startSample(name)
  const { properties } = await run({
    receiver: sample.receiver,
    observer: new UrlObserver(sample.observe),
    // On a busy machine, fifty arrive so slowly that its queue never fills.
    ...(name === 'one-at-a-time' && { eventsAtOnce: 500 }),
  })
  await sample.stop()
  expect(properties).toHaveLength(12)
  return Object.fromEntries(
    properties.flatMap((each) => (each.grade === 'pass' ? [] : [[each.name, each.grade]])),
  )
}

/** An exam waits half of its time. */
const AT_ONCE = 5

/** The exam as the command runs it. */
const wholeExam: typeof shortExam = ({ receiver, observer = null }) =>
  examine({ receiver, interface: 'payments', secret: 'whsec_exam', observer, timeoutMs: 60_000 })

describe('the exam', () => {
  test.each(['correct', 'one-at-a-time', 'remembers-the-last'])(
    'finds the same in %s with its usual waits and 500 events at once',
    async (name) => {
      const fault = faultOf(name)
      expect(await gradesOf(name, wholeExam)).toEqual(fault === null ? {} : { [fault]: 'fail' })
    },
  )

  test('passes the correct receiver', async () => {
    expect(await gradesOf('correct')).toEqual({})
  })

  test('has thirteen samples with a fault, and one at least for each property', () => {
    expect(FAULTY).toHaveLength(13)
    expect([...new Set(FAULTY.map(faultOf))].sort()).toEqual([
      'burst',
      'duplicates',
      'extra_field',
      'lost_answer',
      'other_bytes',
      'outage',
      'reordering',
      'stale',
      'truncated',
      'unknown_event',
      'wrong_signature',
    ])
  })

  test.each(FAULTY)('fails %s for its fault alone', async (name) => {
    expect(await gradesOf(name)).toEqual({ [String(faultOf(name))]: 'fail' })
  })

  test('gives the same grades again and again', async () => {
    const all = ['correct', ...FAULTY]
    const fifty = Array.from({ length: 50 }, (_, index) => all[index % all.length] ?? 'correct')
    const names = casesOf(fifty)
    for (let start = 0; start < names.length; start += AT_ONCE) {
      const some = names.slice(start, start + AT_ONCE)
      const grades = await Promise.all(some.map(async (name) => [name, await gradesOf(name)]))
      expect(grades).toEqual(
        some.map((name) => {
          const fault = faultOf(name)
          return [name, fault === null ? {} : { [fault]: 'fail' }]
        }),
      )
    }
  })
})
