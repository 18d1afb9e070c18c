/** The order and the limits of a recording: its replay gives the same answers, also about rate limits. */
import { copyFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MAX_STEPS } from '../../../src/state/timeline/recordings.ts'
import { plainClient } from '../../support/cables.ts'
import { fileWith, replayed } from '../../support/recordings.ts'
import { readRecording } from '@suite-sim/cli/replay/recordingFile'
import { replay } from '@suite-sim/cli/replay/replay'
import { remoteTarget } from '@suite-sim/cli/replay/target'
import { scratchFolder } from '../../support/process.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'

const LIMITED = '/integration-pay/v1/payment-links'
const LINKS = '/pay/v1/payment-links'
const EQUAL = { isEqual: true, differences: [], isSnapshotEqual: true, isDiffEqual: true }

interface File {
  readonly steps: readonly {
    kind: string
    status: number
    method: string
    isBodyMissing?: boolean
    answer?: { data?: { id: string } }
  }[]
}

async function recording(options: Parameters<typeof controlApp>[0] = {}, settings: object = {}) {
  const app = await controlApp({ ownApp: true, rateLimits: true, ...options })
  const made = await makeWorkspace(app, settings)
  const path = `/workspaces/${made.id}`
  const started = await app.sim('POST', `${path}/recordings`)
  const { id } = started.body as { id: string }
  const stop = async (of: ControlApp = app): Promise<File> =>
    (await of.sim('POST', `${path}/recordings/${id}/stop`)).body as File
  return { app, ...made, path, recordingId: id, stop }
}

const list = async ({ app, key }: { app: ControlApp; key: string }): Promise<number> =>
  (await app.fastify.inject({ url: LIMITED, headers: { 'x-api-key': key } })).statusCode

describe('a rate limit', () => {
  test('gives the same answers in a replay, one call after another', async () => {
    const made = await recording()
    const statuses: number[] = []
    for (let call = 0; call < 63; call++) statuses.push(await list(made))
    await made.app.sim('POST', `${made.path}/clock/advance`, { body: { duration: 'PT1M' } })
    statuses.push(await list(made))
    expect(statuses).toEqual([...Array<number>(60).fill(200), 429, 429, 429, 200])
    expect(await replayed(await made.stop())).toMatchObject({ ...EQUAL, skipped: [] })
  })

  test('counts parallel calls in the order of the steps', async () => {
    const made = await recording()
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async (_, call) => {
        if (call % 10 === 0) await made.app.call('POST', LINKS, made.key, { amount: 100, currency: 'USD' })
        return list(made)
      }),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(90)
    const file = await made.stop()
    const limited = file.steps.filter(({ method }) => method === 'GET').map(({ status }) => status)
    expect(limited).toEqual([...Array<number>(60).fill(200), ...Array<number>(90).fill(429)])
    expect(await replayed(file)).toMatchObject({ ...EQUAL, skipped: [] })
  })

  test('lets others continue after a call with it was cut off', async () => {
    const made = await recording()
    const { port } = new URL(await made.app.listen({ host: '127.0.0.1', port: 0 }))
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined)
      const head = `PATCH ${LIMITED}/none/cancel HTTP/1.1\r\nhost: x\r\nx-api-key: ${made.key}\r\n`
      socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"`, () => {
        socket.resetAndDestroy()
        resolve()
      })
    })
    expect(await list(made)).toBe(200)
    const file = await made.stop()
    expect(file.steps.at(-1)).toMatchObject({ method: 'GET', status: 200 })
  })
})

test('an upload that was cut off is skipped and listed', async () => {
  const made = await recording()
  const { port } = new URL(await made.app.listen({ host: '127.0.0.1', port: 0 }))
  const { path, key } = made
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `POST ${LINKS} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n`
    socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"`, () => {
      socket.end()
      socket.destroySoon()
      resolve()
    })
  })
  // The journal shows when the server has noticed.
  const noticed = await made.app.sim('GET', `${path}/requests?wait=20&count=1`)
  expect((noticed.body as { data: object[] }).data).toHaveLength(1)
  await made.app.call('POST', LINKS, key, { amount: 100, currency: 'USD' })
  const file = await made.stop()
  expect(file.steps[0]).toMatchObject({ isBodyMissing: true })
  expect(await replayed(file)).toMatchObject({
    ...EQUAL,
    skipped: [{ step: 1, title: `POST ${LINKS}`, reason: 'the recording does not have its body' }],
  })
})

test.each(['pay', 'v1', 'workspaces', 'links', '_sim'])(
  'a workspace with the id %s replays on a running server',
  async (id) => {
    const made = await recording({}, { id })
    const created = await made.app.call('POST', LINKS, made.key, { amount: 44900, currency: 'USD' })
    const { url, id: link } = (created.body as { data: { url: string; id: string } }).data
    await made.app.fastify.inject({ url: new URL(url).pathname })
    await made.app.call('GET', `${LINKS}/${link}`, made.key)
    await made.app.sim('POST', `${made.path}/clock/advance`, { body: { duration: 'P1D' } })
    const recorded = readRecording(fileWith(await made.stop()))
    const other = await controlApp({ ownApp: true })
    await makeWorkspace(other)
    const address = await other.listen({ host: '127.0.0.1', port: 0 })
    const result = await replay(remoteTarget(address, undefined), recorded)
    expect(result).toMatchObject({ ...EQUAL, steps: 4, skipped: [] })
  },
)

