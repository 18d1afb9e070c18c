/** Sessions, transcripts and summaries; the page on which people join. */
import { describe, expect, test } from 'vitest'
import { freshMeetings, refusal } from '../../support/meeting.ts'

const NOTHING = { success: true, summary: null, transcript_url: null, language: null }

describe('transcript', () => {
  test('is refused before it is complete, and can be downloaded then', async () => {
    const { create, end, fetchTranscript, summary, trigger, open, events } = await freshMeetings()
    const id = await create({ language: 'es-419' })
    expect(await summary(id)).toEqual(NOTHING)
    const session = await end(id)
    expect(await fetchTranscript(id, session)).toMatchObject(refusal(404, 'TRANSCRIPT_NOT_READY'))
    const text = 'Rosa: Hola, "amigos"\n\nSin nombre'
    const done = await trigger('transcript.complete', { publicMeetingId: id, cfSessionId: session, text })
    expect(done.status).toBe(200)
    const fetched = await fetchTranscript(id, session)
    const { transcriptUrl } = fetched.body as { transcriptUrl: string }
    expect(fetched).toMatchObject({ status: 200, body: { success: true } })
    const file = await open(transcriptUrl)
    expect(file.headers['content-type']).toMatch(/^text\/csv/)
    expect(file.text).toBe(
      'start_seconds,speaker,text\r\n0,"Rosa","Hola, ""amigos"""\r\n5,"Speaker","Sin nombre"\r\n',
    )
    expect(await summary(id)).toEqual({
      success: true,
      summary: null,
      transcript_url: transcriptUrl,
      language: 'es-419',
    })
    await trigger('summary.complete', { publicMeetingId: id, summary: 'Short.' })
    expect(await summary(id)).toEqual({
      success: true,
      summary: 'Short.',
      transcript_url: transcriptUrl,
      language: 'es-419',
    })
    expect(events().slice(-2)).toEqual(['transcript.completed', 'summary.completed'])
  })

  test('and then a summary are completed automatically after one minute each', async () => {
    const { create, end, fetchTranscript, summary, advance, open } = await freshMeetings()
    const id = await create()
    const session = await end(id)
    await advance('PT59S')
    expect((await fetchTranscript(id, session)).status).toBe(404)
    await advance('PT1S')
    const { body } = await fetchTranscript(id, session)
    expect((await open((body as { transcriptUrl: string }).transcriptUrl)).text).toContain(
      'Welcome to Planning.',
    )
    await advance('PT59S')
    expect((await summary(id)).summary).toBe(null)
    await advance('PT1S')
    expect((await summary(id)).summary).toBe('Planning: Nobody took part, for 0 minutes.')
    await advance('PT1H')
    expect((await fetchTranscript(id, session)).status).toBe(200)
  })

  test('that is complete after its summary leaves the summary as it is', async () => {
    const { create, end, summary, trigger, advance, events } = await freshMeetings()
    const id = await create()
    const session = await end(id)
    await trigger('summary.complete', { publicMeetingId: id, summary: 'Short.' })
    await trigger('transcript.complete', { publicMeetingId: id, cfSessionId: session })
    await advance('PT1H')
    expect((await summary(id)).summary).toBe('Short.')
    expect(events().slice(-2)).toEqual(['summary.completed', 'transcript.completed'])
  })

  test('never exists without a language', async () => {
    const { fresh, call, end, fetchTranscript, summary, advance, trigger } = await freshMeetings()
    const made = await call('POST', '/public/meetings', { body: { title: 'x' } })
    const id = (made.body as { meeting: { publicMeetingId: string } }).meeting.publicMeetingId
    const session = await end(id)
    await advance('PT24H')
    expect((await fetchTranscript(id, session)).status).toBe(404)
    expect(await summary(id)).toEqual(NOTHING)
    const before = fresh.dump()
    const body = { publicMeetingId: id, cfSessionId: session }
    expect((await trigger('transcript.complete', body)).status).toBe(409)
    expect((await trigger('summary.complete', { publicMeetingId: id })).status).toBe(409)
    expect(fresh.dump()).toEqual(before)
  })

  test('belongs to a session of its meeting', async () => {
    const { create, end, fetchTranscript, trigger } = await freshMeetings()
    const [one, other] = [await create(), await create()]
    const session = await end(one)
    const unknown = refusal(404, 'SESSION_NOT_FOUND')
    expect(await fetchTranscript(other, session)).toMatchObject(unknown)
    expect(await fetchTranscript(one, 'none')).toMatchObject(unknown)
    const body = { publicMeetingId: other, cfSessionId: session }
    expect((await trigger('transcript.complete', body)).status).toBe(404)
  })

  test('of a live session, and a summary of an unknown meeting, are refused', async () => {
    const { create, admit, act, trigger, fresh } = await freshMeetings()
    const id = await create()
    expect((await trigger('summary.complete', { publicMeetingId: id })).status).toBe(409)
    await act((await admit(id)).url, { action: 'join' })
    const session = fresh.app.workspaces.database.sqlite
      .prepare('SELECT id FROM meetings_sessions WHERE workspace = ?')
      .pluck()
      .get(fresh.workspace.rowScope)
    const body = { publicMeetingId: id, cfSessionId: session }
    expect((await trigger('transcript.complete', body)).status).toBe(409)
    expect((await trigger('summary.complete', { publicMeetingId: id })).status).toBe(409)
  })

  test('and its summary stay until the next summary is complete', async () => {
    const { create, end, summary, trigger, fetchTranscript } = await freshMeetings()
    const id = await create()
    const first = await end(id)
    await trigger('transcript.complete', { publicMeetingId: id, cfSessionId: first })
    await trigger('summary.complete', { publicMeetingId: id, summary: 'First.' })
    const current = await summary(id)
    const second = await end(id)
    await trigger('transcript.complete', { publicMeetingId: id, cfSessionId: second })
    expect(await summary(id)).toEqual(current)
    await trigger('summary.complete', { publicMeetingId: id, summary: 'Second.' })
    const { body } = await fetchTranscript(id, second)
    const { transcriptUrl } = body as { transcriptUrl: string }
    expect(await summary(id)).toMatchObject({ summary: 'Second.', transcript_url: transcriptUrl })
  })

  test('and a summary can be completed while a later session is live', async () => {
    const { create, admit, act, end, trigger, summary } = await freshMeetings()
    const id = await create()
    await end(id)
    await act((await admit(id)).url, { action: 'join' })
    expect((await trigger('summary.complete', { publicMeetingId: id, summary: 'S' })).status).toBe(200)
    expect((await summary(id)).summary).toBe('S')
  })

  test('that is completed again replaces the previous one', async () => {
    const { create, end, fetchTranscript, trigger, open } = await freshMeetings()
    const id = await create()
    const session = await end(id)
    for (const text of ['one', 'two']) {
      await trigger('transcript.complete', { publicMeetingId: id, cfSessionId: session, text })
    }
    const { body } = await fetchTranscript(id, session)
    expect((await open((body as { transcriptUrl: string }).transcriptUrl)).text).toContain('"two"')
  })

  test('is removed by a reset, and restored by a snapshot', async () => {
    const { create, end, fetchTranscript, advance, fresh, open, summary } = await freshMeetings()
    const id = await create()
    const session = await end(id)
    await advance('PT2M')
    const path = `/_sim/workspaces/${fresh.workspace.id}`
    const { body } = await fresh.call('GET', `${path}/snapshot`)
    await fresh.call('POST', `${path}/reset`)
    expect((await fetchTranscript(id, session)).status).toBe(404)
    expect((await fresh.call('PUT', `${path}/snapshot`, { body })).status).toBe(204)
    const fetched = await fetchTranscript(id, session)
    expect((await open((fetched.body as { transcriptUrl: string }).transcriptUrl)).status).toBe(200)
    expect((await summary(id)).summary).toContain('Planning')
  })
})

