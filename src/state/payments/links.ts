/**
 * Payment links. Specification part 2, "Payments v1": DELETE deactivates a link, completed payments are unaffected. The
 * specification does not show the moves to paid and expired.
 */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { mustMove } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import { freeObject, oneOf, upTo, whole } from '../storage/shapes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { defaultCurrency, LARGEST_AMOUNT } from './amounts.ts'
import { linkMachine } from './machines.ts'
import { links as table, PAYMENT_METHODS } from './tables.ts'

export type Link = typeof table.$inferSelect

/** The longest description in characters. The specification shows no length. */
export const LONGEST_DESCRIPTION = 500

/** The fields of a new link. `amount` is null if the payer chooses it. */
export type NewLink = Pick<Link, 'amount'> &
  Partial<
    Pick<
      Link,
      'currency' | 'description' | 'paymentMethods' | 'expiresAt' | 'maxPayments' | 'reference' | 'metadata'
    >
  >

/**
 * Links with the filters of GET /payment-links; `from` and `to` are inclusive instants. An active link expires when the clock
 * of the workspace reaches expires_at.
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
    when: { status: linkMachine.moves.expire.from },
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

/** Checks a link of a snapshot: it must have paidAt if it is paid, and only then. */
function mustAddUp({ id, status, paidAt }: Link): void {
  if ((status === 'paid') === (paidAt !== null)) return
  const rule = paidAt === null ? 'must have a' : 'must not have a'
  refuse('invalid', `The snapshot does not fit: the payment link ${id} is ${status} and ${rule} paidAt.`)
}

/** Adds an active link. Default: all methods, no expiry, one payment. */
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

/** Disables a link, which then accepts no more payments. Pending payments can still complete. */
export const disableLink = (workspace: Workspace, link: Link): Link => moveLink(workspace, link, 'disable')

/** Marks a link as paid. Only inside a `write`. */
export const markLinkPaid = (workspace: Workspace, link: Link): Link =>
  moveLink(workspace, link, 'pay', { paidAt: workspace.now() })

function moveLink(
  workspace: Workspace,
  link: Link,
  move: 'pay' | 'expire' | 'disable',
  changes: Partial<Pick<Link, 'paidAt'>> = {},
): Link {
  const status = mustMove(linkMachine, link.status, move)
  if (status === link.status) return link
  return workspace.write(() => links.update(workspace, link, { ...changes, status }))
}

/** Returns the number of payments after which a link is paid. Default is 1 (assumed). */
export const requiredPayments = ({ maxPayments }: Link): number => maxPayments ?? 1
