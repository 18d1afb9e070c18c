/** Specification part 1, "Playlist (signage)", "Signage": playlists, layouts and groups. */
import { describe, expect, test } from 'vitest'
import {
  drawing,
  freshSignage,
  invalid,
  NOON,
  type GroupBody,
  type LayoutBody,
  type PageBody,
  type PlaylistBody,
  type ScreenBody,
} from '../../support/signage.ts'

describe('new playlist', () => {
  test('is returned with the positions and durations of its items', async () => {
    const { addMedia, ask, events } = await freshSignage()
    const picture = await addMedia({ name: 'Desk' })
    const playlist = await ask<PlaylistBody>('POST', '/playlists', {
      name: 'Welcome',
      items: [
        { media_id: picture.id, duration: 10.4 },
        { media_id: picture.id, duration: 5.4, transition: 'slide', transition_duration: 1.25 },
        { media_id: picture.id, duration: 1, transition: 'cut' },
      ],
      shuffle: true,
    })
    const item = {
      id: expect.stringMatching(/^item_/) as string,
      media_id: picture.id,
      media_name: 'Desk',
      media_type: 'image',
    }
    expect(playlist).toEqual({
      id: expect.stringMatching(/^plist_/) as string,
      name: 'Welcome',
      items: [
        { ...item, duration: 10.4, transition: 'fade', transition_duration: 0.5, position: 1 },
        { ...item, duration: 5.4, transition: 'slide', transition_duration: 1.25, position: 2 },
        { ...item, duration: 1, transition: 'cut', transition_duration: 0, position: 3 },
      ],
      playback_mode: 'loop',
      total_duration: 17,
      screens_count: 0,
      created_at: NOON,
      updated_at: NOON,
    })
    expect(await ask('GET', `/playlists/${playlist.id}`)).toEqual(playlist)
    expect(events().at(-1)).toBe('playlist.created')
  })

  test('may be empty', async () => {
    const { ask } = await freshSignage()
    expect(await ask('POST', '/playlists', { name: 'Later' })).toMatchObject({ items: [], total_duration: 0 })
  })

  test.each([
    ['0.1 s', { duration: 0.1 }, true],
    ['0.09 s', { duration: 0.09 }, false],
    ['a day', { duration: 86_400 }, true],
    ['more than a day', { duration: 86_401 }, false],
    ['a transition of a minute', { duration: 1, transition_duration: 60 }, true],
    ['a longer transition', { duration: 1, transition_duration: 60.1 }, false],
  ])('with an item of %s is accepted or refused', async (_what, item, isTaken) => {
    const { addMedia, call } = await freshSignage()
    const body = { name: 'Welcome', items: [{ media_id: (await addMedia()).id, ...item }] }
    expect((await call('POST', '/playlists', { body })).status).toBe(isTaken ? 201 : 422)
  })

  test.each([
    ['an image without a duration', { duration: undefined }, 'items.1.duration', 'required'],
    ['an image with a null duration', { duration: null }, 'items.1.duration', 'required'],
    ['an unknown medium', { media_id: 'med_nobody' }, 'items.1.media_id', 'unknown'],
  ])('with %s is refused, and nothing is created', async (_what, change, field, code) => {
    const { addMedia, call, fresh } = await freshSignage()
    const item = { media_id: (await addMedia()).id, duration: 10 }
    const before = fresh.dump()
    const body = { name: 'Welcome', items: [item, { ...item, ...change }] }
    expect(await call('POST', '/playlists', { body })).toMatchObject(invalid(field, code))
    expect(fresh.dump()).toEqual(before)
  })
})

