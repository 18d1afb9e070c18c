/** Interviews and evaluations. Specification part 1, "Recruiting", "Interview status"; in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { pageOf } from '../../http/lists/pages.ts'
import { instantOf, lastInstantOf, offsetInstantOf } from '@suite-sim/kit/time/instants'
import { documentedBut } from '../../state/model/fidelity.ts'
import { evaluate, evaluationsOf } from '../../state/recruiting/evaluations.ts'
import { interviews as interviewRecords } from '../../state/recruiting/interviews.ts'
import { vacancies } from '../../state/recruiting/vacancies.ts'
import { cancelInterview, rescheduleInterview, scheduleInterview } from '../../state/recruiting/scheduling.ts'
import { PageOf, pageMeta } from './dialect.ts'
import {
  Evaluation,
  EvaluationCreate,
  EvaluationInFull,
  EvaluationQuery,
  Interview,
  InterviewCancel,
  InterviewCreate,
  InterviewId,
  InterviewQuery,
  InterviewUpdate,
  roomOf,
  ScheduledInterview,
} from './shapes/interviews.ts'

const collection = numberedCollection({
  records: interviewRecords,
  rendering: Interview.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const returnsInterview = 'The specification does not show the response. The simulator returns the interview.'

export const interviews: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Interviews', scope: 'interviews:manage' })
  const list = at('/interviews')
  const item = at('/interviews/:interview_id', { params: InterviewId, record: interviewRecords })

  list.post({
    id: 'scheduleInterview',
    summary: 'Schedule an interview',
    description:
      'Sends an e-mail with a calendar file to the candidate and the interviewers. warnings lists participants who have another interview at that time.',
    fidelity: documentedBut(
      'Assumed: vacancy_id, candidate_id, type, scheduled_at and interviewers are required. The interviewers are also invited. A video_platform interview takes place in a room of this server.',
    ),
    body: InterviewCreate,
    answers: { 201: ScheduledInterview.item },
    run({ body, workspace, caller }) {
      const { timezone = workspace.timezone } = body
      const interview = scheduleInterview(
        workspace,
        caller.user,
        {
          vacancyId: body.vacancy_id,
          candidateId: body.candidate_id,
          type: body.type,
          scheduledAt: offsetInstantOf(body.scheduled_at),
          durationMinutes: body.duration_minutes ?? 60,
          timezone,
          interviewers: body.interviewers.map(({ name, email, role = null, required = true }) => ({
            name,
            email,
            role,
            required,
          })),
          candidatePreparation: body.candidate_preparation ?? null,
          internalNotes: body.internal_notes ?? null,
          externalRoomUrl: body.type === 'external_video' ? (body.video_room_url ?? null) : null,
        },
        roomOf,
      )
      return ScheduledInterview.view(interview, workspace)
    },
  })

  list.get({
    id: 'listInterviews',
    order: collection.order,
    summary: 'List interviews',
    fidelity: documentedBut('Assumed: the newest interview comes first. from and to apply to scheduled_at.'),
    names: { vacancy_id: vacancies },
    query: InterviewQuery,
    answers: { 200: PageOf(Interview.item) },
    run({ query, workspace, caller }) {
      const { page, per_page, from, to, ...others } = query
      const filters = {
        ...others,
        from: from === undefined ? undefined : instantOf(from, workspace),
        to: to === undefined ? undefined : lastInstantOf(to, workspace),
      }
      return collection.page(caller, { page, per_page }, filters)
    },
  })

  item.get({
    id: 'getInterview',
    summary: 'Get an interview',
    fidelity: documentedBut('Assumed: the response has no envelope.'),
    answers: { 200: Interview.item },
    run: ({ params, workspace }) => collection.get(workspace, params.interview_id),
  })

  item.patch({
    id: 'rescheduleInterview',
    summary: 'Reschedule an interview',
    description:
      'Sends an updated calendar file to all participants by e-mail. An update without a new time or duration changes nothing.',
    fidelity: documentedBut(
      'Assumed: the interview must be confirmed again. Returns 409 when the interview has started, is completed or was cancelled.',
    ),
    body: InterviewUpdate,
    answers: { 200: Assumed(returnsInterview, ScheduledInterview.item) },
    refuses: ['wrong_state'],
    run({ record: interview, body, workspace }) {
      const { scheduled_at: at, duration_minutes: minutes, reason = null } = body
      const changes = {
        reason,
        ...(at !== undefined && { scheduledAt: offsetInstantOf(at) }),
        ...(minutes !== undefined && { durationMinutes: minutes }),
      }
      return ScheduledInterview.view(rescheduleInterview(workspace, interview, changes, roomOf), workspace)
    },
  })

  at('/interviews/:interview_id/cancel', { params: InterviewId, record: interviewRecords }).post({
    id: 'cancelInterview',
    summary: 'Cancel an interview',
    description: 'Does not change the stage of the candidate.',
    fidelity: documentedBut('Assumed: returns 409 when the interview was already cancelled.'),
    body: InterviewCancel,
    answers: { 200: Assumed(returnsInterview, Interview.item) },
    refuses: ['wrong_state'],
    run({ record: interview, body, workspace }) {
      const { reason, notes = null, notify_participants: notify } = body
      const cancelled = cancelInterview(workspace, interview, { reason, notes, notify }, roomOf)
      return collection.text(workspace, cancelled)
    },
  })

  at('/interviews/:interview_id/evaluation', { params: InterviewId, record: interviewRecords }).post({
    id: 'evaluateInterview',
    summary: 'Evaluate the candidate of an interview',
    fidelity: documentedBut(
      'Assumed: each interviewer can evaluate once, in any state of the interview except cancelled.',
    ),
    body: EvaluationCreate,
    answers: { 201: Evaluation.item },
    refuses: ['wrong_state', 'conflict'],
    run({ record: interview, body, workspace }) {
      const { criteria = [], notes = null } = body
      const evaluation = evaluate(workspace, interview, {
        interviewerEmail: body.interviewer_email,
        overallScore: body.overall_score,
        criteria: criteria.map(({ name, weight, score, comment = null }) => ({
          name,
          weight,
          score,
          comment,
        })),
        recommendation: body.recommendation,
        notes,
      })
      return Evaluation.view(evaluation, workspace)
    },
  })

  at('/interviews/:interview_id/evaluations', { params: InterviewId, record: interviewRecords }).get({
    id: 'listEvaluations',
    summary: 'List the evaluations of an interview',
    fidelity: documentedBut('Assumed: the newest evaluation comes first.'),
    query: EvaluationQuery,
    answers: {
      200: Assumed(
        'The specification does not show the response. The simulator returns pages like those of all lists of recruiting, with all fields of the request.',
        PageOf(EvaluationInFull.item),
      ),
    },
    run({ record: interview, query, workspace }) {
      // Each of at most twenty interviewers has at most one.
      const found = evaluationsOf(workspace, interview)
      const { items, facts } = pageOf(found, query.page, query.per_page)
      return {
        data: EvaluationInFull.views(items, workspace),
        meta: pageMeta(facts),
      }
    },
  })
}
