/** Litestream replicates the database of a running server. `npm run hostile -- --replicate 60` runs longer. */
import { beforeAll, expect, test } from 'vitest'
import { build, scratchFolder, stopAfterTest } from '../support/process.ts'
import { hasLitestream, replicationRun } from './replication.ts'

beforeAll(build)

// Its package has programs for Linux and macOS.
test.runIf(hasLitestream() || process.platform === 'linux')(
  'a replica is whole after a kill, and lacks only the last changes',
  async () => {
    const report = await replicationRun({ folder: scratchFolder(), watch: stopAfterTest }, 5, 10_000)
    expect(report.problems).toEqual([])
    expect(report.writes).toBeGreaterThan(20)
    expect(report.uploads).toBeGreaterThan(5)
  },
)
