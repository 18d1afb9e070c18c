/** The hostile runs of docs/reliability-runs.md in CI: short, and against the built server. */
import { beforeAll, describe, expect, test } from 'vitest'
import { build, scratchFolder, stopAfterTest } from '../support/process.ts'
import { accessRun } from './access.ts'
import { Findings } from './findings.ts'
import { killRun } from './kill.ts'
import { hostileRun } from './run.ts'
import { storm } from './storm.ts'
import { readSurface } from './surface.ts'
import { Target, type TargetOptions } from './target.ts'

const MINUTES = 60_000

/** Other seeds are for manual long runs. */
const SEED = 1

beforeAll(build)

const place = (): TargetOptions => ({ folder: scratchFolder(), watch: stopAfterTest })

describe('a server under attack', () => {
  test(
    'responds to 3,000 hostile requests to all operations as documented',
    async () => {
      const { folder, watch } = place()
      const target = await Target.start({ folder, watch })
      const { findings, tally, operations } = await hostileRun(target, {
        seed: SEED,
        requests: 3000,
        folder: `${folder}/findings`,
        tell: () => undefined,
      })
      expect(findings.describe()).toEqual([])
      expect(tally.requests).toBeGreaterThanOrEqual(3000)
      // Each published operation was called, and most calls were refused because they are hostile.
      expect(operations).toBeGreaterThan(100)
      expect(tally.classes.get('4xx')).toBeGreaterThan(1000)
      expect(tally.classes.get('2xx')).toBeGreaterThan(500)
    },
    5 * MINUTES,
  )

  test(
    'accepts exactly the valid credentials',
    async () => {
      const target = await Target.start(place())
      const surface = await readSurface((path) => target.must('GET', path))
      const findings = new Findings(scratchFolder(), SEED)
      const { checks } = await accessRun(target, surface, findings)
      expect(findings.describe()).toEqual([])
      expect(checks).toBeGreaterThan(1200)
    },
    2 * MINUTES,
  )
})

describe('a server that is killed while clients write', () => {
  test(
    'has all successful writes, and sends all pending webhooks',
    async () => {
      const { problems, writes, arrivals } = await killRun(place(), 3, SEED)
      expect(problems).toEqual([])
      expect(writes).toBeGreaterThan(10)
      expect(arrivals).toBeGreaterThan(10)
    },
    2 * MINUTES,
  )
})

describe('a storm of webhooks', () => {
  test(
    'loses no webhook, repeats no accepted one, and blocks no calls',
    async () => {
      const report = await storm(await Target.start(place()), 2000)
      expect(report.problems).toEqual([])
      expect(report.deliveries).toBeGreaterThanOrEqual(2000)
      // Failed attempts were repeated.
      expect(report.attempts).toBeGreaterThan(report.deliveries)
    },
    2 * MINUTES,
  )
})
