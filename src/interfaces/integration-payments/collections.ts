/** Creation of links for hosted checkouts. Specification part 2, "Integration payments"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import {
  createCollectionLink,
  createPaymentLink,
  type NewLink,
} from '../../state/integration-payments/links.ts'
import { answer, Answer } from './envelope.ts'
import {
  CollectionLink,
  CollectionLinkCreate,
  CollectionLinkData,
  CreatedPaymentLink,
  CreatedPaymentLinkData,
  PaymentLinkCreate,
} from './shapes/links.ts'

export const collections: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Collections' })

  at('/v1/collections/links').post({
    id: 'createCollectionLink',
    summary: 'Create a link that stores a card',
    description: 'The checkout stores the card of the customer and charges nothing.',
    fidelity: documentedBut(
      'Assumed: data is the link itself, which expires after 24 hours. isTest marks the link and its events and has no other effect.',
    ),
    body: CollectionLinkCreate,
    answers: { 201: Answer(CollectionLinkData) },
    run({ body, workspace }) {
      const link = createCollectionLink(workspace, fieldsOf(body))
      const data = JSON.stringify(CollectionLink.view(link, workspace))
      return answer(workspace, 'Collection link created', data)
    },
  })

  at('/v1/collections/payment-links').post({
    id: 'createPaymentLink',
    summary: 'Create a link that charges an amount and stores the card',
    fidelity: documentedBut(
      'Assumed: data is the link itself. The amount is in the currency of the product. Returns 404 ERR_PRODUCT_NOT_FOUND for an unknown product, 400 ERR_PRODUCT_NOT_ONE_TIME for a recurring product, and 400 ERR_PRODUCT_NOT_ACTIVE for a product that is not active. Addons are one_time products. The link expires after 24 hours.',
    ),
    body: PaymentLinkCreate,
    answers: { 201: Answer(CreatedPaymentLinkData) },
    refuses: ['not_found'],
    run({ body, workspace }) {
      const { concept, amount, productCode } = body
      const link = createPaymentLink(workspace, { ...fieldsOf(body), concept, amount, productCode })
      const data = JSON.stringify(CreatedPaymentLink.view(link, workspace))
      return answer(workspace, 'Payment link created', data)
    },
  })
}

const fieldsOf = ({
  customer,
  isTest,
  redirectUrl,
  metadata,
}: Static<typeof CollectionLinkCreate>): NewLink => ({
  customerName: customer.name,
  ...(customer.email !== undefined && { customerEmail: customer.email }),
  ...(isTest !== undefined && { isTest }),
  ...(redirectUrl !== undefined && { redirectUrl }),
  ...(metadata !== undefined && { metadata }),
})