describe('session', () => {
  test('is joined by all participants and ended, even if the clock is set back', async () => {
    const { create, admit, act, end, fresh, events } = await freshMeetings()
    const id = await create()
    await end(id)
    fresh.setClock('2026-11-21T11:00:00.000Z')
    await act((await admit(id, { name: 'Rosa' })).url, { action: 'join' })
    await act((await admit(id, { name: 'Luis' })).url, { action: 'join' })
    await end(id)
    expect(events().filter((name) => name.startsWith('session.'))).toEqual([
      'session.started',
      'session.ended',
      'session.started',
      'session.ended',
    ])
  })

  test('has no participants after its end, so that they can join the next one', async () => {
    const { create, admit, act, open, end, events, fresh } = await freshMeetings()
    const id = await create()
    const { url } = await admit(id, { name: 'Rosa' })
    await act(url, { action: 'join' })
    await end(id)
    expect((await open(url)).text).toContain('Nobody is in the meeting.')
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    expect(body).toMatchObject({ meetings: { participants: [{ sessionId: null }] } })
    await act(url, { action: 'leave' })
    expect(events()).not.toContain('participant.left')
    await act(url, { action: 'join' })
    expect(events().filter((name) => name === 'participant.joined')).toHaveLength(2)
  })

  test('of a participant in a snapshot must be a live one of the meeting', async () => {
    const { create, admit, act, end, fresh } = await freshMeetings()
    const id = await create()
    const ended = await end(id)
    await act((await admit(id, { name: 'Rosa' })).url, { action: 'join' })
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    const snapshot = body as { meetings: { participants: { sessionId: string | null }[] } }
    expect((await fresh.call('PUT', path, { body })).status).toBe(204)
    for (const sessionId of [ended, 'none']) {
      const participants = snapshot.meetings.participants.map((each) => ({ ...each, sessionId }))
      const changed = { ...snapshot, meetings: { ...snapshot.meetings, participants } }
      expect((await fresh.call('PUT', path, { body: changed })).status).toBe(400)
    }
  })
})

