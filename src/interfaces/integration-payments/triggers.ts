/** What happens to integration payments outside of their interface: a product is made, a person pays. */
import { Type } from '@sinclair/typebox'
import { Currency, FreeObject, Int, Nullable, OneOf } from '../../http/schemas.ts'
import { assumed } from '../../state/fidelity.ts'
import {
  approvedCard,
  completeLink,
  newVaultId,
  processLink,
} from '../../state/integration-payments/completion.ts'
import { createProduct } from '../../state/integration-payments/products.ts'
import {
  BILLING_PERIODS,
  PAYMENT_TYPES,
  PROCESSORS,
  PRODUCT_STATUSES,
} from '../../state/integration-payments/tables.ts'
import { trigger } from '../../http/trigger.ts'
import { linkView, productView } from './views.ts'

const text = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', 'x-wording': 'must not be blank' })

/** What is kept of a card. */
const Card = Type.Object({
  brand: text(40),
  last4: Type.String({ pattern: '^\\d{4}$', 'x-wording': 'must be four digits' }),
  bin: Type.String({ pattern: '^\\d{6,8}$', 'x-wording': 'must be 6 to 8 digits' }),
  exp: Type.String({ pattern: '^(0[1-9]|1[0-2])\\d{2}$', 'x-wording': 'must be a month as MMYY' }),
})

const link = FreeObject({ description: 'The link as GET /v1/payment-links shows it.' })

/** OPERATING.md says that a result holds the record, and not how: its fields stand in the result, and it under its name. */
const held = <Name extends string, Facts extends object>(name: Name, facts: Facts) =>
  ({ ...facts, [name]: facts }) as Facts & Record<Name, Facts>

export const integrationPaymentTriggers = [
  trigger({
    name: 'integration-payments.product.create',
    summary: 'A product is added to the project.',
    body: Type.Object({
      productCode: text(100),
      name: text(200),
      paymentType: OneOf(PAYMENT_TYPES),
      price: Int({ minimum: 0, description: 'In cents.' }),
      currency: Currency(),
      requiresSubscription: Type.Optional(
        Type.Boolean({ description: 'For one_time: makes it an addon. Default is false.' }),
      ),
      billingPeriod: Type.Optional(
        Nullable(OneOf(BILLING_PERIODS, { description: 'Required of a recurring product, for no other.' })),
      ),
      billingInterval: Type.Optional(
        Nullable(
          Int({
            minimum: 1,
            maximum: 1000,
            description: 'Periods a cycle of a recurring product. Default is 1.',
          }),
        ),
      ),
      description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
      status: Type.Optional(OneOf(PRODUCT_STATUSES, { description: 'Default is active.' })),
    }),
    result: Type.Object({
      product: FreeObject({ description: 'The product as GET /v1/products/{productCode} shows it.' }),
    }),
    fidelity: assumed('The interface only reads products; they come about outside of it.'),
    run: (
      workspace,
      { requiresSubscription, billingPeriod, billingInterval, description, status, ...fields },
    ) =>
      held(
        'product',
        productView(
          createProduct(workspace, {
            productCode: fields.productCode,
            name: fields.name,
            paymentType: fields.paymentType,
            price: fields.price,
            currency: fields.currency,
            ...(requiresSubscription !== undefined && { requiresSubscription }),
            ...(typeof billingPeriod === 'string' && { billingPeriod }),
            ...(typeof billingInterval === 'number' && { billingInterval }),
            ...(typeof description === 'string' && { description }),
            ...(status !== undefined && { status }),
          }),
          workspace,
        ),
      ),
  }),

  trigger({
    name: 'integration-payments.card.tokenize',
    summary:
      "A person types a card into a processor's own form: the token that POST /v1/customers/{id}/vault takes.",
    body: Type.Object({
      card: Type.Optional(Card),
      paymentProvider: Type.Optional(OneOf(PROCESSORS, { description: 'Default is processor_a.' })),
    }),
    result: Type.Object({
      customerVaultId: Type.String({ description: 'The token.' }),
      paymentProvider: OneOf(PROCESSORS),
      cardLast4: Type.String(),
      cardBrand: Type.String(),
      cardBin: Type.String(),
      cardExp: Type.String(),
    }),
    fidelity: assumed('Where a processor stores cards is outside of the interface, which takes its token.'),
    run: (workspace, { card, paymentProvider = 'processor_a' }) => {
      const { brand, bin, last4, exp } = card ?? approvedCard(workspace)
      return {
        customerVaultId: newVaultId(workspace),
        paymentProvider,
        cardLast4: last4,
        cardBrand: brand,
        cardBin: bin,
        cardExp: exp,
      }
    },
  }),

  trigger({
    name: 'integration-payments.link.process',
    summary: 'A person pays by a pending link, and the payment takes its time.',
    body: Type.Object({ hashUrl: Type.String(), card: Type.Optional(Card) }),
    result: Type.Object({ link }),
    fidelity: assumed('Named by the state processing; how a link comes to it is not shown.'),
    run: (workspace, { hashUrl, card }) =>
      held('link', linkView(processLink(workspace, hashUrl, card && { card }), workspace)),
  }),

  trigger({
    name: 'integration-payments.link.complete',
    summary: 'A person completes the checkout of a link, with this card or an approved test card.',
    body: Type.Object({ hashUrl: Type.String(), card: Type.Optional(Card) }),
    result: Type.Object({
      link,
      customer_id: Type.Union([Type.String(), Type.Null()], {
        description: 'The customer that was made; null for a link of the type one_time.',
      }),
      order_id: Type.String(),
    }),
    fidelity: assumed('What the hosted checkout does, without the page.'),
    run(workspace, { hashUrl, card }) {
      const completed = completeLink(workspace, hashUrl, card && { card })
      return {
        ...held('link', linkView(completed.link, workspace)),
        customer_id: completed.customer?.id ?? null,
        order_id: completed.orderId,
      }
    },
  }),
]
