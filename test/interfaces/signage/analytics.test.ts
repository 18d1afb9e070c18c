/** Specification part 1, "Other signage records", "Signage": analytics of playbacks and of screens. */
import { DateTime } from 'luxon'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freshSignage, invalid, NOON, type ReportBody } from '../../support/signage.ts'
import { runs } from '../../support/extent.ts'

async function freshPlaybacks(settings: Parameters<typeof freshSignage>[0] = {}) {
  const signage = await freshSignage(settings)
  const screens = [await signage.addScreen({ name: 'Window' }), await signage.addScreen({ name: 'Checkout' })]
  const media = [await signage.addMedia({ name: 'Desk' }), await signage.addMedia({ name: 'Chair' })]
  const items = media.map(({ id }) => ({ media_id: id, duration: 10 }))
  const playlist = await signage.addPlaylist({ name: 'Welcome', items })
  const [window = '', checkout = ''] = screens.map(({ id }) => id)
  const [desk = '', chair = ''] = media.map(({ id }) => id)
  const play = (screen_id: string, media_id: string, fields: object = {}) =>
    signage.happens('playback.record', { screen_id, media_id, duration_seconds: 10, ...fields })
  const report = (query = '') => signage.ask<ReportBody>('GET', `/analytics/playback?${query}`)
  return { ...signage, window, checkout, desk, chair, playlist, play, report }
}

