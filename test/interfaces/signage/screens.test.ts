/** Specification part 1, "Screen (signage)", "Screen status", "Signage": screens and their devices. */
import { describe, expect, test } from 'vitest'
import { screenMachine } from '../../../src/state/signage/machines.ts'
import {
  freshSignage,
  invalid,
  NOON,
  type ActionBody,
  type PageBody,
  type ScreenBody,
} from '../../support/signage.ts'
import { dumpOf } from '../../support/records.ts'

interface Issued {
  readonly pairing_code: string
  readonly expires_at: string
}

describe('pairing a screen', () => {
  test('with the code of its device sets it online', async () => {
    const { addScreen, getScreen, events } = await freshSignage()
    const location = { name: 'Showroom', address: null }
    const screen = await addScreen({ name: 'Window', orientation: 'portrait', location })
    expect(screen).toEqual({
      id: expect.stringMatching(/^scr_[A-Za-z0-9]{20}$/) as string,
      name: 'Window',
      status: 'online',
      orientation: 'portrait',
      resolution: '1080x1920',
      current_playlist_id: null,
      group_id: null,
      last_sync: NOON,
      uptime_hours: 0,
      created_at: NOON,
      volume: 50,
      brightness: 100,
      location,
      actions: [],
    })
    expect(await getScreen(screen.id)).toEqual(screen)
    expect(events()).toEqual(['screen.paired'])
  })

  test('fills in the parts of the location that were left out, in one order', async () => {
    const { addScreen, ask } = await freshSignage()
    const { id, location } = await addScreen({ location: { address: 'Calle 50' } })
    expect(JSON.stringify(location)).toBe('{"name":null,"address":"Calle 50"}')
    const changed = await ask<ScreenBody>('PATCH', `/screens/${id}`, { location: { name: 'Showroom' } })
    expect(changed.location).toEqual({ name: 'Showroom', address: null })
  })

  test('with the part of the location that it has changes nothing and emits no event', async () => {
    const { addScreen, ask, events } = await freshSignage()
    const { id } = await addScreen({ location: { name: 'Showroom' } })
    await ask('PATCH', `/screens/${id}`, { location: { name: 'Showroom' } })
    expect(events()).toEqual(['screen.paired'])
  })

  test('uses landscape and no location by default', async () => {
    const { addScreen } = await freshSignage()
    expect(await addScreen()).toMatchObject({
      orientation: 'landscape',
      resolution: '1920x1080',
      location: null,
    })
  })

  test('accepts a code in any case, and once', async () => {
    const { ask, call, happens } = await freshSignage()
    const { pairing_code } = await happens<Issued>('pairing_code.issue')
    expect(pairing_code).toMatch(/^[2-9A-HJ-NP-Z]{6}$/)
    const code = pairing_code.toLowerCase()
    const screen = await ask<ScreenBody>('POST', '/screens', { pairing_code: code, name: 'One' })
    const again = await call('POST', '/screens', { body: { pairing_code, name: 'Two' } })
    expect(again).toMatchObject({
      status: 409,
      body: { error: { code: 'pairing_code_used', existing_id: screen.id } },
    })
    await ask('DELETE', `/screens/${screen.id}`)
    const { body } = await call('POST', '/screens', { body: { pairing_code, name: 'Two' } })
    expect((body as { error: object }).error).not.toHaveProperty('existing_id')
  })

  test('returns 404 for an unknown code', async () => {
    const { call, fresh } = await freshSignage()
    const before = fresh.dump()
    const answer = await call('POST', '/screens', { body: { pairing_code: 'NOCODE', name: 'One' } })
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    expect(fresh.dump()).toEqual(before)
  })

  test('returns 404 for a code of another workspace', async () => {
    const { happens } = await freshSignage()
    const { pairing_code } = await happens<Issued>('pairing_code.issue')
    const { call } = await freshSignage()
    expect((await call('POST', '/screens', { body: { pairing_code, name: 'One' } })).status).toBe(404)
  })

  test.each([
    ['2026-11-21T12:14:59.999Z', 201],
    ['2026-11-21T12:15:00.000Z', 409],
  ])('with a code of noon at %s returns %i', async (at, status) => {
    const { call, happens, setClock } = await freshSignage()
    const { pairing_code, expires_at } = await happens<Issued>('pairing_code.issue')
    expect(expires_at).toBe('2026-11-21T12:15:00.000Z')
    setClock(at)
    const answer = await call('POST', '/screens', { body: { pairing_code, name: 'One' } })
    expect(answer.status).toBe(status)
    if (status === 409) expect(answer.body).toMatchObject({ error: { code: 'pairing_code_expired' } })
  })

  test.each([
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name', 'too_long'],
    ['an unknown group', { group_id: 'grp_nobody' }, 'group_id', 'unknown'],
  ])('with %s is refused, and the code stays valid', async (_what, fields, field, code) => {
    const { ask, call, happens, fresh } = await freshSignage()
    const { pairing_code } = await happens<Issued>('pairing_code.issue')
    const before = fresh.dump()
    const body = { pairing_code, name: 'One', ...fields }
    expect(await call('POST', '/screens', { body })).toMatchObject(invalid(field, code))
    expect(fresh.dump()).toEqual(before)
    await ask('POST', '/screens', { pairing_code, name: 'x'.repeat(200) })
  })
})

