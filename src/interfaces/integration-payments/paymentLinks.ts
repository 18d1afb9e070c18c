/** All links of a project. Specification part 2, "Integration payments"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import type { RateLimit } from '../../http/rateLimits.ts'
import { rendering } from '../../http/renderings.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { cancelLink, links, type Link } from '../../state/integration-payments/links.ts'
import { answer, listData, ListOf, One } from './envelope.ts'
import { CancelledLink, HashUrlParams, PaymentLink, PaymentLinkQuery } from './schemas/links.ts'
import { cancelledLinkView, linkView } from './views.ts'

const linkText = rendering<Link>(linkView, links)

/** "Integration rate limit (payment links): 60 requests per minute." */
const LIMIT: RateLimit = {
  name: 'integration-payments.payment-links',
  max: 60,
  windowMs: 60_000,
  per: 'key',
}

const linkOperation = operationsOf({ tag: 'Payment links', limit: LIMIT })

export const paymentLinks: Resource = async (app) => {
  app.get(
    '/v1/payment-links',
    {
      schema: { querystring: PaymentLinkQuery },
      config: linkOperation({
        id: 'listPaymentLinks',
        summary: 'List links of all types',
        fidelity: documentedBut(
          'Assumed: the newest first; lim and off outside of their limits are refused with 400; search compares without case and accents (N finds Ñ); paymentProvider compares what a link is paid with, which for collection and payment links is the card; the 60 requests a minute are those of one key to the two operations under /v1/payment-links together, in windows that begin with a first call, and the headers are the customary X-RateLimit ones.',
        ),
        answers: { 200: ListOf('paymentLinks', PaymentLink) },
      }),
    },
    ({ query, workspace }) => {
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
  )

  app.patch(
    '/v1/payment-links/:hashUrl/cancel',
    {
      schema: { params: HashUrlParams },
      config: linkOperation({
        id: 'cancelPaymentLink',
        summary: 'Cancel a link that is pending, processing or expired',
        fidelity: documentedBut(
          'One passage answers a completed or cancelled link with 400, another with 409: 400 is chosen.',
        ),
        answers: { 200: One('paymentLink', CancelledLink) },
        refuses: ['wrong_state'],
      }),
    },
    ({ params, workspace }) => {
      const paymentLink = cancelledLinkView(cancelLink(workspace, params.hashUrl))
      return answer(workspace, 'Payment link cancelled', JSON.stringify({ paymentLink }))
    },
  )
}
