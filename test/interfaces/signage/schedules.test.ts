/** Schedules, and what screens play by them and by the clock. Specification part 1, "Other signage records". */
import { DateTime } from 'luxon'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  EVERY_DAY,
  freshSignage,
  invalid,
  NOON,
  type PageBody,
  type ScheduleBody,
  type ScreenBody,
  type Signage,
} from '../../support/signage.ts'

const rule = (time_start: string, time_end: string, fields: object = {}) => ({
  days: EVERY_DAY,
  time_start,
  time_end,
  ...fields,
})

/** A screen, and playlists by name. */
async function freshScreen(settings: Parameters<typeof freshSignage>[0] = {}) {
  const signage = await freshSignage(settings)
  const screen = await signage.addScreen()
  const playlist = async (name: string) => (await signage.addPlaylist({ name })).id
  const plays = async (): Promise<string | null> => (await signage.nowOn(screen.id)).playlist?.name ?? null
  return { ...signage, screen, playlist, plays }
}

describe('new schedule', () => {
  test('returns the given fields', async () => {
    const { ask, screen, playlist, addGroup, events } = await freshScreen()
    const id = await playlist('Welcome')
    const group = await addGroup()
    const sent = {
      name: 'Hours',
      screen_ids: [screen.id],
      group_ids: [group.id],
      priority: 10,
      rules: [rule('08:00', '18:00', { playlist_id: id, layout_id: null })],
      date_range: { start: '2026-11-01', end: '2026-11-30' },
      active: false,
    }
    const schedule = await ask<ScheduleBody>('POST', '/schedules', sent)
    const made = { id: expect.stringMatching(/^sched_/) as string, created_at: NOON, updated_at: NOON }
    expect(schedule).toEqual({ ...sent, ...made })
    expect(await ask('GET', `/schedules/${schedule.id}`)).toEqual(schedule)
    expect(events().at(-1)).toBe('schedule.created')
  })

  test('is active, without dates, priority or screens by default', async () => {
    const { ask, playlist } = await freshScreen()
    const rules = [rule('08:00', '18:00', { playlist_id: await playlist('Welcome') })]
    expect(await ask('POST', '/schedules', { name: 'Hours', rules })).toMatchObject({
      screen_ids: [],
      group_ids: [],
      priority: 0,
      date_range: null,
      active: true,
    })
  })

  test.each([
    ['a start at 24:00', { rules: [{ time_start: '24:00' }] }, 'rules.0.time_start', 'invalid_format'],
    ['an end after 24:00', { rules: [{ time_end: '24:01' }] }, 'rules.0.time_end', 'invalid_format'],
    ['a time with one digit', { rules: [{ time_start: '8:00' }] }, 'rules.0.time_start', 'invalid_format'],
    ['an unknown playlist', { rules: [{ playlist_id: 'plist_no' }] }, 'rules.0.playlist_id', 'unknown'],
    ['no content', { rules: [{ playlist_id: null }] }, 'rules.0.playlist_id', 'required'],
    ['two contents', { rules: [{ layout_id: 'lay_no' }] }, 'rules.0.playlist_id', 'not_allowed'],
    ['an unknown screen', { screen_ids: ['scr_no'] }, 'screen_ids.0', 'unknown'],
    ['an unknown group', { group_ids: ['grp_no'] }, 'group_ids.0', 'unknown'],
    [
      'an end before its start',
      { date_range: { start: '2026-11-02', end: '2026-11-01' } },
      'date_range.end',
      'out_of_order',
    ],
    ['an impossible date', { date_range: { start: '2026-02-30' } }, 'date_range.start', 'invalid_format'],
  ])('with %s is refused, and nothing is created', async (_what, fields, field, code) => {
    const { call, playlist, fresh } = await freshScreen()
    const good = rule('08:00', '18:00', { playlist_id: await playlist('Welcome') })
    const before = fresh.dump()
    const { rules, ...others } = { rules: [good], ...fields } as { rules: object[] }
    const body = { name: 'Hours', ...others, rules: rules.map((each) => ({ ...good, ...each })) }
    expect(await call('POST', '/schedules', { body })).toMatchObject(invalid(field, code))
    expect(fresh.dump()).toEqual(before)
  })

  test('is limited to 100 per screen', async () => {
    const { call, screen, playlist } = await freshScreen()
    const body = {
      name: 'Hours',
      screen_ids: [screen.id],
      rules: [rule('08:00', '18:00', { playlist_id: await playlist('Welcome') })],
    }
    for (let count = 0; count < 100; count += 1) {
      expect((await call('POST', '/schedules', { body })).status).toBe(201)
    }
    expect(await call('POST', '/schedules', { body })).toMatchObject({ status: 409 })
  })
})

