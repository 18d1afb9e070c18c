/**
 * What can be done to payment links. Specification part 2, "Payments v1": DELETE deactivates a link, completed
 * payments are unaffected; the moves to paid and expired are not shown.
 */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { numbered } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { freeObject, oneOf, upTo, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { defaultCurrency, LARGEST_AMOUNT } from './amounts.ts'
import { linkMachine } from './machines.ts'
import { links as table, PAYMENT_METHODS } from './tables.ts'

export type Link = typeof table.$inferSelect

/** Characters of a description. The specification shows no length. */
export const LONGEST_DESCRIPTION = 500

/** What a caller says of a new link. `amount` is null where the payer says how much. */
export type NewLink = Pick<Link, 'amount'> &
  Partial<
    Pick<
      Link,
      'currency' | 'description' | 'paymentMethods' | 'expiresAt' | 'maxPayments' | 'reference' | 'metadata'
    >
  >

/**
 * Links with every filter of GET /payment-links; `from` and `to` are instants, both inclusive. An active one expires when
 * its workspace's clock reaches `expires_at`.
 */
export const links = record(table, {
  noun: 'payment link',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      from: (value) => sql`${table.createdAt} >= ${value}`,
      to: (value) => sql`${table.createdAt} <= ${value}`,
    },
    indexes: { status: [table.status, table.createdAt] },
  }),
  due: {
    at: 'expiresAt',
    when: { status: 'active' },
    job: 'payments.link.expire',
    run(workspace, link) {
      moveLink(workspace, link, 'expire')
    },
  },
  snapshot: {
    section: 'payments',
    name: 'links',
    instants: ['createdAt', 'expiresAt', 'paidAt'],
    shapes: () => ({
      amount: whole(1, LARGEST_AMOUNT),
      description: upTo(LONGEST_DESCRIPTION),
      paymentMethods: Type.Array(oneOf(PAYMENT_METHODS), { minItems: 1, uniqueItems: true }),
      logoUrl: Type.String({ format: 'uri' }),
      maxPayments: whole(1),
      reference: Type.String({ maxLength: 255 }),
      metadata: freeObject(),
    }),
    check: mustAddUp,
  },
})

/** A link is paid at a time, and only then. */
function mustAddUp({ id, status, paidAt }: Link): void {
  if ((status === 'paid') === (paidAt !== null)) return
  const has = paidAt === null ? 'has no' : 'has a'
  refuse('invalid', `The snapshot does not fit: the payment link ${id} is ${status}, and ${has} paidAt.`)
}

/** Adds an active link: every method unless some are named, no expiry, one payment. */
export function createLink(workspace: Workspace, fields: NewLink): Link {
  return workspace.write(() => {
    const now = workspace.now()
    const { expiresAt = null } = fields
    if (expiresAt !== null && expiresAt <= now) {
      refuseProperty('expiresAt', 'in_the_past', '{expiresAt} must be in the future')
    }
    return links.insert(workspace, {
      currency: defaultCurrency(workspace),
      description: null,
      paymentMethods: PAYMENT_METHODS,
      maxPayments: null,
      reference: null,
      metadata: {},
      ...fields,
      expiresAt,
      id: workspace.ids.prefixed('pl_'),
      status: linkMachine.initial[0],
      logoUrl: null,
      paidAt: null,
      createdAt: now,
    })
  })
}

/** The link takes no more payments; those that are pending may still end. */
export const disableLink = (workspace: Workspace, link: Link): Link => moveLink(workspace, link, 'disable')

/** The link has had its payments. Only inside a `write`. */
export const markLinkPaid = (workspace: Workspace, link: Link): Link =>
  moveLink(workspace, link, 'pay', { paidAt: workspace.now() })

function moveLink(
  workspace: Workspace,
  link: Link,
  move: 'pay' | 'expire' | 'disable',
  more: Partial<Pick<Link, 'paidAt'>> = {},
): Link {
  const status = mustMove(linkMachine, link.status, move)
  if (status === link.status) return link
  return workspace.write(() => links.update(workspace, link, { ...more, status }))
}

/** How many payments make the link paid: one, unless it says how many (assumed). */
export const paymentsWanted = ({ maxPayments }: Link): number => maxPayments ?? 1
