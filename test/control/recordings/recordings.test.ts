/** Recordings of a workspace over HTTP. OPERATING.md, "Control plane". */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MAX_RECORDINGS, MAX_STEP_BYTES } from '../../../src/state/timeline/recordings.ts'
import { scratchFolder } from '../../support/process.ts'
import { controlApp, error, makeWorkspace, type ControlApp, type SimAnswer } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'
const LINKS = '/pay/v1/payment-links'

interface RecordedStep {
  readonly kind: string
  readonly at: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly caller?: { name: string; user: string; scopes: string[]; interfaces: string[] }
  readonly body?: unknown
  readonly text?: string
  readonly answer?: unknown
  readonly operation?: string
  readonly snapshot?: object
  readonly form?: readonly { name: string; base64?: string; value?: string; filename?: string }[]
}

interface File {
  readonly endedBy: string | null
  readonly workspace: { readonly ids: { readonly seed: string; readonly fixed: string } }
  readonly start: { readonly snapshot: unknown; readonly faults: object[]; readonly at: string }
  readonly steps: readonly RecordedStep[]
  readonly end: {
    readonly snapshot: { readonly bytes: number }
    readonly diff: { summary: object; data: { section: string; id: string }[]; isComplete: boolean }
  } | null
}

async function recorded(options: Parameters<typeof controlApp>[0] = {}, fixtures = 'none') {
  const app = await controlApp(options)
  const made = await makeWorkspace(app, { fixtures })
  const path = `/workspaces/${made.id}`
  const start = async (body: object = {}): Promise<string> => {
    const started = await app.sim('POST', `${path}/recordings`, { body })
    expect(started.status).toBe(201)
    return (started.body as { id: string }).id
  }
  const stop = async (id: string): Promise<File> => {
    const answer = await app.sim('POST', `${path}/recordings/${id}/stop`)
    expect(answer.status).toBe(200)
    return answer.body as File
  }
  return { app, ...made, path, start, stop }
}

const addProduct = (app: ControlApp, key: string, name = 'Tea'): Promise<SimAnswer> =>
  app.call('POST', PRODUCTS, key, { name, type: 'physical', basePrice: '12.00' })