test('changes only the given fields in an update', async () => {
  const { addSchedule, addScreen, ask, playlist, screen } = await freshScreen()
  const [one, two] = [await playlist('One'), await playlist('Two')]
  const schedule = await addSchedule({ playlist_id: one, screen_ids: [screen.id] })
  const path = `/schedules/${schedule.id}`
  const other = await addScreen()
  const fields = { screen_ids: [other.id], priority: 5, date_range: { start: '2026-11-01', end: null } }
  expect(await ask('PATCH', path, fields)).toEqual({ ...schedule, ...fields })
  const rules = [rule('09:00', '10:00', { playlist_id: two, layout_id: null })]
  expect(await ask('PATCH', path, { rules })).toEqual({ ...schedule, ...fields, rules })
  expect(await ask('PATCH', path, { date_range: null, screen_ids: [] })).toMatchObject({
    date_range: null,
    screen_ids: [],
  })
})

test('finds schedules by screen, group, activity and days', async () => {
  const { addSchedule, addGroup, addScreen, ask, call, playlist, screen } = await freshScreen()
  const id = await playlist('Welcome')
  const other = await addScreen()
  const group = await addGroup({ screen_ids: [screen.id] })
  const ofScreen = await addSchedule({ playlist_id: id, screen_ids: [screen.id] })
  const ofGroup = await addSchedule({
    playlist_id: id,
    group_ids: [group.id],
    date_range: { start: '2026-11-10', end: '2026-11-20' },
  })
  const ofOther = await addSchedule({ playlist_id: id, screen_ids: [other.id], active: false })
  const found = async (query: string) =>
    (await ask<PageBody<ScheduleBody>>('GET', `/schedules?${query}`)).data.map((each) => each.id)
  expect(await found('')).toEqual([ofOther.id, ofGroup.id, ofScreen.id])
  expect(await found(`screen_id=${screen.id}`)).toEqual([ofGroup.id, ofScreen.id])
  expect(await found(`group_id=${group.id}`)).toEqual([ofGroup.id, ofScreen.id])
  expect(await found('active=true')).toEqual([ofGroup.id, ofScreen.id])
  expect(await found('active=false')).toEqual([ofOther.id])
  expect(await found('from=2026-11-20')).toContain(ofGroup.id)
  expect(await found('from=2026-11-21')).not.toContain(ofGroup.id)
  expect(await found('to=2026-11-10')).toContain(ofGroup.id)
  expect(await found('to=2026-11-09')).not.toContain(ofGroup.id)
  expect(await call('GET', '/schedules?from=2026-11-02&to=2026-11-01')).toMatchObject(
    invalid('to', 'out_of_order'),
  )
})

