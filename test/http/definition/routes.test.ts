/** Routes of a resource: their status, their record, and what their operations have in common. */
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { routesOf } from '../../../src/http/definition/routes.ts'
import { documented } from '../../../src/state/model/fidelity.ts'

const words = { id: 'doIt', summary: 'Do it', fidelity: documented }
const ANY = { 200: Type.Any() }
const LampId = Type.Object({ lamp_id: Type.String({ maxLength: 5 }) })
const Lamp = Type.Object({ color: Type.String() })

const lamps = {
  get: vi.fn((_workspace: unknown, id: string) => {
    if (id.startsWith('no')) throw Object.assign(new Error('no lamp'), { statusCode: 404 })
    return { id, color: 'red' }
  }),
}

afterEach(() => {
  lamps.get.mockClear()
})

function freshRoutes() {
  const app = Fastify()
  const at = routesOf(app, { tag: 'Lamps', scope: 'lamps:read' })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) => {
    const answer = await app.inject({ method, url, ...(body && { payload: body }) })
    return { status: answer.statusCode, text: answer.payload, type: answer.headers['content-type'] }
  }
  return { app, at, item: at('/lamps/:lamp_id', { params: LampId, record: lamps }), ask }
}

test('answer with the status of their only answer', async () => {
  const { at, ask } = freshRoutes()
  at('/one').get({ ...words, answers: ANY, run: () => ({}) })
  at('/made').post({ ...words, answers: { 201: Type.Any() }, run: () => ({ is: 'made' }) })
  expect(await ask('GET', '/one')).toMatchObject({ status: 200 })
  expect(await ask('POST', '/made')).toMatchObject({ status: 201, text: '{"is":"made"}' })
})

test.each([
  ['at once', 204, () => undefined],
  ['later', 204, () => Promise.resolve('ignored')],
  ['at once', 200, () => undefined],
])('answer without a body if the operation has none: %s, with %i', async (_when, status, run) => {
  const { at, ask } = freshRoutes()
  at('/gone').delete({ ...words, answers: { [status]: null }, run })
  expect(await ask('DELETE', '/gone')).toEqual({ status, text: '', type: undefined })
})

test('leave the status to the handler if the operation has several answers', async () => {
  const { at, ask } = freshRoutes()
  const answers = { 201: Type.Any(), 202: Type.Any() }
  at('/made').post({ ...words, answers, run: (_request, reply) => reply.code(202).send({}) })
  expect(await ask('POST', '/made')).toMatchObject({ status: 202 })
})

test('give their handler the record that the last parameter names', async () => {
  const { at, ask } = freshRoutes()
  const params = Type.Object({ room: Type.String(), lamp_id: Type.String() })
  at('/rooms/:room/lamps/:lamp_id/light', { params, record: lamps }).post({
    ...words,
    answers: ANY,
    run: ({ record, params: { room } }) => ({ ...record, room }),
  })
  const { text } = await ask('POST', '/rooms/hall/lamps/a/light')
  expect(JSON.parse(text)).toEqual({ id: 'a', color: 'red', room: 'hall' })
})

test('find the record of a path that ends with a file name', async () => {
  const { at, ask } = freshRoutes()
  at('/lamps/:lamp_id.txt', { params: LampId, record: lamps }).get({
    ...words,
    answers: ANY,
    run: ({ record }) => record,
  })
  expect(await ask('GET', '/lamps/a.txt')).toMatchObject({ status: 200 })
})

test('find the record with a function of the request', async () => {
  const { at, ask } = freshRoutes()
  const record = ({ method }: { readonly method: string }, id: string) => `${method} ${id}`
  at('/lamps/:lamp_id', { params: LampId, record }).get({
    ...words,
    answers: ANY,
    run: ({ record: found }) => ({ found }),
  })
  expect((await ask('GET', '/lamps/a')).text).toBe('{"found":"GET a"}')
})

test('refuse an unknown record before an invalid body', async () => {
  const { item, ask } = freshRoutes()
  item.post({ ...words, query: Lamp, body: Lamp, answers: ANY, run: ({ query, body }) => [query, body] })
  const red = { color: 'red' }
  expect(await ask('POST', '/lamps/no', {})).toMatchObject({ status: 404 })
  expect(await ask('POST', '/lamps/a?color=red', {})).toMatchObject({ status: 400 })
  expect(await ask('POST', '/lamps/a', red)).toMatchObject({ status: 400 })
  expect((await ask('POST', '/lamps/a?color=red', red)).text).toBe(JSON.stringify([red, red]))
})

test('read no record that nothing asks for, and validate its id first', async () => {
  const { item, ask } = freshRoutes()
  item.get({ ...words, answers: ANY, run: () => ({}) })
  item.delete({ ...words, answers: ANY, run: ({ record }) => record })
  await ask('GET', '/lamps/no')
  expect(await ask('DELETE', '/lamps/no-such')).toMatchObject({ status: 400 })
  expect(lamps.get).not.toHaveBeenCalled()
  expect(await ask('DELETE', '/lamps/no')).toMatchObject({ status: 404 })
})

test('run what all methods of a path run first before the check of the record', async () => {
  const { at, ask } = freshRoutes()
  const before = vi.fn((_request: unknown, _reply: unknown, done: (error?: Error) => void) => {
    done(Object.assign(new Error('not here'), { statusCode: 401 }))
  })
  const item = at('/lamps/:lamp_id', { params: LampId, record: lamps, before })
  item.get({ ...words, answers: ANY, run: () => ({}) })
  item.post({ ...words, body: Lamp, answers: ANY, run: () => ({}) })
  expect(await ask('GET', '/lamps/a')).toMatchObject({ status: 401 })
  expect(await ask('POST', '/lamps/no', {})).toMatchObject({ status: 401 })
})

test('run what comes before the validation after the check of the record', async () => {
  const { item, ask } = freshRoutes()
  item.post({
    ...words,
    body: Lamp,
    before: (request, _reply, done) => {
      request.body = { color: `blue ${String(lamps.get.mock.calls.length)}` }
      done()
    },
    answers: ANY,
    run: ({ body }) => body,
  })
  expect((await ask('POST', '/lamps/a')).text).toBe('{"color":"blue 1"}')
})

test('share what all operations of the resource have in common, unless they say otherwise', async () => {
  const { app, at } = freshRoutes()
  const found: unknown[] = []
  app.addHook('onRoute', ({ config, method }) => {
    if (method !== 'HEAD') found.push(config?.operation)
  })
  at('/one').get({ ...words, answers: ANY, run: () => ({}) })
  at('/two').get({ ...words, scope: 'lamps:write', answers: ANY, run: () => ({}) })
  await app.ready()
  expect(found).toMatchObject([
    { ...words, tag: 'Lamps', scope: 'lamps:read', answers: ANY },
    { ...words, tag: 'Lamps', scope: 'lamps:write' },
  ])
})
