/** Litestream replicates the database of a running server. `npm run hostile -- --replicate 60` runs longer. */
import { beforeAll, expect, test } from 'vitest'
import { build, scratchFolder, stopAfterTest } from '../support/process.ts'
import { missingLitestream, replicationRun } from './replication.ts'

beforeAll(build)

const missing = missingLitestream()
if (missing !== null) {
  if (process.env['CI'] === 'true') throw new Error(missing)
  process.stderr.write(`${missing}: its test did not run.\n`)
}

test.skipIf(missing !== null)(
  'a replica is whole after a kill, and lacks only the last changes',
  async () => {
    const report = await replicationRun({ folder: scratchFolder(), watch: stopAfterTest }, 5, 10_000)
    expect(report.problems).toEqual([])
    expect(report.writes).toBeGreaterThan(20)
    expect(report.uploads).toBeGreaterThan(5)
  },
)