describe('updating a screen', () => {
  test('changes only the given fields', async () => {
    const { addScreen, addGroup, ask, getScreen } = await freshSignage()
    const screen = await addScreen()
    const group = await addGroup()
    const fields = { name: 'Window', volume: 0, brightness: 1, group_id: group.id }
    const updated = await ask<ScreenBody>('PATCH', `/screens/${screen.id}`, fields)
    expect(updated).toEqual({ ...screen, ...fields })
    expect(await getScreen(screen.id)).toEqual(updated)
    expect(await ask('PATCH', `/screens/${screen.id}`, {})).toEqual(updated)
    expect(await ask('PATCH', `/screens/${screen.id}`, { group_id: null })).toMatchObject({ group_id: null })
  })

  test('swaps the sides of its resolution when it is rotated', async () => {
    const { addScreen, ask } = await freshSignage()
    const { id } = await addScreen()
    const turned = { orientation: 'portrait', resolution: '1080x1920' }
    expect(await ask('PATCH', `/screens/${id}`, { orientation: 'portrait' })).toMatchObject(turned)
    expect(await ask('PATCH', `/screens/${id}`, { orientation: 'portrait' })).toMatchObject(turned)
  })
})

describe('screen', () => {
  const { states } = screenMachine
  const eventOf = { online: 'screen.online', standby: 'screen.standby', offline: 'screen.offline' } as const

  test.each(states.flatMap((from) => states.map((to) => [from, to] as const)))(
    'in %s that reports %s has that status, and emits an event if it is new',
    async (from, to) => {
      const { addScreen, happens, getScreen, events } = await freshSignage()
      const { id } = await addScreen()
      await happens('screen.report', { screen_id: id, status: from })
      const before = events().length
      expect(await happens('screen.report', { screen_id: id, status: to })).toMatchObject({ status: to })
      expect((await getScreen(id)).status).toBe(to)
      expect(events().slice(before)).toEqual(from === to ? [] : [eventOf[to]])
    },
  )

  test.each([
    ['online', 'online'],
    ['standby', 'standby'],
    ['offline', 'online'],
  ])('in %s that reports no status becomes %s', async (from, to) => {
    const { addScreen, happens } = await freshSignage()
    const { id } = await addScreen()
    await happens('screen.report', { screen_id: id, status: from })
    expect(await happens('screen.report', { screen_id: id })).toMatchObject({ status: to })
  })

  test.each(['online', 'standby'] as const)(
    'in %s is offline after five minutes of silence',
    async (status) => {
      const { addScreen, happens, getScreen, setClock, events } = await freshSignage()
      const { id } = await addScreen()
      setClock('2026-11-21T12:01:00.000Z')
      await happens('screen.report', { screen_id: id, status })
      setClock('2026-11-21T12:05:59.999Z')
      expect(await getScreen(id)).toMatchObject({ status, last_sync: '2026-11-21T12:01:00.000Z' })
      setClock('2026-11-21T12:06:00.000Z')
      expect(await getScreen(id)).toMatchObject({ status: 'offline', last_sync: '2026-11-21T12:01:00.000Z' })
      expect(events().at(-1)).toBe('screen.offline')
      expect(await happens('screen.report', { screen_id: id })).toMatchObject({
        status: 'online',
        last_sync: '2026-11-21T12:06:00.000Z',
      })
    },
  )

  test('has the uptime of its device, which continues while it is not offline', async () => {
    const { addScreen, happens, getScreen, setClock } = await freshSignage()
    const { id } = await addScreen()
    await happens('screen.report', { screen_id: id, uptime_hours: 7 })
    for (let minute = 4; minute < 60; minute += 4) {
      setClock(`2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`)
      await happens('screen.report', { screen_id: id })
    }
    setClock('2026-11-21T12:59:59.999Z')
    expect(await getScreen(id)).toMatchObject({ uptime_hours: 7 })
    setClock('2026-11-21T13:00:00.000Z')
    expect(await getScreen(id)).toMatchObject({ uptime_hours: 8 })
    setClock('2026-11-22T13:00:00.000Z')
    expect(await getScreen(id)).toMatchObject({ status: 'offline', uptime_hours: 8 })
  })

  test('that is unknown cannot report', async () => {
    const { pull } = await freshSignage()
    expect((await pull('screen.report', { screen_id: 'scr_nobody' })).status).toBe(404)
    expect((await pull('screen.report', { screen_id: 'scr_nobody', status: 'asleep' })).status).toBe(400)
  })

  test('is found by its status, its group and its name', async () => {
    const { addScreen, addGroup, happens, ask } = await freshSignage()
    const group = await addGroup()
    const one = await addScreen({ name: 'Árbol', group_id: group.id })
    const two = await addScreen({ name: 'Window' })
    await happens('screen.report', { screen_id: two.id, status: 'standby' })
    const found = async (query: string) =>
      (await ask<PageBody<ScreenBody>>('GET', `/screens?${query}`)).data.map(({ id }) => id)
    expect(await found('')).toEqual([two.id, one.id])
    expect(await found('status=standby')).toEqual([two.id])
    expect(await found('status=offline')).toEqual([])
    expect(await found(`group_id=${group.id}`)).toEqual([one.id])
    expect(await found('search=arb')).toEqual([one.id])
  })
})

