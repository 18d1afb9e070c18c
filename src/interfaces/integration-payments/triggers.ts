/** Triggers of integration payments: create a product, tokenize a card, pay a link. */
import { Type } from '@sinclair/typebox'
import { Currency, FreeObject, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { valueOf } from '../../http/shapes/shape.ts'
import { assumed } from '../../state/model/fidelity.ts'
import {
  approvedCard,
  completeLink,
  newVaultId,
  processLink,
} from '../../state/integration-payments/completion.ts'
import { createProduct } from '../../state/integration-payments/products.ts'
import {
  BILLING_PERIODS,
  customers,
  PAYMENT_TYPES,
  PROCESSORS,
  PRODUCT_STATUSES,
  products,
} from '../../state/integration-payments/tables.ts'
import { trigger } from '../../http/definition/trigger.ts'
import { PaymentLink } from './shapes/links.ts'
import { Product } from './shapes/products.ts'

const filled = { 'x-wording': 'must not be blank' }

/** The stored data of a card. */
const Card = Type.Object({
  brand: valueOf(customers.cardBrand, filled),
  last4: valueOf(customers.cardLast4, { 'x-wording': 'must be four digits' }),
  bin: valueOf(customers.cardBin, { 'x-wording': 'must be 6 to 8 digits' }),
  exp: valueOf(customers.cardExp, { 'x-wording': 'must be a month as MMYY' }),
})

const link = FreeObject({ description: 'The link as GET /v1/payment-links returns it.' })

/**
 * Returns the fields of a record, and the record under its name. OPERATING.md says that a result has the record, but not
 * where.
 */
const withRecord = <Name extends string, Facts extends object>(name: Name, facts: Facts) =>
  ({ ...facts, [name]: facts }) as Facts & Record<Name, Facts>

export const integrationPaymentTriggers = [
  trigger({
    name: 'integration-payments.product.create',
    summary: 'Add a product to the project.',
    body: Type.Object({
      productCode: valueOf(products.productCode, filled),
      name: valueOf(products.name, filled),
      paymentType: OneOf(PAYMENT_TYPES),
      price: valueOf(products.price, { description: 'In cents.' }),
      currency: Currency(),
      requiresSubscription: Type.Optional(
        Type.Boolean({ description: 'For one_time: makes the product an addon. Default is false.' }),
      ),
      billingPeriod: Type.Optional(
        Nullable(
          OneOf(BILLING_PERIODS, { description: 'Required for a recurring product, not allowed otherwise.' }),
        ),
      ),
      billingInterval: Type.Optional(
        Nullable(
          valueOf(products.billingInterval, {
            description: 'Periods per cycle of a recurring product. Default is 1.',
          }),
        ),
      ),
      description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
      status: Type.Optional(OneOf(PRODUCT_STATUSES, { description: 'Default is active.' })),
    }),
    result: Type.Object({
      product: FreeObject({ description: 'The product as GET /v1/products/{productCode} returns it.' }),
    }),
    fidelity: assumed('The interface only reads products; they are created outside of it.'),
    run: (
      workspace,
      { requiresSubscription, billingPeriod, billingInterval, description, status, ...fields },
    ) =>
      withRecord(
        'product',
        Product.view(
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
    summary: 'Simulate a card form of a processor. Returns the token for POST /v1/customers/{id}/vault.',
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
    fidelity: assumed('A processor stores cards outside of the interface, which accepts its token.'),
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
    summary: 'Start a payment of a pending link and leave it processing.',
    body: Type.Object({ hashUrl: Type.String(), card: Type.Optional(Card) }),
    records: { hashUrl: 'integration-payments.links.hashUrl' },
    result: Type.Object({ link }),
    fidelity: assumed('The specification shows the state processing but not how a link enters it.'),
    run: (workspace, { hashUrl, card }) =>
      withRecord('link', PaymentLink.view(processLink(workspace, hashUrl, card && { card }), workspace)),
  }),

  trigger({
    name: 'integration-payments.link.complete',
    summary: 'Complete the checkout of a link, with the given card or an approved test card.',
    body: Type.Object({ hashUrl: Type.String(), card: Type.Optional(Card) }),
    records: { hashUrl: 'integration-payments.links.hashUrl' },
    result: Type.Object({
      link,
      customer_id: Type.Union([Type.String(), Type.Null()], {
        description: 'The created customer; null for a link of the type one_time.',
      }),
      order_id: Type.String(),
    }),
    fidelity: assumed('Does the same as the hosted checkout.'),
    run(workspace, { hashUrl, card }) {
      const completed = completeLink(workspace, hashUrl, card && { card })
      return {
        ...withRecord('link', PaymentLink.view(completed.link, workspace)),
        customer_id: completed.customer?.id ?? null,
        order_id: completed.orderId,
      }
    },
  }),
]
