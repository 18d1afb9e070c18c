/** Faults of calls with files. None of them leaves a file. */
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/forms.ts'
import { scratchFolder } from '../../support/process.ts'
import { setup } from './setup.ts'

/** Larger than what an upload has in memory. */
const LARGE = 300_000
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${'x'.repeat(LARGE)}--></svg>`
const MEDIA = '/grid/v1/media'

/** An app that listens, with functions that send a form and list the files of its store. */
async function uploading() {
  const folder = scratchFolder()
  const db = join(folder, 'suite.sqlite')
  const app = await setup({ fixtures: 'small', cases: true }, { ownApp: true, db })
  const { listen, made, sim } = app
  const url = await listen({ host: '127.0.0.1', port: 0 })
  const root = join(folder, 'files', 'suite.sqlite')
  const stored = () =>
    readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const incoming = () => stored().filter(({ parentPath }) => parentPath.endsWith('incoming'))
  const send = (path: string, fields: Parameters<typeof formOf>[0], more: Record<string, string> = {}) => {
    const { raw, contentType } = formOf(fields)
    const headers = { authorization: `Bearer ${made.key}`, api_access_token: made.key, ...more }
    const init = { method: 'POST', headers: { ...headers, 'content-type': String(contentType) } }
    return fetch(url + path, { ...init, body: raw as Buffer, redirect: 'manual' })
  }
  return {
    ...app,
    url,
    incoming,
    send,
    upload: (more?: Record<string, string>) =>
      send(
        MEDIA,
        { name: 'Menu', file: { filename: 'a.svg', content: PICTURE, type: 'image/svg+xml' } },
        more,
      ),
    /** The stored files, and the bytes and records of the workspace. */
    state: async () => ({
      files: stored().map(({ name }) => name),
      usage: (await sim('GET', `/workspaces/${made.id}`)).body.usage as object,
    }),
  }
}

const CUT = { reset: true }

describe('an upload whose connection a fault cuts leaves nothing', () => {
  test.each([
    ['at once', CUT],
    ['after a delay', { ...CUT, delayMs: 30 }],
    ['after a condition of the form holds', { ...CUT, when: { body: { name: 'Menu' } } }],
    ['although the fault has an answer', { ...CUT, status: 503, body: { out: 'of order' } }],
  ])('%s', async (_when, fault) => {
    const { set, met, upload, state, incoming } = await uploading()
    const before = await state()
    await set(fault)
    await expect(upload()).rejects.toThrow('fetch failed')
    await expect.poll(incoming).toEqual([])
    expect(await state()).toEqual(before)
    expect(await met()).toEqual([1])
  })

  test('if the caller chose it by its case', async () => {
    const { set, upload, state, incoming } = await uploading()
    const before = await state()
    await set({ ...CUT, case: 'cut' })
    await expect(upload({ 'x-sim-case': 'cut' })).rejects.toThrow('fetch failed')
    await expect.poll(incoming).toEqual([])
    expect(await state()).toEqual(before)
    expect((await upload()).status).toBe(201)
  })

  test('in the other operations with files, and on pages', async () => {
    const { set, send, call, sim, made, state, incoming } = await uploading()
    const { accountId } = (await sim('GET', `/workspaces/${made.id}`)).body
    const vacancies = (await call('GET', '/recruiting/v1/vacancies', made.key)).body.data
    const page = (vacancies as { public_url: string | null }[]).find(({ public_url: url }) => url !== null)
    const before = await state()
    await set(CUT)
    await set({ ...CUT, path: '/recruiting/jobs/*/*' })
    const account = `/chat/api/v1/accounts/${String(accountId)}`
    const file = { filename: 'a.csv', content: `name\n${'x'.repeat(LARGE)}`, type: 'text/csv' }
    const sent: [string, Parameters<typeof send>[1]][] = [
      ['/crm/v1/contacts/import', { file }],
      ['/recruiting/v1/candidates/import', { file }],
      [`${account}/contacts/import`, { import_file: file }],
      [`${account}/conversations/1/messages`, { content: 'See this', 'attachments[]': file }],
      [new URL(page?.public_url ?? '').pathname, { name: 'Ana', cv: file }],
    ]
    for (const [path, fields] of sent) await expect(send(path, fields), path).rejects.toThrow('fetch failed')
    await expect.poll(incoming).toEqual([])
    expect(await state()).toEqual(before)
  })
})

test('an upload that a fault answers leaves nothing', async () => {
  const { set, upload, state, incoming } = await uploading()
  const before = await state()
  await set({ status: 503, delayMs: 10 })
  expect((await upload()).status).toBe(503)
  await expect.poll(incoming).toEqual([])
  expect(await state()).toEqual(before)
})

test.each([
  ['cuts', CUT],
  ['answers', { status: 503 }],
])('an upload whose client disconnects before a fault %s it leaves nothing', async (_what, fault) => {
  const { set, made, url, state, incoming } = await uploading()
  const before = await state()
  await set({ ...fault, delayMs: 60_000 })
  const { raw, contentType } = formOf({ file: { filename: 'a.svg', content: PICTURE } })
  const sent = request(url + MEDIA, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.key}`, 'content-type': String(contentType) },
  })
  sent.on('error', () => undefined)
  sent.end(raw)
  await expect.poll(() => incoming().length).toBe(1)
  sent.destroy()
  await expect.poll(incoming).toEqual([])
  expect(await state()).toEqual(before)
})
