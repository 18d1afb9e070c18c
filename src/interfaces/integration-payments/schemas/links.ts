/** Schemas of hosted links. Specification part 2, "Integration payments: links". */
import { Type } from '@sinclair/typebox'
import { Assumed, FreeObject, Instant, Int, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { METADATA_LIMIT } from '../../../state/integration-payments/links.ts'
import { linkMachine } from '../../../state/integration-payments/machines.ts'
import { LINK_METHODS, LINK_TYPES } from '../../../state/integration-payments/tables.ts'
import { MAX_URL_LENGTH } from '../../../state/text/parseUrl.ts'
import { pageQuery } from '../envelope.ts'
import { Text } from '../../../http/schemas/wireShapes.ts'
import { Cents, Email, Id } from './common.ts'
import { CustomerName } from './customers.ts'
import { ProductCode } from './products.ts'

const RedirectUrl = () =>
  Type.String({
    format: 'uri',
    // A browser must not be redirected to other schemes.
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?:',
    'x-wording': 'must be an http or https URL',
    maxLength: MAX_URL_LENGTH,
    description:
      'The address to which the checkout redirects when it is done, unless it was opened as a popup.',
    examples: ['https://shop.example.com/done'],
  })

const Metadata = () =>
  FreeObject({ description: 'Returned in the webhooks.', examples: [{ orderRef: 'A-1001' }] })

const linkFields = {
  customer: Type.Object({ name: CustomerName(), email: Type.Optional(Email()) }),
  isTest: Type.Optional(Type.Boolean({ default: false })),
  redirectUrl: Type.Optional(
    Assumed(
      'The specification shows no rule; the simulator accepts http and https URLs of at most 2048 characters.',
      RedirectUrl(),
    ),
  ),
  metadata: Type.Optional(
    Assumed(
      `The specification shows no limits; the simulator allows at most 50 fields and ${String(METADATA_LIMIT)} characters as JSON.`,
      { ...Metadata(), maxProperties: 50 },
    ),
  ),
}

export const CollectionLinkCreate = named('CollectionLinkCreate', Type.Object(linkFields))

export const PaymentLinkCreate = named(
  'PaymentLinkCreate',
  Type.Object({
    ...linkFields,
    concept: Assumed('The specification shows no maximum length.', Text(250, 'Assembly')),
    amount: Int({ minimum: 100, maximum: 1_000_000, description: 'In cents.', examples: [7500] }),
    productCode: ProductCode(),
  }),
)

const Status = () => OneOf(linkMachine.states)

/** A link of the demo workspace that can be cancelled. */
const OPEN_LINK = 'demo-card-open'

const HashUrl = () =>
  Type.String({ description: 'The last segment of paymentLinkUrl.', examples: [OPEN_LINK] })

const PaymentLinkUrl = () =>
  Type.String({
    format: 'uri',
    description: 'The address of the hosted checkout.',
    examples: [`http://127.0.0.1:4012/integration-pay/checkout/demo/${OPEN_LINK}`],
  })

const createdLink = {
  id: Id('link_'),
  paymentLinkUrl: PaymentLinkUrl(),
  hashUrl: HashUrl(),
  customerName: CustomerName(),
  customerEmail: Nullable(Email({ description: 'null if none was sent (assumed).' })),
  status: Status(),
  isTest: Type.Boolean(),
  expiresAt: Instant({ description: '24 hours after creation (assumed).' }),
  createdAt: Instant(),
  redirectUrl: Nullable(Type.String({ format: 'uri', description: 'null if none was sent (assumed).' })),
}

const inData =
  'The specification does not show where data contains the link; the fields of data are those of the link.'

export const CollectionLink = named('CollectionLink', Assumed(inData, Type.Object(createdLink)))

export const CreatedPaymentLink = named(
  'CreatedPaymentLink',
  Assumed(inData, Type.Object({ ...createdLink, concept: Type.String(), amount: Cents(7500) })),
)

const notOfCollections = 'null for a collection link (assumed).'

export const PaymentLink = named(
  'PaymentLink',
  Type.Object({
    id: Id('link_'),
    hashUrl: Assumed(
      'The list item in the specification lacks this field, but the cancel operation requires it.',
      HashUrl(),
    ),
    paymentLinkUrl: PaymentLinkUrl(),
    linkType: Assumed(
      'The list item in the specification lacks this field, but the list filters by it.',
      OneOf(LINK_TYPES),
    ),
    customerName: CustomerName(),
    concept: Nullable(Type.String({ description: notOfCollections, examples: ['Assembly'] })),
    amount: Nullable(Int({ description: `In cents; ${notOfCollections}`, examples: [7500] })),
    status: Status(),
    isTest: Type.Boolean(),
    paymentMethods: Type.Optional(
      Type.Array(OneOf(LINK_METHODS), { description: 'Only if the link specifies them.' }),
    ),
    requestCustomerEmail: Type.Boolean({
      description: 'Whether the checkout asks for the e-mail address; true if none was sent (assumed).',
    }),
    redirectUrl: Type.Optional(Type.String({ format: 'uri', description: 'Only if sent.' })),
    metadata: Type.Optional(FreeObject({ description: 'Only if sent.' })),
    createdAt: Instant(),
    expiresAt: Instant(),
    completedAt: Type.Optional(Instant({ description: 'Only if completed.' })),
    cancelledAt: Type.Optional(Instant({ description: 'Only if cancelled.' })),
  }),
)

export const CancelledLink = named(
  'CancelledLink',
  Type.Object({
    hashUrl: HashUrl(),
    customerName: CustomerName(),
    concept: Nullable(Type.String({ description: notOfCollections, examples: ['Assembly'] })),
    amount: Nullable(Int({ description: `In cents; ${notOfCollections}`, examples: [7500] })),
    status: Type.Literal('cancelled'),
    createdAt: Instant(),
    cancelledAt: Instant(),
  }),
)

export const HashUrlParams = Type.Object({ hashUrl: Type.String({ examples: [OPEN_LINK] }) })

export const PaymentLinkQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Status()),
  isTest: Type.Optional(Type.Boolean()),
  paymentProvider: Type.Optional(
    OneOf(LINK_METHODS, {
      description: 'The payment method. Collection and payment links accept cards only.',
    }),
  ),
  linkType: Type.Optional(OneOf(LINK_TYPES)),
  search: Type.Optional(
    Type.String({ description: 'Searches the customer name, ignoring case and accents (assumed).' }),
  ),
})
