/** Wire shapes of interviews and evaluations. Specification part 1, "Candidate, interview, evaluation", "Interview status". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  Instant,
  named,
  Nullable,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import {
  MAX_SCORE,
  MAX_WEIGHT,
  MAX_LENGTH,
  MAX_COUNT,
  MAX_INTERVIEW_MINUTES,
  MIN_INTERVIEW_MINUTES,
} from '../../../state/recruiting/limits.ts'
import { interviewMachine } from '../../../state/recruiting/machines.ts'
import { ANSWERS } from '../../../state/recruiting/jsonColumns.ts'
import { INTERVIEW_TYPES, RECOMMENDATIONS } from '../../../state/recruiting/tables.ts'
import { Email } from './common.ts'

const lengths = 'The specification does not show lengths.'

const INTERVIEWER = 'marco.vega@example.com'

const interviewer = {
  name: Assumed(lengths, Text(MAX_LENGTH.name, 'Marco Vega')),
  email: Email(INTERVIEWER),
  role: Nullable(
    Assumed(lengths, Type.String({ maxLength: MAX_LENGTH.role, examples: ['Head of the workshop'] })),
  ),
}

const ScheduledAt = () =>
  Type.String({
    format: 'instant',
    maxLength: 40,
    pattern: 'T',
    'x-wording': 'must be a date-time such as 2031-03-12T10:00:00-05:00',
    description:
      'Must be in the future. A date-time without an offset is local time in the time zone of the interview (assumed).',
    examples: ['2031-03-12T10:00:00-05:00'],
  })

const Minutes = () =>
  Assumed(
    'The specification does not show limits.',
    Type.Integer({ minimum: MIN_INTERVIEW_MINUTES, maximum: MAX_INTERVIEW_MINUTES, examples: [45] }),
  )

const remark = (example: string) =>
  Nullable(Assumed(lengths, Type.String({ maxLength: MAX_LENGTH.remark, examples: [example] })))

export const InterviewCreate = named(
  'InterviewCreate',
  Type.Object({
    vacancy_id: Id('vac_'),
    candidate_id: Id('cand_', { description: 'A candidate who has applied for the vacancy (assumed).' }),
    type: OneOf(INTERVIEW_TYPES),
    scheduled_at: ScheduledAt(),
    duration_minutes: Type.Optional(
      Type.Integer({
        minimum: MIN_INTERVIEW_MINUTES,
        maximum: MAX_INTERVIEW_MINUTES,
        description: 'Default: 60 (assumed).',
        examples: [45],
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        format: 'timezone',
        maxLength: 100,
        description: 'The time zone in which times are shown. Default: that of the workspace (assumed).',
        examples: ['America/Panama'],
      }),
    ),
    interviewers: Type.Array(
      Type.Object({
        name: interviewer.name,
        email: interviewer.email,
        role: Type.Optional(interviewer.role),
        required: Type.Optional(Type.Boolean({ description: 'Default: true (assumed).', examples: [true] })),
      }),
      {
        minItems: 1,
        maxItems: MAX_COUNT.interviewers,
        description: 'One to twenty interviewers with different addresses (assumed).',
      },
    ),
    candidate_preparation: Type.Optional(remark('Bring samples of your work.')),
    internal_notes: Type.Optional(remark('Ask about leather.')),
    video_room_url: Type.Optional(
      Nullable(
        Assumed(
          'The specification does not define where an external_video interview takes place. In the simulator, the caller sends the URL. Other types ignore it.',
          Type.String({
            format: 'uri',
            maxLength: MAX_LENGTH.roomUrl,
            examples: ['https://video.example.com/room'],
          }),
        ),
      ),
    ),
  }),
)

/** The fields of an interview in responses. */
const interview = {
  id: Id('int_'),
  vacancy_id: Id('vac_'),
  candidate_id: Id('cand_'),
  type: OneOf(INTERVIEW_TYPES),
  status: OneOf(interviewMachine.states),
  scheduled_at: Instant({
    description: 'With the offset of the time zone of the interview at that time (assumed).',
    examples: ['2031-03-12T10:00:00.000-05:00'],
  }),
  duration_minutes: Minutes(),
  timezone: Type.String({ examples: ['America/Panama'] }),
  interviewers: Type.Array(
    Type.Object({
      ...interviewer,
      required: Type.Boolean(),
      status: Assumed(
        'The specification shows no values. In the simulator, it is pending until the interview is confirmed, then accepted.',
        OneOf(ANSWERS),
      ),
    }),
  ),
  candidate_preparation: remark('Bring samples of your work.'),
  internal_notes: remark('Ask about leather.'),
  video_room_url: Nullable(
    Type.String({
      format: 'uri',
      description: 'null if the interview does not take place online, or if no URL was sent (assumed).',
      examples: ['http://127.0.0.1:4012/recruiting/jobs/demo/rooms/int_demo0000000000000001'],
    }),
  ),
  candidate_notified: Type.Boolean(),
  cancellation: Nullable(
    Assumed(
      'The specification shows no field for the values of the cancellation. The simulator returns them here; null unless the interview was cancelled.',
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
    'The specification does not define what happens to two interviews at the same time. The simulator accepts both, like a calendar, and returns a warning.',
    Type.Array(
      Type.Object({
        code: OneOf(['interviewer_busy', 'candidate_busy']),
        message: Type.String(),
        interview_id: Id('int_'),
      }),
    ),
  )

/** A scheduled interview with warnings about conflicts. */
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
    Type.String({ maxLength: 254, description: 'Must match the whole address. Ignores case (assumed).' }),
  ),
  from: Type.Optional(
    SentInstant({ maxLength: 40, description: 'Matches interviews scheduled at this time or later.' }),
  ),
  to: Type.Optional(
    SentEnd({ maxLength: 40, description: 'Matches interviews scheduled at this time or earlier.' }),
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
      'The specification of the states requires it, but does not show a length.',
      Text(MAX_LENGTH.cancelReason, 'The position was filled'),
    ),
    notify_participants: Type.Boolean({
      default: true,
      description: 'Whether to send an e-mail to the candidate and the interviewers.',
    }),
    notes: Type.Optional(remark('Thank the candidate by phone')),
  }),
)

