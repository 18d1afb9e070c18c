/** Wire shapes of faults. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { FreeObject, Instant, Int, named, OneOf } from '../../http/schemas/schemas.ts'
import { MAX_HELD, MAX_HOLD_MS } from '../../state/faults/heldCalls.ts'
import { DELIVERY_FAULTS, PRESETS, type RandomDelay } from '../../state/faults/faults.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { strict, WorkspaceId } from '../shared/schemas.ts'
import type { FaultCondition, TextCondition } from '../../state/faults/faults.ts'

const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[]

const Text = Type.String({ minLength: 1, maxLength: 1000 })

const textCondition = Type.Unsafe<TextCondition>({
  anyOf: [
    Type.String({ maxLength: 1000 }),
    Type.Partial(
      Type.Object(
        {
          contains: { ...Text, description: 'A part of the value.' },
          matches: {
            ...Text,
            description:
              'A regular expression in the syntax of RE2 that a part of the value matches; ^ and $ are its start and end.',
          },
        },
        strict,
      ),
      { minProperties: 1, 'x-wording': 'must have contains or matches' },
    ),
    Type.Null(),
  ],
  'x-wording': 'must be a text, {"contains": text}, {"matches": pattern}, or null for a missing one',
  description: 'The exact value, a part of it (contains, matches), or null if it must be missing.',
})

const conditionsOn = (pattern: string, example: object, description: string) =>
  Type.Unsafe<Readonly<Record<string, TextCondition>>>(
    Type.Record(Type.String({ pattern }), textCondition, {
      ...strict,
      minProperties: 1,
      maxProperties: 20,
      examples: [example],
      description,
    }),
  )

const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"

const condition = Type.Unsafe<FaultCondition>(
  Type.Partial(
    Type.Object({
      headers: conditionsOn(
        HEADER_NAME,
        { 'x-request-id': { matches: '^retry-' } },
        'Request headers by name, in any case. Values of credentials are not returned.',
      ),
      query: conditionsOn('^[^\\0]{1,200}$', { limit: '10' }, 'Parameters of the query by name.'),
      body: FreeObject({
        minProperties: 1,
        'x-max-size': 10_000,
        examples: [{ amount: 1250 }],
        description:
          'Fields that the JSON body, the form or the payload of the webhook must have; it can have others. The items of a list must be in that of the body, in the same order.',
      }),
      bodyContains: { ...Text, description: 'A part of the body as text, or of a text of a form.' },
    }),
    {
      ...strict,
      minProperties: 1,
      'x-wording': 'must have headers, query, body or bodyContains',
      description:
        'What the calls must contain: all conditions must hold. With delivery, only body and bodyContains, of the payload.',
      examples: [{ body: { amount: 1250 } }],
    },
  ),
)

/** Maximum milliseconds of a delay. */
const MAX_DELAY_MS = 60_000

const milliseconds = Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS })

const durationOf = (example: string, description: string) =>
  Type.String({ maxLength: 30, description: `${description} An ISO 8601 duration.`, examples: [example] })