describe('command', () => {
  test.each(['restart_app', 'restart_device', 'screenshot', 'force_sync', 'clear_cache'])(
    '%s is queued, and shown as done afterwards',
    async (action) => {
      const { addScreen, ask, happens, getScreen, setClock, events } = await freshSignage()
      const { id } = await addScreen()
      const queued = await ask<ActionBody>('POST', `/screens/${id}/actions`, { action, reason: 'Frozen' })
      expect(queued).toEqual({
        action_id: expect.stringMatching(/^act_/) as string,
        screen_id: id,
        action,
        reason: 'Frozen',
        status: 'queued',
        error: null,
        result_url: null,
        requested_at: NOON,
        finished_at: null,
      })
      expect((await getScreen(id)).actions).toEqual([queued])
      setClock('2026-11-21T12:01:00.000Z')
      const url = 'https://example.com/1.png'
      const done = await happens('action.complete', { action_id: queued.action_id, result_url: url })
      const finished = { status: 'completed', result_url: url, finished_at: '2026-11-21T12:01:00.000Z' }
      expect(done).toEqual({ ...queued, ...finished })
      expect(await getScreen(id)).toMatchObject({
        last_sync: '2026-11-21T12:01:00.000Z',
        actions: [finished],
      })
      expect(events().at(-1)).toBe('screen.action_completed')
    },
  )

  test('that failed on the device is shown with its error', async () => {
    const { addScreen, ask, happens, getScreen } = await freshSignage()
    const { id } = await addScreen()
    const { action_id } = await ask<ActionBody>('POST', `/screens/${id}/actions`, { action: 'screenshot' })
    await happens('action.fail', { action_id, error: 'No display' })
    expect((await getScreen(id)).actions).toMatchObject([
      { status: 'failed', error: 'No display', reason: null },
    ])
  })

  test.each(['complete', 'fail'])('that is done cannot %s', async (move) => {
    const { addScreen, ask, happens, pull } = await freshSignage()
    const { id } = await addScreen()
    for (const end of ['complete', 'fail']) {
      const { action_id } = await ask<ActionBody>('POST', `/screens/${id}/actions`, { action: 'force_sync' })
      await happens(`action.${end}`, { action_id })
      expect((await pull(`action.${move}`, { action_id })).status).toBe(409)
    }
  })

  test('is queued while the device is offline, and sets it online when it is done', async () => {
    const { addScreen, ask, happens, getScreen, setClock } = await freshSignage()
    const { id } = await addScreen()
    setClock('2026-11-21T13:00:00.000Z')
    const { action_id } = await ask<ActionBody>('POST', `/screens/${id}/actions`, {
      action: 'restart_device',
    })
    expect(await getScreen(id)).toMatchObject({ status: 'offline', actions: [{ status: 'queued' }] })
    await happens('action.complete', { action_id })
    expect(await getScreen(id)).toMatchObject({ status: 'online', uptime_hours: 0 })
  })

  test('list shows the last twenty, newest first', async () => {
    const { addScreen, ask, getScreen } = await freshSignage()
    const { id } = await addScreen()
    const ids: string[] = []
    for (let count = 0; count < 21; count += 1) {
      ids.unshift(
        (await ask<ActionBody>('POST', `/screens/${id}/actions`, { action: 'force_sync' })).action_id,
      )
    }
    expect((await getScreen(id)).actions.map(({ action_id }) => action_id)).toEqual(ids.slice(0, 20))
  })
})

