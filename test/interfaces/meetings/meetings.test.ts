/** Meetings and participants. Specification part 3, "Meeting", "Participant", "Meetings". */
import ICAL from 'ical.js'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { PRESETS } from '../../../src/state/meetings/tables.ts'
import type { Attachment } from '../../../src/state/storage/tables.ts'
import { freshMeetings, NOON, refusal, type Meetings } from '../../support/meeting.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('meeting', () => {
  test('is created for its time', async () => {
    const { call, events } = await freshMeetings()
    const body = { title: 'Planning', datetime: '2026-12-01T10:00:00-05:00', language: 'es-419' }
    const answer = await call('POST', '/public/meetings', { body })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      success: true,
      message: 'Meeting created',
      meeting: {
        title: 'Planning',
        datetime: '2026-12-01T15:00:00.000Z',
        publicMeetingId: expect.stringMatching(/^[a-z0-9]{3}-[a-z0-9]{4}-[a-z0-9]{3}$/) as string,
      },
    })
    expect(events()).toEqual(['meeting.created'])
  })

  test('without a time is instant', async () => {
    const { call } = await freshMeetings()
    const { body } = await call('POST', '/public/meetings', { body: { title: 'x' } })
    expect(body).toMatchObject({ meeting: { title: 'x', datetime: NOON } })
  })

  test('changes the given fields', async () => {
    const { create, update, events } = await freshMeetings()
    const id = await create()
    const { status, body } = await update(id, { title: 'New', datetime: '2027-01-01T00:00:00Z' })
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: 'Meeting updated',
        meeting: { title: 'New', datetime: '2027-01-01T00:00:00.000Z', status: 'ACTIVE' },
      },
    ])
    expect(events()).toEqual(['meeting.created', 'meeting.updated'])
  })

  test.each([
    [{}, undefined],
    [{ language: 'es-419' }, undefined],
    [{ status: 'inactive' }, 'status'],
    [{ datetime: null }, 'datetime'],
  ])('is not changed by %o', async (body, field) => {
    const { create, update } = await freshMeetings()
    expect(await update(await create(), body)).toMatchObject(refusal(400, 'VALIDATION_ERROR', field))
  })

  test.each([
    ['ACTIVE', 'ACTIVE', []],
    ['ACTIVE', 'INACTIVE', ['meeting.deactivated']],
    ['INACTIVE', 'ACTIVE', ['meeting.activated']],
    ['INACTIVE', 'INACTIVE', []],
  ])('in %s becomes %s', async (from, to, eventName) => {
    const { create, update, events } = await freshMeetings()
    const id = await create()
    if (from === 'INACTIVE') await update(id, { status: from })
    const before = events().length
    expect((await update(id, { status: to })).body).toMatchObject({ meeting: { status: to } })
    expect(events().slice(before)).toEqual(eventName)
  })

  test('returns 404 if it is unknown', async () => {
    const { update, add, call, fetchTranscript } = await freshMeetings()
    const missing = refusal(404, 'MEETING_NOT_FOUND')
    expect(await update('none', {})).toMatchObject(missing)
    expect(await add('none')).toMatchObject(missing)
    expect(await call('GET', '/public/meetings/none/summary')).toMatchObject(missing)
    expect(await fetchTranscript('none', 'x')).toMatchObject(missing)
  })
})

const emailsOf = ({ fresh: { app, workspace } }: Meetings) =>
  app.workspaces.database.sqlite
    .prepare('SELECT "to", subject, text, attachments FROM emails WHERE workspace = ? ORDER BY rowid')
    .all(workspace.rowScope) as { to: string; subject: string; text: string; attachments: string }[]

/** The calendar entry in an invitation. */
function entryIn({ attachments }: { readonly attachments: string }): ICAL.Event {
  const [file] = JSON.parse(attachments) as Attachment[]
  const text = Buffer.from(file?.content ?? '', 'base64').toString()
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  return new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? calendar)
}