describe('a recording', () => {
  test('has the calls, triggers and clock moves in order, and the changes that they led to', async () => {
    const { app, key, userId, path, start, stop } = await recorded()
    await addProduct(app, key, 'Before')
    const id = await start({ name: 'Checkout' })
    const created = await addProduct(app, key)
    await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'P1D' } })
    await app.sim('POST', `${path}/triggers/crm.team.define`, {
      body: { name: 'North', member_ids: [userId] },
    })
    await app.sim('PATCH', path, { body: { currency: 'MXN' } })
    await app.call('GET', `${PRODUCTS}?limit=1`, key)
    await app.call('POST', PRODUCTS, key, { name: '' })
    await app.sim('GET', `${path}/diff`)
    const file = await stop(id)

    expect(file.steps.map(({ kind, operation, status }) => [kind, operation, status])).toEqual([
      ['call', 'createProduct', 201],
      ['clock', 'advanceClock', 200],
      ['trigger', 'pullTrigger', 200],
      ['control', 'updateWorkspace', 200],
      ['call', 'listProducts', 200],
      ['call', 'createProduct', 400],
    ])
    expect(file.steps[0]?.body).toEqual({ name: 'Tea', type: 'physical', basePrice: '12.00' })
    expect(file.steps[0]?.answer).toEqual(created.body)
    expect(file.steps[0]?.caller).toMatchObject({ scopes: ['*'], interfaces: ['*'] })
    expect(file.steps[4]?.path).toBe(`${PRODUCTS}?limit=1`)
    const times = file.steps.map(({ at }) => Date.parse(at))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(86_400_000)
    expect(JSON.stringify(file.start.snapshot)).toContain('Before')
    expect(JSON.stringify(file.start.snapshot)).not.toContain('Tea')
    expect(file.end?.diff).toMatchObject({ summary: { added: 2, changed: 0, removed: 0 }, isComplete: true })
    expect(file.end?.diff.data.map(({ section }) => section)).toEqual(['catalog.products', 'crm.teams'])
  })

  test('never contains keys or secrets', async () => {
    const { app, key, path, start, stop, controlToken } = await recorded()
    await app.sim('POST', `${path}/subscriptions`, {
      body: { interface: 'pos', url: 'https://example.com/a', secret: 'first-secret-of-mine' },
    })
    const id = await start()
    await addProduct(app, key, `The key is ${key}`)
    await app.sim('POST', `${path}/subscriptions`, {
      body: { interface: 'pos', url: 'https://example.com/b', secret: 'second-secret-of-mine' },
    })
    await app.sim('POST', `${path}/subscriptions`, {
      headers: { authorization: `Bearer ${controlToken}` },
      body: { interface: 'pos', url: 'https://example.com/c' },
    })
    const text = JSON.stringify(await stop(id))
    expect(text).toContain('redacted_')
    for (const secret of [key, controlToken, 'first-secret-of-mine', 'second-secret-of-mine']) {
      expect(text).not.toContain(secret)
    }
  })

  test('names the rights of limited keys, and tells keys apart', async () => {
    const { app, key, path, start, stop } = await recorded()
    const limited = await app.sim('POST', `${path}/keys`, {
      body: { scopes: ['products:read'], interfaces: ['catalog'] },
    })
    const id = await start()
    const { key: second } = limited.body as { key: string }
    await app.call('GET', PRODUCTS, key)
    await app.call('GET', PRODUCTS, second)
    await addProduct(app, second)
    await app.call('GET', LINKS, second)
    const { steps } = await stop(id)
    expect(steps.map(({ status }) => status)).toEqual([200, 200, 403, 403])
    expect(steps[1]?.caller).toMatchObject({ scopes: ['products:read'], interfaces: ['catalog'] })
    expect(steps[0]?.caller?.name).not.toBe(steps[1]?.caller?.name)
    expect(steps[2]?.caller?.name).toBe(steps[1]?.caller?.name)
  })

  test('keeps the text of a body that is no JSON', async () => {
    const { app, key, start, stop } = await recorded()
    const id = await start()
    const answer = await app.fastify.inject({
      method: 'POST',
      url: PRODUCTS,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: '{"name": ',
    })
    expect(answer.statusCode).toBe(400)
    expect((await stop(id)).steps).toMatchObject([{ text: '{"name": ', status: 400 }])
  })

  test('contains the records after a reset and after a restored snapshot', async () => {
    const { app, key, path, start, stop } = await recorded()
    await addProduct(app, key, 'Saved')
    await app.sim('POST', `${path}/snapshots`, { body: { name: 'before' } })
    const id = await start()
    await app.sim('POST', `${path}/reset`)
    await app.sim('POST', `${path}/snapshots/before/restore`)
    const { steps } = await stop(id)
    expect(steps.map(({ operation }) => operation)).toEqual(['resetWorkspace', 'restoreSnapshot'])
    expect(JSON.stringify(steps[0]?.snapshot)).not.toContain('Saved')
    expect(JSON.stringify(steps[1]?.snapshot)).toContain('Saved')
  })

  test('begins with the faults that are left, and records injected ones', async () => {
    const { app, key, path, start, stop } = await recorded({ ownApp: true })
    await app.sim('POST', `${path}/faults`, { body: { interface: 'catalog', status: 503, times: 3 } })
    await app.call('GET', PRODUCTS, key)
    const id = await start()
    await app.sim('POST', `${path}/faults`, { body: { interface: 'crm', reset: true } })
    expect((await app.call('GET', PRODUCTS, key)).status).toBe(503)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const headers = { authorization: `Bearer ${key}` }
    await expect(fetch(`${url}/crm/v1/contacts`, { headers })).rejects.toThrow('fetch failed')
    const { start: beginning, steps } = await stop(id)
    expect(beginning.faults).toEqual([{ interface: 'catalog', status: 503, times: 2 }])
    expect(steps.map(({ status }) => status)).toEqual([201, 503, 0])
  })
})

