/** Payment links. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { rendering } from '../../http/renderings.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { instantOf } from '../../state/clock.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
import {
  createLink,
  disableLink,
  links as linkRecords,
  type Link as LinkRow,
  type NewLink,
} from '../../state/payments/links.ts'
import { refuseField } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import { One, one, PageOf, pageMeta } from './dialect.ts'
import { spanOf } from './queries.ts'
import { LARGEST_METADATA, Link, LinkCreate, LinkId, LinkQuery } from './schemas/links.ts'
import { linkView } from './views.ts'

const linkText = rendering<LinkRow>(linkView, linkRecords)

const linkOperation = operationsOf({ tag: 'Payment links' })

export const links: Resource = async (app) => {
  app.get(
    '/payment-links',
    {
      schema: { querystring: LinkQuery },
      config: linkOperation({
        id: 'listPaymentLinks',
        summary: 'List payment links',
        fidelity: documentedBut('Assumed: the newest first; from and to are about the time of creation.'),
        answers: { 200: PageOf(Link) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, status } = query
      const where = { page, perPage, sort: 'created_at', order: 'desc' } as const
      const filters = { status, ...spanOf(workspace, query) }
      return numberedPage(
        'payment links',
        linkRecords.list,
        linkText,
        everyCallerIn(workspace),
        where,
        filters,
        pageMeta,
      )
    },
  )

  app.post(
    '/payment-links',
    {
      schema: { body: LinkCreate },
      config: linkOperation({
        id: 'createPaymentLink',
        summary: 'Create a payment link',
        description: 'The url of the answer is a page on which a person pays it with a test card.',
        fidelity: documentedBut(
          'Assumed: nothing but the amount is required, and that only unless it is open.',
        ),
        answers: { 201: One(Link) },
      }),
    },
    ({ body, workspace }, reply) => {
      const link = createLink(workspace, fromWire(workspace, body))
      reply.code(201)
      return one(linkText.one(workspace, link))
    },
  )

  app.get(
    '/payment-links/:link_id',
    {
      schema: { params: LinkId },
      config: linkOperation({
        id: 'getPaymentLink',
        summary: 'Get a payment link',
        fidelity: documentedBut('The answer is not shown: {data: link}, as on creation.'),
        answers: { 200: One(Link) },
      }),
    },
    ({ params, workspace }) => one(linkText.one(workspace, linkRecords.get(workspace, params.link_id))),
  )

  app.delete(
    '/payment-links/:link_id',
    {
      schema: { params: LinkId },
      config: linkOperation({
        id: 'disablePaymentLink',
        summary: 'Disable a payment link',
        description:
          'It takes no more payments; those that are completed stay, and one that is pending may still end.',
        fidelity: assumed(
          'The specification shows neither status nor answer: the disabled link; to do it again changes nothing, and a link that is paid or has expired is a conflict.',
        ),
        answers: { 200: One(Link) },
        refuses: ['wrong_state'],
      }),
    },
    ({ params, workspace }) => {
      const link = disableLink(workspace, linkRecords.get(workspace, params.link_id))
      return one(linkText.one(workspace, link))
    },
  )
}

/** The fields as the state calls them; those that were not sent stay out. */
function fromWire(workspace: Workspace, sent: Static<typeof LinkCreate>): NewLink {
  const { description, currency, reference, metadata } = sent
  if (metadata && JSON.stringify(metadata).length > LARGEST_METADATA) {
    refuseField('metadata', 'too_large', `metadata must have at most ${String(LARGEST_METADATA)} characters`)
  }
  return {
    amount: amountOf(sent),
    ...(currency !== undefined && { currency }),
    ...(description !== undefined && { description }),
    ...(reference !== undefined && { reference }),
    ...(metadata !== undefined && { metadata }),
    ...(sent.payment_methods !== undefined && { paymentMethods: sent.payment_methods }),
    ...(sent.max_payments !== undefined && { maxPayments: sent.max_payments }),
    ...(typeof sent.expires_at === 'string' && { expiresAt: instantOf(sent.expires_at, workspace) }),
  }
}

/** null where the amount is open: said by null, or by open_amount. */
function amountOf({ amount, open_amount: isOpen = false }: Static<typeof LinkCreate>): number | null {
  if (typeof amount === 'number' && isOpen) {
    refuseField('open_amount', 'not_allowed', 'open_amount must be false where an amount is sent')
  }
  if (amount === undefined && !isOpen) {
    refuseField(
      'amount',
      'required',
      'amount must be a positive integer in cents; it may be left out only where open_amount is true',
    )
  }
  return amount ?? null
}
