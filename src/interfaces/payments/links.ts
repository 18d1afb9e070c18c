/** Payment links. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { assumed, documented, documentedBut } from '../../state/model/fidelity.ts'
import { createLink, disableLink, links as linkRecords } from '../../state/payments/links.ts'
import { refuseField } from '../../state/model/refusal.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { One, one, PageOf, pageMeta } from './dialect.ts'
import { parseSpan } from './queries.ts'
import { LARGEST_METADATA, Link, LinkId, LinkQuery } from './shapes/links.ts'

const collection = numberedCollection({
  records: linkRecords,
  rendering: Link.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

export const links: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Payment links' })
  const list = at('/payment-links')
  const item = at('/payment-links/:link_id', { params: LinkId, record: linkRecords })

  list.get({
    id: 'listPaymentLinks',
    order: collection.order,
    summary: 'List payment links',
    fidelity: documentedBut('Assumed: the newest link comes first. from and to apply to created_at.'),
    query: LinkQuery,
    answers: { 200: PageOf(Link.item) },
    run: ({ query, caller, workspace }) =>
      collection.page(caller, query, { status: query.status, ...parseSpan(workspace, query) }),
  })

  list.post({
    id: 'createPaymentLink',
    summary: 'Create a payment link',
    description: 'The url in the response is a hosted payment page that accepts test cards.',
    fidelity: documentedBut('Assumed: only amount is required, unless the amount is open.'),
    body: Link.create,
    answers: { 201: One(Link.item) },
    run({ body, workspace }) {
      mustBeAmount(body)
      mustBeShort(body.metadata)
      const link = createLink(workspace, { amount: null, ...Link.parse(workspace, body) })
      return one(collection.text(workspace, link))
    },
  })

  item.get({
    id: 'getPaymentLink',
    summary: 'Get a payment link',
    fidelity: documented,
    answers: {
      200: Assumed(
        'The specification does not show the response; the simulator returns {data: link}, as on creation.',
        One(Link.item),
      ),
    },
    run: ({ params, workspace }) => one(collection.get(workspace, params.link_id)),
  })

  item.delete({
    id: 'disablePaymentLink',
    summary: 'Disable a payment link',
    description:
      'The link accepts no more payments. Completed payments are unaffected, and pending payments can still complete.',
    fidelity: assumed(
      'The specification shows neither the status nor the response; the simulator returns 200 with the disabled link. A repeated call changes nothing. Returns 409 if the link is paid or expired.',
    ),
    answers: { 200: One(Link.item) },
    refuses: ['wrong_state'],
    run({ record, workspace }) {
      const link = disableLink(workspace, record)
      return one(collection.text(workspace, link))
    },
  })
}

/** Refuses a link without an amount, unless the amount is open, and a link with both. */
function mustBeAmount({ amount, open_amount: isOpen = false }: Static<typeof Link.create>): void {
  if (amount !== undefined && isOpen) {
    refuseField('open_amount', 'not_allowed', 'open_amount must be false if an amount is sent')
  }
  if (amount === undefined && !isOpen) {
    refuseField('amount', 'required', 'amount is required unless open_amount is true')
  }
}

function mustBeShort(metadata: object | undefined): void {
  if (metadata === undefined || JSON.stringify(metadata).length <= LARGEST_METADATA) return
  refuseField('metadata', 'too_large', `metadata must have at most ${String(LARGEST_METADATA)} characters`)
}
