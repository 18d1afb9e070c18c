/**
 * Payment links. Specification part 2, "Payments v1": DELETE deactivates a link, completed payments are unaffected. The
 * specification does not show the moves to paid and expired.
 */
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { mustMove } from '../model/machine.ts'
import type { recordKey, withCreation } from '../storage/columns.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { defaultCurrency } from './amounts.ts'
import { linkMachine } from './machines.ts'
import { links as table, PAYMENT_METHODS } from './tables.ts'

export type Link = typeof table.$inferSelect

/** The fields of a new link. `amount` is null if the payer chooses it. */
export type NewLink = Pick<Link, 'amount'> &
  Partial<Omit<Link, keyof typeof recordKey | keyof typeof withCreation | 'status' | 'logoUrl' | 'paidAt'>>

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
      paymentMethods: PAYMENT_METHODS,
      metadata: {},
      ...fields,
      id: workspace.ids.prefixed('pl_'),
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
