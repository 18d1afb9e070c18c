/** Wire shapes of faults. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { Instant, named, OneOf } from '../../http/schemas/schemas.ts'
import { DELIVERY_FAULTS, PRESETS } from '../../state/model/faults.ts'
import { INTERFACE_NAMES } from '../../state/model/interfaceNames.ts'
import { WorkspaceId } from '../shared/schemas.ts'

const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[]

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
    Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" }),
    Type.String({ maxLength: 1000, pattern: '^[\\x20-\\x7E]*$' }),
    { maxProperties: 50, examples: [{ 'retry-after': '2' }] },
  ),
  delayMs: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    description: 'Milliseconds to wait before the response. Without status, the call then runs normally.',
  }),
  reset: Type.Boolean({ description: 'Whether to close the connection without a response.' }),
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
      'Applies the fault to webhook deliveries instead of calls. drop fails the attempt without sending it, duplicate sends it twice, reorder holds it until another delivery was sent or two seconds have passed, delay holds it for delayMs (default 5,000), wrong_signature signs it with another secret, stale sends an event time one day earlier (if the body has one), truncate sends half of the body.',
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

export const Fault = named(
  'Fault',
  Type.Object({
    id: Type.String({ examples: ['fault_1'] }),
    ...Type.Partial(Type.Object(fault)).properties,
    met: Type.Integer({ description: 'How many times the fault was applied.' }),
    createdAt: Instant(),
  }),
)

export const FaultParameters = Type.Object({
  ...WorkspaceId.properties,
  faultId: Type.String({ description: 'The id of the fault, from GET /workspaces/{id}/faults.' }),
})
