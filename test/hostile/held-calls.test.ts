/** A server that is killed while calls wait for a fault: nothing is lost, and what waited has not happened. */
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { build, scratchFolder, start } from '../support/process.ts'

beforeAll(build)

const JSON_BODY = { 'content-type': 'application/json' }

async function server(folder: string) {
  const { url, stop } = await start(['--port', '0', '--db', 'held.sqlite'], { folder })
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { ...JSON_BODY, authorization: 'Bearer demo-key' },
      body: JSON.stringify(body),
    })
  const get = async (path: string) =>
    (await (await fetch(url + path, { headers: { authorization: 'Bearer demo-key' } })).json()) as {
      data: { name: string; waiting?: object[] }[]
    }
  return {
    stop,
    post,
    add: (name: string) => post('/crm/v1/contacts', { name }),
    names: async () => (await get('/crm/v1/contacts?search=Kept')).data.map(({ name }) => name).toSorted(),
    faults: async () => (await get('/_sim/workspaces/demo/faults')).data,
  }
}

test('starts again after a kill with held calls, whose work only exists if they were held after it', async () => {
  const folder = scratchFolder()
  const first = await server(folder)
  expect((await first.add('Kept before')).status).toBe(201)
  const hold = { interface: 'crm', method: 'POST', hold: true, times: 2 }
  for (const fault of [hold, { ...hold, after: true }]) {
    expect((await first.post('/_sim/workspaces/demo/faults', fault)).status).toBe(201)
    const held = [1, 2].map((number) =>
      first.add(`Kept ${fault === hold ? 'never' : 'after'} ${String(number)}`),
    )
    for (const call of held) call.catch(() => undefined)
    await expect.poll(async () => (await first.faults()).at(-1)?.waiting).toHaveLength(2)
  }
  await first.stop('SIGKILL')

  const second = await server(folder)
  expect(await second.faults()).toEqual([])
  expect(await second.names()).toEqual(['Kept after 1', 'Kept after 2', 'Kept before'])
  expect((await second.add('Kept later')).status).toBe(201)
  expect(await second.stop('SIGTERM')).toBe(0)
  const database = new SQLite(join(folder, 'held.sqlite'), { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  database.close()
})
