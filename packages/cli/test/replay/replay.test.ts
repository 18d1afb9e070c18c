/** `suite-sim replay`: recordings and HAR files, on a server of its own and on a running one. */
import { describe, expect, test } from 'vitest'
import { readRecording } from '../../src/replay/recordingFile.ts'
import { replay } from '../../src/replay/replay.ts'
import { remoteTarget } from '../../src/replay/target.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../../../../test/control/app.ts'
import { fileWith, replayed } from '../../../../test/support/recordings.ts'

const PRODUCTS = '/workspace/public/v1/products'
const LINKS = '/pay/v1/payment-links'

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type File = Record<string, unknown> & {
  steps: { status: number; path: string; at: string; answer?: Record<string, unknown> }[]
  end: { diff: { data: { fields: { after: unknown }[] }[] }; snapshot: { sha256: string } }
  start: { snapshot: unknown }
}

/** Records what `act` does in a workspace. */
async function recordingOf(
  act: (calls: {
    app: ControlApp
    key: string
    path: string
    userId: string
    call: <Body>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) => Promise<Body>
  }) => Promise<void>,
  { fixtures = 'none', options = {} }: { fixtures?: string; options?: Parameters<typeof controlApp>[0] } = {},
): Promise<File> {
  const app = await controlApp(options)
  const { id, key, userId } = await makeWorkspace(app, { fixtures })
  const path = `/workspaces/${id}`
  const started = await app.sim('POST', `${path}/recordings`, { body: { name: 'Checkout' } })
  expect(started.status).toBe(201)
  const call = async <Body>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
  ): Promise<Body> => (await app.call(method, url, key, body)).body as Body
  await act({ app, key, path, userId, call })
  const stopped = await app.sim('POST', `${path}/recordings/${(started.body as { id: string }).id}/stop`)
  return stopped.body as File
}

/** Records once for all tests of the file; each gets a copy. */
function once(record: () => Promise<File>): () => Promise<File> {
  let recorded: Promise<File> | undefined
  return async () => structuredClone(await (recorded ??= record()))
}

const checkout = once(() =>
  recordingOf(
    async ({ app, path, call }) => {
      const { data } = await call<{ data: { id: string } }>('POST', LINKS, { amount: 44900, currency: 'USD' })
      await call('GET', `${LINKS}/${data.id}`)
      await app.sim('POST', `${path}/triggers/payments.link.pay`, { body: { link_id: data.id } })
      await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'P3D' } })
      await call('GET', `${LINKS}/${data.id}`)
      await call('POST', PRODUCTS, { name: 'Tea', type: 'physical', basePrice: '12.00' })
    },
    { fixtures: 'small' },
  ),
)

const listing = once(() =>
  recordingOf(async ({ call }) => {
    await call('GET', PRODUCTS)
  }),
)

const EQUAL = { isEqual: true, differences: [], skipped: [], isSnapshotEqual: true, isDiffEqual: true }

