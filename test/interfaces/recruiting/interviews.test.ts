/** Interviews and evaluations. Specification part 1, "Interview status", "Candidate, interview, evaluation". */
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { interviewMachine } from '../../../src/state/recruiting/machines.ts'
import {
  freshRecruiting,
  NOON,
  refusal,
  type Hiring,
  type InterviewBody,
  type SentMessage,
} from '../../support/recruiting.ts'

async function withCandidate() {
  const hiring = await freshRecruiting()
  const vacancy = await hiring.addVacancy()
  const candidate = await hiring.apply(vacancy.id, { name: 'Rosa', email: 'rosa@example.com' })
  return {
    ...hiring,
    vacancy,
    candidate,
    /** Without the confirmation of the application. */
    emails: () => hiring.emails().slice(1),
    interview: (fields?: object) => hiring.schedule(vacancy.id, candidate, { ...fields }),
  }
}

/** The calendar of an e-mail, parsed by another library. */
function calendarOf(message: SentMessage | undefined) {
  const [file] = message?.attachments ?? []
  const bytes = Buffer.from(file?.content ?? '', 'base64')
  expect(file?.size).toBe(bytes.length)
  const calendar = new ICAL.Component(ICAL.parse(bytes.toString()) as unknown[])
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? calendar)
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: event.uid,
    sequence: event.sequence,
    start: event.startDate.toJSDate().toISOString(),
    end: event.endDate.toJSDate().toISOString(),
    summary: event.summary,
    description: event.description,
    status: event.component.getFirstPropertyValue('status'),
    attendees: event.attendees.map((each) => String(each.getFirstValue())),
    type: file?.contentType,
  }
}

test('schedules an interview with a room and invites all participants', async () => {
  const { interview, vacancy, candidate, fresh, emails, events } = await withCandidate()
  const made = await interview({ candidate_preparation: 'Bring samples.', internal_notes: 'Be kind.' })
  expect(made).toMatchObject({
    vacancy_id: vacancy.id,
    candidate_id: candidate,
    status: 'scheduled',
    scheduled_at: '2026-12-01T15:00:00.000+00:00',
    duration_minutes: 60,
    timezone: fresh.workspace.timezone,
    interviewers: [
      { name: 'Marco Vega', email: 'marco@example.com', role: null, required: true, status: 'pending' },
      { name: 'Lucía Castro', required: false },
    ],
    candidate_notified: true,
    cancellation: null,
    warnings: [],
    created_at: NOON,
  })
  expect(made.video_room_url).toMatch(new RegExp(`/recruiting/jobs/${fresh.workspace.id}/rooms/${made.id}$`))
  expect(emails().map(({ to }) => to)).toEqual(['rosa@example.com', 'marco@example.com', 'lucia@example.com'])
  const [toCandidate, toMarco] = emails() as [SentMessage, SentMessage]
  expect(toCandidate.text).toContain('Bring samples.')
  expect(toMarco.text).not.toContain('Bring samples.')
  for (const message of emails()) {
    expect(message.text).not.toContain('Be kind.')
    expect(calendarOf(message)).toEqual({
      method: 'REQUEST',
      uid: `${made.id}@suite-simulator`,
      sequence: 0,
      start: '2026-12-01T15:00:00.000Z',
      end: '2026-12-01T16:00:00.000Z',
      summary: 'Interview for Joiner with Rosa',
      description: expect.stringContaining('2026') as string,
      status: 'CONFIRMED',
      attendees: ['rosa@example.com', 'marco@example.com', 'lucia@example.com'].map(
        (each) => `MAILTO:${each}`,
      ),
      type: 'text/calendar; charset=utf-8; method=REQUEST',
    })
  }
  expect(events().at(-1)).toBe('interview.scheduled')
})

