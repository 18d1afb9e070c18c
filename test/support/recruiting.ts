/** A fresh app with helpers for vacancies, candidates and interviews and a clock frozen at NOON. */
import type { Static } from '@sinclair/typebox'
import type { CandidateItem, CandidateProfile } from '../../src/interfaces/recruiting/shapes/candidates.ts'
import type { ScheduledInterview } from '../../src/interfaces/recruiting/shapes/interviews.ts'
import type { Vacancy } from '../../src/interfaces/recruiting/shapes/vacancies.ts'
import type { Attachment } from '../../src/state/storage/tables.ts'
import { freshApp, type Answer, type Call, type FreshApp, type Method } from './app.ts'
import { eventNamesOf } from './events.ts'

export const NOON = '2026-11-21T12:00:00.000Z'

export type VacancyBody = Static<typeof Vacancy.item>
export type ItemBody = Static<typeof CandidateItem.item>
export type ProfileBody = Static<typeof CandidateProfile.item>
export type InterviewBody = Static<typeof ScheduledInterview.item>

type Fields = Readonly<Record<string, unknown>>

export interface SentMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachments: readonly Attachment[]
}

export interface Hiring {
  readonly fresh: FreshApp
  readonly call: Call
  /** Returns the body of a response that must be a 2xx. */
  readonly ask: <Body>(method: Method, path: string, body?: Fields) => Promise<Body>
  /** POST /vacancies; published by default. */
  readonly addVacancy: (fields?: Fields) => Promise<VacancyBody>
  readonly getVacancy: (id: string) => Promise<VacancyBody>
  /** Fires the trigger recruiting.candidate.apply and returns the id of the candidate. */
  readonly apply: (vacancyId: string, fields?: Fields) => Promise<string>
  readonly trigger: (name: string, body: Fields) => Promise<Answer>
  readonly getCandidate: (id: string) => Promise<ProfileBody>
  /** POST /interviews with Marco and Lucía. */
  readonly schedule: (vacancyId: string, candidateId: string, fields?: Fields) => Promise<InterviewBody>
  readonly setStage: (vacancyId: string, candidateId: string, stage: string, more?: Fields) => Promise<Answer>
  /** Every sent message with its attachments, oldest first. */
  readonly emails: () => readonly SentMessage[]
  /** The names of the events so far, oldest first. */
  readonly events: () => string[]
  readonly setClock: (now: string) => void
}

export async function freshRecruiting(): Promise<Hiring> {
  const fresh = await freshApp()
  const call = fresh.at('recruiting')
  fresh.setClock(NOON)
  let count = 0

  const ask = async <Body>(method: Method, path: string, body?: Fields): Promise<Body> => {
    const answer = await call(method, path, body && { body })
    if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as Body
  }
  const trigger = (name: string, body: Fields) =>
    fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/recruiting.${name}`, { body })
  const getVacancy = (id: string) => ask<VacancyBody>('GET', `/vacancies/${id}`)

  return {
    fresh,
    call,
    ask,
    trigger,
    getVacancy,
    async addVacancy(fields) {
      const body = { title: 'Joiner', status: 'published', ...fields }
      return getVacancy((await ask<{ id: string }>('POST', '/vacancies', body)).id)
    },
    async apply(vacancyId, fields) {
      count += 1
      const body = { vacancy_id: vacancyId, name: 'Ana', email: `ana${String(count)}@example.com`, ...fields }
      const { status, body: answered, text } = await trigger('candidate.apply', body)
      if (status !== 200) throw new Error(text)
      return (answered as { candidate_id: string }).candidate_id
    },
    getCandidate: (id) => ask('GET', `/candidates/${id}`),
    schedule: (vacancyId, candidateId, fields) =>
      ask('POST', '/interviews', {
        vacancy_id: vacancyId,
        candidate_id: candidateId,
        type: 'video_platform',
        scheduled_at: '2026-12-01T10:00:00-05:00',
        interviewers: [
          { name: 'Marco Vega', email: 'marco@example.com' },
          { name: 'Lucía Castro', email: 'lucia@example.com', required: false },
        ],
        ...fields,
      }),
    setStage: (vacancyId, candidateId, stage, more) =>
      call('POST', `/vacancies/${vacancyId}/candidates/${candidateId}/stage`, { body: { stage, ...more } }),
    emails: () => emailsOf(fresh),
    events: () => eventNamesOf(fresh.workspace, 'recruiting'),
    setClock: (now) => {
      fresh.setClock(now)
    },
  }
}

function emailsOf({ app, workspace }: FreshApp): SentMessage[] {
  const rows = app.workspaces.database.sqlite
    .prepare('SELECT "to", subject, text, attachments FROM emails WHERE workspace = ? ORDER BY rowid')
    .all(workspace.rowScope) as (Omit<SentMessage, 'attachments'> & { attachments: string })[]
  return rows.map((row) => ({ ...row, attachments: JSON.parse(row.attachments) as Attachment[] }))
}

/** An error of recruiting for `toMatchObject`. */
export const refusal = (status: number, code: string, field?: string, problem?: string) => ({
  status,
  body: {
    error: {
      code,
      ...(field !== undefined && { details: [{ field, ...(problem !== undefined && { code: problem }) }] }),
    },
  },
})
