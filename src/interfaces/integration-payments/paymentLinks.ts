/** All links of a project. Specification part 2, "Integration payments"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import type { RateLimit } from '../../http/lifecycle/rateLimits.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { cancelLink, links } from '../../state/integration-payments/links.ts'
import { answer, listData, ListOf, One } from './envelope.ts'
import { CancelledLink, HashUrlParams, PaymentLink, PaymentLinkQuery } from './shapes/links.ts'

const linkText = PaymentLink.rendering()

/** "Integration rate limit (payment links): 60 requests per minute." */
const LIMIT: RateLimit = {
  name: 'integration-payments.payment-links',
  max: 60,
  windowMs: 60_000,
  per: 'key',
}

export const paymentLinks: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Payment links', limit: LIMIT })

  at('/v1/payment-links').get({
    id: 'listPaymentLinks',
    summary: 'List links of all types',
    fidelity: documentedBut(
      'Assumed: the newest link comes first. Returns 400 if lim or off is outside its limits. search ignores case and accents (N finds Ñ). paymentProvider filters by the payment method, which is card for collection and payment links. The limit of 60 requests per minute applies to one key and both operations under /v1/payment-links together; a window starts with the first call. The headers are the customary X-RateLimit headers.',
    ),
    documentedStatuses: [429],
    query: PaymentLinkQuery,
    answers: { 200: ListOf('paymentLinks', PaymentLink.item) },
    run({ query, workspace }) {
      const { status, isTest, paymentProvider, linkType, search } = query
      const filters = {
        status,
        paymentProvider,
        linkType,
        isTest: isTest === undefined ? undefined : Number(isTest),
        search,
      }
      const data = listData('paymentLinks', links.list, linkText, workspace, query, filters)
      return answer(workspace, 'Payment links found', data)
    },
  })

  at('/v1/payment-links/:hashUrl/cancel', { params: HashUrlParams }).patch({
    id: 'cancelPaymentLink',
    summary: 'Cancel a link that is pending, processing or expired',
    fidelity: documentedBut(
      'For a completed or cancelled link, one passage of the specification shows 400, another 409; the simulator returns 400.',
    ),
    documentedStatuses: [400, 409, 429],
    answers: { 200: One('paymentLink', CancelledLink.item) },
    refuses: ['wrong_state'],
    run({ params, workspace }) {
      const paymentLink = CancelledLink.view(cancelLink(workspace, params.hashUrl), workspace)
      return answer(workspace, 'Payment link cancelled', JSON.stringify({ paymentLink }))
    },
  })
}
