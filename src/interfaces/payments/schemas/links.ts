/** Schemas of payment links. Specification part 2, "Payments v1". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  FreeObject,
  Instant,
  named,
  Nullable,
  OneOf,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { LONGEST_DESCRIPTION } from '../../../state/payments/links.ts'
import { linkMachine } from '../../../state/payments/machines.ts'
import { Cents, demoId, Id, Method, PaymentCurrency, SentAmount, spanQuery, pageQuery } from './common.ts'

/** The largest metadata in characters as JSON. Enough for an order, and small enough for a page of links. */
export const LARGEST_METADATA = 16_384

const noLength = 'The specification shows no maximum length.'

const description = Assumed(
  noLength,
  Type.String({ maxLength: LONGEST_DESCRIPTION, examples: ['Invoice F-2031, desk'] }),
)
const reference = Assumed(noLength, Type.String({ maxLength: 255, examples: ['F-2031'] }))

const maxPayments = (words: string) =>
  Assumed(
    'The specification shows no default; by default, one payment makes the link paid.',
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: words,
      examples: [1],
    }),
  )

export const LinkCreate = named(
  'LinkCreate',
  Type.Object(
    {
      amount: Type.Optional(
        Nullable(
          Assumed(
            'The specification shows no maximum. To request an open amount, send null or open_amount.',
            SentAmount({
              description: 'In cents. Required unless open_amount is true. null means an open amount.',
            }),
          ),
        ),
      ),
      open_amount: Type.Optional(
        Assumed(
          'The specification mentions open amounts but does not show how to request one.',
          Type.Boolean({
            default: false,
            writeOnly: true,
            description: 'Whether the payer chooses the amount. Must be false if amount is sent.',
          }),
        ),
      ),
      currency: Type.Optional(
        PaymentCurrency({
          description:
            'Default is the currency of the workspace if it is one of these, otherwise USD (assumed).',
        }),
      ),
      description: Type.Optional(Nullable(description)),
      payment_methods: Type.Optional(
        Type.Array(Method(), {
          minItems: 1,
          uniqueItems: true,
          description: 'Default is all methods (assumed).',
          examples: [['network_1', 'network_2', 'ach']],
        }),
      ),
      expires_at: Type.Optional(
        Nullable(
          SentInstant({
            description: 'Must be in the future (assumed).',
            examples: ['2030-12-31T23:59:59Z'],
          }),
        ),
      ),
      max_payments: Type.Optional(
        Nullable(maxPayments('The number of completed payments after which the link is paid.')),
      ),
      reference: Type.Optional(Nullable(reference)),
      metadata: Type.Optional(
        Assumed(
          'The specification shows no limits; the simulator allows at most 50 fields and 16,384 characters as JSON.',
          FreeObject({
            maxProperties: 50,
            'x-max-size': LARGEST_METADATA,
            description: 'Free key-value data.',
            examples: [{ order: 'F-2031' }],
          }),
        ),
      ),
    },
    {
      examples: [
        {
          amount: 12500,
          currency: 'USD',
          description: 'Invoice F-2031, desk',
          payment_methods: ['network_1', 'network_2', 'ach'],
          reference: 'F-2031',
          metadata: { order: 'F-2031' },
        },
      ],
    },
  ),
)

export const Link = named(
  'Link',
  Type.Object({
    id: Id('pl_'),
    amount: Nullable(Cents({ description: 'In cents; null if the payer chooses the amount (assumed).' })),
    currency: PaymentCurrency(),
    description: Nullable(description),
    url: Type.String({
      format: 'uri',
      description: 'The hosted payment page.',
      examples: [`https://sim.example.com/pay/links/demo/${demoId('pl_')}`],
    }),
    status: OneOf(linkMachine.states),
    payment_methods: Type.Array(Method()),
    logo_url: Nullable(
      Type.String({ description: 'null unless the fixture or snapshot of the workspace contains one.' }),
    ),
    expires_at: Nullable(Instant()),
    max_payments: Nullable(maxPayments('null if it was not sent.')),
    reference: Nullable(reference),
    metadata: FreeObject(),
    created_at: Instant(),
    paid_at: Nullable(Instant({ description: 'null until it is paid.' })),
  }),
)

export const LinkId = Type.Object({ link_id: Id('pl_') })

export const LinkQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(linkMachine.states)),
  ...spanQuery,
})