test.each([
  ['published', 0],
  ['closed', 1],
])('schedules an interview for a vacancy that is %s with %d hints', async (status, count) => {
  const { interview, ask, vacancy, fresh } = await withCandidate()
  if (status !== 'published') await ask('POST', `/vacancies/${vacancy.id}/status`, { status })
  await interview()
  const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/hints`)
  const { data } = body as { data: { code: string; message: string }[] }
  const found = data.filter(({ code }) => code === 'vacancy_closed')
  expect(found).toHaveLength(count)
  for (const { message } of found) expect(message).toContain(`${vacancy.id} is ${status}`)
})

test('escapes quotes of a title in the calendar file, and shows the preparation only to the candidate', async () => {
  const { addVacancy, apply, schedule, emails } = await freshRecruiting()
  const vacancy = await addVacancy({ title: 'The "best" joiner' })
  const candidate = await apply(vacancy.id, { name: 'Rosa "Rosi" Vega' })
  await schedule(vacancy.id, candidate, { candidate_preparation: 'Bring samples;\nand tools, please.' })
  const [toCandidate, ...toOthers] = emails().filter((message) => message.attachments.length > 0)
  expect(toOthers).not.toHaveLength(0)
  expect(calendarOf(toCandidate).summary).toBe('Interview for The "best" joiner with Rosa "Rosi" Vega')
  expect(calendarOf(toCandidate).description).toContain('Bring samples;\nand tools, please.')
  for (const message of toOthers) expect(calendarOf(message).description).not.toContain('samples')
})

test.each([
  ['2031-03-12T10:00:00-05:00', '2031-03-12T11:00:00.000-04:00'],
  ['2031-03-12T10:00-0500', '2031-03-12T11:00:00.000-04:00'],
  ['2031-03-12T10:00:00Z', '2031-03-12T06:00:00.000-04:00'],
])('accepts the time %s, which has an offset', async (sent, expected) => {
  const { interview, ask } = await withCandidate()
  const timezone = 'America/New_York'
  const { id, scheduled_at } = await interview({ scheduled_at: sent, timezone })
  expect(scheduled_at).toBe(expected)
  await ask('PATCH', `/interviews/${id}`, { scheduled_at: '2031-04-01T10:00:00Z' })
  const moved = await ask<InterviewBody>('PATCH', `/interviews/${id}`, { scheduled_at: sent })
  expect(moved.scheduled_at).toBe(expected)
})

test('stores the canonical name of a time zone', async () => {
  const { interview } = await withCandidate()
  expect(await interview({ timezone: 'america/mexico_city' })).toMatchObject({
    timezone: 'America/Mexico_City',
  })
})

test.each([
  '2031-03-12T10:00',
  '2031-03-12T10:00:00.000',
  '2031-03-09T02:30:00',
  '2031-03-12',
  '2031-03-12T10:00:00-05',
  '2031-02-30T10:00:00Z',
  'tomorrow',
])('refuses the time %s and shows the form, on creation and on update', async (scheduled_at) => {
  const { interview, vacancy, candidate, call, fresh } = await withCandidate()
  const { id } = await interview()
  const before = fresh.dump()
  const body = {
    vacancy_id: vacancy.id,
    candidate_id: candidate,
    type: 'phone',
    interviewers: [{ name: 'Marco', email: 'marco@example.com' }],
    scheduled_at,
  }
  const refused = {
    status: 422,
    body: {
      error: {
        message:
          'scheduled_at must be a date-time and must have an offset, such as 2026-01-31T09:30:00-05:00',
        details: [{ field: 'scheduled_at' }],
      },
    },
  }
  expect(await call('POST', '/interviews', { body })).toMatchObject(refused)
  expect(await call('PATCH', `/interviews/${id}`, { body: { scheduled_at } })).toMatchObject(refused)
  expect(fresh.dump()).toEqual(before)
})

test('lists e-mails in the control plane with file names and without bytes', async () => {
  const { interview, fresh } = await withCandidate()
  await interview()
  const { body } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/emails`)
  const [email] = (body as { data: { attachments: object[] }[] }).data
  expect(email?.attachments).toEqual([
    { filename: 'invite.ics', contentType: expect.any(String), size: expect.any(Number) },
  ])
})

