/** The sample clients: the exam names the fault of each, and only that. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CALLER_PROPERTIES, examineCaller } from '../../src/exam/caller/examineCaller.ts'
import { ROOT } from '../../../../test/support/root.ts'

const FOLDER = join(ROOT, 'examples/callers')

/** The names of the samples with a fault. */
const FAULTY = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.replace('.mjs', ''))
  .filter((name) => !['shared', 'correct', 'shop'].includes(name))

/** The property that a sample fails, as its first line says; null for one that passes. */
function faultOf(name: string): string | null {
  const [line = ''] = readFileSync(join(FOLDER, `${name}.mjs`), 'utf8').split('\n')
  return /Fails "(\w+)"/.exec(line)?.[1] ?? null
}

/** Examines a sample; returns the grades that are not a pass with their reasons, by property. */
async function oddOf(name: string, receiver: string | null = 'http://127.0.0.1:0/webhooks') {
  const results = await examineCaller({
    run: [process.execPath, join(FOLDER, `${name}.mjs`)],
    receiver,
    fixtures: 'small',
    seed: 'exam',
    timeout: 60,
    secret: 'whsec_exam',
  })
  expect(results).toHaveLength(CALLER_PROPERTIES.length + 1)
  return Object.fromEntries(
    results.flatMap((each) => (each.grade === 'pass' ? [] : [[each.name, `${each.grade}: ${each.reason}`]])),
  )
}

const expectedOf = (name: string): object => {
  const fault = faultOf(name)
  return fault === null ? {} : { [fault]: expect.stringMatching(/^fail: /) }
}

describe('the exam of a client', () => {
  test('passes the correct client', async () => {
    expect(await oddOf('correct')).toEqual({})
  })

  test('passes the shop of the examples, which meets no list and no webhook', async () => {
    expect(await oddOf('shop', null)).toEqual({
      lag: expect.stringMatching(/^not met: /),
      early_webhook: expect.stringMatching(/^not met: .*--receiver/),
      moving_pages: expect.stringMatching(/^not met: .*several pages/),
    })
  })

  test('has twelve samples with a fault, and one at least for each property', () => {
    expect(FAULTY).toHaveLength(12)
    expect([...new Set(FAULTY.map(faultOf))].sort()).toEqual(CALLER_PROPERTIES.map(({ name }) => name).sort())
  })

  test.each(FAULTY)('fails %s for its fault alone', async (name) => {
    expect(await oddOf(name)).toEqual(expectedOf(name))
  })
})
