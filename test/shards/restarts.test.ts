/** Jobs through HAProxy, and users during kills and restarts of shards. `npm run shards` measures longer runs. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '@suite-sim/library/index'
import { runHere } from '../support/commandLine.ts'
import { build } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'
import { ADMIN_TOKEN, ask, Cluster } from './cluster.ts'
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

  test.each([
    ['POST', '/_sim/keys', 201, { workspaceId: 'demo' }],
    ['GET', '/_sim/keys?workspaceId=demo', 200],
    ['GET', '/_sim/workspaces/demo', 200],
    ['DELETE', '/_sim/keys/demo-key', 204],
    ['GET', '/chat/cable?workspace=demo', 426],
    ['GET', '/chat/cable?pubsub_token=demo-key', 426],
    ['GET', '/chat/cable?pubsub_token=demo.1.2.x', 426],
  ])('let %s %s of the demo wait for the first one', async (method, path, status, body?: object) => {
    await cluster.shard('s1').stop('SIGTERM')
    const call = ask(cluster.url + path, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    await cluster.shard('s1').start()
    expect(await call).toMatchObject({ status, shard: 's1' })
  })

  test('the library and the command name a shard that is down, and the command lists the others', async () => {
    const { shard, body } = await cluster.sim('POST', '/workspaces?shard=s1', { name: 'Of s1' })
    expect(shard).toBe('s1')
    const { id } = (body as { workspace: { id: string } }).workspace
    await cluster.shard('s2').stop('SIGTERM')
    const missing = 'Shard s2 does not answer within 5 seconds.'
    const { workspaces } = await connect(cluster.url, { adminToken: ADMIN_TOKEN })
    await expect(workspaces.list()).rejects.toMatchObject({ code: 'timeout', message: missing })
    const listed = await runHere(['workspace', 'list', '--url', cluster.url, '--admin-token', ADMIN_TOKEN], {
      folder,
    })
    expect(listed).toMatchObject({ code: 1, stderr: `suite-sim: ${missing}\n` })
    expect((JSON.parse(listed.stdout) as { data: object[] }).data).toContainEqual(
      expect.objectContaining({ id }),
    )
    await cluster.shard('s2').start()
  })

  test('delete the workspaces with a label on both', async () => {
    const { workspaces } = await connect(cluster.url, { adminToken: ADMIN_TOKEN })
    const labels = { run: 'both' }
    for (const name of ['s1', 's2', 's2']) {
      const made = await cluster.sim('POST', `/workspaces?shard=${name}`, { name: 'Short-lived', labels })
      expect(made).toMatchObject({ status: 201, shard: name })
    }
    expect(await workspaces.deleteAll(labels)).toBe(3)
    expect(await workspaces.list({ labels })).toEqual([])
  })
})
