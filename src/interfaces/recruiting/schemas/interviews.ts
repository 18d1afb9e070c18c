/** Wire shapes of interviews and evaluations. Specification part 1, "Candidate, interview, evaluation", "Interview status". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf, SentEnd, SentInstant } from '../../../http/schemas.ts'
import { Id, pageQuery, Text } from '../../../http/wireShapes.ts'
import { LONGEST_INTERVIEW } from '../../../state/recruiting/interviews.ts'
import {
  LARGEST_SCORE,
  LARGEST_WEIGHT,
  LONGEST,
  MAX_COUNT,
  SHORTEST_INTERVIEW,
} from '../../../state/recruiting/limits.ts'
import { interviewMachine } from '../../../state/recruiting/machines.ts'
import { ANSWERS, INTERVIEW_TYPES, RECOMMENDATIONS } from '../../../state/recruiting/tables.ts'
import { Email } from './common.ts'

const lengths = 'The specification shows no lengths.'

const INTERVIEWER = 'marco.vega@example.com'

const interviewer = {
  name: Assumed(lengths, Text(LONGEST.name, 'Marco Vega')),
  email: Email(INTERVIEWER),
  role: Nullable(
    Assumed(lengths, Type.String({ maxLength: LONGEST.role, examples: ['Head of the workshop'] })),
  ),
}

const ScheduledAt = () =>
  Type.String({
    format: 'instant',
    maxLength: 40,
    pattern: 'T',
    'x-wording': 'must be a date-time such as 2031-03-12T10:00:00-05:00',
    description:
      'In the future. A date-time without an offset is a time of the clocks in the time zone of the interview (assumed).',
    examples: ['2031-03-12T10:00:00-05:00'],
  })

const Minutes = () =>
  Assumed(
    'The specification shows no bounds.',
    Type.Integer({ minimum: SHORTEST_INTERVIEW, maximum: LONGEST_INTERVIEW, examples: [45] }),
  )

const remark = (example: string) =>
  Nullable(Assumed(lengths, Type.String({ maxLength: LONGEST.remark, examples: [example] })))

export const InterviewCreate = named(
  'InterviewCreate',
  Type.Object({
    vacancy_id: Id('vac_'),
    candidate_id: Id('cand_', { description: 'Somebody who has applied for the vacancy (assumed).' }),
    type: OneOf(INTERVIEW_TYPES),
    scheduled_at: ScheduledAt(),
    duration_minutes: Type.Optional(
      Type.Integer({
        minimum: SHORTEST_INTERVIEW,
        maximum: LONGEST_INTERVIEW,
        description: '60 when left out (assumed).',
        examples: [45],
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        format: 'timezone',
        maxLength: 100,
        description: 'Times are told in it; that of the workspace when left out (assumed).',
        examples: ['America/Panama'],
      }),
    ),
    interviewers: Type.Array(
      Type.Object({
        name: interviewer.name,
        email: interviewer.email,
        role: Type.Optional(interviewer.role),
        required: Type.Optional(
          Type.Boolean({ description: 'true when left out (assumed).', examples: [true] }),
        ),
      }),
      {
        minItems: 1,
        maxItems: MAX_COUNT.interviewers,
        description: 'One to twenty, each with another address (assumed).',
      },
    ),
    candidate_preparation: Type.Optional(remark('Bring samples of your work.')),
    internal_notes: Type.Optional(remark('Ask about leather.')),
    video_room_url: Type.Optional(
      Nullable(
        Assumed(
          'The specification does not say where an external_video takes place: at an address that the caller sends. Of no meaning for other types.',
          Type.String({
            format: 'uri',
            maxLength: LONGEST.roomUrl,
            examples: ['https://video.example.com/room'],
          }),
        ),
      ),
    ),
  }),
)

/** How an interview is shown. */
const interview = {
  id: Id('int_'),
  vacancy_id: Id('vac_'),
  candidate_id: Id('cand_'),
  type: OneOf(INTERVIEW_TYPES),
  status: OneOf(interviewMachine.states),
  scheduled_at: Instant({
    description: 'With the offset that clocks in the time zone of the interview have then (assumed).',
    examples: ['2031-03-12T10:00:00.000-05:00'],
  }),
  duration_minutes: Minutes(),
  timezone: Type.String({ examples: ['America/Panama'] }),
  interviewers: Type.Array(
    Type.Object({
      ...interviewer,
      required: Type.Boolean(),
      status: Assumed(
        'The specification shows no values: pending until the interview is confirmed.',
        OneOf(ANSWERS),
      ),
    }),
  ),
  candidate_preparation: remark('Bring samples of your work.'),
  internal_notes: remark('Ask about leather.'),
  video_room_url: Nullable(
    Type.String({
      format: 'uri',
      description: 'null where people meet otherwise (assumed).',
      examples: ['http://127.0.0.1:4012/recruiting/jobs/demo/rooms/int_demo0000000000000001'],
    }),
  ),
  candidate_notified: Type.Boolean(),
  cancellation: Nullable(
    Assumed(
      'What the call that cancels is sent has to be seen somewhere; null unless it was cancelled.',
      Type.Object({
        reason: Type.String(),
        notes: Nullable(Type.String()),
        cancelled_at: Instant(),
      }),
    ),
  ),
  created_at: Instant(),
}