describe('a replay', () => {
  test('gives the same answers, changes and bytes', async () => {
    expect(await replayed(await checkout())).toMatchObject({ ...EQUAL, steps: 6 })
  })

  test('says where an answer differs first: step, path and both values', async () => {
    const file = await checkout()
    const { answer } = file.steps[1] ?? {}
    Object.assign(answer?.['data'] as object, { amount: 1 })
    const { isEqual, differences } = await replayed(file)
    expect(isEqual).toBe(false)
    expect(differences).toEqual([
      {
        step: 2,
        title: expect.stringMatching(/^GET \/pay\/v1\/payment-links\/pl_\w+$/) as string,
        path: 'answer.data.amount',
        recorded: 1,
        replayed: 44900,
      },
    ])
  })

  test('says which status and which change differ', async () => {
    const file = await checkout()
    Object.assign(file.steps[5] ?? {}, { status: 202 })
    const field = file.end.diff.data.at(-1)?.fields[0]
    Object.assign(field ?? {}, { after: 'something else' })
    file.end.snapshot.sha256 = '0'.repeat(64)
    const { differences, isSnapshotEqual, isDiffEqual } = await replayed(file)
    expect(differences).toMatchObject([
      { step: 6, path: 'status', recorded: 202, replayed: 201 },
      { step: null, path: expect.stringMatching(/^diff\.data\[\d+\]\.fields\[0\]\.after$/) as string },
    ])
    expect([isSnapshotEqual, isDiffEqual]).toEqual([false, false])
  })

  test('pairs the ids if the new workspace draws others', async () => {
    const file = await checkout()
    Object.assign(file['workspace'] as object, { ids: { seed: 'another', fixed: 'another' } })
    expect(await replayed(file)).toMatchObject({ ...EQUAL, isSnapshotEqual: false })
  })

  test('finds an id that stands for another record', async () => {
    const file = await recordingOf(async ({ call }) => {
      for (const amount of [100, 200]) await call('POST', LINKS, { amount, currency: 'USD' })
    })
    Object.assign(file['workspace'] as object, { ids: { seed: 'another', fixed: 'another' } })
    const [first, second] = file.steps.map(({ answer }) => answer?.['data'] as { id: string })
    if (first && second) second.id = first.id
    const { differences } = await replayed(file)
    expect(differences.map(({ step, path }) => [step, path])).toContainEqual([2, 'answer.data.id'])
  })

  test('applies resets, restored snapshots, faults and settings', async () => {
    const file = await recordingOf(
      async ({ app, key, path, call }) => {
        await app.sim('POST', `${path}/snapshots`, { body: { name: 'before' } })
        await call('POST', PRODUCTS, { name: 'Tea', type: 'physical', basePrice: '12.00' })
        await app.sim('POST', `${path}/snapshots/before/restore`)
        await app.sim('POST', `${path}/faults`, { body: { interface: 'catalog', status: 503, times: 1 } })
        await call('GET', PRODUCTS)
        await app.sim('POST', `${path}/faults`, { body: { interface: 'catalog', reset: true, times: 1 } })
        const url = await app.listen({ host: '127.0.0.1', port: 0 })
        const headers = { authorization: `Bearer ${key}` }
        await expect(fetch(url + PRODUCTS, { headers })).rejects.toThrow('fetch failed')
        await call('GET', PRODUCTS)
        await app.sim('PATCH', path, { body: { modules: { products: false } } })
        await call('GET', PRODUCTS)
        await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'P400D' } })
        await app.sim('POST', `${path}/reset`)
        await call('POST', PRODUCTS, { name: 'Coffee', type: 'physical', basePrice: '12.00' })
      },
      { fixtures: 'small', options: { ownApp: true } },
    )
    expect(await replayed(file)).toMatchObject(EQUAL)
  })

  test('makes keys with the rights of the recorded ones', async () => {
    const file = await recordingOf(async ({ app, path }) => {
      const { body } = await app.sim('POST', `${path}/keys`, { body: { scopes: ['products:read'] } })
      const { key } = body as { key: string }
      await app.call('GET', PRODUCTS, key)
      await app.call('POST', PRODUCTS, key, { name: 'Tea', type: 'physical' })
    })
    expect(file.steps.map(({ status }) => status)).toEqual([200, 403])
    expect(await replayed(file)).toMatchObject(EQUAL)
  })

  test('sends uploaded files again', async () => {
    const file = await recordingOf(
      async ({ app, key }) => {
        const form = new FormData()
        form.append('name', 'Menü')
        form.append('file', new Blob([PNG], { type: 'image/png' }), 'menü "1".png')
        const payload = Buffer.from(await new Response(form).arrayBuffer())
        const { headers } = new Request('http://x', { method: 'POST', body: form })
        const boundary = /^--(.+)\r\n/.exec(payload.toString('latin1'))?.[1] ?? ''
        expect(headers.get('content-type')).toContain('multipart')
        const answer = await app.fastify.inject({
          method: 'POST',
          url: '/grid/v1/media',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': `multipart/form-data; boundary=${boundary}`,
          },
          payload,
        })
        expect([answer.statusCode, answer.payload]).toEqual([201, expect.anything()])
      },
      { fixtures: 'small' },
    )
    expect(file.steps).toHaveLength(1)
    expect(await replayed(file)).toMatchObject(EQUAL)
  })

  test('removes the workspace from a running server, or keeps it', async () => {
    const file = fileWith(await checkout())
    const app = await controlApp({ ownApp: true })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const target = remoteTarget(url, undefined)
    const count = async (): Promise<number> =>
      ((await app.sim('GET', '/workspaces')).body as { data: object[] }).data.length
    const recording = readRecording(file)
    expect(await replay(target, recording)).toMatchObject(EQUAL)
    expect(await count()).toBe(0)
    const kept = await replay(target, recording, { keep: true })
    expect(kept).toMatchObject(EQUAL)
    expect((await app.sim('GET', `/workspaces/${kept.workspace}`)).status).toBe(200)
  })

  test('has another account on a running server', async () => {
    const account = async (app: ControlApp, path: string): Promise<number> =>
      ((await app.sim('GET', path)).body as { accountId: number }).accountId
    const file = await recordingOf(async ({ app, path, key }) => {
      const base = `/chat/api/v1/accounts/${String(await account(app, path))}`
      const headers = { api_access_token: key, 'content-type': 'application/json' }
      const payload = JSON.stringify({ name: 'Ana' })
      const answer = await app.fastify.inject({ method: 'POST', url: `${base}/contacts`, headers, payload })
      expect(answer.statusCode).toBe(200)
      await app.fastify.inject({ method: 'GET', url: `${base}/contacts`, headers })
    })
    const app = await controlApp({ ownApp: true })
    await makeWorkspace(app)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    expect(await replay(remoteTarget(url, undefined), readRecording(fileWith(file)))).toMatchObject(EQUAL)
  })
})