describe('page of a meeting', () => {
  test('lets a participant join and leave; the first starts a session and the last ends it', async () => {
    const { create, admit, act, open, events, summary, advance } = await freshMeetings()
    const id = await create()
    const rosa = await admit(id, { name: 'Rosa' })
    const luis = await admit(id, { email: 'luis@example.com' })
    expect((await open(rosa.url)).text).toContain('Nobody is in the meeting.')
    const joined = await act(rosa.url, { action: 'join' })
    expect([joined.status, joined.headers['location']]).toEqual([303, `${id}${new URL(rosa.url).search}`])
    await act(rosa.url, { action: 'join' })
    await act(luis.url, { action: 'join' })
    const { text } = await open(rosa.url)
    expect(text).toContain('Rosa (you)')
    expect(text).toContain('luis@example.com')
    await act(rosa.url, { action: 'leave' })
    await act(rosa.url, { action: 'leave' })
    await advance('PT30M')
    await act(luis.url, { action: 'leave' })
    expect((await open(luis.url)).text).toContain('Nobody is in the meeting.')
    expect(events()).toEqual([
      'meeting.created',
      'participant.added',
      'participant.added',
      'session.started',
      'participant.joined',
      'participant.joined',
      'participant.left',
      'participant.left',
      'session.ended',
    ])
    await advance('PT2M')
    expect((await summary(id)).summary).toBe('Planning: Rosa, luis@example.com took part, for 30 minutes.')
  })

  test('does the same as the triggers', async () => {
    const { create, admit, trigger, open, events, update } = await freshMeetings()
    const id = await create()
    const { url } = await admit(id, { name: 'Rosa' })
    const participantId = new URL(url).searchParams.get('participant')
    expect((await trigger('participant.join', { participantId })).status).toBe(200)
    expect((await open(url)).text).toContain('Rosa (you)')
    expect((await trigger('participant.leave', { participantId })).status).toBe(200)
    expect(events().slice(-2)).toEqual(['participant.left', 'session.ended'])
    await update(id, { status: 'INACTIVE' })
    expect((await trigger('participant.join', { participantId })).status).toBe(409)
    expect((await trigger('participant.join', { participantId: 'none' })).status).toBe(404)
  })

  test('lets anyone join as a guest with a name', async () => {
    const { create, admit, act, open } = await freshMeetings()
    const id = await create()
    const { guestUrl } = await admit(id)
    expect((await act(guestUrl, { action: 'join' })).status).toBe(422)
    expect((await act(guestUrl, { action: 'join', name: 'x'.repeat(201) })).status).toBe(422)
    const { status, headers } = await act(guestUrl, { action: 'join', name: '<b>Eva</b>' })
    expect(status).toBe(303)
    const { text } = await open(guestUrl.replace(/[^/]+$/, headers['location'] ?? ''))
    expect(text).toContain('&lt;b&gt;Eva&lt;/b&gt; (you)')
  })

  test('lets only a host end the meeting for all', async () => {
    const { create, admit, act, open, end, fresh } = await freshMeetings()
    const id = await create()
    const host = await admit(id, { preset_name: 'sim_meet_host', name: 'Ana' })
    const other = await admit(id, { name: 'Rosa' })
    await act(host.url, { action: 'join' })
    await act(other.url, { action: 'join' })
    expect((await open(other.url)).text).not.toContain('End the meeting')
    const before = fresh.dump()
    expect((await act(other.url, { action: 'end' })).status).toBe(403)
    expect((await act(other.url, { action: 'dance' })).status).toBe(400)
    expect(fresh.dump()).toEqual(before)
    expect((await open(host.url)).text).toContain('End the meeting')
    expect((await act(host.url, { action: 'end' })).status).toBe(303)
    expect((await open(other.url)).text).toContain('Nobody is in the meeting.')
    await act(other.url, { action: 'join' })
    await end(id)
    expect((await open(other.url)).text).toContain('Nobody is in the meeting.')
  })

  test('lets no one join an INACTIVE meeting, and lets participants leave', async () => {
    const { create, admit, act, open, update, fresh } = await freshMeetings()
    const id = await create()
    const [rosa, luis] = [await admit(id, { name: 'Rosa' }), await admit(id, { name: 'Luis' })]
    await act(rosa.url, { action: 'join' })
    await update(id, { status: 'INACTIVE' })
    const refused = await act(luis.url, { action: 'join' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('admits no new connections')
    expect((await act(luis.url, { token: luis.token })).status).toBe(409)
    const before = fresh.dump()
    for (const action of ['join', 'leave']) {
      expect((await act(luis.guestUrl, { action, name: 'Eva' })).status).toBe(409)
    }
    expect(fresh.dump()).toEqual(before)
    expect((await open(luis.url)).text).toContain('It admits no new connections.')
    expect((await open(rosa.url)).text).toContain('Rosa (you)')
    expect((await act(rosa.url, { action: 'leave' })).status).toBe(303)
    expect((await act(rosa.url, { action: 'join' })).status).toBe(409)
    await update(id, { status: 'ACTIVE' })
    expect((await act(rosa.url, { action: 'join' })).status).toBe(303)
    expect((await act(luis.url, { token: luis.token })).status).toBe(303)
  })

  test('lets a program join with its token while the token is valid', async () => {
    const { create, admit, act, advance, open } = await freshMeetings()
    const id = await create()
    const { guestUrl, url, token } = await admit(id, { name: 'Rosa' })
    const other = await admit(await create())
    expect((await act(guestUrl, { token: other.token })).status).toBe(403)
    expect((await act(guestUrl, { token: `${token}x` })).status).toBe(403)
    expect((await act(guestUrl, { token })).status).toBe(303)
    expect((await open(url)).text).toContain('Rosa (you)')
    await advance('PT24H')
    expect((await act(guestUrl, { token })).status).toBe(403)
  })

  test('returns 404 for an unknown meeting, participant or workspace', async () => {
    const { create, admit, open } = await freshMeetings()
    const [one, other] = [await admit(await create()), await admit(await create())]
    for (const url of [
      `${one.guestUrl}x`,
      `${one.guestUrl}?participant=none`,
      one.guestUrl + new URL(other.url).search,
      one.guestUrl.replace(/meet\/[^/]+/, 'meet/none'),
    ]) {
      expect((await open(url)).status).toBe(404)
    }
  })
})
