/** Payment links. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { operationsOf } from '../../http/definition/operation.ts'
import { numberedPage } from '../../http/lists/pages.ts'
import { rendering } from '../../http/lists/renderings.ts'
import { everyCallerIn } from '../../http/lists/responseCache.ts'
import { instantOf } from '../../state/model/clock.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import {
  createLink,
  disableLink,
  links as linkRecords,
  type Link as LinkRow,
  type NewLink,
} from '../../state/payments/links.ts'
import { refuseField } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { One, one, PageOf, pageMeta } from './dialect.ts'
import { parseSpan } from './queries.ts'
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
        fidelity: documentedBut('Assumed: the newest link comes first. from and to apply to created_at.'),
        answers: { 200: PageOf(Link) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, status } = query
      const where = { page, perPage, sort: 'created_at', order: 'desc' } as const
      const filters = { status, ...parseSpan(workspace, query) }
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
        description: 'The url in the response is a hosted payment page that accepts test cards.',
        fidelity: documentedBut('Assumed: only amount is required, unless the amount is open.'),
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
        fidelity: documentedBut(
          'The specification does not show the response; the simulator returns {data: link}, as on creation.',
        ),
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
          'The link accepts no more payments. Completed payments are unaffected, and pending payments can still complete.',
        fidelity: assumed(
          'The specification shows neither the status nor the response; the simulator returns 200 with the disabled link. A repeated call changes nothing. Returns 409 if the link is paid or expired.',
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

/** Maps the sent fields to those of the state. */
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

/** Returns the amount; null if it is open, which the caller requests with null or with open_amount. */
function amountOf({ amount, open_amount: isOpen = false }: Static<typeof LinkCreate>): number | null {
  if (typeof amount === 'number' && isOpen) {
    refuseField('open_amount', 'not_allowed', 'open_amount must be false if an amount is sent')
  }
  if (amount === undefined && !isOpen) {
    refuseField(
      'amount',
      'required',
      'amount must be a positive integer in cents; it is optional only if open_amount is true',
    )
  }
  return amount ?? null
}
