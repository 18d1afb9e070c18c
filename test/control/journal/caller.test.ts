/** The name that a caller gives itself with X-Sim-Caller, everywhere the journal shows it. */
import { expect, test } from 'vitest'
import { scratchFolder } from '../../support/process.ts'
import { controlApp, makeWorkspace, type ControlApp } from '../app.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function setup(options: Parameters<typeof controlApp>[0] = {}) {
  const app = await controlApp(options)
  const made = await makeWorkspace(app)
  const path = `/workspaces/${made.id}`
  const send = sender(app, made.key)
  const list = async (query = '') => (await app.sim('GET', `${path}/requests?${query}`)).body.data
  return { ...app, app, made, path, send, list }
}

const sender =
  ({ fastify }: ControlApp, key: string) =>
  (caller?: string | string[], url = PRODUCTS) =>
    fastify.inject({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${key}`, ...(caller !== undefined && { 'x-sim-caller': caller }) },
    })

test('is in the journal, its filter, the timeline and the HTTP archive, and in no response', async () => {
  const { made, send, list, sim, path, fastify } = await setup()
  const [named, plain] = [await send('agent-7'), await send()]
  const { 'x-request-id': _one, date: _date, ...headers } = named.headers
  const { 'x-request-id': _other, date: _plainDate, ...plainHeaders } = plain.headers
  expect([named.payload, headers]).toEqual([plain.payload, plainHeaders])
  await send('agent-8')

  expect((await list()).map(({ caller }: { caller: unknown }) => caller)).toEqual([
    { userId: made.userId, name: 'agent-8' },
    { userId: made.userId },
    { userId: made.userId, name: 'agent-7' },
  ])
  expect(await list('caller=agent-7')).toMatchObject([{ id: 'req_1' }])
  expect(await list('caller=agent-')).toEqual([])
  const { body: entry } = await sim('GET', `${path}/requests/req_1`)
  expect(entry).toMatchObject({ caller: { name: 'agent-7' }, hints: [] })
  const { body: timeline } = await sim('GET', `${path}/timeline?kind=request`)
  expect(timeline.data.map(({ caller }: { caller?: string }) => caller)).toEqual([
    'agent-8',
    undefined,
    'agent-7',
  ])
  const { text } = await sim('GET', `${path}/requests?as=har&caller=agent-7`)
  const { log } = JSON.parse(text) as { log: { entries: object[] } }
  expect(log.entries).toMatchObject([{ _caller: 'agent-7' }])
  const { text: plainArchive } = await sim('GET', `${path}/requests/req_2?as=har`)
  expect(plainArchive).not.toContain('_caller')
  // A command is for another caller.
  const { payload: command } = await fastify.inject(`/_sim${path}/requests/req_1?as=curl`)
  expect(command).toMatch(/^curl (?!.*caller)/is)
})

test.each([
  ['a', true],
  ['Claude Code 1.0 / run #7', true],
  ['x'.repeat(100), true],
  ['x'.repeat(101), false],
  ['', false],
  ['José', false],
  ['tab\there', false],
])('records %j or gives a hint', async (name, isRecorded) => {
  const { send, sim, path } = await setup()
  expect((await send(name)).statusCode).toBe(200)
  const { body } = await sim('GET', `${path}/requests/req_1`)
  expect(body.caller.name).toBe(isRecorded ? name : undefined)
  expect(body.hints).toEqual(
    isRecorded
      ? []
      : [
          {
            code: 'caller_ignored',
            message:
              'X-Sim-Caller must be 1 to 100 printable ASCII characters, without a space at either end. It was ignored.',
          },
        ],
  )
})

test.each(['x'.repeat(101), '%20a', 'a%01'])('refuses the filter caller=%s', async (name) => {
  const { sim, path } = await setup()
  const { status, body } = await sim('GET', `${path}/requests?caller=${name}`)
  expect(status).toBe(400)
  expect(body.error.message).toContain('caller must be 1 to 100 printable ASCII characters')
})

test('is kept after a restart', async () => {
  const db = `${scratchFolder()}/suite.sqlite`
  const first = await setup({ db })
  await first.send('agent-7')
  await first.close()
  const second = await controlApp({ db })
  await sender(second, first.made.key)('agent-8')
  const { body } = await second.sim('GET', `${first.path}/requests?caller=agent-7`)
  expect(body.data).toMatchObject([{ id: 'req_1', caller: { name: 'agent-7' } }])
  const { body: all } = await second.sim('GET', `${first.path}/requests`)
  expect(all.data).toHaveLength(2)
})

test('is known of calls without a workspace', async () => {
  const { app, sim } = await setup()
  await sender(app, 'wrong')('agent-7')
  await sender(app, 'wrong')('x'.repeat(101))
  const { body } = await sim('GET', '/requests?unmatched=true')
  expect(body.data).toMatchObject([{ caller: null }, { caller: { userId: null, name: 'agent-7' } }])
  expect(body.data[0].hints).toContainEqual(expect.objectContaining({ code: 'caller_ignored' }))
})

test('waits for calls of one caller', async () => {
  const { send, list } = await setup()
  const waiting = list('caller=agent-7&wait=20&count=1')
  await send('agent-8')
  await send('agent-7')
  expect(await waiting).toMatchObject([{ caller: { name: 'agent-7' } }])
})

test('has no keys, which callers may send by mistake', async () => {
  const { app, made, path, send, list, sim } = await setup()
  await send(made.key)
  await send(`agent ${made.key}`)
  await send('https://user:secret-word@example.com/?api_key=abc')
  const { key: other } = await makeWorkspace(app)
  await send(`Bearer ${other}`)
  const names = (await list()).map(({ caller }: { caller: { name: string } }) => caller.name)
  expect(names).toEqual([
    'Bearer [redacted]',
    'https://[redacted]@example.com/?api_key=[redacted]',
    'agent [redacted]',
    '[redacted]',
  ])
  const texts = [
    await sim('GET', `${path}/requests`),
    await sim('GET', `${path}/requests?as=har`),
    await sim('GET', `${path}/timeline`),
  ].map(({ text }) => text)
  for (const text of texts) {
    expect(text).not.toContain(made.key)
    expect(text).not.toContain(other)
    expect(text).not.toContain('secret-word')
  }
})
