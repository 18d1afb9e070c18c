/** A medium that very many playlists and layouts show: a logo, in a workspace that has been there for months. */
import { expect, test } from 'vitest'
import { multiply } from '../support/filling.ts'
import { freshSignage, type LayoutBody, type PlaylistBody } from '../support/signage.ts'

const MANY = 1000

test('is taken out of all of them by force in slices, and nobody sees it half done', async () => {
  const { fresh, call, ask, addMedia, addPlaylist, addLayout, events } = await freshSignage()
  const { workspace } = fresh
  const logo = await addMedia()
  const playlist = await addPlaylist({ items: [{ media_id: logo.id, duration: 10 }] })
  const zone = { x: 0, y: 0, width: 9, height: 9, content_type: 'media', content_id: logo.id }
  const layout = await addLayout({ zones: [zone] })
  multiply(workspace, 'signage_playlists', MANY)
  multiply(workspace, 'signage_playlist_items', MANY, { playlist_id: `playlist_id || '_' || n` })
  multiply(workspace, 'signage_layouts', MANY)
  multiply(workspace, 'signage_layout_zones', MANY, { layout_id: `layout_id || '_' || n` })

  let isOver = false
  const deleted = call('DELETE', `/media/${logo.id}?force=true`).finally(() => {
    isOver = true
  })
  while (!workspace.isBusy && !isOver) await new Promise(setImmediate)
  // Whoever asks meanwhile waits until all of it is done.
  const [last] = await Promise.all([
    ask<PlaylistBody>('GET', `/playlists/${playlist.id}_${String(MANY)}`),
    turnsUntil(() => isOver).then((turns) => {
      expect(turns, 'turns that others had').toBeGreaterThan(1)
    }),
  ])

  expect((await deleted).status).toBe(204)
  expect(last.items).toEqual([])
  expect((await ask<PlaylistBody>('GET', `/playlists/${playlist.id}`)).items).toEqual([])
  const { zones } = await ask<LayoutBody>('GET', `/layouts/${layout.id}_${String(MANY)}`)
  expect(zones.map(({ content_id }) => content_id)).toEqual([null])
  expect((await call('GET', `/media/${logo.id}`)).status).toBe(404)
  const told = events()
  expect(told.filter((name) => name === 'playlist.updated')).toHaveLength(MANY + 1)
  expect(told.filter((name) => name === 'layout.updated')).toHaveLength(MANY + 1)
  expect(told.at(-1)).toBe('media.deleted')
}, 30_000)

async function turnsUntil(isOver: () => boolean): Promise<number> {
  let turns = 0
  for (; !isOver(); turns++) await new Promise(setImmediate)
  return turns
}