describe('a screen plays', () => {
  test.each([
    ['2026-11-21T07:59:59.999Z', null, '2026-11-21T08:00:00.000Z'],
    ['2026-11-21T08:00:00.000Z', 'Day', '2026-11-21T18:00:00.000Z'],
    ['2026-11-21T17:59:59.999Z', 'Day', '2026-11-21T18:00:00.000Z'],
    ['2026-11-21T18:00:00.000Z', null, '2026-11-22T08:00:00.000Z'],
  ])('from the first minute of a rule to its last: at %s %s', async (at, name, changes_at) => {
    const { addSchedule, playlist, plays, nowOn, getScreen, screen, setClock } = await freshScreen()
    const id = await playlist('Day')
    await addSchedule({ playlist_id: id, screen_ids: [screen.id] })
    setClock(at)
    expect(await plays()).toBe(name)
    expect(await nowOn(screen.id)).toMatchObject({ changes_at })
    expect(await getScreen(screen.id)).toMatchObject({ current_playlist_id: name && id })
  })

  test.each([
    // Friday night ends on Saturday, and Saturday has none.
    ['2026-11-20T21:59:00.000Z', null],
    ['2026-11-20T22:00:00.000Z', 'Night'],
    ['2026-11-21T05:59:00.000Z', 'Night'],
    ['2026-11-21T06:00:00.000Z', null],
    ['2026-11-21T22:00:00.000Z', null],
  ])('over midnight what began on the previous day: at %s %s', async (at, name) => {
    const { addSchedule, playlist, plays, screen, setClock } = await freshScreen()
    const rules = [{ ...rule('22:00', '06:00'), days: ['friday'], playlist_id: await playlist('Night') }]
    await addSchedule({ rules, screen_ids: [screen.id] })
    setClock(at)
    expect(await plays()).toBe(name)
  })

  test.each([
    ['2026-11-19T23:59:00.000Z', null],
    ['2026-11-20T00:00:00.000Z', 'Fair'],
    ['2026-11-22T23:59:00.000Z', 'Fair'],
    ['2026-11-23T00:00:00.000Z', null],
  ])('all day if a rule ends when it starts, between dates: at %s %s', async (at, name) => {
    const { addSchedule, playlist, plays, screen, setClock } = await freshScreen()
    const rules = [rule('00:00', '00:00', { playlist_id: await playlist('Fair') })]
    await addSchedule({
      rules,
      screen_ids: [screen.id],
      date_range: { start: '2026-11-20', end: '2026-11-22' },
    })
    setClock(at)
    expect(await plays()).toBe(name)
  })

  test.each([
    ['23:59', '2026-11-21T22:59:59.999Z', null, '2026-11-21T23:00:00.000Z'],
    ['23:59', '2026-11-21T23:58:59.999Z', 'Late', '2026-11-22T00:00:00.000Z'],
    ['23:59', '2026-11-21T23:59:30.000Z', 'Late', '2026-11-22T00:00:00.000Z'],
    ['23:59', '2026-11-21T23:59:59.999Z', 'Late', '2026-11-22T00:00:00.000Z'],
    ['23:59', '2026-11-22T00:00:00.000Z', null, '2026-11-28T23:00:00.000Z'],
    ['24:00', '2026-11-21T23:59:30.000Z', 'Late', '2026-11-22T00:00:00.000Z'],
    ['24:00', '2026-11-22T00:00:00.000Z', null, '2026-11-28T23:00:00.000Z'],
    ['00:00', '2026-11-21T23:59:30.000Z', 'Late', '2026-11-22T00:00:00.000Z'],
    ['23:58', '2026-11-21T23:58:00.000Z', null, '2026-11-28T23:00:00.000Z'],
  ])('to the end of the day by a rule that ends at %s: at %s %s', async (end, at, name, changes_at) => {
    const { addSchedule, ask, nowOn, playlist, screen, setClock } = await freshScreen()
    const rules = [{ ...rule('23:00', end), days: ['saturday'], playlist_id: await playlist('Late') }]
    const schedule = await addSchedule({ rules, screen_ids: [screen.id] })
    expect(await ask('GET', `/schedules/${schedule.id}`)).toMatchObject({ rules: [{ time_end: end }] })
    setClock(at)
    const now = await nowOn(screen.id)
    expect([now.playlist?.name ?? null, now.changes_at]).toEqual([name, changes_at])
    expect(now.rule?.time_end ?? end).toBe(end)
  })

  test.each(['23:59', '24:00', '00:00'])(
    'without a gap at midnight for a rule of every day from 00:00 to %s',
    async (end) => {
      const { addSchedule, nowOn, playlist, screen, setClock } = await freshScreen()
      const rules = [rule('00:00', end, { playlist_id: await playlist('Always') })]
      await addSchedule({ rules, screen_ids: [screen.id] })
      for (const at of ['2026-11-21T23:59:30.000Z', '2026-11-22T00:00:00.000Z']) {
        setClock(at)
        expect(await nowOn(screen.id)).toMatchObject({ playlist: { name: 'Always' }, changes_at: null })
      }
    },
  )

  test('to the end of the day in a zone that skips midnight, and by a snapshot', async () => {
    const { addSchedule, fresh, nowOn, playlist, screen, setClock } = await freshScreen({
      timezone: 'Africa/Cairo',
    })
    const rules = [
      rule('23:00', '24:00', { playlist_id: await playlist('Late') }),
      rule('00:00', '02:00', { playlist_id: await playlist('Early') }),
    ]
    await addSchedule({ rules, screen_ids: [screen.id] })
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    expect((await fresh.call('PUT', path, { body })).status).toBe(204)
    // At midnight before April 30, 2027 clocks there show 01:00.
    setClock('2027-04-29T21:59:30.000Z')
    expect(await nowOn(screen.id)).toMatchObject({
      local_time: '2027-04-29T23:59:30',
      playlist: { name: 'Late' },
      changes_at: '2027-04-29T22:00:00.000Z',
    })
    setClock('2027-04-29T22:00:00.000Z')
    expect(await nowOn(screen.id)).toMatchObject({
      local_time: '2027-04-30T01:00:00',
      playlist: { name: 'Early' },
      changes_at: '2027-04-29T23:00:00.000Z',
    })
  })

  test('by priority, then by direct assignment, then the newest, then the first rule', async () => {
    const { addSchedule, addGroup, ask, playlist, plays, screen } = await freshScreen()
    const group = await addGroup({ screen_ids: [screen.id] })
    const first = [await playlist('First'), await playlist('Second')].map((playlist_id) =>
      rule('00:00', '00:00', { playlist_id }),
    )
    await addSchedule({ rules: first, screen_ids: [screen.id] })
    expect(await plays()).toBe('First')
    const newer = await addSchedule({ playlist_id: await playlist('Newer'), screen_ids: [screen.id] })
    expect(await plays()).toBe('Newer')
    const ofGroup = await addSchedule({ playlist_id: await playlist('Group'), group_ids: [group.id] })
    expect(await plays()).toBe('Newer')
    await ask('PATCH', `/schedules/${ofGroup.id}`, { priority: 1 })
    expect(await plays()).toBe('Group')
    await ask('PATCH', `/schedules/${ofGroup.id}`, { active: false })
    expect(await plays()).toBe('Newer')
    await ask('DELETE', `/schedules/${newer.id}`)
    expect(await plays()).toBe('First')
  })

  test('by the time zone of the workspace, also after a change', async () => {
    const { addSchedule, fresh, nowOn, playlist, plays, screen } = await freshScreen({
      timezone: 'America/Panama',
    })
    await addSchedule({ playlist_id: await playlist('Day'), screen_ids: [screen.id] })
    expect(await nowOn(screen.id)).toMatchObject({ local_time: '2026-11-21T07:00:00', playlist: null })
    const zone = { timezone: 'Asia/Kolkata' }
    await fresh.call('PATCH', `/_sim/workspaces/${fresh.workspace.id}`, { body: zone })
    expect(await nowOn(screen.id)).toMatchObject({
      local_time: '2026-11-21T17:30:00',
      changes_at: '2026-11-21T12:30:00.000Z',
    })
    expect(await plays()).toBe('Day')
  })

  test('a layout with the content of its zones', async () => {
    const { addLayout, addMedia, addSchedule, getScreen, nowOn, playlist, screen } = await freshScreen()
    const [medium, id] = [await addMedia(), await playlist('Main')]
    const layout = await addLayout({
      zones: [
        { id: 'main', x: 0, y: 0, width: '50%', height: '100%', content_type: 'playlist', content_id: id },
        {
          id: 'side',
          x: '50%',
          y: 0,
          width: '50%',
          height: '100%',
          content_type: 'media',
          content_id: medium.id,
        },
      ],
    })
    await addSchedule({ rules: [rule('00:00', '00:00', { layout_id: layout.id })], screen_ids: [screen.id] })
    expect(await nowOn(screen.id)).toMatchObject({
      playlist: null,
      layout: {
        id: layout.id,
        zones: [
          { id: 'main', playlist: { id, items: [{ position: 1 }] }, media: null },
          { id: 'side', playlist: null, media: { media_id: medium.id, media_type: 'image' } },
        ],
      },
    })
    expect(await getScreen(screen.id)).toMatchObject({ current_playlist_id: id })
  })

  test('the playlist of the current minute in lists, also when the page was cached', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOON) })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { screen, playlist, addSchedule, ask, fresh } = await freshScreen()
    fresh.setClock(NOON, { frozen: false })
    const id = await playlist('Day')
    await addSchedule({ rules: [rule('08:00', '12:01', { playlist_id: id })], screen_ids: [screen.id] })
    const listed = () => ask<PageBody<ScreenBody>>('GET', '/screens')
    // A response is cached on its second request.
    await listed()
    expect((await listed()).data).toMatchObject([{ current_playlist_id: id }])
    vi.setSystemTime(Date.parse('2026-11-21T12:01:00.000Z'))
    expect((await listed()).data).toMatchObject([{ current_playlist_id: null }])
  })

  test('nothing without a schedule, and no change is announced', async () => {
    const { nowOn, screen, call, fresh } = await freshScreen()
    expect(await nowOn(screen.id)).toMatchObject({
      schedule: null,
      rule: null,
      playlist: null,
      layout: null,
      changes_at: null,
    })
    const path = `/_sim/workspaces/${fresh.workspace.id}/signage/screens/scr_nobody/now`
    expect((await fresh.call('GET', path)).status).toBe(404)
    expect((await call('GET', '/screens/scr_nobody/now')).status).toBe(404)
  })
})

