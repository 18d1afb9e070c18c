/**
 * What can be done to payment links. Specification part 2, "Payments v1": DELETE deactivates a link, completed
 * payments are unaffected; the moves to paid and expired are not shown.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../clock.ts'
import { addColumns } from '../columns.ts'
import { statement } from '../database.ts'
import type { JobKind } from '../jobs.ts'
import { numberedList } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { refuse, refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { defaultCurrency } from './amounts.ts'
import { linkMachine } from './machines.ts'
import { links, PAYMENT_METHODS } from './tables.ts'

export type Link = typeof links.$inferSelect

/** What a caller says of a new link. `amount` is null where the payer says how much. */
export type NewLink = Pick<Link, 'amount'> &
  Partial<
    Pick<
      Link,
      'currency' | 'description' | 'paymentMethods' | 'expiresAt' | 'maxPayments' | 'reference' | 'metadata'
    >
  >

export const linkRows = rows(links)

/** Links with every filter of GET /payment-links; `from` and `to` are instants, both inclusive. */
export const listLinks = numberedList({
  table: links,
  sorts: { created_at: links.createdAt },
  filters: {
    status: (value) => sql`${links.status} = ${value}`,
    from: (value) => sql`${links.createdAt} >= ${value}`,
    to: (value) => sql`${links.createdAt} <= ${value}`,
  },
  indexes: { status: [links.status, links.createdAt] },
})

/** The link, or a refusal. */
export const findLink = (workspace: Workspace, id: string): Link =>
  linkRows.find(workspace, id) ?? refuse('not_found', `There is no payment link ${id}.`)

/** Adds an active link: every method unless some are named, no expiry, one payment. */
export function createLink(workspace: Workspace, fields: NewLink): Link {
  return workspace.write(() => {
    const now = workspace.now()
    const { expiresAt = null } = fields
    if (expiresAt !== null && expiresAt <= now) {
      refuseField('expires_at', 'in_the_past', 'expires_at must be in the future')
    }
    const link = renewed(workspace, {
      currency: defaultCurrency(workspace),
      description: null,
      paymentMethods: PAYMENT_METHODS,
      maxPayments: null,
      reference: null,
      metadata: {},
      ...fields,
      expiresAt,
      workspace: workspace.number,
      id: workspace.ids.prefixed('pl_'),
      status: linkMachine.initial[0],
      logoUrl: null,
      paidAt: null,
      createdAt: now,
    })
    linkRows.insert(workspace.database, link)
    workspace.expectJob(expiresAt)
    return link
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
  more: Partial<Link> = {},
): Link {
  const status = mustMove(linkMachine, link.status, move)
  if (status === link.status) return link
  return workspace.write(() => {
    const moved = renewed(workspace, { ...link, ...more, status })
    linkRows.update(workspace.database, moved)
    return moved
  })
}

/** How many payments make the link paid: one, unless it says how many (assumed). */
export const paymentsWanted = ({ maxPayments }: Link): number => maxPayments ?? 1

const renewed = (workspace: Workspace, link: Omit<Link, 'revision'>): Link =>
  addColumns(link, { revision: workspace.database.nextRevision() })

// ---------------------------------------------------------------- what falls due

const activeAndExpiring = sql`${links.status} = 'active' and ${links.expiresAt} is not null`

const nextExpiry = statement((orm) =>
  orm
    .select({ due: links.expiresAt })
    .from(links)
    .where(and(eq(links.workspace, sql.placeholder('workspace')), activeAndExpiring))
    .orderBy(asc(links.expiresAt))
    .limit(1)
    .prepare(),
)

const linksExpiredBy = statement((orm) =>
  orm
    .select()
    .from(links)
    .where(
      and(
        eq(links.workspace, sql.placeholder('workspace')),
        activeAndExpiring,
        sql`${links.expiresAt} <= ${sql.placeholder('instant')}`,
      ),
    )
    .orderBy(asc(links.expiresAt), sql`rowid`)
    .prepare(),
)

/** An active link expires when its workspace's clock reaches `expires_at`. */
export const linkExpiryJob: JobKind = {
  name: 'payments.link.expire',
  due: (workspace) => nextExpiry(workspace.database).get({ workspace: workspace.number })?.due ?? null,
  run(workspace, instant) {
    for (const link of linksExpiredBy(workspace.database).all({ workspace: workspace.number, instant })) {
      moveLink(workspace, link, 'expire')
    }
  },
}

// ---------------------------------------------------------------- as it is shown

/** Where a person pays it. */
const addressOf = ({ id, registry }: Workspace, linkId: string): string =>
  `${registry.publicUrl}/pay/links/${id}/${linkId}`

/** The link as it goes over the wire. */
export const linkFacts = (workspace: Workspace, link: Link) => ({
  id: link.id,
  amount: link.amount,
  currency: link.currency,
  description: link.description,
  url: addressOf(workspace, link.id),
  status: link.status,
  payment_methods: [...link.paymentMethods],
  logo_url: link.logoUrl,
  expires_at: isoOrNull(link.expiresAt),
  max_payments: link.maxPayments,
  reference: link.reference,
  metadata: link.metadata,
  created_at: iso(link.createdAt),
  paid_at: isoOrNull(link.paidAt),
})
