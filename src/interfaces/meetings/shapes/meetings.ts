/** Schemas of meetings. Specification part 3, "Meeting", "Meetings". */
import { Type, type StringOptions } from '@sinclair/typebox'
import { documentedLimits, Instant, named, Nullable, SentInstant } from '../../../http/schemas/schemas.ts'
import { made, shape, valueOf } from '../../../http/shapes/shape.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { meetings, participants, sessions } from '../../../state/meetings/tables.ts'

/** Ids of the demo workspace, so that the examples work unchanged. */
export const DEMO_MEETING = 'alm-demo-001'
export const DEMO_SESSION = '3f6c0b52-91d4-4c1a-b7a3-000000000001'
export const DEMO_PARTICIPANT = 'a47b2c90-18e3-4d56-8f02-000000000002'

export const PublicMeetingId = () => Type.String({ maxLength: 100, examples: [DEMO_MEETING] })
export const CfSessionId = () =>
  Type.String({ maxLength: 100, description: 'A UUID: one live run of a meeting.', examples: [DEMO_SESSION] })

const Title = () =>
  valueOf(meetings.title, { examples: ['Fitting of the new floor'], ...documentedLimits('minLength') })

const datetime = (options: StringOptions = {}) =>
  SentInstant({ maxLength: 64, examples: ['2031-03-12T15:00:00Z'], ...options })

const Status = () => valueOf(meetings.status, { examples: ['INACTIVE'] })

const Message = (example: string) =>
  Type.String({
    description: 'The specification shows only "Participant already exists"; the other messages are assumed.',
    examples: [example],
  })

export const MeetingCreate = named(
  'MeetingCreate',
  Type.Object({
    title: Title(),
    datetime: Type.Optional(datetime({ description: 'Without it, the meeting starts now.' })),
    language: Type.Optional(
      valueOf(meetings.language, {
        description: 'Without it, the meeting has no transcripts or summaries.',
        examples: ['es-419'],
      }),
    ),
  }),
)

export const CreatedMeeting = Type.Object({
  success: Type.Literal(true),
  message: Message('Meeting created'),
  meeting: Type.Object({
    title: Type.String(),
    datetime: Instant({ description: 'The creation time if no datetime was sent (assumed).' }),
    publicMeetingId: PublicMeetingId(),
  }),
})

export const MeetingUpdate = named(
  'MeetingUpdate',
  Type.Object(
    {
      title: Type.Optional(Title()),
      datetime: Type.Optional(datetime()),
      status: Type.Optional(Status()),
    },
    { minProperties: 1 },
  ),
)

export const UpdatedMeeting = Type.Object({
  success: Type.Literal(true),
  message: Message('Meeting updated'),
  meeting: Type.Object({ title: Type.String(), datetime: Instant(), status: Status() }),
})

export const AddedParticipant = Type.Object({
  success: Type.Literal(true),
  message: Message('Participant created'),
  participant: Type.Object({
    url: Type.String({ description: 'The join link of this participant.' }),
    guestUrl: Type.String({ description: 'The join link of the meeting for guests.' }),
    token: Type.String({
      description:
        'A JSON Web Token, signed with HS256 and valid for one day, with meetingId, participantId and presetName (assumed).',
    }),
  }),
})

const generated = (description: string) => Nullable(Type.String({ description }))

export const Summary = Type.Object({
  success: Type.Literal(true),
  summary: generated('null until it is generated.'),
  transcript_url: generated('A link to a CSV file, which expires. null until it is generated.'),
  language: Nullable(
    valueOf(meetings.language, { description: 'null until a transcript or a summary is generated.' }),
  ),
})

export const FetchedTranscript = Type.Object({
  success: Type.Literal(true),
  transcriptUrl: Type.String({ description: 'A link to a CSV file, which expires.' }),
})

export const MeetingParams = Type.Object({ publicMeetingId: PublicMeetingId() })
export const SessionParams = Type.Object({ publicMeetingId: PublicMeetingId(), cfSessionId: CfSessionId() })

/** The meeting in event data. */
export const Meeting = shape({ item: 'Meeting' }, meetings, {
  fields: () => ({
    publicMeetingId: { schema: PublicMeetingId() },
    title: {},
    datetime: made(Instant(), [meetings.startsAt], ([startsAt]) => iso(startsAt)),
    language: {},
    status: { words: { examples: ['INACTIVE'] } },
  }),
})

export const Session = shape({ item: 'MeetingSession' }, sessions, {
  fields: () => ({
    cfSessionId: made(CfSessionId(), [sessions.id], ([id]) => id),
    startedAt: {},
    endedAt: {},
    attendees: {},
    summary: {},
    transcriptReady: made(Type.Boolean(), [sessions.transcriptFileId], ([fileId]) => fileId !== null),
  }),
})

export const Participant = shape({ item: 'MeetingParticipant', create: 'ParticipantCreate' }, participants, {
  fields: () => ({
    participantId: made(Type.String(), [participants.id], ([id]) => id),
    preset_name: {
      sent: 'create',
      required: true,
      takes: {
        description: 'The specification leaves out the prefix; the simulator uses sim.',
        examples: ['sim_meet_participant'],
      },
    },
    externalId: { sent: 'create', takes: { examples: ['con_demo0000000000000002'] } },
    email: {
      sent: 'create',
      schema: Type.String(),
      body: Type.String({ format: 'email-or-empty', examples: ['diego.salas@example.com'] }),
    },
    name: { sent: 'create', takes: { examples: ['Diego Salas'] } },
  }),
})
