/** Wire schemas of journal entries, hints and timeline items. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { CALLER, CALLER_RULE } from '@suite-sim/kit/calls/callerName'
import { Instant, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { OUTCOMES } from '../../state/timeline/timelineShapes.ts'
import { waitQuery, WorkspaceId } from '../shared/schemas.ts'

const RequestId = Type.String({
  description: 'The id of the request, from GET /workspaces/{id}/requests.',
})

export const RequestParameters = Type.Object({ ...WorkspaceId.properties, requestId: RequestId })

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

export const RequestQuery = Type.Object({
  interface: Type.Optional(OneOf(INTERFACE_NAMES)),
  operation: Type.Optional(Type.String({ examples: ['createProduct'] })),
  method: Type.Optional(OneOf(METHODS)),
  path: Type.Optional(
    Type.String({
      description: 'The path: full, or relative to the base path. * matches any segment.',
      examples: ['/products/*'],
    }),
  ),
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](\\d\\d|xx)$',
      'x-wording': 'must be a status such as 404 or a class such as 4xx',
      examples: ['4xx'],
    }),
  ),
  body: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A text in the body of the request or of the response, without regard to case and accents. JSON is searched without spaces between its tokens, and only as far as the journal has it.',
      examples: ['order 4711'],
    }),
  ),
  caller: Type.Optional(
    Type.String({
      pattern: CALLER.source,
      'x-wording': `must be ${CALLER_RULE}`,
      description: 'The name of the caller, from X-Sim-Caller.',
      examples: ['agent-7'],
    }),
  ),
  as: Type.Optional(OneOf(['har'], { description: 'har returns the HTTP Archive format.' })),
  ...waitQuery,
})

const Message = Type.Object({
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'The headers, with credentials redacted.',
  }),
  body: Type.Unknown({
    description:
      'The body as JSON if it is JSON, otherwise as text. null if there is no body or it is a file. Secrets and card numbers are redacted.',
  }),
  cutFrom: Type.Optional(Type.Integer({ description: 'The full length, if the stored body was truncated.' })),
})

const journalEntry = {
  id: Type.String({ examples: ['req_12'] }),
  at: Instant(),
  interface: OneOf(INTERFACE_NAMES),
  operation: Nullable(
    Type.String({ description: 'null if no operation matches the path.', examples: ['listProducts'] }),
  ),
  method: Type.String(),
  path: Type.String({ examples: ['/workspace/public/v1/products'] }),
  status: Type.Integer(),
  durationMs: Type.Number(),
  caller: Nullable(
    Type.Object({
      userId: Nullable(
        Type.String({ description: 'The user whose key was used; null without a known key.' }),
      ),
      name: Type.Optional(
        Type.String({
          description: 'The name that the caller sent in X-Sim-Caller, such as the session of an agent.',
          examples: ['agent-7'],
        }),
      ),
    }),
  ),
  refusal: Nullable(
    Type.Object({ reason: Type.String({ examples: ['not_found'] }), message: Type.String() }),
  ),
  requestId: Type.Optional(
    Type.String({
      description: 'The X-Request-Id that the caller sent, if it differs from the id.',
      examples: ['checkout-7f3a'],
    }),
  ),
  fault: Type.Optional(Type.String({ description: 'The id of the fault that was applied.' })),
  hintCount: Type.Integer({ description: 'The number of hints of the call.', examples: [1] }),
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

export const TIMELINE_KINDS = [
  'request',
  'trigger',
  'job',
  'transition',
  'event',
  'delivery',
  'email',
] as const

export const WholeEntry = named(
  'WholeJournalEntry',
  Type.Object({
    ...journalEntry,
    hints: Type.Array(Hint, {
      description: 'Hints about ignored input and other things the caller may have missed.',
    }),
    effects: Type.Array(
      Type.Object({
        kind: OneOf(TIMELINE_KINDS),
        id: Type.String({
          description: 'The id of the event, delivery or e-mail; for a record, its section and id.',
        }),
        title: Type.String(),
      }),
      { description: 'The effects of the call, in order.' },
    ),
  }),
)

const assumed = {
  assumed: Type.Optional(
    Type.Boolean({
      description:
        'Whether to add one hint with the code assumed_behavior for each operation that the specification does not fully define.',
    }),
  ),
}

export const HintQuery = Type.Object(assumed)

export const UnmatchedQuery = Type.Object({
  unmatched: Type.Optional(
    Type.Unsafe<true>({
      type: 'boolean',
      enum: [true],
      description: 'Only true is supported. For the journal of a workspace, use /workspaces/{id}/requests.',
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
        description: 'The interface with this base path; null if no interface has it.',
      }),
    ),
    hints: Type.Array(Hint, { description: 'The reasons why the call matched no workspace.' }),
  }),
)

export const EntryQuery = Type.Object({
  ...assumed,
  as: Type.Optional(
    OneOf(['curl', 'har'], { description: 'curl returns a shell command, har the HTTP Archive format.' }),
  ),
})

export const GroupedHint = named(
  'GroupedHint',
  Type.Object({
    ...Hint.properties,
    count: Type.Integer(),
    requests: Type.Array(Type.String(), {
      description: 'The ids of the requests, newest first, at most 25.',
    }),
  }),
)

export const TimelineQuery = Type.Object({
  kind: Type.Optional(OneOf(TIMELINE_KINDS)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  before: Type.Optional(
    Type.String({ description: 'Returns items older than the item with this id.', examples: ['req_12'] }),
  ),
})

export const TimelineItem = named(
  'TimelineItem',
  Type.Object({
    id: Type.String(),
    at: Instant(),
    kind: OneOf(TIMELINE_KINDS),
    title: Type.String(),
    causedBy: Nullable(Type.String({ description: 'The id of the item that caused this one.' })),
    ref: Type.String({
      description:
        'What the item refers to: the id of the request, event, delivery or e-mail; the section and id of a record; the name of a trigger or job; or the path of a submitted hosted page.',
    }),
    outcome: Type.Optional(
      OneOf(OUTCOMES, {
        description:
          'How a request or an attempt to deliver a webhook ended; missing from all other items, and from a delivery that is queued.',
      }),
    ),
    query: Type.Optional(Type.String({ description: 'The query of a request.', examples: ['?limit=2'] })),
    reason: Type.Optional(
      Type.String({ description: 'Why a request was refused; missing from all other items.' }),
    ),
    caller: Type.Optional(
      Type.String({
        description: 'The X-Sim-Caller of a request or a trigger; missing from all other items.',
      }),
    ),
  }),
)