describe('a HAR file', () => {
  test('of the journal replays with the ids of the new workspace', async () => {
    const app = await controlApp({ ownApp: true })
    const { id, key } = await makeWorkspace(app)
    const created = await app.call('POST', LINKS, key, { amount: 44900, currency: 'USD' })
    const { data } = created.body as { data: { id: string } }
    await app.call('GET', `${LINKS}/${data.id}`, key)
    const har = await app.sim('GET', `/workspaces/${id}/requests?as=har`)
    expect(await replayed(JSON.parse(har.text))).toMatchObject({
      isEqual: true,
      steps: 2,
      skipped: [],
      isSnapshotEqual: null,
    })
  })

  test('of a browser is mapped by its paths, without its credentials and other calls', async () => {
    const entry = (method: string, url: string, status: number, text: string, sent?: object) => ({
      startedDateTime: '2026-03-01T10:00:00.000Z',
      request: {
        method,
        url,
        headers: [{ name: 'Authorization', value: 'Bearer a-real-key' }],
        ...(sent && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
      },
      response: { status, content: { text, size: text.length } },
    })
    const file = fileWith({
      log: {
        entries: [
          entry('GET', 'https://cdn.example.com/app.js', 200, 'code'),
          entry('GET', 'https://api.example.com/workspace/public/v1/products?limit=5', 200, '{"data":[]}'),
          entry('POST', 'https://api.example.com/pay/v1/payment-links', 201, '{"data":{"amount":5}}', {
            amount: 500,
            currency: 'USD',
          }),
        ],
      },
    })
    const recording = readRecording(file)
    expect(recording.steps.map((step) => step.interface)).toEqual(['catalog', 'payments'])
    expect(JSON.stringify(recording.steps)).not.toContain('a-real-key')
    const { differences } = await replayed(
      JSON.parse(JSON.stringify({ log: { entries: [] } })) as never,
    ).catch((error: unknown) => ({ differences: [(error as Error).message] }))
    expect(differences[0]).toContain('must contain a call of an interface')
  })
})

describe('a file', () => {
  test.each([
    ['{', 'the file must be JSON'],
    ['[]', 'the file must contain a JSON object'],
    [{}, 'format must be "suite-simulator-recording/1"'],
    [{ log: {} }, 'log.entries must be a list'],
    [{ log: { entries: [1] } }, 'log.entries[0] must have a request and a response'],
  ])('%j is refused with the reason', (content, message) => {
    expect(() => readRecording(fileWith(content))).toThrow(message)
  })

  test.each([
    [(file: File) => ({ ...file, steps: 1 }), 'steps must be a list'],
    [(file: File) => ({ ...file, workspace: null }), 'workspace must be an object'],
    [
      (file: File) => ({ ...file, steps: [{ ...file.steps[0], at: 'noon' }] }),
      'steps[0].at must be a time such as 2026-01-31T12:00:00.000Z',
    ],
    [
      (file: File) => ({ ...file, steps: [{ ...file.steps[0], kind: 'x' }] }),
      'steps[0].kind must be one of call, page',
    ],
    [
      (file: File) => ({ ...file, steps: [{ ...file.steps[0], path: 'http://x' }] }),
      'steps[0].path must start with a slash',
    ],
    [(file: File) => ({ ...file, end: {} }), 'end.at must be a time'],
  ])('that was edited is refused with the place', async (edit, message) => {
    const file = await listing()
    expect(() => readRecording(fileWith(edit(file)))).toThrow(message)
  })

  test('whose snapshot does not fit is refused with the reason of the server', async () => {
    const file = await listing()
    Object.assign(file.start.snapshot as object, { catalog: { products: [{ id: 1 }] } })
    await expect(replayed(file)).rejects.toThrow(
      /^the recording can't be replayed: PUT \/_sim\/workspaces\/.+\/snapshot: /,
    )
  })
})
