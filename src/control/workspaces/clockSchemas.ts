/** Wire shapes of clocks. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { Instant, named, Nullable, SentInstant } from '../../http/schemas/schemas.ts'
import { strict } from '../shared/schemas.ts'

export const Clock = named(
  'Clock',
  Type.Object({
    now: Instant(),
    frozen: Type.Boolean(),
    hint: Type.Optional(
      Type.String({
        description:
          'Only after the clock was set back: the records whose creation is now in the future. Texts can change.',
        examples: ['2 records have a creation in the future now: 2 crm.contacts.'],
      }),
    ),
  }),
)

export const ClockChange = named(
  'ClockChange',
  Type.Partial(Type.Object({ now: SentInstant(), frozen: Type.Boolean() }, strict)),
)

export const Advance = named(
  'Advance',
  Type.Object(
    {
      duration: Type.String({ description: 'An ISO 8601 duration, zero or more.', examples: ['PT1H'] }),
      waitMs: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 60_000,
          default: 5000,
          description: 'The total time to wait for webhook receivers, in milliseconds.',
        }),
      ),
    },
    strict,
  ),
)

export const DueJob = named(
  'DueJob',
  Type.Object({
    job: Type.String({
      examples: ['payments.link.expire'],
      description: 'The kind of job. webhooks.attempt is a delivery attempt.',
    }),
    at: Instant({ description: 'When the job is due, on the clock of the workspace.' }),
    delivery: Nullable(
      Type.String({ description: 'The id of the delivery, if this is a delivery attempt.' }),
    ),
    heldBackBy: Nullable(
      Type.String({
        description: 'Why an overdue attempt is held back.',
        examples: ['delivery d1 of the same record, which is retried at 2026-11-02T15:00:00.000Z'],
      }),
    ),
  }),
)

export const Advanced = named(
  'Advanced',
  Type.Object({
    now: Instant(),
    frozen: Type.Boolean(),
    complete: Type.Boolean({
      description: 'Whether all due jobs have run and all due delivery attempts have ended.',
    }),
    ran: Type.Array(Type.Object({ job: Type.String(), count: Type.Integer({ minimum: 1 }) }), {
      description: 'The number of jobs that ran, by kind.',
    }),
    deliveries: Type.Object({
      sent: Type.Integer({ minimum: 0, description: 'The number of delivery attempts that ended.' }),
      pending: Type.Integer({
        minimum: 0,
        description: 'The number of due deliveries whose attempt has not ended.',
      }),
    }),
  }),
)