describe('a running recording', () => {
  test('lets calls take turns, each with one time of the clock', async () => {
    const { app, key, start, stop } = await recorded()
    const id = await start()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => addProduct(app, key, `Product ${String(index)}`)),
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { steps } = await stop(id)
    for (const { at, answer } of steps) {
      expect((answer as { data: { createdAt: string } }).data.createdAt).toBe(at)
    }
  })

  test('is the only one of its workspace, and another can start after it', async () => {
    const { app, path, start, stop } = await recorded()
    const id = await start()
    expect((await app.sim('POST', `${path}/recordings`)).body).toEqual(
      error('conflict', 'A recording of this workspace is running. Stop it first.'),
    )
    await stop(id)
    expect(await start()).not.toBe(id)
  })

  test('starts once if several callers start it', async () => {
    const { app, path } = await recorded()
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.sim('POST', `${path}/recordings`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
  })

  test('does not hold back other workspaces or reads of the control plane', async () => {
    const { app, path, start } = await recorded()
    await start()
    const other = await makeWorkspace(app)
    expect((await addProduct(app, other.key)).status).toBe(201)
    expect((await app.sim('GET', `${path}/clock`)).status).toBe(200)
  })

  test('records one call before and one after a stop, and the ids return to those of before', async () => {
    const { app, key, start, stop } = await recorded({ seed: 'one' })
    const first = await start()
    await addProduct(app, key)
    await stop(first)
    const after = await addProduct(app, key, 'After')
    expect(after.status).toBe(201)
    const second = await start()
    const { steps } = await stop(second)
    expect(steps).toEqual([])
  })

  test('waits for a fault that delays a call, without holding others back', async () => {
    const { app, key, path, start, stop } = await recorded()
    await app.sim('POST', `${path}/faults`, { body: { path: PRODUCTS, delayMs: 300, times: 1 } })
    const id = await start()
    const slow = app.call('GET', PRODUCTS, key)
    const [, quick] = await Promise.all([slow, app.call('GET', LINKS, key)])
    expect(quick.status).toBe(200)
    expect((await stop(id)).steps.map(({ path: called }) => called)).toEqual([LINKS, PRODUCTS])
  })
})

describe('the recordings of a workspace', () => {
  test('are listed, read, stopped again and deleted', async () => {
    const { app, key, path, start, stop } = await recorded()
    const id = await start({ name: 'One' })
    await addProduct(app, key)
    expect((await app.sim('GET', `${path}/recordings/${id}`)).body).toMatchObject({
      id,
      name: 'One',
      status: 'recording',
      steps: 1,
      stoppedAt: null,
      endedBy: null,
    })
    const file = await stop(id)
    expect(await stop(id)).toEqual(file)
    const other = await start()
    const { data } = (await app.sim('GET', `${path}/recordings`)).body as { data: object[] }
    expect(data).toMatchObject([
      { id, status: 'stopped' },
      { id: other, name: 'Recording', status: 'recording' },
    ])
    for (const each of [id, other]) {
      expect((await app.sim('DELETE', `${path}/recordings/${each}`)).status).toBe(204)
    }
    expect((await app.sim('GET', `${path}/recordings`)).body).toEqual({ data: [] })
    expect((await addProduct(app, key)).status).toBe(201)
  })

  test('are unknown to other workspaces', async () => {
    const { app, start } = await recorded()
    const id = await start()
    const other = await makeWorkspace(app)
    for (const [method, end] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/stop'],
    ] as const) {
      const answer = await app.sim(method, `/workspaces/${other.id}/recordings/${id}${end}`)
      expect([answer.status, answer.body]).toEqual([404, error('not_found', `There is no recording ${id}.`)])
    }
  })

  test('refuse a blank name, and are at most as many as documented', async () => {
    const { app, path, start, stop } = await recorded()
    const blank = await app.sim('POST', `${path}/recordings`, { body: { name: ' ' } })
    expect(blank.body).toMatchObject({ error: { message: 'name must not be blank' } })
    for (let index = 0; index < MAX_RECORDINGS; index++) await stop(await start())
    const answer = await app.sim('POST', `${path}/recordings`)
    expect(answer.body).toEqual(
      error('conflict', `A workspace has at most ${String(MAX_RECORDINGS)} recordings. Delete one first.`),
    )
  })

  test('count in the quota of the workspace, and end with it', async () => {
    const { app, key, path, start, stop } = await recorded()
    const usage = async (): Promise<number> =>
      ((await app.sim('GET', path)).body as { usage: { bytes: number } }).usage.bytes
    const before = await usage()
    const id = await start()
    await addProduct(app, key)
    await stop(id)
    const during = await usage()
    const { bytes } = (await app.sim('GET', `${path}/recordings/${id}`)).body as { bytes: number }
    expect(during - before).toBeGreaterThan(bytes)
    await app.sim('DELETE', `${path}/recordings/${id}`)
    expect(await usage()).toBeLessThan(during - bytes + 1)
    await start()
    await app.sim('DELETE', path)
    const { sqlite } = app.workspaces.database
    for (const table of ['recordings', 'recording_steps']) {
      expect(sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
    }
  })

  test('are not part of clones, and survive a reset', async () => {
    const { app, path, start } = await recorded()
    const id = await start()
    const clone = await app.sim('POST', `${path}/clone`)
    const { workspace } = clone.body as { workspace: { id: string } }
    expect((await app.sim('GET', `/workspaces/${workspace.id}/recordings`)).body).toEqual({ data: [] })
    await app.sim('POST', `${path}/reset`)
    expect((await app.sim('GET', `${path}/recordings/${id}`)).body).toMatchObject({ status: 'recording' })
  })

  test('go on after a restart of the server, with a step for it', async () => {
    const db = join(scratchFolder(), 'suite.sqlite')
    const first = await recorded({ db, ownApp: true })
    const id = await first.start()
    await addProduct(first.app, first.key, 'Before')
    await first.app.close()
    const app = await controlApp({ db, ownApp: true })
    await addProduct(app, first.key, 'After')
    const file = (await app.sim('POST', `${first.path}/recordings/${id}/stop`)).body as File
    expect(file.steps.map(({ kind }) => kind)).toEqual(['call', 'restart', 'call'])
    expect(file.end?.diff.summary).toMatchObject({ added: 2 })
  })
})