describe('a recording', () => {
  test('has exactly as many steps as documented; the next one ends it', async () => {
    const made = await recording()
    const gate = made.app.workspaces.get(made.id).recording
    const { active } = gate
    made.app.workspaces.database.write(() => {
      for (let step = 0; step < MAX_STEPS - 1; step++)
        gate.append('{"kind":"restart","at":"2026-01-01T00:00:00.000Z"}')
    })
    const facts = async () =>
      (await made.app.sim('GET', `${made.path}/recordings/${active?.id ?? ''}`)).body as object
    await made.app.call('GET', LINKS, made.key)
    expect(await facts()).toMatchObject({ status: 'recording', steps: MAX_STEPS })
    expect((await made.app.call('GET', LINKS, made.key)).status).toBe(200)
    const endedBy = `the limit of ${String(MAX_STEPS)} steps`
    expect(await facts()).toMatchObject({ status: 'ended', steps: MAX_STEPS, endedBy })
    const file = await made.stop()
    expect(file).toMatchObject({ endedBy, end: null })
    expect(file.steps).toHaveLength(MAX_STEPS)
  })

  test('replays streamed answers, restored and uploaded snapshots, and calls after a clone', async () => {
    const made = await recording({}, { fixtures: 'small' })
    const { app, key, path } = made
    await app.sim('POST', `${path}/snapshots`, { body: { name: 'saved' } })
    await app.call('POST', LINKS, key, { amount: 1000, currency: 'USD' })
    const { body: snapshot } = await app.sim('GET', `${path}/snapshot`)
    await app.sim('POST', `${path}/snapshots/saved/restore`)
    await app.call('POST', LINKS, key, { amount: 2000, currency: 'USD' })
    expect((await app.sim('PUT', `${path}/snapshot`, { body: snapshot })).status).toBe(204)
    await app.call('POST', LINKS, key, { amount: 3000, currency: 'USD' })
    expect((await app.sim('POST', `${path}/clone`)).status).toBe(201)
    await app.call('POST', LINKS, key, { amount: 4000, currency: 'USD' })
    const media = await app.call('GET', '/grid/v1/media', key)
    const [file] = (media.body as { data: { url: string }[] }).data
    const link = new URL(file?.url ?? '')
    const download = await app.fastify.inject({ url: link.pathname + link.search })
    expect(download.statusCode).toBe(200)
    await app.call('POST', LINKS, key, { amount: 5000, currency: 'USD' })
    expect(await replayed(await made.stop())).toMatchObject({ ...EQUAL, skipped: [] })
  })

  test('has every answered call after its server was killed, and goes on', async () => {
    const db = join(scratchFolder(), 'suite.sqlite')
    const made = await recording({ db })
    const create = async (app: ControlApp, amount: number): Promise<string> => {
      const { status, body } = await app.call('POST', LINKS, made.key, { amount, currency: 'USD' })
      expect(status).toBe(201)
      return (body as { data: { id: string } }).data.id
    }
    const copy = join(scratchFolder(), 'suite.sqlite')
    const answered: string[] = []
    const amounts = Array.from({ length: 40 }, (_, index) => 100 + index)
    await Promise.all(
      amounts.map(async (amount) => {
        answered.push(await create(made.app, amount))
        // The files at this moment are what a killed process leaves behind.
        if (answered.length !== 15) return
        for (const end of ['', '-wal']) copyFileSync(db + end, copy + end)
        const before = [...answered]
        const next = await controlApp({ ownApp: true, db: copy })
        before.push(await create(next, 9000))
        const file = await made.stop(next)
        const made201 = file.steps.flatMap(({ answer }) => answer?.data?.id ?? [])
        expect(made201).toEqual(expect.arrayContaining(before))
        expect(file.steps.filter(({ kind }) => kind === 'restart')).toHaveLength(1)
        expect(await replayed(file)).toMatchObject({ ...EQUAL, skipped: [] })
      }),
    )
    expect(answered).toHaveLength(40)
  })
})

test('real-time clients get the events of a recording, and its replay is equal', async () => {
  const made = await recording()
  const { app, key, path } = made
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const { body } = await app.sim('GET', path)
  const { accountId } = body as { accountId: number }
  const client = await plainClient(`${address.replace('http', 'ws')}/chat/cable`)
  await client.next()
  client.send('subscribe', { channel: 'RoomChannel', pubsub_token: key, account_id: accountId })
  expect((await client.next()).type).toBe('confirm_subscription')
  const created = await app.fastify.inject({
    method: 'POST',
    url: `/chat/api/v1/accounts/${String(accountId)}/contacts`,
    headers: { api_access_token: key, 'content-type': 'application/json' },
    payload: JSON.stringify({ name: 'Ana' }),
  })
  expect(created.statusCode).toBe(200)
  const events: unknown[] = []
  while (!events.includes('contact.created')) {
    events.push(((await client.next()).message as { event?: string } | undefined)?.event)
  }
  const file = await made.stop()
  expect(file.steps).toHaveLength(1)
  expect(await replayed(file)).toMatchObject({ ...EQUAL, skipped: [] })
})