describe('participant', () => {
  test.each(PRESETS)('with %s gets links and a token that contains the identity', async (preset_name) => {
    const { create, add, fresh } = await freshMeetings()
    const id = await create()
    const { status, body } = await add(id, { preset_name })
    expect(status).toBe(201)
    const { success, message, participant } = body as {
      success: boolean
      message: string
      participant: { url: string; guestUrl: string; token: string }
    }
    expect([success, message]).toEqual([true, 'Participant created'])
    expect(participant.guestUrl).toMatch(new RegExp(`/meetings/meet/${fresh.workspace.id}/${id}$`))
    const claims = decodeJwt(participant.token)
    expect(participant.url).toBe(`${participant.guestUrl}?participant=${String(claims['participantId'])}`)
    const issued = Date.parse(NOON) / 1000
    expect(claims).toEqual({
      meetingId: id,
      participantId: expect.stringMatching(UUID) as string,
      presetName: preset_name,
      iat: issued,
      exp: issued + 86_400,
      jti: expect.any(String) as string,
    })
  })

  test('with a known external id gets a new token and stays the same', async () => {
    const { create, add, events } = await freshMeetings()
    const id = await create()
    const first = await add(id, { externalId: 'crm-1', name: 'Rosa' })
    const again = await add(id, { externalId: 'crm-1', name: 'Other', preset_name: 'sim_meet_host' })
    expect([first.status, again.status]).toEqual([201, 200])
    interface Body {
      message: string
      participant: { url: string; token: string }
    }
    const [one, other] = [first.body as Body, again.body as Body]
    expect(other.message).toBe('Participant already exists')
    expect(other.participant.url).toBe(one.participant.url)
    expect(other.participant.token).not.toBe(one.participant.token)
    expect(decodeJwt(other.participant.token)['presetName']).toBe('sim_meet_participant')
    expect(events().filter((name) => name === 'participant.added')).toHaveLength(1)
    expect((await add(await create(), { externalId: 'crm-1' })).status).toBe(201)
    expect((await add(id)).status).toBe(201)
    expect((await add(id)).status).toBe(201)
  })

  test.each([[{ preset_name: undefined }, 'preset_name']])('with %o is refused', async (fields, field) => {
    const { create, add } = await freshMeetings()
    expect(await add(await create(), fields)).toMatchObject(refusal(400, 'VALIDATION_ERROR', field))
  })

  test('is added to an INACTIVE meeting or renewed, and joins when the meeting is ACTIVE again', async () => {
    const meetings = await freshMeetings()
    const { create, add, admit, act, update } = meetings
    const id = await create()
    await add(id, { externalId: 'crm-1' })
    await update(id, { status: 'INACTIVE' })
    const { url, token } = await admit(id, { email: 'a@example.com' })
    expect((await add(id, { externalId: 'crm-1' })).status).toBe(200)
    expect(emailsOf(meetings).map(({ to }) => to)).toEqual(['a@example.com'])
    expect((await act(url, { action: 'join' })).status).toBe(409)
    expect((await act(url, { token })).status).toBe(409)
    await update(id, { status: 'ACTIVE' })
    expect((await act(url, { action: 'join' })).status).toBe(303)
    expect((await act(url, { token })).status).toBe(303)
  })

  test('with an address is invited by an e-mail with a calendar file', async () => {
    const meetings = await freshMeetings()
    const id = await meetings.create({ datetime: '2026-12-01T10:00:00Z', title: 'A "new\nfloor' })
    await meetings.admit(id)
    const { url } = await meetings.admit(id, { email: 'rosa@example.com', name: 'Rosa' })
    const [message, ...others] = emailsOf(meetings)
    expect(others).toEqual([])
    expect(message).toMatchObject({ to: 'rosa@example.com', subject: 'Invitation: A new floor' })
    expect(message?.text).toContain(url)
    const [file] = JSON.parse(message?.attachments ?? '[]') as Attachment[]
    expect(file).toMatchObject({
      filename: 'invite.ics',
      contentType: 'text/calendar; charset=utf-8; method=REQUEST',
    })
    const event = entryIn(message ?? { attachments: '[]' })
    expect([event.summary, event.location]).toEqual(['A new floor', url])
    expect(event.description).toMatch(/ invites you to A new floor\.\n/)
    expect(event.description).toContain(url)
    expect(event.startDate.toJSDate().toISOString()).toBe('2026-12-01T10:00:00.000Z')
    expect(event.attendees.map((each) => each.getFirstValue())).toEqual(['MAILTO:rosa@example.com'])
  })
  test('who was invited gets the new time as an update of the same calendar entry', async () => {
    const meetings = await freshMeetings()
    const id = await meetings.create({ datetime: '2026-12-01T10:00:00Z' })
    await meetings.admit(id, { email: 'rosa@example.com', name: 'Rosa' })
    await meetings.admit(id, { name: 'Nobody' })
    await meetings.update(id, { datetime: '2026-12-02T10:00:00Z' })
    await meetings.update(id, { datetime: '2026-12-02T10:00:00Z' })
    await meetings.update(id, { datetime: '2026-12-03T10:00:00Z', title: 'New floor' })
    const emails = emailsOf(meetings)
    expect(emails.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => 'rosa@example.com'))
    expect(emails[1]?.subject).toMatch(/^New time: /)
    const entries = emails.map((email) => entryIn(email))
    expect(new Set(entries.map(({ uid }) => uid)).size).toBe(1)
    expect(entries.map(({ sequence }) => sequence)).toEqual([0, 1, 2])
    expect(entries.map(({ startDate }) => startDate.toJSDate().getUTCDate())).toEqual([1, 2, 3])
  })

  test('who was invited gets a new title as an update of the same calendar entry', async () => {
    const meetings = await freshMeetings()
    const id = await meetings.create({ title: 'Old floor' })
    await meetings.admit(id, { email: 'rosa@example.com', name: 'Rosa' })
    await meetings.admit(id, { name: 'Nobody' })
    await meetings.update(id, { title: 'Old floor' })
    await meetings.update(id, { title: 'New floor' })
    await meetings.update(id, { title: 'Last floor', status: 'INACTIVE' })
    const emails = emailsOf(meetings)
    expect(emails.map(({ subject }) => subject)).toEqual(['Invitation: Old floor', 'New title: New floor'])
    expect(emails[1]?.text).toContain('the meeting has a new title.')
    const entries = emails.map((email) => entryIn(email))
    expect(entries.map(({ summary, sequence }) => [summary, sequence])).toEqual([
      ['Old floor', 0],
      ['New floor', 1],
    ])
    expect(new Set(entries.map(({ uid }) => uid)).size).toBe(1)
  })

  test('with an empty address is not invited', async () => {
    const meetings = await freshMeetings()
    const id = await meetings.create()
    await meetings.admit(id, { email: '' })
    expect(emailsOf(meetings)).toEqual([])
    expect((await meetings.add(id, { preset_name: 'sim_meet_host', email: 'x' })).status).toBe(400)
  })

  describe('with an address in an INACTIVE meeting', () => {
    const [FIRST, SECOND, THIRD] = ['2026-12-01', '2026-12-02', '2026-12-03'].map(
      (day) => `${day}T10:00:00.000Z`,
    ) as [string, string, string]

    test.each([
      ['moved and deactivated at once', [{ datetime: SECOND, status: 'INACTIVE' }], null],
      ['moved afterwards', [{ status: 'INACTIVE' }, { datetime: SECOND }], null],
      ['moved and activated', [{ datetime: SECOND, status: 'INACTIVE' }, { status: 'ACTIVE' }], [SECOND, 1]],
      [
        'moved twice and activated',
        [{ status: 'INACTIVE' }, { datetime: SECOND }, { datetime: THIRD }, { status: 'ACTIVE' }],
        [THIRD, 2],
      ],
      [
        'moved and activated at once',
        [{ status: 'INACTIVE' }, { datetime: SECOND, status: 'ACTIVE' }],
        [SECOND, 1],
      ],
      [
        'moved back and activated',
        [{ datetime: SECOND, status: 'INACTIVE' }, { datetime: FIRST }, { status: 'ACTIVE' }],
        null,
      ],
      [
        'moved, and back by the activation',
        [
          { datetime: SECOND, status: 'INACTIVE' },
          { datetime: FIRST, status: 'ACTIVE' },
        ],
        null,
      ],
      ['not moved and activated', [{ status: 'INACTIVE' }, { status: 'ACTIVE' }], null],
      ['renamed and activated', [{ title: 'New', status: 'INACTIVE' }, { status: 'ACTIVE' }], null],
    ] as const)('hears a time that was %s only from the activation', async (_what, updates, heard) => {
      const meetings = await freshMeetings()
      const id = await meetings.create({ datetime: FIRST })
      await meetings.admit(id, { email: 'rosa@example.com' })
      await meetings.admit(id, { email: 'rosa@example.com' })
      await meetings.admit(id, { email: 'luis@example.com' })
      await meetings.admit(id)
      for (const [index, update] of updates.entries()) {
        if (index > 0) expect(emailsOf(meetings)).toHaveLength(3)
        expect((await meetings.update(id, update)).status).toBe(200)
      }
      const entries = emailsOf(meetings).map((email) => entryIn(email))
      expect(new Set(entries.map(({ uid }) => uid)).size).toBe(1)
      expect(
        entries.slice(3).map(({ sequence, startDate }) => [startDate.toJSDate().toISOString(), sequence]),
      ).toEqual(heard === null ? [] : [heard, heard, heard])
    })

    test('hears a later move too, and an activation after it sends nothing', async () => {
      const meetings = await freshMeetings()
      const id = await meetings.create({ datetime: FIRST })
      await meetings.admit(id, { email: 'rosa@example.com' })
      await meetings.update(id, { datetime: SECOND, status: 'INACTIVE' })
      await meetings.update(id, { status: 'ACTIVE' })
      await meetings.update(id, { datetime: THIRD })
      await meetings.update(id, { status: 'INACTIVE' })
      await meetings.update(id, { status: 'ACTIVE' })
      const entries = emailsOf(meetings).map((email) => entryIn(email))
      expect(entries.map(({ sequence }) => sequence)).toEqual([0, 1, 2])
    })

    test('hears only a time that an update sets if its e-mails are no longer stored', async () => {
      const meetings = await freshMeetings()
      const id = await meetings.create({ datetime: FIRST })
      await meetings.admit(id, { email: 'rosa@example.com' })
      await meetings.update(id, { datetime: SECOND })
      await meetings.update(id, { status: 'INACTIVE' })
      const path = `/_sim/workspaces/${meetings.fresh.workspace.id}/snapshot`
      const { body } = await meetings.fresh.call('GET', path)
      await meetings.fresh.call('PUT', path, { body: body as object })
      await meetings.update(id, { status: 'ACTIVE' })
      expect(emailsOf(meetings)).toEqual([])
      await meetings.update(id, { status: 'INACTIVE' })
      await meetings.update(id, { datetime: THIRD, status: 'ACTIVE' })
      expect(emailsOf(meetings).map((email) => entryIn(email).sequence)).toEqual([2])
    })
  })

  test('whose token is renewed gets an e-mail only at the own address', async () => {
    const meetings = await freshMeetings()
    const id = await meetings.create()
    const host = { externalId: 'crm-1', preset_name: 'sim_meet_host' }
    await meetings.add(id, { ...host, email: 'rosé@example.com' })
    expect((await meetings.add(id, { ...host, email: 'other@example.com' })).status).toBe(200)
    expect((await meetings.add(id, { ...host, email: 'ROSE\u0301@example.com' })).status).toBe(200)
    expect(emailsOf(meetings).map(({ to }) => to)).toEqual(['rosé@example.com', 'rosé@example.com'])
    const { fresh } = meetings
    const hints = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/hints`)
    expect(hints.text).toContain('No invitation was sent to other@example.com')
  })
})

test('shows no language for a session of a meeting without one, in the error of a transcript that is not ready', async () => {
  const { create, fetchTranscript, fresh } = await freshMeetings()
  const id = await create({ language: undefined })
  const trigger = `/_sim/workspaces/${fresh.workspace.id}/triggers/meetings.session.end`
  const { body } = await fresh.call('POST', trigger, { body: { publicMeetingId: id } })
  const answer = await fetchTranscript(id, (body as { cfSessionId: string }).cfSessionId)
  expect(answer).toMatchObject(refusal(404, 'TRANSCRIPT_NOT_READY'))
  expect(JSON.stringify(answer.body)).toContain(`The meeting ${id} has no language`)
})