// ---------------------------------------------------------------- evaluations

const Score = () =>
  Assumed(
    'The specification shows no scale. The simulator accepts any number from 0 to 100.',
    Type.Number({ minimum: 0, maximum: MAX_SCORE, examples: [4] }),
  )

const Recommendation = () =>
  Assumed('The specification shows only advance. The other values are assumed.', OneOf(RECOMMENDATIONS))

const criteria = {
  name: Assumed(lengths, Text(MAX_LENGTH.criterion, 'Craft')),
  weight: Assumed(
    'The specification does not define the sum of the weights. The simulator accepts fractions and percentages.',
    Type.Number({ exclusiveMinimum: 0, maximum: MAX_WEIGHT, examples: [0.6] }),
  ),
  score: Score(),
}

const comment = () =>
  Nullable(Assumed(lengths, Type.String({ maxLength: MAX_LENGTH.comment, examples: ['Clean seams'] })))

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
    'The specification does not show the form of the interviewer. The simulator returns name and address.',
    Type.Object({ name: Type.String(), email: Type.String({ format: 'email' }) }),
  ),
  overall_score: Score(),
  weighted_score: Nullable(
    Type.Number({
      minimum: 0,
      maximum: MAX_SCORE,
      description: 'The weighted mean of the scores, with two decimals. null without criteria (assumed).',
      examples: [4.2],
    }),
  ),
  recommendation: Recommendation(),
  created_at: Instant(),
}

export const Evaluation = named('Evaluation', Type.Object(evaluation))

export const EvaluationList = Assumed(
  'The specification does not show a response of the list. The simulator returns each evaluation with all fields of the request.',
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