/** What plays in each minute, and the announced instants of changes. */
async function checkAnnouncedChanges(
  signage: Signage,
  screenId: string,
  from: string,
  hours: number,
): Promise<void> {
  const { nowOn, setClock } = signage
  const start = DateTime.fromISO(from, { zone: 'utc' })
  let said: string | null = null
  let before: string | null | undefined
  for (let minute = 0; minute < hours * 60; minute += 15) {
    const at = start.plus({ minutes: minute }).toISO() ?? ''
    setClock(at)
    const now = await nowOn(screenId)
    const playing = now.playlist?.name ?? null
    if (before !== undefined && playing !== before)
      expect(said, `a change to ${String(playing)} at ${at}`).toBe(at)
    if (before !== undefined && playing === before && said !== null)
      expect(Date.parse(said)).toBeGreaterThan(Date.parse(at))
    before = playing
    said = now.changes_at
  }
}

describe('during clock changes', () => {
  test('a rule in the repeated hour plays in both passes', async () => {
    const { addSchedule, nowOn, playlist, screen, setClock } = await freshScreen({
      timezone: 'Europe/Madrid',
    })
    const rules = [rule('02:30', '02:45', { playlist_id: await playlist('Night') })]
    await addSchedule({ rules, screen_ids: [screen.id] })
    // At 01:00 UTC clocks there go from 03:00 back to 02:00.
    const seen = []
    for (const at of ['00:29:59', '00:30:00', '00:45:00', '01:30:00', '01:44:59', '01:45:00']) {
      setClock(`2026-10-25T${at}.000Z`)
      const { local_time, playlist: playingNow, changes_at } = await nowOn(screen.id)
      seen.push([local_time.slice(11), playingNow?.name ?? null, changes_at?.slice(5, 16)])
    }
    expect(seen).toEqual([
      ['02:29:59', null, '10-25T00:30'],
      ['02:30:00', 'Night', '10-25T00:45'],
      ['02:45:00', null, '10-25T01:30'],
      ['02:30:00', 'Night', '10-25T01:45'],
      ['02:44:59', 'Night', '10-25T01:45'],
      ['02:45:00', null, '10-26T01:30'],
    ])
  })

  test('a rule in the skipped hour does not play on that day', async () => {
    const { addSchedule, nowOn, playlist, screen, setClock } = await freshScreen({
      timezone: 'Europe/Madrid',
    })
    const rules = [
      rule('02:15', '02:45', { playlist_id: await playlist('Skipped') }),
      rule('02:30', '03:15', { playlist_id: await playlist('Cut') }),
    ]
    await addSchedule({ rules, screen_ids: [screen.id] })
    // At 01:00 UTC clocks there go from 02:00 forward to 03:00.
    const seen = []
    for (const at of ['00:59:59', '01:00:00', '01:14:59', '01:15:00']) {
      setClock(`2027-03-28T${at}.000Z`)
      const { local_time, playlist: playingNow, changes_at } = await nowOn(screen.id)
      seen.push([local_time.slice(11), playingNow?.name ?? null, changes_at?.slice(5, 16)])
    }
    expect(seen).toEqual([
      ['01:59:59', null, '03-28T01:00'],
      ['03:00:00', 'Cut', '03-28T01:15'],
      ['03:14:59', 'Cut', '03-28T01:15'],
      ['03:15:00', null, '03-29T00:15'],
    ])
  })

  test.each([
    // Clocks go from 02:00 to 03:00 at 07:00 UTC, and from 02:00 back to 01:00 at 06:00 UTC.
    ['forward', '2027-03-14T05:00:00.000Z'],
    ['back', '2026-11-01T04:00:00.000Z'],
  ])('%s, a screen changes at the announced time', async (_way, from) => {
    const signage = await freshScreen({ timezone: 'America/New_York' })
    const { addSchedule, playlist, screen } = signage
    const rules = [
      rule('01:15', '01:45', { playlist_id: await playlist('Early') }),
      rule('02:15', '02:45', { playlist_id: await playlist('Skipped') }),
      rule('02:30', '03:15', { playlist_id: await playlist('Late') }),
    ]
    await addSchedule({ rules, screen_ids: [screen.id] })
    await checkAnnouncedChanges(signage, screen.id, from, 5)
  })
})

test('changes a screen at the announced time, for any rules', async () => {
  const quarter = fc.integer({ min: 0, max: 95 }).map((index) => {
    const minutes = index * 15
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  })
  const rules = fc.array(
    fc.record({
      days: fc.uniqueArray(fc.constantFrom(...EVERY_DAY), { minLength: 1 }),
      time_start: quarter,
      time_end: fc.oneof(quarter, fc.constantFrom('23:59', '24:00')),
    }),
    { minLength: 1, maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(rules, fc.integer({ min: 0, max: 2 }), async (sent, priority) => {
      const signage = await freshScreen({ timezone: 'America/New_York' })
      const { addSchedule, playlist, screen } = signage
      const named = await Promise.all(
        sent.map(async (each, index) => ({ ...each, playlist_id: await playlist(`P${String(index)}`) })),
      )
      await addSchedule({ rules: named, screen_ids: [screen.id], priority })
      await addSchedule({ playlist_id: await playlist('Base'), screen_ids: [screen.id], priority: 1 })
      await checkAnnouncedChanges(signage, screen.id, '2026-10-31T20:00:00.000Z', 20)
    }),
    { numRuns: 4 },
  )
})
