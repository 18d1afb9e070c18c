/**
 * The events of recruiting. The specification does not show them: all are assumed, and only subscriptions created through
 * the control plane receive them.
 */
import { appenderOf } from '../workspace/events.ts'
import type {
  applications,
  candidates,
  evaluations,
  imports,
  interviews,
  notes,
  stageChanges,
  vacancies,
} from './tables.ts'

type Vacancy = typeof vacancies.$inferSelect
type Candidate = typeof candidates.$inferSelect
type Application = typeof applications.$inferSelect
type Interview = typeof interviews.$inferSelect

interface StatusChanged {
  readonly vacancy: Vacancy
  readonly previousStatus: Vacancy['status']
  readonly reason: string | null
}

interface InterviewEvent {
  readonly interview: Interview
}

/** Event names and their data, in the order of a hire. */
export interface RecruitingEvents {
  'vacancy.created': { readonly vacancy: Vacancy }
  'vacancy.updated': { readonly vacancy: Vacancy }
  'vacancy.drafted': StatusChanged
  'vacancy.published': StatusChanged
  'vacancy.paused': StatusChanged
  'vacancy.in_process': StatusChanged
  'vacancy.closed': StatusChanged
  'vacancy.archived': StatusChanged
  'vacancy.deleted': { readonly vacancy: Vacancy; readonly deletedAt: number }
  'candidate.applied': { readonly candidate: Candidate; readonly application: Application }
  'candidate.stage_changed': {
    readonly candidate: Candidate
    readonly application: Application
    readonly change: typeof stageChanges.$inferSelect
  }
  'candidate.note_added': { readonly note: typeof notes.$inferSelect }
  'import.completed': { readonly imported: typeof imports.$inferSelect }
  'interview.scheduled': InterviewEvent
  'interview.rescheduled': InterviewEvent
  'interview.confirmed': InterviewEvent
  'interview.started': InterviewEvent
  'interview.completed': InterviewEvent
  'interview.cancelled': InterviewEvent
  'interview.evaluated': InterviewEvent & { readonly evaluation: typeof evaluations.$inferSelect }
}

export type RecruitingEventName = keyof RecruitingEvents

/** The names of the events whose data this type has. */
export type EventRecorder<Data> = {
  [Name in RecruitingEventName]: Data extends RecruitingEvents[Name] ? Name : never
}[RecruitingEventName]

export const appendRecruitingEvent = appenderOf<RecruitingEvents>('recruiting')
