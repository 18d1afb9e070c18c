/** Schemas of hosted links. Specification part 2, "Integration payments: links". */
import { Type } from '@sinclair/typebox'
import {
  assumedDefault,
  documentedLimits,
  FreeObject,
  Instant,
  Int,
  named,
  Nullable,
  OneOf,
  SearchText,
} from '../../../http/schemas/schemas.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { METADATA_LIMIT } from '../../../state/integration-payments/links.ts'
import { linkMachine } from '../../../state/integration-payments/machines.ts'
import { LINK_METHODS, LINK_TYPES, links } from '../../../state/integration-payments/tables.ts'
import { made, shape, valueOf } from '../../../http/shapes/shape.ts'
import { checkoutAddress } from '../addresses.ts'
import { Cents, Email, filledValue, Id, pageQuery } from './common.ts'
import { CustomerName } from './customers.ts'
import { ProductCode } from './products.ts'

const RedirectUrl = () =>
  valueOf(links.redirectUrl, {
    'x-wording': 'must be an http or https URL',
    description:
      'The address, with http or https (assumed), to which the checkout redirects when it is done, unless it was opened as a popup.',
    examples: ['https://shop.example.com/done'],
  })

const Metadata = () =>
  FreeObject({ description: 'Returned in the webhooks.', examples: [{ orderRef: 'A-1001' }] })

const linkFields = {
  customer: Type.Object({ name: CustomerName(), email: Type.Optional(Nullable(Email())) }),
  isTest: Type.Optional(Type.Boolean({ default: false })),
  redirectUrl: Type.Optional(Nullable(RedirectUrl())),
  metadata: Type.Optional({ ...Metadata(), maxProperties: 50, 'x-max-size': METADATA_LIMIT }),
}

export const CollectionLinkCreate = named('CollectionLinkCreate', Type.Object(linkFields))

export const PaymentLinkCreate = named(
  'PaymentLinkCreate',
  Type.Object({
    ...linkFields,
    isTest: Type.Optional(Type.Boolean(assumedDefault(false))),
    concept: filledValue(links.concept, 'Assembly'),
    amount: Int({
      minimum: 100,
      maximum: 1_000_000,
      ...documentedLimits('minimum', 'maximum'),
      description: 'In cents.',
      examples: [7500],
    }),
    productCode: ProductCode(),
  }),
)

const Status = () => OneOf(linkMachine.states)

/** A link of the demo workspace that can be cancelled. */
const OPEN_LINK = 'demo-card-open'

const HashUrl = () =>
  Type.String({ description: 'The last segment of paymentLinkUrl.', examples: [OPEN_LINK] })

const paymentLinkUrl = () =>
  made(
    Type.String({
      format: 'uri',
      description: 'The address of the hosted checkout.',
      examples: [`http://127.0.0.1:4012/integration-pay/checkout/demo/${OPEN_LINK}`],
    }),
    [links.hashUrl],
    ([hashUrl], workspace) => checkoutAddress(workspace, hashUrl),
  )

export const CollectionLink = shape({}, links, {
  fields: () => ({
    id: { schema: Id('link_') },
    paymentLinkUrl: paymentLinkUrl(),
    hashUrl: { schema: HashUrl() },
    customerName: { schema: CustomerName() },
    customerEmail: { schema: Email({ description: 'null if none was sent (assumed).' }) },
    status: {},
    isTest: {},
    expiresAt: { words: { description: '24 hours after creation (assumed).' } },
    createdAt: {},
    redirectUrl: {
      schema: Type.String({ format: 'uri', description: 'null if none was sent (assumed).' }),
    },
  }),
})

export const CreatedPaymentLink = shape({}, links, {
  fields: () => ({
    ...CollectionLink.fields(),
    concept: made(Type.String(), [links.concept], ([concept]) => concept ?? ''),
    amount: made(Cents(7500), [links.amount], ([amount]) => amount ?? 0),
  }),
})

export const CollectionLinkData = named('CollectionLink', CollectionLink.item)
export const CreatedPaymentLinkData = named('CreatedPaymentLink', CreatedPaymentLink.item)

/** Null for a collection link. */
const paymentFields = {
  concept: {
    schema: Type.String({ description: 'null for a collection link (assumed).', examples: ['Assembly'] }),
  },
  amount: {
    schema: Int({ description: 'In cents; null for a collection link (assumed).', examples: [7500] }),
  },
}

export const PaymentLink = shape({ item: 'PaymentLink' }, links, {
  fields: () => ({
    id: { schema: Id('link_') },
    hashUrl: {
      schema: HashUrl(),
      assumed: 'The list item in the specification lacks this field, but the cancel operation requires it.',
    },
    paymentLinkUrl: paymentLinkUrl(),
    linkType: {
      assumed: 'The list item in the specification lacks this field, but the list filters by it.',
    },
    customerName: { schema: CustomerName() },
    ...paymentFields,
    status: {},
    isTest: {},
    paymentMethods: { omitsNull: true, words: { description: 'Only if the link specifies them.' } },
    requestCustomerEmail: {
      words: {
        description: 'Whether the checkout asks for the e-mail address; true if none was sent (assumed).',
      },
    },
    redirectUrl: { omitsNull: true, schema: Type.String({ format: 'uri', description: 'Only if sent.' }) },
    metadata: { omitsNull: true, words: { description: 'Only if sent.' } },
    createdAt: {},
    expiresAt: {},
    completedAt: { omitsNull: true, words: { description: 'Only if completed.' } },
    cancelledAt: { omitsNull: true, words: { description: 'Only if cancelled.' } },
  }),
})

export const CancelledLink = shape({ item: 'CancelledLink' }, links, {
  fields: () => ({
    hashUrl: { schema: HashUrl() },
    customerName: { schema: CustomerName() },
    ...paymentFields,
    status: { schema: Type.Literal('cancelled') },
    createdAt: {},
    cancelledAt: made(Instant(), [links.cancelledAt, links.updatedAt], ([cancelledAt, updatedAt]) =>
      iso(cancelledAt ?? updatedAt),
    ),
  }),
})

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
    SearchText({ description: 'Searches the customer name, ignoring case and accents (assumed).' }),
  ),
})
