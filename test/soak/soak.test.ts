/** A short soak, and the verdict about a long one. */
import { beforeAll, describe, expect, test } from 'vitest'
import { build, scratchFolder, stopAfterTest } from '../support/process.ts'
import { slopeOf, tableOf, verdictOf, type Sample } from './report.ts'
import { soak } from './soak.ts'

beforeAll(build)

test('ten seconds of mixed traffic have samples, webhooks and no failed calls', async () => {
  const lines: string[] = []
  const report = await soak({
    folder: scratchFolder(),
    watch: stopAfterTest,
    seconds: 10,
    sampleSeconds: 2,
    rate: 20,
    seed: 3,
    tell: (line) => void lines.push(line),
  })
  expect(report.failures).toEqual([])
  expect(report.calls).toBeGreaterThan(10)
  expect(report.samples.length).toBeGreaterThan(0)
  expect(lines).toHaveLength(report.samples.length + 1)
  for (const { heapBytes, rssBytes, descriptors } of report.samples) {
    expect(heapBytes).toBeGreaterThan(1_000_000)
    expect(rssBytes).toBeGreaterThan(heapBytes)
    expect(descriptors).toBeGreaterThan(10)
  }
  // The workspace of the fixture stays.
  expect(report.last.workspaces).toBe(1)
  expect(verdictOf(report.samples).isFlat).toBeNull()
})

const STEADY: Sample = {
  minutes: 0,
  heapBytes: 50_000_000,
  rssBytes: 200_000_000,
  descriptors: 30,
  walBytes: 30_000_000,
  fileBytes: 20_000_000,
  storedFiles: 100,
  workspaces: 10,
  calls: 100,
  failures: 0,
  p50Ms: 1,
  p99Ms: 9,
  longestHoldMs: 20,
}

/** Samples of 30 minutes whose heap grows by these bytes a minute. */
const samples = (growth: number, length = 60): Sample[] =>
  Array.from({ length }, (_, n) => ({
    ...STEADY,
    minutes: n / 2,
    heapBytes: STEADY.heapBytes + (growth * n) / 2 + (n % 2 === 0 ? 3_000_000 : -3_000_000),
  }))

describe('the verdict', () => {
  test('is flat for noise and for growth below a tenth in the second half', () => {
    expect(verdictOf(samples(0)).isFlat).toBe(true)
    expect(verdictOf(samples(300_000)).isFlat).toBe(true)
  })

  test('names what grows by more', () => {
    const { isFlat, lines } = verdictOf(samples(500_000))
    expect(isFlat).toBe(false)
    expect(lines.filter((line) => line.includes('grows'))).toEqual([expect.stringContaining('heap: grows')])
  })

  test('needs ten samples in the second half', () => {
    expect(verdictOf(samples(0, 20)).isFlat).toBe(true)
    expect(verdictOf(samples(0, 18)).isFlat).toBeNull()
  })

  test('follows the least-squares line', () => {
    expect(
      slopeOf([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).toBeCloseTo(2)
    expect(slopeOf([[1, 5]])).toBe(0)
  })
})

test('the table has at most twenty rows and the last sample', () => {
  const table = tableOf(samples(0))
  expect(table).toHaveLength(22)
  expect(table.at(-1)).toContain('29.5')
})
