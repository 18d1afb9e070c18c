/**
 * Very many schedules, each with its own playlist, screen and group. Reads of one must use only its own records;
 * reading the rules of all schedules for each row would take minutes.
 */
import { expect, test } from 'vitest'
import { multiply } from '../support/filling.ts'
import { freshSignage } from '../support/signage.ts'

const MANY = 20_000

test('shows the content of one of very many screens', async () => {
  const { fresh, ask, addScreen, addGroup, addPlaylist, addSchedule, nowOn } = await freshSignage()
  const group = await addGroup()
  const screen = await addScreen({ group_id: group.id })
  const playlist = await addPlaylist()
  const schedule = await addSchedule({
    playlist_id: playlist.id,
    screen_ids: [screen.id],
    group_ids: [group.id],
  })
  const copied = (column: string) => ({ [column]: `"${column}" || '_' || n` })
  for (const [table, ...references] of [
    ['signage_groups'],
    ['signage_screens', 'group_id'],
    ['signage_playlists'],
    ['signage_playlist_items', 'playlist_id'],
    ['signage_schedules'],
    ['signage_schedule_rules', 'schedule_id', 'playlist_id'],
    ['signage_schedule_screens', 'schedule_id', 'screen_id'],
    ['signage_schedule_groups', 'schedule_id', 'group_id'],
  ] as const) {
    multiply(
      fresh.workspace,
      table,
      MANY,
      Object.assign({}, ...references.map(copied)) as Record<string, string>,
    )
  }

  for (const [list, id] of [
    [`/playlists?screen_id=${screen.id}`, playlist.id],
    [`/schedules?screen_id=${screen.id}`, schedule.id],
    [`/schedules?group_id=${group.id}`, schedule.id],
    [`/screens?group_id=${group.id}`, screen.id],
  ] as const) {
    expect(await ask<{ data: { id: string }[] }>('GET', list), list).toMatchObject({ data: [{ id }] })
  }
  for (const list of ['/screens', '/playlists', '/schedules']) {
    expect((await ask<{ data: unknown[] }>('GET', list)).data.length, list).toBeGreaterThan(1)
  }
  expect(await nowOn(screen.id)).toMatchObject({ schedule: { id: schedule.id } })
})