test.each([
  ['a name with line breaks and quotes', 'Ro"sa\r\nATTENDEE:mailto:x@example.com'],
  ['a name in other scripts', '罗莎 👩‍👩‍👧'],
  ['a name with commas and semicolons', 'Medina, Rosa; Dr.'],
])('escapes %s in the calendar', async (_title, name) => {
  const { addVacancy, apply, schedule, emails } = await freshRecruiting()
  const vacancy = await addVacancy({ title: `A\nB, C; ${name}` })
  await schedule(vacancy.id, await apply(vacancy.id, { name }))
  const invitations = emails().filter((message) => message.attachments.length > 0)
  expect(invitations).toHaveLength(3)
  for (const message of invitations) expect(calendarOf(message).attendees).toHaveLength(3)
})

test.each([
  [
    'before clocks are set forward',
    '2027-03-13T15:00:00Z',
    'America/New_York',
    '2027-03-13T10:00:00.000-05:00',
    '2027-03-13T15:00:00.000Z',
  ],
  [
    'after clocks are set forward',
    '2027-03-14T10:00:00-04:00',
    'America/New_York',
    '2027-03-14T10:00:00.000-04:00',
    '2027-03-14T14:00:00.000Z',
  ],
  [
    'in the repeated hour',
    '2027-11-07T01:30:00-05:00',
    'America/New_York',
    '2027-11-07T01:30:00.000-05:00',
    '2027-11-07T06:30:00.000Z',
  ],
  [
    'with an offset of another zone',
    '2027-03-14T10:00:00+09:00',
    'America/New_York',
    '2027-03-13T20:00:00.000-05:00',
    '2027-03-14T01:00:00.000Z',
  ],
  [
    'in a zone of half hours',
    '2027-01-10T04:30:00Z',
    'Asia/Kolkata',
    '2027-01-10T10:00:00.000+05:30',
    '2027-01-10T04:30:00.000Z',
  ],
])('has the right time %s', async (_title, sent, timezone, expectedText, instant) => {
  const { interview, ask, emails } = await withCandidate()
  const { id, scheduled_at } = await interview({ scheduled_at: sent, timezone })
  expect(scheduled_at).toBe(expectedText)
  expect((await ask<InterviewBody>('GET', `/interviews/${id}`)).scheduled_at).toBe(expectedText)
  expect(calendarOf(emails()[0]).start).toBe(instant)
})

test.each([
  ['scheduled_at', NOON],
  ['timezone', 'Mars/Olympus'],
  [
    'interviewers',
    [
      { name: 'A', email: 'a@example.com' },
      { name: 'B', email: 'A@example.com' },
    ],
  ],
  [
    'interviewers',
    [
      { name: 'A', email: 'josé@example.com' },
      { name: 'B', email: 'jose\u0301@example.com' },
    ],
  ],
  [
    'interviewers',
    Array.from({ length: 21 }, (_, index) => ({ name: 'A', email: `a${String(index)}@example.com` })),
  ],
  ['vacancy_id', 'nothing'],
  ['candidate_id', 'nobody'],
])('refuses %s with %j', async (field, value) => {
  const { call, vacancy, candidate, emails } = await withCandidate()
  const body = {
    vacancy_id: vacancy.id,
    candidate_id: candidate,
    type: 'phone',
    scheduled_at: '2026-12-01T10:00:00Z',
    interviewers: [{ name: 'Marco', email: 'marco@example.com' }],
    [field]: value,
  }
  const answer = await call('POST', '/interviews', { body })
  expect(answer.status, answer.text).toBe(422)
  expect(answer.text).toContain(`"field":"${field}`)
  expect(emails()).toEqual([])
})

test.each([
  ['scheduled_at', '2026-11-21T12:00:00.001Z'],
  [
    'interviewers',
    Array.from({ length: 20 }, (_, index) => ({ name: 'A', email: `a${String(index)}@example.com` })),
  ],
])('accepts %s at its limit', async (field, value) => {
  const { interview } = await withCandidate()
  expect(await interview({ [field]: value })).toMatchObject({ status: 'scheduled' })
})