describe('updating a playlist', () => {
  test('replaces its items and updates its total', async () => {
    const { addMedia, addPlaylist, ask, setClock } = await freshSignage()
    const playlist = await addPlaylist()
    const { id } = await addMedia({ file: drawing(10, 10), name: 'Chair' })
    setClock('2026-11-21T12:01:00.000Z')
    const updated = await ask<PlaylistBody>('PATCH', `/playlists/${playlist.id}`, {
      items: [
        ...playlist.items.map(({ media_id }) => ({ media_id, duration: 3 })),
        { media_id: id, duration: 4 },
      ],
    })
    expect(
      updated.items.map(({ media_name, position, duration }) => [media_name, position, duration]),
    ).toEqual([
      ['drawing.svg', 1, 3],
      ['Chair', 2, 4],
    ])
    expect(updated).toMatchObject({
      total_duration: 7,
      created_at: NOON,
      updated_at: '2026-11-21T12:01:00.000Z',
    })
    expect(await ask('PATCH', `/playlists/${playlist.id}`, { name: 'New', playback_mode: 'once' })).toEqual({
      ...updated,
      name: 'New',
      playback_mode: 'once',
    })
  })
})

describe('playlist', () => {
  test('counts each screen of active schedules once, including those of groups and layouts', async () => {
    const { addPlaylist, addScreen, addGroup, addSchedule, addLayout, ask } = await freshSignage()
    const { id } = await addPlaylist()
    const count = async () => (await ask<PlaylistBody>('GET', `/playlists/${id}`)).screens_count
    const [one, two, three] = [await addScreen(), await addScreen(), await addScreen()]
    const group = await addGroup({ screen_ids: [one.id, two.id] })
    await addSchedule({ playlist_id: id, screen_ids: [one.id] })
    expect(await count()).toBe(1)
    await addSchedule({ playlist_id: id, group_ids: [group.id] })
    expect(await count()).toBe(2)
    const layout = await addLayout({
      zones: [{ x: 0, y: 0, width: 10, height: 10, content_type: 'playlist', content_id: id }],
    })
    const rules = [{ days: ['monday'], time_start: '00:00', time_end: '00:00', layout_id: layout.id }]
    const schedule = await addSchedule({ rules, screen_ids: [three.id], active: false })
    expect(await count()).toBe(2)
    await ask('PATCH', `/schedules/${schedule.id}`, { active: true })
    expect(await count()).toBe(3)
    for (const screen of [one, two, three]) {
      const found = await ask<PageBody<PlaylistBody>>('GET', `/playlists?screen_id=${screen.id}`)
      expect(found.data.map((playlist) => playlist.id)).toEqual([id])
    }
    await ask('DELETE', `/screens/${three.id}`)
    expect(await count()).toBe(2)
  })

  test('in a layout or a schedule cannot be deleted, and the error lists its uses', async () => {
    const { addPlaylist, addScreen, addSchedule, addLayout, ask, call } = await freshSignage()
    const { id } = await addPlaylist()
    const layout = await addLayout({
      zones: [{ x: 0, y: 0, width: 1, height: 1, content_type: 'playlist', content_id: id }],
    })
    const schedule = await addSchedule({ playlist_id: id, screen_ids: [(await addScreen()).id] })
    expect(await call('DELETE', `/playlists/${id}`)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'in_use',
          used_by: {
            layouts: [{ id: layout.id, name: 'Main' }],
            schedules: [{ id: schedule.id, name: 'Opening hours' }],
          },
        },
      },
    })
    await ask('DELETE', `/schedules/${schedule.id}`)
    await ask('DELETE', `/layouts/${layout.id}`)
    expect((await call('DELETE', `/playlists/${id}`)).status).toBe(204)
  })
})