describe('playback analytics', () => {
  test('group by media by default, most played first', async () => {
    const { play, report, window, checkout, desk, chair } = await freshPlaybacks()
    await play(window, desk)
    await play(window, chair, { duration_seconds: 2.5, completed: false })
    await play(checkout, chair)
    await play(checkout, chair)
    expect(await report()).toEqual({
      data: [
        {
          media_id: chair,
          media_name: 'Chair',
          total_plays: 3,
          total_duration_seconds: 22.5,
          unique_screens: 2,
          completion_rate: 66.7,
        },
        {
          media_id: desk,
          media_name: 'Desk',
          total_plays: 1,
          total_duration_seconds: 10,
          unique_screens: 1,
          completion_rate: 100,
        },
      ],
      meta: { period: { from: '2026-10-22T12:00:00.000Z', to: NOON }, total_plays: 4 },
    })
  })

  test('are grouped by screen, playlist, day and hour', async () => {
    const { play, report, window, checkout, desk, playlist } = await freshPlaybacks({
      timezone: 'America/Panama',
    })
    await play(window, desk, { playlist_id: playlist.id, played_at: '2026-11-20T04:59:59.999Z' })
    await play(window, desk, { playlist_id: playlist.id, played_at: '2026-11-20T05:00:00.000Z' })
    await play(checkout, desk, { played_at: '2026-11-20T06:30:00.000Z', completed: false })
    const sums = { total_plays: 1, total_duration_seconds: 10, unique_screens: 1, completion_rate: 100 }
    const two = { ...sums, total_plays: 2, total_duration_seconds: 20 }
    const none = { ...sums, completion_rate: 0 }
    expect((await report('group_by=screen')).data).toEqual([
      { screen_id: window, screen_name: 'Window', ...two },
      { screen_id: checkout, screen_name: 'Checkout', ...none },
    ])
    expect((await report('group_by=playlist')).data).toEqual([
      { playlist_id: playlist.id, playlist_name: 'Welcome', ...two },
      { playlist_id: null, playlist_name: null, ...none },
    ])
    expect((await report('group_by=day')).data).toEqual([
      { day: '2026-11-19', ...sums },
      { day: '2026-11-20', ...two, unique_screens: 2, completion_rate: 50 },
    ])
    expect((await report('group_by=hour')).data).toEqual([
      { hour: '2026-11-19T23:00-05:00', ...sums },
      { hour: '2026-11-20T00:00-05:00', ...sums },
      { hour: '2026-11-20T01:00-05:00', ...none },
    ])
    const { data } = await report('group_by=day&to=2026-11-21T00:00:00-05:00')
    expect(data.at(-1)).toMatchObject({ day: '2026-11-20' })
  })

  test.each<[timezone: string, played: readonly string[], hours: readonly string[]]>([
    [
      'America/New_York',
      ['2026-11-01T04:59:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T07:00:00Z'],
      [
        '2026-11-01T00:00-04:00',
        '2026-11-01T01:00-04:00',
        '2026-11-01T01:00-05:00',
        '2026-11-01T02:00-05:00',
      ],
    ],
    [
      // Its clocks go back by half an hour, so 01:30 to 02:00 exists twice.
      'Australia/Lord_Howe',
      ['2026-04-04T14:10:00Z', '2026-04-04T14:50:00Z', '2026-04-04T15:10:00Z', '2026-04-04T15:40:00Z'],
      ['2026-04-05T01:00+11:00', '2026-04-05T01:00+10:30', '2026-04-05T02:00+10:30'],
    ],
    [
      'Asia/Kolkata',
      ['2026-11-01T18:29:00Z', '2026-11-01T18:30:00Z'],
      ['2026-11-01T23:00+05:30', '2026-11-02T00:00+05:30'],
    ],
    ['UTC', ['2026-11-01T05:30:00Z'], ['2026-11-01T05:00+00:00']],
  ])('have a row for each hour of %s, also if the clocks repeat it', async (timezone, played, hours) => {
    const { play, report, window, desk } = await freshPlaybacks({ timezone })
    for (const played_at of played.toReversed()) await play(window, desk, { played_at })
    const { data, meta } = await report('group_by=hour&from=2026-04-04&to=2026-04-06')
    const { data: later } = await report('group_by=hour&from=2026-10-31&to=2026-11-03')
    expect([...data, ...later].map((row) => (row as { hour: string }).hour)).toEqual(hours)
    expect(meta.total_plays + later.reduce((sum, row) => sum + row.total_plays, 0)).toBe(played.length)
    const days = await report('group_by=day&from=2026-04-04&to=2026-11-03')
    expect(days.meta.total_plays).toBe(played.length)
  })

  test('follow the time zone of the workspace when it changes', async () => {
    const { fresh, play, report, window, desk } = await freshPlaybacks()
    await play(window, desk, { played_at: '2026-11-20T18:29:00.000Z' })
    await play(window, desk, { played_at: '2026-11-20T18:31:00.000Z' })
    const days = async () =>
      (await report('group_by=day')).data.map((row) => [(row as { day: string }).day, row.total_plays])
    expect(await days()).toEqual([['2026-11-20', 2]])
    fresh.workspace.change({ timezone: 'Asia/Kolkata' })
    expect(await days()).toEqual([
      ['2026-11-20', 1],
      ['2026-11-21', 1],
    ])
  })

  test.each([
    ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z', 1],
    ['2026-11-20T10:00:00.001Z', '2026-11-20T23:59:59.999Z', 0],
    ['2026-11-20T00:00:00.000Z', '2026-11-20T09:59:59.999Z', 0],
    ['2026-11-20', '2026-11-20', 1],
    ['2026-11-21', '2026-11-21', 0],
  ])('of %s to %s, both inclusive, count the plays at ten', async (from, to, plays) => {
    const { play, report, window, desk } = await freshPlaybacks()
    await play(window, desk, { played_at: '2026-11-20T10:00:00.000Z' })
    for (const group of ['media', 'hour', 'day', 'screen', 'playlist']) {
      const { meta } = await report(`group_by=${group}&from=${from}&to=${to}`)
      expect(meta.total_plays, group).toBe(plays)
    }
  })

  test('are filtered by screen, medium or playlist', async () => {
    const { play, report, window, checkout, desk, chair, playlist } = await freshPlaybacks()
    await play(window, desk, { playlist_id: playlist.id })
    await play(window, chair)
    await play(checkout, chair)
    for (const group of ['media', 'hour', 'day']) {
      const plays = async (query: string) => (await report(`group_by=${group}&${query}`)).meta.total_plays
      expect(await plays(`screen_id=${window}`)).toBe(2)
      expect(await plays(`media_id=${chair}`)).toBe(2)
      expect(await plays(`screen_id=${window}&media_id=${chair}`)).toBe(1)
      expect(await plays(`playlist_id=${playlist.id}`)).toBe(1)
      expect(await plays('media_id=med_nobody')).toBe(0)
    }
  })

  test('keep the names of deleted media and playlists, also in a snapshot', async () => {
    const { fresh, ask, play, report, window, desk, chair, playlist } = await freshPlaybacks()
    await play(window, desk, { playlist_id: playlist.id })
    await play(window, chair)
    await play(window, chair)
    await ask('PATCH', `/media/${desk}`, { name: 'Standing desk' })
    await ask('DELETE', `/media/${desk}?force=true`)
    await ask('DELETE', `/playlists/${playlist.id}`)
    const areNamed = async () => {
      expect((await report()).data).toMatchObject([
        { media_id: chair, media_name: 'Chair', total_plays: 2 },
        { media_id: desk, media_name: 'Standing desk', total_plays: 1 },
      ])
      expect((await report('group_by=playlist')).data).toMatchObject([
        { playlist_id: null, playlist_name: null, total_plays: 2 },
        { playlist_id: playlist.id, playlist_name: 'Welcome', total_plays: 1 },
      ])
    }
    await areNamed()
    const snapshot = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', snapshot)
    expect((await fresh.call('PUT', snapshot, { body })).status).toBeLessThan(300)
    await areNamed()
  })

  test.each([
    ['from=2026-11-02&to=2026-11-01', 'to', 'out_of_order'],
    ['group_by=hour&from=2026-08-01T00:00:00.000Z&to=2026-11-01T00:00:00.001Z', 'to', 'too_late'],
  ])('of %s are refused', async (query, field, code) => {
    const { call } = await freshSignage()
    expect(await call('GET', `/analytics/playback?${query}`)).toMatchObject(invalid(field, code))
  })

  test('of 92 days by the hour are returned', async () => {
    const { call } = await freshSignage()
    const query = 'group_by=hour&from=2026-08-01T00:00:00.000Z&to=2026-11-01T00:00:00.000Z'
    expect((await call('GET', `/analytics/playback?${query}`)).status).toBe(200)
  })

  test.each([
    ['an unknown screen', { screen_id: 'scr_nobody' }, 404],
    ['an unknown medium', { media_id: 'med_nobody' }, 404],
    ['an unknown playlist', { playlist_id: 'plist_nobody' }, 404],
    ['a future time', { played_at: '2026-11-21T12:00:00.001Z' }, 400],
    ['now', { played_at: NOON }, 200],
    ['a duration of zero', { duration_seconds: 0 }, 200],
    ['a negative duration', { duration_seconds: -0.001 }, 400],
    ['a day', { duration_seconds: 86_400 }, 200],
    ['more than a day', { duration_seconds: 86_400.001 }, 400],
  ])('of %s: recorded or refused', async (_what, fields, status) => {
    const { pull, window, desk } = await freshPlaybacks()
    const body = { screen_id: window, media_id: desk, duration_seconds: 1, ...fields }
    expect((await pull('playback.record', body)).status).toBe(status)
  })

  test('are the sum of all plays, for any plays and queries', async () => {
    // The clocks of New York go back on 2026-11-01.
    const start = Date.parse('2026-10-31T00:00:00.000Z')
    const minutes = fc.integer({ min: 0, max: 4 * 24 * 60 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: minutes, screen: fc.nat(1), medium: fc.nat(1), done: fc.boolean() }), {
          minLength: 1,
          maxLength: 30,
        }),
        minutes,
        minutes,
        fc.constantFrom('UTC', 'America/Panama', 'Asia/Kolkata', 'America/New_York'),
        fc.constantFrom('screen', 'media', 'day', 'hour'),
        async (played, one, other, timezone, groupBy) => {
          const { play, report, window, checkout, desk, chair } = await freshPlaybacks({ timezone })
          const rows = played.map(({ at, screen, medium, done }) => ({
            at: start + at * 60_000,
            screen: screen === 0 ? window : checkout,
            medium: medium === 0 ? desk : chair,
            done,
          }))
          for (const { at, screen, medium, done } of rows) {
            await play(screen, medium, { played_at: new Date(at).toISOString(), completed: done })
          }
          const [from, to] = [one, other].sort((a, b) => a - b).map((minute) => start + minute * 60_000) as [
            number,
            number,
          ]
          const keyOf = (row: (typeof rows)[number]): string => {
            const local = DateTime.fromMillis(row.at, { zone: timezone })
            switch (groupBy) {
              case 'screen':
                return row.screen
              case 'media':
                return row.medium
              case 'day':
                return local.toFormat('yyyy-MM-dd')
              default:
                return local.toFormat("yyyy-MM-dd'T'HH:00ZZ")
            }
          }
          const expected: Record<string, [number, number, number]> = {}
          for (const key of new Set(rows.map(keyOf))) {
            const own = rows.filter((row) => keyOf(row) === key && row.at >= from && row.at <= to)
            if (own.length === 0) continue
            const done = own.filter((row) => row.done).length
            expected[key] = [
              own.length,
              new Set(own.map(({ screen }) => screen)).size,
              Math.round((done / own.length) * 1000) / 10,
            ]
          }
          const query = `group_by=${groupBy}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
          const { data } = await report(query)
          const counts = data.map((row) => [
            Object.values(row)[0],
            [row.total_plays, row.unique_screens, row.completion_rate],
          ])
          expect(Object.fromEntries(counts)).toEqual(expected)
        },
      ),
      { numRuns: runs(15) },
    )
  })
})

describe('status of screens', () => {
  test('is summarized with the average uptime', async () => {
    const { addScreen, ask, happens, setClock } = await freshSignage()
    expect(await ask('GET', '/analytics/screens/status')).toEqual({
      total_screens: 0,
      online: 0,
      offline: 0,
      standby: 0,
      average_uptime_percent: null,
    })
    const [one, two] = [await addScreen(), await addScreen()]
    await happens('screen.report', { screen_id: two.id, status: 'standby' })
    expect(await ask('GET', '/analytics/screens/status')).toMatchObject({
      online: 1,
      standby: 1,
      average_uptime_percent: 100,
    })
    // Five minutes of silence and five more offline; one of the two returns for ten.
    setClock('2026-11-21T12:10:00.000Z')
    await happens('screen.report', { screen_id: one.id })
    setClock('2026-11-21T12:14:59.000Z')
    await happens('screen.report', { screen_id: one.id })
    setClock('2026-11-21T12:19:58.000Z')
    await happens('screen.report', { screen_id: one.id })
    setClock('2026-11-21T12:20:00.000Z')
    expect(await ask('GET', '/analytics/screens/status')).toEqual({
      total_screens: 2,
      online: 1,
      offline: 1,
      standby: 0,
      average_uptime_percent: 50,
    })
  })
})