test.each([
  ['video_platform', 'https://x.example.com/', /rooms/],
  ['external_video', 'https://x.example.com/', /^https:\/\/x\.example\.com\/$/],
  ['on_site', 'https://x.example.com/', null],
  ['phone', undefined, null],
])('creates a room for an interview by %s if it has one', async (type, sent, expectedRoom) => {
  const { interview } = await withCandidate()
  const { video_room_url: url } = await interview({ type, video_room_url: sent })
  if (expectedRoom === null) expect(url).toBeNull()
  else expect(url).toMatch(expectedRoom)
})

test('hints at conflicting interviews, and still creates the interview', async () => {
  const { interview, addVacancy, apply, schedule } = await withCandidate()
  const first = await interview()
  const other = await addVacancy()
  const tito = await apply(other.id, { name: 'Tito' })
  const at = (scheduled_at: string, interviewers: object[]) =>
    schedule(other.id, tito, { scheduled_at, interviewers, duration_minutes: 30 })
  const marco = [{ name: 'Marco', email: 'MARCO@example.com' }]
  const inside = await at('2026-12-01T15:30:00Z', marco)
  expect(inside.warnings).toEqual([
    {
      code: 'interviewer_busy',
      message: 'Marco has another interview at that time.',
      interview_id: first.id,
    },
  ])
  expect((await at('2026-12-01T14:30:00Z', marco)).warnings).toEqual([])
  expect((await at('2026-12-01T16:00:00Z', marco)).warnings).toEqual([])
  const stranger = [{ name: 'Zoe', email: 'zoe@example.com' }]
  expect((await at('2026-12-01T15:15:00Z', stranger)).warnings).toMatchObject([
    { code: 'candidate_busy', interview_id: inside.id },
  ])
})

/** Brings an interview to each state. */
async function bringTo(state: string, { call, trigger }: Hiring, id: string): Promise<void> {
  if (state === 'cancelled') await call('POST', `/interviews/${id}/cancel`, { body: { reason: 'No' } })
  if (state === 'confirmed') await trigger('interview.confirm', { interview_id: id })
  if (state === 'in_progress' || state === 'completed') await trigger('interview.start', { interview_id: id })
  if (state === 'completed') await trigger('interview.complete', { interview_id: id })
}

const MOVES = ['confirm', 'start', 'complete', 'cancel', 'reschedule'] as const
const cases = interviewMachine.states.flatMap((state) => MOVES.map((move) => [state, move] as const))

test.each(cases)('changes an interview from %s to %s as its machine allows', async (state, move) => {
  const hiring = await withCandidate()
  const { id } = await hiring.interview()
  await bringTo(state, hiring, id)
  const before = hiring.emails().length
  const answer = await {
    confirm: () => hiring.trigger('interview.confirm', { interview_id: id }),
    start: () => hiring.trigger('interview.start', { interview_id: id }),
    complete: () => hiring.trigger('interview.complete', { interview_id: id }),
    cancel: () => hiring.call('POST', `/interviews/${id}/cancel`, { body: { reason: 'Filled' } }),
    reschedule: () => hiring.call('PATCH', `/interviews/${id}`, { body: { duration_minutes: 30 } }),
  }[move]()
  const { from, to, emits } = interviewMachine.moves[move]
  const isMove = from.some((each) => each === state)
  expect(answer.status, answer.text).toBe(isMove ? 200 : 409)
  const now = await hiring.ask<InterviewBody>('GET', `/interviews/${id}`)
  expect(now.status).toBe(isMove ? to : state)
  if (isMove) expect(hiring.events().at(-1)).toBe(emits)
  expect(hiring.emails().length - before).toBe(isMove && move === 'reschedule' ? 3 : 0)
})

test('allows to cancel an interview in every state except cancelled', () => {
  expect(interviewMachine.moves.cancel.from).toEqual(['scheduled', 'confirmed', 'in_progress', 'completed'])
})

