/** Wire shapes of interviews and evaluations. Specification part 1, "Candidate, interview, evaluation", "Interview status". */
import { Type } from '@sinclair/typebox'
import { DateTime } from 'luxon'
import {
  Assumed,
  assumedDefault,
  assumedValues,
  Instant,
  named,
  Nullable,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { assumedPage, Id, pageQuery, Text } from '../../../http/schemas/wireShapes.ts'
import type { Lookup } from '../../../http/shapes/fields.ts'
import { made, madeFrom, shape } from '../../../http/shapes/shape.ts'
import { iso } from '@suite-sim/kit/time/instants'
import {
  conflictsWith,
  interviews as interviewRecords,
  sharedInterviewers,
  type Interview as InterviewRow,
} from '../../../state/recruiting/interviews.ts'
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
import {
  evaluations,
  interviews,
  INTERVIEW_TYPES,
  RECOMMENDATIONS,
} from '../../../state/recruiting/tables.ts'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import { pageAddress } from '../addresses.ts'
import { assumedFields, Email } from './common.ts'

const INTERVIEWER = 'marco.vega@example.com'

const interviewer = {
  name: Text(MAX_LENGTH.name, 'Marco Vega'),
  email: Email(INTERVIEWER),
  role: Nullable(Type.String({ maxLength: MAX_LENGTH.role, examples: ['Head of the workshop'] })),
}

const ScheduledAt = () =>
  Type.String({
    format: 'offset-instant',
    description: 'Must be in the future (assumed).',
    examples: ['2031-03-12T10:00:00-05:00'],
  })

const Minutes = () =>
  Type.Integer({ minimum: MIN_INTERVIEW_MINUTES, maximum: MAX_INTERVIEW_MINUTES, examples: [45] })

const remark = (example: string) =>
  Nullable(Type.String({ maxLength: MAX_LENGTH.remark, examples: [example] }))

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

export const Interview = shape({ item: 'Interview' }, interviews, {
  fields: () => ({
    id: { schema: Id('int_') },
    vacancy_id: { schema: Id('vac_') },
    candidate_id: { schema: Id('cand_') },
    type: {},
    status: {},
    scheduled_at: made(
      Instant({
        description: 'With the offset of the time zone of the interview at that time (assumed).',
        examples: ['2031-03-12T10:00:00.000-05:00'],
      }),
      [interviews.scheduledAt, interviews.timezone],
      ([scheduledAt, timezone]) => inZone(scheduledAt, timezone),
    ),
    duration_minutes: { schema: Minutes() },
    timezone: { schema: Type.String({ examples: ['America/Panama'] }) },
    interviewers: {
      schema: Type.Array(
        Type.Object({
          ...interviewer,
          required: Type.Boolean(),
          status: OneOf(
            ANSWERS,
            assumedValues(
              'The specification shows no values. In the simulator, it is pending until the interview is confirmed, then accepted.',
              ...ANSWERS,
            ),
          ),
        }),
      ),
    },
    candidate_preparation: {
      bounded: true,
      words: { examples: ['Bring samples of your work.'] },
    },
    internal_notes: { bounded: true, words: { examples: ['Ask about leather.'] } },
    video_room_url: made(
      Nullable(
        Type.String({
          format: 'uri',
          description: 'null if the interview does not take place online, or if no URL was sent (assumed).',
          examples: ['http://127.0.0.1:4012/recruiting/jobs/demo/rooms/int_demo0000000000000001'],
        }),
      ),
      [interviews.id, interviews.type, interviews.externalRoomUrl],
      ([id, type, externalRoomUrl], workspace) => roomOf({ id, type, externalRoomUrl }, workspace),
    ),
    candidate_notified: {},
    cancellation: made(
      Nullable(
        Assumed(
          'The specification shows no field for the values of the cancellation. The simulator returns them here; null unless the interview was cancelled.',
          Type.Object({
            reason: Type.String(),
            notes: Nullable(Type.String()),
            cancelled_at: Instant(),
          }),
        ),
      ),
      [interviews.cancelReason, interviews.cancelNotes, interviews.cancelledAt],
      ([reason, notes, cancelledAt]) =>
        cancelledAt === null ? null : { reason: reason ?? '', notes, cancelled_at: iso(cancelledAt) },
    ),
    created_at: {},
  }),
})

/** A scheduled interview with warnings about other interviews at that time. */
export const ScheduledInterview = shape({ item: 'ScheduledInterview' }, interviews, {
  fields: () => ({
    ...Interview.fields(),
    warnings: made(
      Assumed(
        'The specification does not define what happens to two interviews at the same time. The simulator accepts both, like a calendar, and returns a warning.',
        Type.Array(
          Type.Object({
            code: OneOf(['interviewer_busy', 'candidate_busy']),
            message: Type.String(),
            interview_id: Id('int_'),
          }),
        ),
      ),
      [interviews.id],
      ([id], workspace) => warningsOf(interviewRecords.get(workspace, id), workspace),
    ),
  }),
})

const warningsOf = (interview: InterviewRow, workspace: Workspace) =>
  conflictsWith(workspace, interview).flatMap((clash) => [
    ...sharedInterviewers(interview, clash).map(({ name }) => ({
      code: 'interviewer_busy' as const,
      message: `${name} has another interview at that time.`,
      interview_id: clash.id,
    })),
    ...(clash.candidateId === interview.candidateId
      ? [
          {
            code: 'candidate_busy' as const,
            message: 'The candidate has another interview at that time.',
            interview_id: clash.id,
          },
        ]
      : []),
  ])

/** Returns the URL of the meeting: a room of this server or the external URL. null if it has none. */
export function roomOf(
  { id, type, externalRoomUrl }: Pick<InterviewRow, 'id' | 'type' | 'externalRoomUrl'>,
  workspace: Workspace,
): string | null {
  switch (type) {
    case 'video_platform':
      return pageAddress(workspace, `rooms/${id}`)
    case 'external_video':
      return externalRoomUrl
    case 'on_site':
    case 'phone':
      return null
  }
}

/** Formats an instant with the offset of the zone: "2031-03-12T10:00:00.000-05:00". */
const inZone = (moment: number, zone: string): string =>
  DateTime.fromMillis(moment, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ")

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
    reason: Text(MAX_LENGTH.cancelReason, 'The position was filled'),
    notify_participants: Type.Boolean({
      ...assumedDefault(false),
      description: 'Whether to send an e-mail to the candidate and the interviewers.',
    }),
    notes: Type.Optional(remark('Thank the candidate by phone')),
  }),
)

