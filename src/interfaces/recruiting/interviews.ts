/** Interviews and evaluations. Specification part 1, "Recruiting", "Interview status"; in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst, operationsOf } from '../../http/definition/operation.ts'
import { numberedPage } from '../../http/lists/pages.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { rendering } from '../../http/shapes/renderings.ts'
import { everyCallerIn } from '../../http/lists/responseCache.ts'
import { instantOf, lastInstantOf } from '../../state/model/clock.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import { evaluate, evaluationsOf } from '../../state/recruiting/evaluations.ts'
import {
  interviews as interviewRecords,
  type Interview as InterviewRow,
} from '../../state/recruiting/interviews.ts'
import { hintAtLocalTime } from '../../state/recruiting/interviewTimes.ts'
import { vacancies } from '../../state/recruiting/vacancies.ts'
import { cancelInterview, rescheduleInterview, scheduleInterview } from '../../state/recruiting/scheduling.ts'
import { PageOf, pageMeta } from './dialect.ts'
import {
  Evaluation,
  EvaluationCreate,
  EvaluationList,
  Interview,
  InterviewCancel,
  InterviewCreate,
  InterviewId,
  InterviewQuery,
  InterviewUpdate,
  ScheduledInterview,
} from './schemas/interviews.ts'
import { evaluationDetailsView, evaluationView, interviewView, roomOf, scheduledView } from './views.ts'

const interviewText = rendering<InterviewRow>(interviewView, interviewRecords)

const interviewOperation = operationsOf({ tag: 'Interviews', scope: 'interviews:manage' })

export const interviews: Resource = async (app) => {
  app.post(
    '/interviews',
    {
      schema: { body: InterviewCreate },
      config: interviewOperation({
        id: 'scheduleInterview',
        summary: 'Schedule an interview',
        description:
          'Sends an e-mail with a calendar file to the candidate and the interviewers. warnings lists participants who have another interview at that time.',
        fidelity: documentedBut(
          'Assumed: vacancy_id, candidate_id, type, scheduled_at and interviewers are required. The interviewers are also invited. A video_platform interview takes place in a room of this server.',
        ),
        answers: { 201: ScheduledInterview },
      }),
    },
    ({ body, workspace, caller }, reply) => {
      const { timezone = workspace.timezone } = body
      const interview = scheduleInterview(
        workspace,
        caller.user,
        {
          vacancyId: body.vacancy_id,
          candidateId: body.candidate_id,
          type: body.type,
          scheduledAt: timeOf(body.scheduled_at, timezone),
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
      reply.code(201)
      return scheduledView(interview, workspace)
    },
  )

  app.get(
    '/interviews',
    {
      schema: { querystring: InterviewQuery },
      config: interviewOperation({
        id: 'listInterviews',
        summary: 'List interviews',
        fidelity: documentedBut(
          'Assumed: the newest interview comes first. from and to apply to scheduled_at.',
        ),
        names: { vacancy_id: vacancies },
        answers: { 200: PageOf(Interview) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, from, to, ...others } = query
      const filters = {
        ...others,
        from: from === undefined ? undefined : instantOf(from, workspace),
        to: to === undefined ? undefined : lastInstantOf(to, workspace),
      }
      return numberedPage(
        'interviews',
        interviewRecords.list,
        interviewText,
        everyCallerIn(workspace),
        { page, perPage, sort: 'created_at', order: 'desc' },
        filters,
        pageMeta,
      )
    },
  )

  app.get(
    '/interviews/:interview_id',
    {
      schema: { params: InterviewId },
      config: interviewOperation({
        id: 'getInterview',
        summary: 'Get an interview',
        fidelity: documentedBut('Assumed: the response has no envelope.'),
        answers: { 200: Interview },
      }),
    },
    ({ params, workspace }) =>
      interviewText.one(workspace, interviewRecords.get(workspace, params.interview_id)),
  )

  app.patch(
    '/interviews/:interview_id',
    {
      preValidation: mustExist,
      schema: { params: InterviewId, body: InterviewUpdate },
      config: interviewOperation({
        id: 'rescheduleInterview',
        summary: 'Reschedule an interview',
        description:
          'Sends an updated calendar file to all participants by e-mail. An update without a new time or duration changes nothing.',
        fidelity: documentedBut(
          'Assumed: the response is the interview, which must be confirmed again. Returns 409 when the interview has started, is completed or was cancelled.',
        ),
        answers: { 200: ScheduledInterview },
        refuses: ['wrong_state'],
      }),
    },
    ({ params, body, workspace }) => {
      const interview = interviewRecords.get(workspace, params.interview_id)
      const { scheduled_at: at, duration_minutes: minutes, reason = null } = body
      const changes = {
        reason,
        ...(at !== undefined && { scheduledAt: timeOf(at, interview.timezone) }),
        ...(minutes !== undefined && { durationMinutes: minutes }),
      }
      return scheduledView(rescheduleInterview(workspace, interview, changes, roomOf), workspace)
    },
  )

  app.post(
    '/interviews/:interview_id/cancel',
    {
      preValidation: mustExist,
      schema: { params: InterviewId, body: InterviewCancel },
      config: interviewOperation({
        id: 'cancelInterview',
        summary: 'Cancel an interview',
        description: 'Does not change the stage of the candidate.',
        fidelity: documentedBut(
          'Assumed: the response is the interview. By default, the participants are notified. Returns 409 when the interview is completed or was already cancelled.',
        ),
        answers: { 200: Interview },
        refuses: ['wrong_state'],
      }),
    },
    ({ params, body, workspace }) => {
      const interview = interviewRecords.get(workspace, params.interview_id)
      const { reason, notes = null, notify_participants: notify } = body
      const cancelled = cancelInterview(workspace, interview, { reason, notes, notify }, roomOf)
      return interviewText.one(workspace, cancelled)
    },
  )

  app.post(
    '/interviews/:interview_id/evaluation',
    {
      preValidation: mustExist,
      schema: { params: InterviewId, body: EvaluationCreate },
      config: interviewOperation({
        id: 'evaluateInterview',
        summary: 'Evaluate the candidate of an interview',
        fidelity: documentedBut(
          'Assumed: each interviewer can evaluate once, in any state of the interview except cancelled.',
        ),
        answers: { 201: Evaluation },
        refuses: ['wrong_state', 'conflict'],
      }),
    },
    ({ params, body, workspace }, reply) => {
      const interview = interviewRecords.get(workspace, params.interview_id)
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
      reply.code(201)
      return evaluationView(evaluation, interview)
    },
  )

  app.get(
    '/interviews/:interview_id/evaluations',
    {
      schema: { params: InterviewId },
      config: interviewOperation({
        id: 'listEvaluations',
        summary: 'List the evaluations of an interview',
        fidelity: assumed(
          'The specification does not show a response. The simulator returns all evaluations, oldest first.',
        ),
        answers: { 200: EvaluationList },
        paging: unpaged('Each of at most twenty interviewers has at most one evaluation.'),
      }),
    },
    ({ params, workspace }) => {
      const interview = interviewRecords.get(workspace, params.interview_id)
      return {
        data: evaluationsOf(workspace, interview).map((evaluation) =>
          evaluationDetailsView(evaluation, interview),
        ),
      }
    },
  )
}

/** Refuses an unknown interview before the body is validated. */
const mustExist = checkFirst<{ interview_id: string }>(({ workspace }, params) =>
  interviewRecords.getHead(workspace, params.interview_id),
)

/** Converts a sent time to an instant. A time without an offset is local time in the zone, and gets a hint. */
function timeOf(sent: string, timezone: string): number {
  const instant = instantOf(sent, { timezone })
  hintAtLocalTime(sent, instant, timezone)
  return instant
}