test.each([
  [{}, 0],
  [{ notify_participants: false }, 0],
  [{ notify_participants: true }, 3],
])('cancels a completed interview with %j and sends %i e-mails', async (options, count) => {
  const hiring = await withCandidate()
  const { id } = await hiring.interview()
  await bringTo('completed', hiring, id)
  const before = hiring.emails().length
  await hiring.ask('POST', `/interviews/${id}/cancel`, { reason: 'Filled', ...options })
  expect(hiring.emails()).toHaveLength(before + count)
})

test('replaces the time in calendars, and requires a new confirmation', async () => {
  const { interview, ask, trigger, emails } = await withCandidate()
  const { id } = await interview()
  await trigger('interview.confirm', { interview_id: id })
  const unchanged = await ask<InterviewBody>('PATCH', `/interviews/${id}`, {
    duration_minutes: 60,
    reason: 'None',
  })
  expect([unchanged.status, unchanged.interviewers[0]?.status]).toEqual(['confirmed', 'accepted'])
  expect(emails()).toHaveLength(3)
  const moved = await ask<InterviewBody>('PATCH', `/interviews/${id}`, {
    scheduled_at: '2026-12-02T09:00:00Z',
    reason: 'A strike',
  })
  expect([moved.status, moved.interviewers[0]?.status]).toEqual(['scheduled', 'pending'])
  const update = emails()[3]
  expect(update?.text).toContain('A strike')
  expect(calendarOf(update)).toMatchObject({
    method: 'REQUEST',
    uid: `${id}@suite-simulator`,
    sequence: 1,
    start: '2026-12-02T09:00:00.000Z',
  })
})

test('removes a cancelled interview from calendars, and keeps the stage of the candidate', async () => {
  const { interview, ask, setStage, vacancy, candidate, getCandidate, emails, call } = await withCandidate()
  await setStage(vacancy.id, candidate, 'interview')
  const { id } = await interview()
  const body = { reason: 'Filled', notes: 'Call her', notify_participants: true }
  expect(await ask('POST', `/interviews/${id}/cancel`, body)).toMatchObject({
    status: 'cancelled',
    cancellation: { reason: 'Filled', notes: 'Call her', cancelled_at: NOON },
  })
  const last = emails().at(-1)
  expect(last?.text).not.toContain('Call her')
  expect(calendarOf(last)).toMatchObject({
    method: 'CANCEL',
    status: 'CANCELLED',
    sequence: 1,
    uid: `${id}@suite-simulator`,
  })
  expect((await getCandidate(candidate)).applications[0]?.stage).toBe('interview')
  const silent = await interview()
  const before = emails().length
  await ask('POST', `/interviews/${silent.id}/cancel`, { reason: 'x'.repeat(2000) })
  expect(emails()).toHaveLength(before)
  for (const wrong of [{}, { reason: '' }, { reason: 'x'.repeat(2001) }]) {
    expect((await call('POST', `/interviews/${(await interview()).id}/cancel`, { body: wrong })).status).toBe(
      422,
    )
  }
})

test('filters interviews', async () => {
  const { interview, ask, vacancy, fresh } = await withCandidate()
  fresh.workspace.change({ timezone: 'America/Panama' })
  const early = await interview({ type: 'phone', scheduled_at: '2026-12-01T23:30:00-05:00' })
  const late = await interview({
    scheduled_at: '2026-12-02T00:00:00-05:00',
    interviewers: [{ name: 'Zoë', email: 'zoë@example.com' }],
  })
  const found = async (query: string) =>
    (await ask<{ data: InterviewBody[] }>('GET', `/interviews?${query}`)).data.map(({ id }) =>
      id === early.id ? 'early' : 'late',
    )
  expect(late.warnings).toHaveLength(1)
  expect(await found('')).toEqual(['late', 'early'])
  expect(await found('type=phone')).toEqual(['early'])
  expect(await found('status=confirmed')).toEqual([])
  expect(await found(`vacancy_id=${vacancy.id}`)).toHaveLength(2)
  expect(await found('interviewer_email=ZOE\u0308@example.com')).toEqual(['late'])
  expect(await found('interviewer_email=zoe')).toEqual([])
  expect(await found('to=2026-12-01')).toEqual(['early'])
  expect(await found('from=2026-12-02')).toEqual(['late'])
})