test('a step beyond a limit ends the recording, and the call works', async () => {
  const { app, key, path, start, stop } = await recorded()
  const id = await start()
  await addProduct(app, key)
  const { active } = app.workspaces.get(path.slice('/workspaces/'.length)).recording
  expect(active?.id).toBe(id)
  app.workspaces
    .get(path.slice('/workspaces/'.length))
    .recording.append(JSON.stringify({ kind: 'call' }), MAX_STEP_BYTES + 1)
  expect((await addProduct(app, key, 'Later')).status).toBe(201)
  const limit = `step 2 with ${String(MAX_STEP_BYTES + 1)} bytes; a step has at most ${String(MAX_STEP_BYTES)}`
  expect((await app.sim('GET', `${path}/recordings/${id}`)).body).toMatchObject({
    status: 'ended',
    endedBy: limit,
    steps: 1,
  })
  const file = await stop(id)
  expect([file.endedBy, file.steps.length, file.end]).toEqual([limit, 1, null])
})

describe('the ids of a new workspace', () => {
  test('are those of another workspace with the same source', async () => {
    const { app, key, start, stop } = await recorded()
    const id = await start()
    const created = await addProduct(app, key)
    const { workspace } = await stop(id)
    const other = await makeWorkspace(app, { ids: workspace.ids })
    const again = await addProduct(app, other.key)
    expect((again.body as { data: { id: string } }).data.id).toBe(
      (created.body as { data: { id: string } }).data.id,
    )
  })

  test('are the same in each run of a recording with a seed, and do not reveal it', async () => {
    const run = async (): Promise<string> => {
      const { app, key, start, stop } = await recorded({ seed: 'a seed of mine' })
      const id = await start()
      await addProduct(app, key)
      const file = await stop(id)
      expect(JSON.stringify(file)).not.toContain('a seed of mine')
      return JSON.stringify(file.steps[0]?.answer).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    }
    expect(await run()).toBe(await run())
  })

  test('are those of its seed, also beside another workspace with the same one', async () => {
    const { app } = await recorded()
    const seeds = ['a test', 'a test', 'another test']
    const made = await Promise.all(seeds.map((seed) => makeWorkspace(app, { ids: { seed } })))
    const ids: unknown[][] = made.map(() => [])
    for (const name of ['Desk', 'Chair']) {
      const answers = await Promise.all(made.map(({ key }) => addProduct(app, key, name)))
      answers.forEach(({ body }, index) => ids[index]?.push((body as { data: { id: string } }).data.id))
    }
    expect(ids[0]).toEqual(ids[1])
    for (const [index, id] of (ids[0] ?? []).entries()) expect(ids[2]?.[index]).not.toEqual(id)
  })

  test('refuse a source without a seed', async () => {
    const { app } = await recorded()
    const answer = await app.sim('POST', '/workspaces', { body: { ids: { fixed: 'x' } } })
    expect(answer.body).toMatchObject({ error: { message: 'ids.seed is required' } })
  })
})
