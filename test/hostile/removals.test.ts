/**
 * Removals of records with very many dependents run in slices: other work continues, and no reader sees a partial
 * state.
 */
import { expect, test } from 'vitest'
import { freshApp, type Answer, type FreshApp } from '../support/app.ts'
import { multiply } from '../support/filling.ts'
import { freshSignage, type LayoutBody, type PlaylistBody } from '../support/signage.ts'

const MANY = 40_000

/** The result of the removal, and the number of event loop turns until its end. */
async function removedInSlices({ workspace }: FreshApp, remove: () => Promise<Answer>): Promise<number> {
  const state = { isOver: false }
  const removed = remove().finally(() => {
    state.isOver = true
  })
  while (!workspace.longWork.isRunning && !state.isOver) await new Promise(setImmediate)
  let turns = 0
  for (; !state.isOver; turns++) await new Promise(setImmediate)
  expect((await removed).status).toBe(204)
  return turns
}

const rowsIn = ({ workspace }: FreshApp, table: string): unknown =>
  workspace.database.sqlite
    .prepare(`SELECT count(*) FROM ${table} WHERE workspace = ?`)
    .pluck()
    .get(workspace.rowScope)

test('removes a screen with very many plays', async () => {
  const { fresh, call, addScreen, addMedia, happens } = await freshSignage()
  const { id } = await addScreen()
  const { id: media } = await addMedia()
  await happens('playback.record', { screen_id: id, media_id: media, duration_seconds: 10 })
  multiply(fresh.workspace, 'signage_playbacks', MANY)

  expect(await removedInSlices(fresh, () => call('DELETE', `/screens/${id}`))).toBeGreaterThan(1)
  expect(rowsIn(fresh, 'signage_playbacks')).toBe(0)
  expect((await call('GET', `/screens/${id}`)).status).toBe(404)
})

test('removes an automation whose sequence waits for very many contacts', async () => {
  const fresh = await freshApp()
  const crm = fresh.at<{ id: string }>('crm')
  const { body } = await crm('POST', '/automations', {
    body: {
      name: 'Welcome',
      type: 'sequence',
      trigger: { event: 'contact.created' },
      actions: [{ type: 'create_task', config: { title: 'Call', delay_hours: 24 } }],
    },
  })
  await crm('POST', '/contacts', { body: { name: 'Ana' } })
  multiply(fresh.workspace, 'crm_waiting_steps', MANY)
  multiply(fresh.workspace, 'crm_executions', MANY)

  const path = `/automations/${body.id}`
  expect(await removedInSlices(fresh, () => crm('DELETE', path))).toBeGreaterThan(1)
  expect([rowsIn(fresh, 'crm_waiting_steps'), rowsIn(fresh, 'crm_executions')]).toEqual([0, 0])
  expect((await crm('GET', path)).status).toBe(404)
  await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/clock/advance`, {
    body: { duration: 'P2D' },
  })
  expect(await crm('GET', '/activities')).toMatchObject({ body: { meta: { total_count: 0 } } })
})

test('removes a medium that very many playlists and layouts show, with force', async () => {
  const { fresh, call, ask, addMedia, addPlaylist, addLayout, events } = await freshSignage()
  const { workspace } = fresh
  const copies = 1000
  const logo = await addMedia()
  const playlist = await addPlaylist({ items: [{ media_id: logo.id, duration: 10 }] })
  const zone = { x: 0, y: 0, width: 9, height: 9, content_type: 'media', content_id: logo.id }
  const layout = await addLayout({ zones: [zone] })
  multiply(workspace, 'signage_playlists', copies)
  multiply(workspace, 'signage_playlist_items', copies, { playlist_id: `playlist_id || '_' || n` })
  multiply(workspace, 'signage_layouts', copies)
  multiply(workspace, 'signage_layout_zones', copies, { layout_id: `layout_id || '_' || n` })

  let last: Promise<PlaylistBody> | undefined
  const turns = await removedInSlices(fresh, () => {
    const removed = call('DELETE', `/media/${logo.id}?force=true`)
    // A read during the removal waits until it is complete.
    last = ask<PlaylistBody>('GET', `/playlists/${playlist.id}_${String(copies)}`)
    return removed
  })
  expect(turns).toBeGreaterThan(1)
  expect((await last)?.items).toEqual([])
  expect((await ask<PlaylistBody>('GET', `/playlists/${playlist.id}`)).items).toEqual([])
  const { zones } = await ask<LayoutBody>('GET', `/layouts/${layout.id}_${String(copies)}`)
  expect(zones.map(({ content_id }) => content_id)).toEqual([null])
  expect((await call('GET', `/media/${logo.id}`)).status).toBe(404)
  const emitted = events()
  expect(emitted.filter((name) => name === 'playlist.updated')).toHaveLength(copies + 1)
  expect(emitted.filter((name) => name === 'layout.updated')).toHaveLength(copies + 1)
  expect(emitted.at(-1)).toBe('media.deleted')
})
