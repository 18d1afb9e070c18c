/**
 * What happens in recruiting. The specification shows no events of it: they are assumed, and reach only subscriptions
 * made in the control plane.
 */
import type { Workspace } from '../workspace.ts'
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

interface VacancyMoved {
  readonly vacancy: Vacancy
  readonly previousStatus: Vacancy['status']
  readonly reason: string | null
}

interface InterviewEvent {
  readonly interview: Interview
}

/** In the order of a hire. */
export interface RecruitingEvents {
  'vacancy.created': { readonly vacancy: Vacancy }
  'vacancy.updated': { readonly vacancy: Vacancy }
  'vacancy.published': VacancyMoved
  'vacancy.paused': VacancyMoved
  'vacancy.in_process': VacancyMoved
  'vacancy.closed': VacancyMoved
  'vacancy.archived': VacancyMoved
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

/** The names of the events that need no more than this to tell. */
export type EventRecorder<Told> = {
  [Name in RecruitingEventName]: Told extends RecruitingEvents[Name] ? Name : never
}[RecruitingEventName]

/** Appends an event that tells of the record with this id. Only inside a `write`. */
export function appendRecruitingEvent<Name extends RecruitingEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: RecruitingEvents[Name],
): void {
  workspace.append({ interface: 'recruiting', name, record, data: { ...data } })
}
