/** Wire shapes of what has happened: calls, hints, the timeline. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { Instant, named, Nullable, OneOf } from '../http/schemas.ts'
import { INTERFACE_NAMES } from '../state/interfaceNames.ts'
import { waitQuery, WorkspaceId } from './schemas.ts'

const RequestId = Type.String({
  description: 'As GET /workspaces/{id}/requests tells it.',
})

export const RequestParameters = Type.Object({ ...WorkspaceId.properties, requestId: RequestId })

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

export const RequestQuery = Type.Object({
  interface: Type.Optional(OneOf(INTERFACE_NAMES)),
  operation: Type.Optional(Type.String({ examples: ['createProduct'] })),
  method: Type.Optional(OneOf(METHODS)),
  path: Type.Optional(
    Type.String({
      description: 'Full, or relative to the base path; * stands for any segment.',
      examples: ['/products/*'],
    }),
  ),
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](\\d\\d|xx)$',
      'x-wording': 'must be a status such as 404, or a class of them such as 4xx',
      examples: ['4xx'],
    }),
  ),
  as: Type.Optional(OneOf(['har'], { description: 'In the HTTP Archive format.' })),
  ...waitQuery,
})

const Message = Type.Object({
  headers: Type.Record(Type.String(), Type.String(), { description: 'Without credentials.' }),
  body: Type.Unknown({
    description:
      'JSON where it is, else its text; null where there was none, or it is a file. Secrets and numbers of cards are redacted.',
  }),
  cutFrom: Type.Optional(
    Type.Integer({ description: 'How long the whole is, where more was sent than is kept.' }),
  ),
})

const journalEntry = {
  id: Type.String({ examples: ['req_12'] }),
  at: Instant(),
  interface: OneOf(INTERFACE_NAMES),
  operation: Nullable(
    Type.String({ description: 'null where no operation is at this address.', examples: ['listProducts'] }),
  ),
  method: Type.String(),
  path: Type.String({ examples: ['/workspace/public/v1/products'] }),
  status: Type.Integer(),
  durationMs: Type.Number(),
  caller: Nullable(Type.Object({ userId: Type.String() }, { description: 'Whose key it was.' })),
  refusal: Nullable(
    Type.Object({ reason: Type.String({ examples: ['not_found'] }), message: Type.String() }),
  ),
  fault: Type.Optional(Type.String({ description: 'The id of the fault that it met.' })),
  request: Type.Object({
    query: Type.Record(Type.String(), Type.Unknown()),
    ...Message.properties,
  }),
  response: Message,
}

export const JournalEntry = named('JournalEntry', Type.Object(journalEntry))

export const Hint = Type.Object({
  code: Type.String({ examples: ['unknown_body_field'] }),
  message: Type.String(),
})

export const STORY_KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email'] as const

export const WholeEntry = named(
  'WholeJournalEntry',
  Type.Object({
    ...journalEntry,
    hints: Type.Array(Hint, { description: 'What the caller may not have noticed.' }),
    effects: Type.Array(
      Type.Object({
        kind: OneOf(STORY_KINDS),
        id: Type.String({ description: 'Of the event, delivery or e-mail; section and id of a record.' }),
        title: Type.String(),
      }),
      { description: 'What has followed from it, in order.' },
    ),
  }),
)

const assumed = {
  assumed: Type.Optional(
    Type.Boolean({
      description:
        'true adds one hint of the code assumed_behavior for each operation: what the specification leaves open about it.',
    }),
  ),
}

export const HintQuery = Type.Object(assumed)

export const UnmatchedQuery = Type.Object({
  unmatched: Type.Optional(
    Type.Unsafe<true>({
      type: 'boolean',
      enum: [true],
      description: 'The journal of a workspace is at /workspaces/{id}/requests.',
      examples: [true],
    }),
  ),
  ...waitQuery,
})

export const UnmatchedEntry = named(
  'UnmatchedJournalEntry',
  Type.Object({
    ...journalEntry,
    interface: Nullable(
      OneOf([...INTERFACE_NAMES, 'control', 'files'], {
        description: 'At whose base path it was; null where nothing is mounted.',
      }),
    ),
    hints: Type.Array(Hint, { description: 'What is wrong with the call.' }),
  }),
)

export const EntryQuery = Type.Object({
  ...assumed,
  as: Type.Optional(
    OneOf(['curl', 'har'], { description: 'As a command of a shell, or in the HTTP Archive format.' }),
  ),
})

export const GroupedHint = named(
  'GroupedHint',
  Type.Object({
    ...Hint.properties,
    count: Type.Integer(),
    requests: Type.Array(Type.String(), { description: 'The newest first; at most 25.' }),
  }),
)

export const TimelineQuery = Type.Object({
  kind: Type.Optional(OneOf(STORY_KINDS)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  before: Type.Optional(Type.String({ description: 'The id of the last one seen.', examples: ['req_12'] })),
})

export const TimelineItem = named(
  'TimelineItem',
  Type.Object({
    id: Type.String(),
    at: Instant(),
    kind: OneOf(STORY_KINDS),
    title: Type.String(),
    causedBy: Nullable(Type.String({ description: 'The id of what it follows from.' })),
    ref: Type.String({
      description:
        'The id of the request, event, delivery or e-mail; section and id of a record; the name of a trigger or job, or the path of a page whose form was sent.',
    }),
  }),
)
