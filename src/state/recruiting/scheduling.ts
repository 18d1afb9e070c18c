/** Operations on interviews. Specification part 1, "Interview status", "Recruiting". */
import { addHint } from '../timeline/causes.ts'
import { mustMove, take } from '../model/machine.ts'
import { canonicalZone } from '@suite-sim/kit/time/wallTime'
import { refuseProperty } from '../model/refusal.ts'
import { emailKey } from '../text/emailAddresses.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { applicationOf, candidates } from './candidates.ts'
import { appendRecruitingEvent } from './events.ts'
import { interviews, type Interview } from './interviews.ts'
import { sendInvitations, type Occasion } from './invitations.ts'
import { ENDED, interviewMachine } from './machines.ts'
import type { ANSWERS, Interviewer } from './jsonColumns.ts'
import { vacancies } from './vacancies.ts'

/** Returns the URL of the room of an interview; null if it has none. */
export type RoomOf = (interview: Interview, workspace: Workspace) => string | null

export type NewInterview = Pick<
  Interview,
  | 'vacancyId'
  | 'candidateId'
  | 'type'
  | 'scheduledAt'
  | 'durationMinutes'
  | 'timezone'
  | 'candidatePreparation'
  | 'internalNotes'
  | 'externalRoomUrl'
> & { readonly interviewers: readonly Omit<Interviewer, 'status'>[] }

/** Schedules an interview with a candidate of a vacancy, and invites all participants. */
export function scheduleInterview(
  workspace: Workspace,
  author: User,
  fields: NewInterview,
  roomOf: RoomOf,
): Interview {
  return workspace.write(() => {
    mustBeCandidate(workspace, fields)
    mustBeAhead(workspace, fields.scheduledAt)
    mustBeDistinct(fields.interviewers)
    hintAtClosed(workspace, fields.vacancyId)
    const now = workspace.now()
    const interview = interviews.insert(workspace, {
      ...fields,
      timezone: canonicalZone(fields.timezone),
      interviewers: withStatus(fields.interviewers, 'pending'),
      id: workspace.ids.prefixed('int_'),
      candidateNotified: true,
      organizerId: author.id,
      createdAt: now,
      updatedAt: now,
    })
    invite(workspace, 'invited', interview, roomOf)
    appendRecruitingEvent(workspace, 'interview.scheduled', interview.id, { interview })
    return interview
  })
}

export interface Rescheduling {
  /** In ms since the epoch. */
  readonly scheduledAt?: number
  readonly durationMinutes?: number
  readonly reason: string | null
}

/** Reschedules an interview that has not started, and invites all participants again. Without a change, does nothing. */
export function rescheduleInterview(
  workspace: Workspace,
  interview: Interview,
  { reason, ...changes }: Rescheduling,
  roomOf: RoomOf,
): Interview {
  return workspace.write(() => {
    const { state, event } = take(interviewMachine, interview.status, 'reschedule')
    const { scheduledAt = interview.scheduledAt, durationMinutes = interview.durationMinutes } = changes
    if (scheduledAt === interview.scheduledAt && durationMinutes === interview.durationMinutes) {
      return interview
    }
    if (scheduledAt !== interview.scheduledAt) mustBeAhead(workspace, scheduledAt)
    const moved = interviews.update(workspace, interview, {
      status: state,
      scheduledAt,
      durationMinutes,
      interviewers: withStatus(interview.interviewers, 'pending'),
      candidateNotified: true,
      sequence: interview.sequence + 1,
      updatedAt: workspace.now(),
    })
    invite(workspace, 'rescheduled', moved, roomOf, reason)
    appendRecruitingEvent(workspace, event, interview.id, { interview: moved })
    return moved
  })
}

export interface Cancelling {
  readonly reason: string
  readonly notes: string | null
  readonly notify: boolean
}

/** Cancels an interview. The stage of the candidate stays. */
export function cancelInterview(
  workspace: Workspace,
  interview: Interview,
  { reason, notes, notify }: Cancelling,
  roomOf: RoomOf,
): Interview {
  return workspace.write(() => {
    const { state, event } = take(interviewMachine, interview.status, 'cancel')
    const now = workspace.now()
    const cancelled = interviews.update(workspace, interview, {
      status: state,
      cancelReason: reason,
      cancelNotes: notes,
      cancelledAt: now,
      sequence: interview.sequence + 1,
      updatedAt: now,
    })
    if (notify) invite(workspace, 'cancelled', cancelled, roomOf, reason)
    appendRecruitingEvent(workspace, event, interview.id, { interview: cancelled })
    return cancelled
  })
}

/** Applies an action of the participants: they confirm, start or complete the interview. */
export function moveInterview(
  workspace: Workspace,
  interview: Interview,
  move: 'confirm' | 'start' | 'complete',
): Interview {
  return workspace.write(() => {
    const moved = interviews.update(workspace, interview, {
      status: mustMove(interviewMachine, interview.status, move),
      ...(move === 'confirm' && { interviewers: withStatus(interview.interviewers, 'accepted') }),
      updatedAt: workspace.now(),
    })
    const data = { interview: moved }
    appendRecruitingEvent(workspace, interviewMachine.moves[move].emits, interview.id, data)
    return moved
  })
}

const withStatus = (
  interviewers: readonly Omit<Interviewer, 'status'>[],
  status: (typeof ANSWERS)[number],
): Interviewer[] =>
  interviewers.map(({ name, email, role, required }) => ({ name, email, role, required, status }))

function invite(
  workspace: Workspace,
  occasion: Occasion,
  interview: Interview,
  roomOf: RoomOf,
  reason: string | null = null,
): void {
  const vacancy = vacancies.get(workspace, interview.vacancyId)
  const candidate = candidates.get(workspace, interview.candidateId)
  const roomUrl = roomOf(interview, workspace)
  sendInvitations(workspace, occasion, { interview, vacancy, candidate, roomUrl, reason })
}

function mustBeCandidate(workspace: Workspace, { vacancyId, candidateId }: NewInterview): void {
  if (!vacancies.head(workspace, vacancyId)) {
    refuseProperty('vacancyId', 'unknown', '{vacancyId} must be a vacancy of this workspace')
  }
  if (!applicationOf(workspace, vacancyId, candidateId)) {
    refuseProperty(
      'candidateId',
      'unknown',
      '{candidateId} must be a candidate who has applied for the vacancy',
    )
  }
}

/** Adds a hint instead of refusing, because an interview before reopening a vacancy can be intended. */
function hintAtClosed(workspace: Workspace, vacancyId: string): void {
  const { status } = vacancies.get(workspace, vacancyId)
  if (!ENDED.includes(status)) return
  addHint(
    'vacancy_closed',
    `The vacancy ${vacancyId} is ${status}, but the interview was scheduled. Publish the vacancy again, or cancel the interview.`,
  )
}

function mustBeAhead(workspace: Workspace, scheduledAt: number): void {
  if (scheduledAt > workspace.now()) return
  refuseProperty('scheduledAt', 'in_the_past', '{scheduledAt} must be in the future')
}

function mustBeDistinct(interviewers: NewInterview['interviewers']): void {
  const addresses = interviewers.map(({ email }) => emailKey(email))
  const duplicate = addresses.findIndex((address, index) => addresses.indexOf(address) !== index)
  if (duplicate < 0) return
  const field = `interviewers.${String(duplicate)}.email`
  refuseProperty(field, 'duplicate', `{${field}} must be unique among the interviewers`)
}
