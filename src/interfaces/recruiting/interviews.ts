/** Interviews and evaluations. Specification part 1, "Recruiting", "Interview status"; in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { before, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { unpaged } from '../../http/paging.ts'
import { rendering } from '../../http/renderings.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { instantOf, lastInstantOf } from '../../state/clock.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
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
import { evaluationInFull, evaluationView, interviewView, roomOf, scheduledView } from './views.ts'

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
          'The candidate and the interviewers get an e-mail with a calendar file. Who is busy at that time is told in warnings.',
        fidelity: documentedBut(
          'Assumed: vacancy_id, candidate_id, type, scheduled_at and interviewers are required; the interviewers are invited as well; a room of this server is where a video_platform interview takes place.',
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
          'Assumed: the one that was scheduled last comes first; from and to are about the time of the interview.',
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
        fidelity: documentedBut('Assumed: it is answered bare.'),
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
          'All who take part get an e-mail with an update of the calendar file. An update without another time or length changes nothing.',
        fidelity: documentedBut(
          'Assumed: the answer is the interview; it has to be confirmed anew; one that has begun, is over or was cancelled is a conflict.',
        ),
        answers: { 200: ScheduledInterview },
        refuses: ['wrong_state'],
      }),
    },
    ({ params, body, workspace }) => {
      const interview = interviewRecords.get(workspace, params.interview_id)
      const { scheduled_at: at, duration_minutes: minutes, reason = null } = body
      const wanted = {
        reason,
        ...(at !== undefined && { scheduledAt: timeOf(at, interview.timezone) }),
        ...(minutes !== undefined && { durationMinutes: minutes }),
      }
      return scheduledView(rescheduleInterview(workspace, interview, wanted, roomOf), workspace)
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
        description: 'The stage of the candidate stays as it is.',
        fidelity: documentedBut(
          'Assumed: the answer is the interview; participants are notified unless the call says otherwise; one that is over, or was cancelled before, is a conflict.',
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
          'Assumed: one of the interviewers evaluates, once; in any state of the interview but cancelled.',
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
        fidelity: assumed('The specification shows no answer: all of them, the first given first.'),
        answers: { 200: EvaluationList },
        paging: unpaged('There is one of each of at most twenty interviewers.'),
      }),
    },
    ({ params, workspace }) => {
      const interview = interviewRecords.get(workspace, params.interview_id)
      return {
        data: evaluationsOf(workspace, interview).map((evaluation) =>
          evaluationInFull(evaluation, interview),
        ),
      }
    },
  )
}

/** That the interview exists is asked before the body is judged. */
const mustExist = before<{ interview_id: string }>(({ workspace }, params) =>
  interviewRecords.getHead(workspace, params.interview_id),
)

/** The instant of a sent time; one without an offset is a time of the clocks in the zone. */
function timeOf(sent: string, timezone: string): number {
  const instant = instantOf(sent, { timezone })
  hintAtLocalTime(sent, instant, timezone)
  return instant
}