describe('layout', () => {
  const zone = (fields: object) => ({ x: 0, y: 0, width: 100, height: 100, ...fields })

  test('returns its zones unchanged, and adds missing ids', async () => {
    const { addMedia, addPlaylist, ask } = await freshSignage()
    const [medium, playlist] = [await addMedia(), await addPlaylist()]
    const zones = [
      {
        id: 'main',
        x: 0,
        y: 0,
        width: '75.5%',
        height: '100%',
        content_type: 'playlist',
        content_id: playlist.id,
      },
      { x: 1440, y: '50%', width: 480, height: '33.3333%', content_type: 'media', content_id: medium.id },
      zone({ id: 'empty' }),
    ]
    const layout = await ask<LayoutBody>('POST', '/layouts', { name: 'Two', resolution: '1920x1080', zones })
    expect(layout).toEqual({
      id: expect.stringMatching(/^lay_/) as string,
      name: 'Two',
      resolution: '1920x1080',
      zones: [zones[0], { id: 'zone_2', ...zones[1] }, { ...zones[2], content_type: null, content_id: null }],
      created_at: NOON,
      updated_at: NOON,
    })
    expect(await ask('GET', `/layouts/${layout.id}`)).toEqual(layout)
  })

  test('assigns a unique id to a zone without one', async () => {
    const { ask } = await freshSignage()
    const zones = ['zone_2', undefined, 'zone_3', undefined].map((id) => zone({ ...(id && { id }) }))
    const layout = await ask<LayoutBody>('POST', '/layouts', { name: 'L', resolution: '1920x1080', zones })
    expect(layout.zones.map(({ id }) => id)).toEqual(['zone_2', 'zone_4', 'zone_3', 'zone_5'])
  })

  test.each([
    ['fills everything', zone({ width: 1920, height: 1080 }), null],
    ['ends at the right edge', zone({ x: 1820 }), null],
    ['exceeds the right edge', zone({ x: 1820.5 }), 'zones.0.width'],
    ['ends at the lower edge', zone({ y: '90%', height: '10%' }), null],
    ['exceeds the lower edge', zone({ y: '90.0001%', height: '10%' }), 'zones.0.height'],
    ['mixes pixels and percent to the edge', zone({ x: 960, width: '50%' }), null],
    ['mixes them beyond the edge', zone({ x: 961, width: '50%' }), 'zones.0.width'],
    ['has no width', zone({ width: 0 }), 'zones.0.width'],
    ['has no height', zone({ height: '0%' }), 'zones.0.height'],
    ['is three thirds', zone({ x: '66.6667%', width: '33.3333%' }), null],
    ['starts before the edge', zone({ x: -1 }), 'zones.0.x'],
    ['is not a percentage', zone({ x: '101%' }), 'zones.0.x'],
    ['has a unit', zone({ x: '10px' }), 'zones.0.x'],
    [
      'has an unknown playlist',
      zone({ content_type: 'playlist', content_id: 'plist_no' }),
      'zones.0.content_id',
    ],
    ['has content without its type', zone({ content_id: 'plist_no' }), 'zones.0.content_type'],
    ['has a type without content', zone({ content_type: 'media' }), 'zones.0.content_id'],
  ])('with a zone that %s is accepted or refused', async (_what, sent, field) => {
    const { call, fresh } = await freshSignage()
    const before = fresh.dump()
    const answer = await call('POST', '/layouts', {
      body: { name: 'One', resolution: '1920x1080', zones: [sent] },
    })
    expect(answer.status, answer.text).toBe(field === null ? 201 : 422)
    if (field === null) return
    expect(answer.body).toMatchObject({ error: { details: [{ field }] } })
    expect(fresh.dump()).toEqual(before)
  })

  test.each([
    ['21 zones', { zones: Array.from({ length: 21 }, () => zone({})) }, 'zones', 'too_many'],
    ['two zones with one id', { zones: [zone({ id: 'a' }), zone({ id: 'a' })] }, 'zones.1.id', 'duplicate'],
    ['a resolution of zero', { resolution: '0x1080' }, 'resolution', 'invalid_format'],
  ])('with %s is refused', async (_what, fields, field, code) => {
    const { call } = await freshSignage()
    const body = { name: 'One', resolution: '1920x1080', zones: [zone({})], ...fields }
    expect(await call('POST', '/layouts', { body })).toMatchObject(invalid(field, code))
  })

  test('keeps its zones with a new resolution', async () => {
    const { addLayout, ask, call } = await freshSignage()
    const layout = await addLayout({ zones: [zone({ width: 1000 })] })
    const path = `/layouts/${layout.id}`
    expect(await call('PATCH', path, { body: { resolution: '999x1080' } })).toMatchObject(
      invalid('zones.0.width', 'out_of_bounds'),
    )
    expect(await ask('PATCH', path, { resolution: '1000x100' })).toMatchObject({ resolution: '1000x100' })
    const changed = await ask<LayoutBody>('PATCH', path, { zones: [zone({ id: 'other', width: 5 })] })
    expect(changed.zones).toMatchObject([{ id: 'other', width: 5 }])
  })

  test('in a schedule cannot be deleted', async () => {
    const { addLayout, addSchedule, ask, call } = await freshSignage()
    const { id } = await addLayout()
    const rules = [{ days: ['monday'], time_start: '00:00', time_end: '00:00', layout_id: id }]
    const schedule = await addSchedule({ rules })
    expect(await call('DELETE', `/layouts/${id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'in_use', used_by: { schedules: [{ id: schedule.id }] } } },
    })
    await ask('PATCH', `/schedules/${schedule.id}`, {
      rules: [{ ...rules[0], layout_id: (await addLayout()).id }],
    })
    expect((await call('DELETE', `/layouts/${id}`)).status).toBe(204)
  })
})

describe('group', () => {
  test('contains the given screens, and removes them from other groups', async () => {
    const { addScreen, addGroup, ask, getScreen } = await freshSignage()
    const [one, two] = [await addScreen(), await addScreen()]
    const first = await addGroup({ screen_ids: [one.id, two.id], description: 'Front' })
    expect(first).toEqual({
      id: expect.stringMatching(/^grp_/) as string,
      name: 'Showroom',
      description: 'Front',
      screen_ids: [one.id, two.id],
      screens_count: 2,
      created_at: NOON,
      updated_at: NOON,
    })
    const second = await addGroup({ name: 'Other', screen_ids: [two.id] })
    expect(await ask<GroupBody>('GET', `/groups/${first.id}`)).toMatchObject({ screen_ids: [one.id] })
    expect(await getScreen(two.id)).toMatchObject({ group_id: second.id })
    expect(await ask('PATCH', `/groups/${second.id}`, { screen_ids: [] })).toMatchObject({ screen_ids: [] })
    expect(await getScreen(two.id)).toMatchObject({ group_id: null })
  })

  test('of unknown screens is refused', async () => {
    const { addScreen, call, fresh } = await freshSignage()
    const { id } = await addScreen()
    const before = fresh.dump()
    const body = { name: 'Showroom', screen_ids: [id, 'scr_nobody'] }
    expect(await call('POST', '/groups', { body })).toMatchObject(invalid('screen_ids.1', 'unknown'))
    expect(fresh.dump()).toEqual(before)
  })

  test('in a schedule cannot be deleted, and releases its screens when it is deleted later', async () => {
    const { addScreen, addGroup, addPlaylist, addSchedule, ask, call, getScreen, fresh } =
      await freshSignage()
    const screen = await addScreen()
    const group = await addGroup({ screen_ids: [screen.id] })
    const schedule = await addSchedule({ playlist_id: (await addPlaylist()).id, group_ids: [group.id] })
    const before = fresh.dump()
    expect(await call('DELETE', `/groups/${group.id}`)).toMatchObject({
      status: 409,
      body: { error: { message: `The group is used by the schedules ${schedule.id}.` } },
    })
    expect(fresh.dump()).toEqual(before)
    await ask('PATCH', `/schedules/${schedule.id}`, { group_ids: [], screen_ids: [screen.id] })
    expect((await call('DELETE', `/groups/${group.id}`)).status).toBe(204)
    expect(await getScreen(screen.id)).toMatchObject<Partial<ScreenBody>>({ group_id: null })
  })

  test('emits an event for every added or removed screen, and for no other', async () => {
    const { addScreen, addGroup, ask, events } = await freshSignage()
    const [one, two, three] = [await addScreen(), await addScreen(), await addScreen()]
    const group = await addGroup({ screen_ids: [one.id, two.id] })
    expect(events().slice(-3)).toEqual(['screen.updated', 'screen.updated', 'group.created'])
    const eventCount = events().length
    await ask('PATCH', `/groups/${group.id}`, { screen_ids: [two.id, three.id] })
    expect(events().slice(eventCount)).toEqual(['screen.updated', 'screen.updated', 'group.updated'])
    await ask('PATCH', `/groups/${group.id}`, { screen_ids: [three.id, two.id] })
    expect(events().slice(eventCount + 3)).toEqual([])
  })
})