// ---------------------------------------------------------------- evaluations

const Score = () =>
  Type.Number({
    minimum: 0,
    maximum: MAX_SCORE,
    description: 'Any number from 0 to 100 (assumed).',
    examples: [4],
  })

const Recommendation = () =>
  OneOf(
    RECOMMENDATIONS,
    assumedValues(
      'The specification shows only advance. The other values are its usual counterparts.',
      'hold',
      'reject',
    ),
  )

const criteria = {
  name: Text(MAX_LENGTH.criterion, 'Craft'),
  weight: Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX_WEIGHT,
    description: 'A fraction or a percentage. The weights may have any sum (assumed).',
    examples: [0.6],
  }),
  score: Score(),
}

const comment = () => Nullable(Type.String({ maxLength: MAX_LENGTH.comment, examples: ['Clean seams'] }))

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

const interviewersOfEach: Lookup<
  [typeof evaluations.interviewId, typeof evaluations.interviewerEmail],
  { readonly name: string; readonly email: string }
> = {
  columns: [evaluations.interviewId, evaluations.interviewerEmail],
  read(workspace, rows) {
    const interviews = interviewRecords.byId(
      workspace,
      rows.map(([id]) => id),
    )
    return rows.map(([id, address]) => {
      const found = interviews.get(id)?.interviewers.find(({ email }) => email === address)
      return { name: found?.name ?? '', email: address }
    })
  },
}

export const Evaluation = shape({ item: 'Evaluation' }, evaluations, {
  fields: () => ({
    id: { schema: Id('eval_') },
    interview_id: { schema: Id('int_') },
    interviewer: madeFrom(
      Type.Object(
        assumedFields(
          'The specification does not show the form of the interviewer. The simulator returns name and address.',
          { name: Type.String(), email: Type.String({ format: 'email' }) },
        ),
      ),
      interviewersOfEach,
      (interviewer) => interviewer,
    ),
    overall_score: { schema: Score() },
    weighted_score: {
      bounded: true,
      words: {
        description: 'The weighted mean of the scores, with two decimals. null without criteria (assumed).',
        examples: [4.2],
      },
    },
    recommendation: { schema: Recommendation() },
    created_at: {},
  }),
})

export const EvaluationInFull = shape({ item: 'EvaluationInFull' }, evaluations, {
  fields: () => ({
    ...Evaluation.fields(),
    criteria: { schema: Type.Array(Type.Object({ ...criteria, comment: comment() })) },
    notes: {},
  }),
})

export const EvaluationQuery = Type.Object(
  assumedPage(
    'The specification shows no parameters of this list. The simulator has those of all lists.',
    pageQuery,
  ),
)
