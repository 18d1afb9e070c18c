/** Jobs through HAProxy, and users during kills and restarts of shards. `npm run shards` measures longer runs. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'
import { Cluster } from './cluster.ts'
import { runJobs } from './jobs.ts'
import { killOneUnderLoad, restartAllUnderLoad } from './users.ts'

describeWith('HAProxy', 'two shards behind HAProxy', () => {
  const children: ChildProcess[] = []
  const folder = mkdtempSync(join(tmpdir(), 'suite-sim-shards-'))
  let cluster: Cluster

  beforeAll(async () => {
    build()
    cluster = await Cluster.start({ names: ['s1', 's2'], folder, watch: (child) => children.push(child) })
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  test('run 60 jobs of 35 calls, 20 at once, without an error or a wrong shard', async () => {
    const { problems, misrouted, calls, jobsByShard } = await runJobs(cluster, 60, 20)
    expect({ problems, misrouted, calls }).toEqual({ problems: [], misrouted: 0, calls: 60 * 35 })
    expect(jobsByShard).toEqual({ s1: 30, s2: 30 })
  })

  test('lose no answered write if one is killed, and the users of the other see nothing', async () => {
    const { problems, missing, kills, calls } = await killOneUnderLoad(cluster, 's2', 8)
    expect({ problems, missing, kills }).toEqual({ problems: [], missing: 0, kills: 2 })
    expect(calls['s1']).toBeGreaterThan(0)
  })

  test('refuse no call if each is stopped and started, one after the other', async () => {
    const { problems, failed } = await restartAllUnderLoad(cluster)
    expect({ problems, failed }).toEqual({ problems: [], failed: { s1: 0, s2: 0 } })
  })
})