// ---------------------------------------------------------------- evaluations

const evaluation = { interviewer_email: 'marco@example.com', overall_score: 4, recommendation: 'advance' }

test.each([
  [
    'fractions',
    [
      [0.6, 5],
      [0.4, 3],
    ],
    4.2,
  ],
  [
    'percents',
    [
      [60, 5],
      [40, 3],
    ],
    4.2,
  ],
  [
    'weights with any sum',
    [
      [1, 1],
      [1, 1],
      [1, 2],
    ],
    1.33,
  ],
  ['one criterion', [[7, 0]], 0],
  ['none', [], null],
])('weights scores: %s', async (_title, pairs, score) => {
  const { interview, ask } = await withCandidate()
  const { id } = await interview()
  const criteria = pairs.map(([weight, each]) => ({ name: 'Craft', weight, score: each }))
  expect(await ask('POST', `/interviews/${id}/evaluation`, { ...evaluation, criteria })).toEqual({
    id: expect.stringMatching(/^eval_/),
    interview_id: id,
    interviewer: { name: 'Marco Vega', email: 'marco@example.com' },
    overall_score: 4,
    weighted_score: score,
    recommendation: 'advance',
    created_at: NOON,
  })
})

test('accepts one evaluation of each interviewer, and lists all of them', async () => {
  const { interview, call, ask } = await withCandidate()
  const { id } = await interview()
  const path = `/interviews/${id}/evaluation`
  await ask('POST', path, {
    ...evaluation,
    notes: 'Good',
    criteria: [{ name: 'Craft', weight: 1, score: 5, comment: 'Yes' }],
  })
  expect(
    await call('POST', path, { body: { ...evaluation, interviewer_email: 'MARCO@example.com' } }),
  ).toMatchObject(refusal(409, 'duplicate'))
  expect(
    await call('POST', path, { body: { ...evaluation, interviewer_email: 'zoe@example.com' } }),
  ).toMatchObject(refusal(422, 'validation_error', 'interviewer_email', 'unknown'))
  await ask('POST', path, { ...evaluation, interviewer_email: 'lucia@example.com', recommendation: 'hold' })
  const marco = {
    interviewer: { name: 'Marco Vega' },
    notes: 'Good',
    criteria: [{ name: 'Craft', weight: 1, score: 5, comment: 'Yes' }],
  }
  const lucia = { interviewer: { name: 'Lucía Castro' }, weighted_score: null, recommendation: 'hold' }
  const list = (query: string) => ask('GET', `/interviews/${id}/evaluations${query}`)
  expect(await list('')).toMatchObject({
    data: [{ ...lucia, criteria: [] }, marco],
    meta: { current_page: 1, per_page: 25, total: 2, total_pages: 1 },
  })
  expect(await list('?page=2&per_page=1')).toMatchObject({
    data: [marco],
    meta: { current_page: 2, per_page: 1, total: 2, total_pages: 2 },
  })
  const other = await interview()
  expect(await ask('GET', `/interviews/${other.id}/evaluations`)).toEqual({
    data: [],
    meta: { current_page: 1, per_page: 25, total: 0, total_pages: 0 },
  })
  expect((await call('GET', '/interviews/none/evaluations')).status).toBe(404)
})

test.each(interviewMachine.states)(
  'accepts an evaluation of an interview in %s, unless it is cancelled',
  async (state) => {
    const hiring = await withCandidate()
    const { id } = await hiring.interview()
    await bringTo(state, hiring, id)
    const answer = await hiring.call('POST', `/interviews/${id}/evaluation`, { body: evaluation })
    expect(answer.status).toBe(state === 'cancelled' ? 409 : 201)
  },
)
