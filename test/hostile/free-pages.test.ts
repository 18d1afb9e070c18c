/** A kill while the database file shrinks leaves a complete file, which shrinks after the next start. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { beforeAll, expect, test, vi } from 'vitest'
import { build, scratchFolder, start, type Server } from '../support/process.ts'

beforeAll(build)

const WORKSPACES = 8
const ARGS = ['--port', '0', '--db', 'suite.sqlite', '--fixtures', 'small']

/** Calls after the deletion and before the kill, so that it falls into the deletion of rows or the release of pages. */
const CALLS = [1, 30, 90]

const JSON_BODY = { 'content-type': 'application/json' }

const created = async ({ url }: Server): Promise<string> => {
  const answer = await fetch(`${url}/_sim/workspaces`, {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ fixtures: 'demo' }),
  })
  const { workspace } = (await answer.json()) as { workspace: { id: string } }
  return workspace.id
}

const addUser = async ({ url }: Server, workspace: string, name: string): Promise<number> => {
  const body = JSON.stringify({ name, email: 'a@example.com' })
  const path = `/_sim/workspaces/${workspace}/users`
  return (await fetch(url + path, { method: 'POST', headers: JSON_BODY, body })).status
}

test.each(CALLS)('%i calls after workspaces were deleted', async (calls) => {
  const place = { folder: scratchFolder() }
  const file = join(place.folder, 'suite.sqlite')
  const server = await start(ARGS, place)
  const ids: string[] = []
  for (let n = 0; n < WORKSPACES; n++) ids.push(await created(server))
  const kept = await created(server)
  for (const id of ids) await fetch(`${server.url}/_sim/workspaces/${id}`, { method: 'DELETE' })
  for (let n = 0; n < calls; n++) expect(await addUser(server, kept, `User ${String(n)}`)).toBe(201)
  await server.stop('SIGKILL')

  const again = await start(ARGS, place)
  await vi.waitFor(
    async () => {
      await addUser(again, kept, 'Later')
      expect(statSync(file).size).toBeLessThan(12_000_000)
    },
    { timeout: 300_000, interval: 20 },
  )
  await again.stop('SIGTERM')
  const sqlite = new SQLite(file, { readonly: true })
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  const added = sqlite
    .prepare("SELECT count(DISTINCT name) FROM users WHERE name LIKE 'User %'")
    .pluck()
    .get()
  expect(added).toBe(calls)
  sqlite.close()
})
