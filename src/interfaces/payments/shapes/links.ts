/** Payment links on the wire. Specification part 2, "Payments v1". */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedDefault, FreeObject, OneOf } from '../../../http/schemas/schemas.ts'
import { bodyOnly, made, shape } from '../../../http/shapes/shape.ts'
import { linkMachine } from '../../../state/payments/machines.ts'
import { links } from '../../../state/payments/tables.ts'
import { pageAddress } from '../addresses.ts'
import { Cents, demoId, Id, Method, SentAmount, spanQuery, pageQuery } from './common.ts'

/** The largest metadata in characters as JSON. Enough for an order, and small enough for a page of links. */
export const LARGEST_METADATA = 16_384

export const Link = shape({ item: 'Link', create: 'LinkCreate' }, links, {
  fields: () => ({
    id: { schema: Id('pl_') },
    amount: {
      sent: 'create',
      schema: Cents({ description: 'In cents; null if the payer chooses the amount (assumed).' }),
      refusesNull: true,
      body: SentAmount({ description: 'In cents. Required unless open_amount is true, which allows none.' }),
    },
    open_amount: bodyOnly(
      'create',
      Assumed(
        'The specification mentions open amounts but does not show how to request one.',
        Type.Boolean({
          ...assumedDefault(false),
          writeOnly: true,
          description: 'Whether the payer chooses the amount. Must be false if an amount is sent.',
        }),
      ),
    ),
    currency: {
      sent: 'create',
      words: { examples: ['USD'] },
      takes: {
        description:
          'Default is the currency of the workspace if it is one of these, otherwise USD (assumed).',
      },
    },
    description: {
      sent: 'create',
      bounded: true,
      words: { examples: ['Invoice F-2031, desk'] },
    },
    url: made(
      Type.String({
        format: 'uri',
        description: 'The hosted payment page.',
        examples: [`https://sim.example.com/pay/links/demo/${demoId('pl_')}`],
      }),
      [links.id],
      ([id], workspace) => pageAddress(workspace, id),
    ),
    status: {},
    payment_methods: {
      sent: 'create',
      schema: Type.Array(Method()),
      body: Type.Array(Method(), {
        minItems: 1,
        uniqueItems: true,
        description: 'Default is all methods (assumed).',
        examples: [['network_1', 'network_2', 'ach']],
      }),
    },
    logo_url: {
      schema: Type.String({
        description: 'null unless the fixture or snapshot of the workspace contains one.',
      }),
    },
    expires_at: {
      sent: 'create',
      isEnd: true,
      takes: { description: 'Must be in the future (assumed).', examples: ['2030-12-31T23:59:59Z'] },
    },
    max_payments: {
      sent: 'create',
      bounded: true,
      words: { examples: [1] },
      shows: { description: 'null if it was not sent.' },
      takes: {
        description: 'The number of completed payments after which the link is paid. Default is 1 (assumed).',
      },
    },
    reference: { sent: 'create', bounded: true, words: { examples: ['F-2031'] } },
    metadata: {
      sent: 'create',
      body: FreeObject({
        maxProperties: 50,
        'x-max-size': LARGEST_METADATA,
        description: 'Free key-value data.',
        examples: [{ order: 'F-2031' }],
      }),
    },
    created_at: {},
    paid_at: { shows: { description: 'null until it is paid.' } },
  }),
  create: {
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
})

/** The link of a payment in events, by which a receiver finds its order. */
export const PaidLink = shape({}, links, {
  fields: () => ({
    id: { schema: Id('pl_') },
    reference: { words: { examples: ['F-2031'] } },
    metadata: {},
  }),
})

export const LinkId = Type.Object({ link_id: Id('pl_') })

export const LinkQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(OneOf(linkMachine.states)),
  ...spanQuery,
})
