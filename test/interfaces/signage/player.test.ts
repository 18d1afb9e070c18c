/** The pages of the player over HTTP: their content and their input. */
import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/forms.ts'
import { freshSignage, NOON, type ActionBody, type NowBody } from '../../support/signage.ts'

async function freshPlayer() {
  const signage = await freshSignage()
  const screen = await signage.addScreen({ name: 'Window <1>' })
  const playlist = await signage.addPlaylist()
  await signage.addSchedule({ playlist_id: playlist.id, screen_ids: [screen.id] })
  const base = `/grid/player/${signage.fresh.workspace.id}`
  const send = (method: 'GET' | 'POST', path: string, form?: Readonly<Record<string, string>>) =>
    signage.fresh.call(method, base + path, {
      key: null,
      ...(form && {
        raw: new URLSearchParams(form).toString(),
        contentType: 'application/x-www-form-urlencoded',
      }),
    })
  return { ...signage, screen, playlist, base, send, path: `/screens/${screen.id}` }
}

describe('player of a screen', () => {
  test('is a page that needs no key, runs only its own script and names the screen', async () => {
    const { send, path } = await freshPlayer()
    const { status, headers, text } = await send('GET', path)
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/script-src 'self';.*connect-src 'self'; media-src/)
    expect(text).toContain('<h1>Window &lt;1&gt;</h1>')
    expect(text).toContain('src="../../script.js"')
  })

  test('exists only for existing screens', async () => {
    const { send, screen } = await freshPlayer()
    for (const id of ['scr_nobody', `${screen.id}x`]) {
      const { status, headers } = await send('GET', `/screens/${id}`)
      expect([status, headers['location']]).toEqual([303, '../'])
      expect((await send('POST', `/screens/${id}/reports`, {})).status).toBe(404)
      expect((await send('POST', `/screens/${id}/playbacks`, { duration_seconds: '1' })).status).toBe(404)
    }
  })

  test('sends a heartbeat and receives what to play', async () => {
    const { send, path, screen, getScreen, setClock, nowOn } = await freshPlayer()
    setClock('2026-11-21T12:30:00.000Z')
    expect(await getScreen(screen.id)).toMatchObject({ status: 'offline', last_sync: NOON })
    const { status, body } = await send('POST', `${path}/reports`, {})
    expect(status).toBe(200)
    expect(body as NowBody).toEqual(await nowOn(screen.id))
    expect(await getScreen(screen.id)).toMatchObject({
      status: 'online',
      last_sync: '2026-11-21T12:30:00.000Z',
    })
  })

  test('reports what it has shown', async () => {
    const { send, path, playlist, ask } = await freshPlayer()
    const [item] = playlist.items
    const played = {
      media_id: item?.media_id ?? '',
      playlist_id: playlist.id,
      duration_seconds: '9.5',
      completed: 'true',
    }
    expect((await send('POST', `${path}/playbacks`, played)).status).toBe(200)
    expect(await ask('GET', '/analytics/playback?group_by=playlist')).toMatchObject({
      data: [{ playlist_id: playlist.id, total_duration_seconds: 9.5, completion_rate: 100 }],
    })
  })

  test.each(['', 'ten', '-1', '86400.1', 'Infinity', '1e9'])(
    'cannot report a playback of "%s" seconds',
    async (duration) => {
      const { send, path, playlist, fresh } = await freshPlayer()
      const before = fresh.dump()
      const form = { media_id: playlist.items[0]?.media_id ?? '', duration_seconds: duration }
      expect((await send('POST', `${path}/playbacks`, form)).status).toBe(400)
      expect(fresh.dump()).toEqual(before)
    },
  )

  test('executes a command once', async () => {
    const { send, path, screen, ask, getScreen } = await freshPlayer()
    const { action_id } = await ask<ActionBody>('POST', `/screens/${screen.id}/actions`, {
      action: 'screenshot',
    })
    const url = 'https://example.com/1.png'
    expect((await send('POST', `${path}/actions/${action_id}`, { result_url: url })).status).toBe(200)
    expect((await getScreen(screen.id)).actions).toMatchObject([{ status: 'completed', result_url: url }])
    expect((await send('POST', `${path}/actions/${action_id}`, {})).status).toBe(404)
  })

  test.each(['not a link', 'javascript:alert(1)'])('cannot report a result that is %s', async (url) => {
    const { send, path, screen, ask } = await freshPlayer()
    const { action_id } = await ask<ActionBody>('POST', `/screens/${screen.id}/actions`, {
      action: 'screenshot',
    })
    expect((await send('POST', `${path}/actions/${action_id}`, { result_url: url })).status).toBe(400)
  })

  test('accepts only forms', async () => {
    const { fresh, base, path } = await freshPlayer()
    const answer = await fresh.call('POST', `${base}${path}/reports`, { key: null, ...formOf({ a: 'b' }) })
    expect(answer.status).toBe(415)
  })
})

describe('unpaired device', () => {
  test('shows a code, and plays after it is used', async () => {
    const { send, ask, base } = await freshPlayer()
    expect((await send('GET', '')).headers['location']).toMatch(/\/$/)
    expect((await send('GET', '/')).text).toContain('Show a code')
    const { status, headers } = await send('POST', '/', {})
    expect(status).toBe(303)
    const place = `/${headers['location'] ?? ''}`
    const page = await send('GET', place)
    const [, code = ''] = /<p class="amount">(\w+)<\/p>/.exec(page.text) ?? []
    const { id } = await ask<{ id: string }>('POST', '/screens', { pairing_code: code, name: 'New' })
    const paired = await send('GET', place)
    expect(paired.status).toBe(303)
    expect(new URL(paired.headers['location'] ?? '', `http://x${base}${place}`).pathname).toBe(
      `${base}/screens/${id}`,
    )
  })

  test('is told to show another code when its own has expired', async () => {
    const { send, setClock } = await freshPlayer()
    const { headers } = await send('POST', '/?lang=en', {})
    setClock('2026-11-21T12:15:00.000Z')
    const place = `/${headers['location'] ?? ''}`
    const { text } = await send('GET', place)
    expect(text).toContain('Show a code')
    const [, action = ''] = /action="(.*?)"/.exec(text) ?? []
    const { pathname, search } = new URL(action, `http://x${place}`)
    expect((await send('POST', pathname + search, {})).headers['location']).toMatch(/^codes\/.*\?lang=en$/)
  })
})