describe('unpairing a screen', () => {
  test('removes its configuration, its schedules and its analytics', async () => {
    const { fresh, addScreen, addPlaylist, addSchedule, ask, call, happens } = await freshSignage()
    const screen = await addScreen()
    const other = await addScreen({ name: 'Other' })
    const playlist = await addPlaylist()
    const own = await addSchedule({ playlist_id: playlist.id, screen_ids: [screen.id] })
    const shared = await addSchedule({ playlist_id: playlist.id, screen_ids: [screen.id, other.id] })
    await ask('POST', `/screens/${screen.id}/actions`, { action: 'screenshot' })
    const [item] = playlist.items
    for (const { id } of [screen, other]) {
      await happens('playback.record', { screen_id: id, media_id: item?.media_id, duration_seconds: 10 })
    }
    expect(await call('DELETE', `/screens/${screen.id}`)).toMatchObject({ status: 204, text: '' })
    expect((await call('GET', `/screens/${screen.id}`)).status).toBe(404)
    expect((await call('GET', `/schedules/${own.id}`)).status).toBe(404)
    expect(await ask('GET', `/schedules/${shared.id}`)).toMatchObject({ screen_ids: [other.id] })
    expect(await ask('GET', '/analytics/playback')).toMatchObject({ meta: { total_plays: 1 } })
    expect(await ask('GET', '/analytics/screens/status')).toMatchObject({ total_screens: 1 })
    expect(JSON.stringify(dumpOf(fresh.app.records, fresh.workspace)['signage'])).not.toMatch(
      new RegExp(`"screenId":"${screen.id}"[^}]*playedAt`),
    )
  })
})