const fault = {
  interface: OneOf(INTERFACE_NAMES, {
    description: 'The interface that the fault applies to. Defaults to all.',
    examples: ['catalog'],
  }),
  method: OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { examples: ['GET'] }),
  path: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'The path of the calls: full, or relative to the base path. * matches any segment.',
    examples: ['/products/*'],
  }),
  when: condition,
  case: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
    'x-wording':
      'must be 1 to 100 letters, digits, dots, hyphens or underscores, and start with a letter or digit',
    description:
      'Applies the fault only to calls with this name in the header X-Sim-Case, which the real service does not have. The workspace must allow cases.',
    examples: ['card_declined'],
  }),
  status: Type.Integer({
    minimum: 200,
    maximum: 599,
    description:
      'The status to return instead of running the call. 429 includes Retry-After: 1 unless headers sets another value.',
    examples: [503],
  }),
  body: Type.Unknown({
    description: 'The response body: JSON or text. Defaults to the error body of the interface.',
    examples: [{ error: 'out of order' }],
  }),
  headers: Type.Record(
    Type.String({ pattern: HEADER_NAME }),
    Type.String({ maxLength: 1000, pattern: '^[\\x20-\\x7E]*$' }),
    { maxProperties: 50, examples: [{ 'retry-after': '2' }] },
  ),
  template: Type.Boolean({
    description:
      'Whether placeholders in the texts of body and headers are filled for each call: {{request.method}}, {{request.path}}, {{request.pathParams.NAME}}, {{request.query.NAME}}, {{request.headers.NAME}}, {{request.body}}, {{request.body.NAME}}, {{now}}, {{id}}, {{uuid}}. A text that is one placeholder becomes the value with its type; a missing value is null, or empty inside a text.',
  }),
  delayMs: Type.Unsafe<number | RandomDelay>({
    anyOf: [milliseconds, Type.Object({ min: milliseconds, max: milliseconds }, strict)],
    'x-wording': `must be a whole number from 0 to ${String(MAX_DELAY_MS)}, or {"min": number, "max": number}`,
    description:
      'Milliseconds to wait before the response, or {"min", "max"} for a random number between them, which follows from the seed of the workspace. Without status, the call then runs normally.',
    examples: [250, { min: 100, max: 900 }],
  }),
  reset: Type.Boolean({ description: 'Whether to close the connection without a response.' }),
  after: Type.Boolean({
    description:
      'Whether the call does its work first. Then only its answer is lost (with reset), replaced (with status or body) or late (with delayMs or hold). Records, events and webhooks are those of a call without the fault. The journal shows the answer that the caller did not get.',
  }),
  limit: Type.Object(
    {
      calls: Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [10] }),
      per: durationOf('PT1M', 'The length of a window, from PT1S to P1D. It starts with its first call.'),
    },
    {
      ...strict,
      examples: [{ calls: 10, per: 'PT1M' }],
      description:
        'How many calls each key can make in a time, on the clock of the workspace. Further calls return 429 with Retry-After. All have X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.',
    },
  ),
  lag: durationOf(
    'PT2S',
    'How long new records are missing in lists and searches: from PT0.001S to P1D on the clock of the workspace, so a frozen clock must be advanced. GET by id returns them at once. Records from before the fault are not hidden.',
  ),
  hold: Type.Boolean({
    description: `Whether matching calls wait until they are released, one by one or all (POST /workspaces/{id}/faults/{faultId}/release). The deletion of the fault, a reset and the stop of the server release them, too. At most ${String(MAX_HELD)} calls of a workspace wait, each at most ${String(MAX_HOLD_MS / 1000)} seconds.`,
  }),
  times: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'How many times the fault applies. Defaults to unlimited.',
  }),
  probability: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'The probability that a matching call meets the fault. Which calls meet it is the same in each run.',
  }),
  delivery: OneOf(DELIVERY_FAULTS, {
    description:
      'Applies the fault to webhook deliveries instead of calls. drop fails the attempt without sending it, duplicate sends it twice, reorder holds it until another delivery was sent or two seconds have passed, delay holds it for delayMs (default 5,000), wrong_signature signs it with another secret, stale sends an event time one day earlier (if the body has one), truncate sends half of the body, before_answer sends the webhook before the caller has the answer of its call, which waits until the first attempts have ended, at most ten seconds.',
  }),
  event: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The event of the deliveries. Defaults to all.',
  }),
}

export const FaultCreate = named(
  'FaultCreate',
  Type.Partial(
    Type.Object(
      {
        preset: OneOf(presets, {
          description:
            'A predefined fault: outage returns 503 with Retry-After, flaky returns 500 for three of ten calls, slow waits three seconds. Other fields override it.',
        }),
        ...fault,
      },
      {
        additionalProperties: false,
        examples: [{ method: 'GET', path: '/products/*', status: 503, times: 1 }],
      },
    ),
  ),
)

const HeldCall = named(
  'HeldCall',
  Type.Object({
    id: Type.String({
      examples: ['req_12'],
      description: 'Its id in the request journal when it has ended.',
    }),
    method: Type.String({ examples: ['POST'] }),
    path: Type.String({ examples: ['/crm/v1/contacts'] }),
    at: Instant({ description: 'When it began to wait.' }),
  }),
)

export const Fault = named(
  'Fault',
  Type.Object({
    id: Type.String({ examples: ['fault_1'] }),
    ...Type.Partial(Type.Object(fault)).properties,
    waiting: Type.Optional(
      Type.Array(HeldCall, {
        description: 'The calls that wait, in the order of their arrival; only with hold.',
      }),
    ),
    met: Type.Integer({ description: 'How many times the fault was applied.' }),
    createdAt: Instant(),
  }),
)

export const FaultParameters = Type.Object({
  ...WorkspaceId.properties,
  faultId: Type.String({ description: 'The id of the fault, from GET /workspaces/{id}/faults.' }),
})

export const FaultQuery = Type.Object({
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 300,
      description: 'The maximum number of seconds to wait for count calls that the fault holds.',
    }),
  ),
  count: Type.Optional(
    Int({
      minimum: 1,
      maximum: MAX_HELD,
      description: 'The number of calls to wait for. Defaults to 1.',
    }),
  ),
})

export const FaultRelease = named(
  'FaultRelease',
  Type.Partial(
    Type.Object(
      {
        count: Type.Integer({
          minimum: 1,
          maximum: MAX_HELD,
          description: 'How many calls go on, in the order of their arrival. Defaults to all.',
        }),
        calls: Type.Array(Type.String({ maxLength: 100 }), {
          minItems: 1,
          maxItems: MAX_HELD,
          uniqueItems: true,
          description: 'The ids of the calls that go on, in this order.',
          examples: [['req_13', 'req_12']],
        }),
      },
      { additionalProperties: false, examples: [{ count: 1 }] },
    ),
  ),
)

export const FaultReleased = named(
  'FaultReleased',
  Type.Object({
    released: Type.Integer({ description: 'How many calls go on.' }),
    waiting: Type.Integer({ description: 'How many calls still wait.' }),
  }),
)
