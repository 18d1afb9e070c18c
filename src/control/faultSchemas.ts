/** Wire shapes of faults. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { Instant, named, OneOf } from '../http/schemas.ts'
import { DELIVERY_FAULTS, PRESETS } from '../state/faults.ts'
import { INTERFACE_NAMES } from '../state/interfaceNames.ts'
import { WorkspaceId } from './schemas.ts'

const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[]

const fault = {
  interface: OneOf(INTERFACE_NAMES, { description: 'All unless it is said.', examples: ['catalog'] }),
  method: OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { examples: ['GET'] }),
  path: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Full, or relative to the base path; * stands for any segment.',
    examples: ['/products/*'],
  }),
  status: Type.Integer({
    minimum: 200,
    maximum: 599,
    description:
      'Answered in the place of the real answer; 429 comes with Retry-After: 1 unless headers say so.',
    examples: [503],
  }),
  body: Type.Unknown({
    description: 'JSON, or a text; the error body of the interface unless it is said.',
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
    description: 'Before the answer, the real one where no status is said.',
  }),
  reset: Type.Boolean({ description: 'Cuts the connection.' }),
  times: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'How often; without end unless it is said.',
  }),
  probability: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Which calls it hits is the same in each run.',
  }),
  delivery: OneOf(DELIVERY_FAULTS, {
    description:
      'Deliveries meet it, and no calls: drop fails the attempt unsent, duplicate sends it twice, reorder holds it until another has gone or two seconds are over, delay holds it for delayMs (5,000), wrong_signature signs it with another secret, stale tells a time a day earlier, truncate sends half of the body.',
  }),
  event: Type.String({ minLength: 1, maxLength: 200, description: 'Of deliveries: all unless it is said.' }),
}

export const FaultCreate = named(
  'FaultCreate',
  Type.Partial(
    Type.Object(
      {
        preset: OneOf(presets, {
          description:
            'outage answers 503 with Retry-After, flaky 500 in three of ten, slow waits three seconds; other fields change that.',
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
    met: Type.Integer({ description: 'How often it was met.' }),
    createdAt: Instant(),
  }),
)

export const FaultParameters = Type.Object({
  ...WorkspaceId.properties,
  faultId: Type.String({ description: 'As GET /workspaces/{id}/faults tells it.' }),
})