export const Interview = named('Interview', Type.Object(interview))

const Warnings = () =>
  Assumed(
    'The specification does not say what becomes of two interviews at one time: both are kept, as calendars do, and the answer warns.',
    Type.Array(
      Type.Object({
        code: OneOf(['interviewer_busy', 'candidate_busy']),
        message: Type.String(),
        interview_id: Id('int_'),
      }),
    ),
  )

/** An interview that was given a time, with what stands against that. */
export const ScheduledInterview = named(
  'ScheduledInterview',
  Type.Object({ ...interview, warnings: Warnings() }),
)

export const InterviewId = Type.Object({ interview_id: Id('int_') })

export const InterviewQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(interviewMachine.states)),
  type: Type.Optional(OneOf(INTERVIEW_TYPES)),
  vacancy_id: Type.Optional(Id('vac_')),
  interviewer_email: Type.Optional(
    Type.String({ maxLength: 254, description: 'The whole address, without case (assumed).' }),
  ),
  from: Type.Optional(SentInstant({ maxLength: 40, description: 'Scheduled for this moment or later.' })),
  to: Type.Optional(
    SentEnd({ maxLength: 40, description: 'Scheduled for up to this moment, which is part of it.' }),
  ),
})

export const InterviewUpdate = named(
  'InterviewUpdate',
  Type.Partial(
    Type.Object({
      scheduled_at: ScheduledAt(),
      duration_minutes: Minutes(),
      reason: remark('The interviewer is travelling'),
    }),
    { examples: [{ scheduled_at: '2031-03-13T15:00:00-05:00', reason: 'The interviewer is travelling' }] },
  ),
)

export const InterviewCancel = named(
  'InterviewCancel',
  Type.Object({
    reason: Assumed(
      'That it is required is in the states; its length is not shown.',
      Text(LONGEST.cancelReason, 'The position was filled'),
    ),
    notify_participants: Type.Boolean({
      default: true,
      description: 'Whether the candidate and the interviewers get an e-mail.',
    }),
    notes: Type.Optional(remark('Thank the candidate by phone')),
  }),
)

// ---------------------------------------------------------------- evaluations

const Score = () =>
  Assumed(
    'The specification shows no scale: any number from 0 to 100 is taken.',
    Type.Number({ minimum: 0, maximum: LARGEST_SCORE, examples: [4] }),
  )

const Recommendation = () =>
  Assumed('advance appears; the others are usual beside it.', OneOf(RECOMMENDATIONS))

const criteria = {
  name: Assumed(lengths, Text(LONGEST.criterion, 'Craft')),
  weight: Assumed(
    'The specification does not say what weights add up to: fractions and percents are taken alike.',
    Type.Number({ exclusiveMinimum: 0, maximum: LARGEST_WEIGHT, examples: [0.6] }),
  ),
  score: Score(),
}

const comment = () =>
  Nullable(Assumed(lengths, Type.String({ maxLength: LONGEST.comment, examples: ['Clean seams'] })))

export const EvaluationCreate = named(
  'EvaluationCreate',
  Type.Object({
    interviewer_email: Email(INTERVIEWER, { description: 'One of the interviewers.' }),
    overall_score: Score(),
    criteria: Type.Optional(
      Type.Array(Type.Object({ ...criteria, comment: Type.Optional(comment()) }), {
        maxItems: MAX_COUNT.criteria,
      }),
    ),
    recommendation: Recommendation(),
    notes: Type.Optional(remark('Ready to start')),
  }),
)

const evaluation = {
  id: Id('eval_'),
  interview_id: Id('int_'),
  interviewer: Assumed(
    'The specification does not show how the interviewer is told: by name and address.',
    Type.Object({ name: Type.String(), email: Type.String({ format: 'email' }) }),
  ),
  overall_score: Score(),
  weighted_score: Nullable(
    Type.Number({
      minimum: 0,
      maximum: LARGEST_SCORE,
      description:
        'The mean of the scores by their weights, with two decimals; null without criteria (assumed).',
      examples: [4.2],
    }),
  ),
  recommendation: Recommendation(),
  created_at: Instant(),
}

export const Evaluation = named('Evaluation', Type.Object(evaluation))

export const EvaluationList = Assumed(
  'The specification shows no answer of the list: each evaluation with all that was sent.',
  Type.Object({
    data: Type.Array(
      named(
        'EvaluationInFull',
        Type.Object({
          ...evaluation,
          criteria: Type.Array(Type.Object({ ...criteria, comment: comment() })),
          notes: Nullable(Type.String()),
        }),
      ),
    ),
  }),
)
