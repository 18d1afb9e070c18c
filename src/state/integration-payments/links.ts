/**
 * Hosted links: those that collect a card, and those that charge and collect. Specification part 2, "Integration
 * payments: links", "Integration payment links". Amounts are integer cents.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { addColumns } from '../columns.ts'
import { statement } from '../database.ts'
import type { JobKind } from '../jobs.ts'
import { numberedList } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { rowReader } from '../reading.ts'
import { refuseField } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { refuseCase } from './cases.ts'
import { appendPaymentEvent } from './events.ts'
import { linkMachine } from './machines.ts'
import { productForLink } from './products.ts'
import { links } from './tables.ts'

export type Link = typeof links.$inferSelect

export type Metadata = Readonly<Record<string, unknown>>

/** What a caller says of a link that collects a card. */
export interface NewLink {
  readonly customerName: string
  readonly customerEmail?: string
  readonly isTest?: boolean
  readonly redirectUrl?: string
  readonly metadata?: Metadata
}

/** What a caller says beside that of a link that charges. */
export interface NewPaymentLink extends NewLink {
  readonly concept: string
  readonly amount: number
  readonly productCode: string
}

export const linkRows = rows(links)

/** Links with every filter of GET /v1/payment-links; `isTest` is 1 or 0, `search` has no case. */
export const listLinks = numberedList({
  table: links,
  sorts: { created_at: links.createdAt },
  filters: {
    status: (value) => sql`${links.status} = ${value}`,
    isTest: (value) => sql`${links.isTest} = ${value}`,
    paymentProvider: (value) => sql`${links.paymentProvider} = ${value}`,
    linkType: (value) => sql`${links.linkType} = ${value}`,
    search: (value) => sql`instr(${links.nameKey}, ${value}) > 0`,
  },
  indexes: { status: [links.status, links.createdAt] },
})

const byHash = rowReader<Link>(
  links,
  and(eq(links.workspace, sql.placeholder('workspace')), eq(links.hashUrl, sql.placeholder('hashUrl'))),
)

/** The link whose address ends in this, or a refusal. */
export const findLinkByHash = (workspace: Workspace, hashUrl: string): Link =>
  byHash.first(workspace.database, { workspace: workspace.number, hashUrl }) ??
  refuseCase('link_unknown', `There is no payment link ${hashUrl}.`)

/** Where the checkout of the link is. */
export const checkoutUrl = ({ registry, id }: Workspace, { hashUrl }: Pick<Link, 'hashUrl'>): string =>
  `${registry.publicUrl}/integration-pay/checkout/${id}/${hashUrl}`

/** How long a link can be used, in ms: a day. */
export const LINK_LIFE_MS = 86_400_000

/** Adds a link whose checkout stores a card and charges nothing. */
export const createCollectionLink = (workspace: Workspace, fields: NewLink): Link =>
  workspace.write(() =>
    addLink(workspace, fields, {
      linkType: 'customer_collection',
      concept: null,
      amount: null,
      productCode: null,
      currency: workspace.currency,
    }),
  )

/** Adds a link whose checkout charges an amount for a one_time product, in its currency, and stores the card. */
export const createPaymentLink = (workspace: Workspace, fields: NewPaymentLink): Link =>
  workspace.write(() => {
    const { productCode, currency } = productForLink(workspace, fields.productCode)
    const { concept, amount } = fields
    return addLink(workspace, fields, {
      linkType: 'customer_payment',
      concept,
      amount,
      productCode,
      currency,
    })
  })

type Purpose = Pick<Link, 'linkType' | 'concept' | 'amount' | 'productCode' | 'currency'>

function addLink(workspace: Workspace, fields: NewLink, purpose: Purpose): Link {
  if (fields.metadata) mustBeKeepable(fields.metadata)
  const now = workspace.now()
  const link = deriveLink(workspace, {
    workspace: workspace.number,
    id: workspace.ids.prefixed('link_'),
    hashUrl: workspace.ids.nano('hashUrl'),
    ...purpose,
    status: linkMachine.initial[0],
    customerName: fields.customerName,
    customerEmail: fields.customerEmail ?? null,
    isTest: fields.isTest ?? false,
    paymentMethods: null,
    requestCustomerEmail: fields.customerEmail === undefined,
    redirectUrl: fields.redirectUrl ?? null,
    metadata: fields.metadata ?? null,
    // "Both collection variants accept cards only."
    paymentProvider: 'card',
    ...NO_CARD,
    orderId: null,
    customerId: null,
    expiresAt: now + LINK_LIFE_MS,
    completedAt: null,
    cancelledAt: null,
    createdAt: now,
    updatedAt: now,
  })
  linkRows.insert(workspace.database, link)
  workspace.expectJob(link.expiresAt)
  return link
}

const NO_CARD = { cardLast4: null, cardBrand: null, cardBin: null, cardExp: null }

/** Metadata is told again in lists and events, so it must not be as large as a body may be. */
export const METADATA_LIMIT = 20_000

function mustBeKeepable(metadata: Metadata): void {
  if (JSON.stringify(metadata).length <= METADATA_LIMIT) return
  const limit = String(METADATA_LIMIT)
  refuseField('metadata', 'too_large', `metadata must have at most ${limit} characters as JSON`)
}

export type DerivedOfLink = 'nameKey' | 'revision'

/** The link with the columns that follow from the others. */
export const deriveLink = (workspace: Workspace, link: Omit<Link, DerivedOfLink>): Link =>
  addColumns(link, {
    nameKey: link.customerName.toLowerCase(),
    revision: workspace.database.nextRevision(),
  })

/** Writes the link as it has become. Only inside a `write`. */
export function keepLink(workspace: Workspace, link: Link): Link {
  const kept = deriveLink(workspace, { ...link, updatedAt: workspace.now() })
  linkRows.update(workspace.database, kept)
  return kept
}

/** Takes a link that is not completed out of use. */
export function cancelLink(workspace: Workspace, hashUrl: string): Link {
  return workspace.write(() => {
    const link = findLinkByHash(workspace, hashUrl)
    const status = mustMove(linkMachine, link.status, 'cancel')
    const cancelled = keepLink(workspace, { ...link, status, cancelledAt: workspace.now() })
    appendPaymentEvent(workspace, 'payment_link.cancelled', link.metadata, {
      paymentLink: linkFacts(cancelled, workspace),
    })
    return cancelled
  })
}

// ---------------------------------------------------------------- what falls due

const isPending = sql`${links.status} = 'pending'`

const nextExpiry = statement((orm) =>
  orm
    .select({ due: links.expiresAt })
    .from(links)
    .where(and(eq(links.workspace, sql.placeholder('workspace')), isPending))
    .orderBy(asc(links.expiresAt))
    .limit(1)
    .prepare(),
)

const expiredBy = rowReader<Link>(
  links,
  and(
    eq(links.workspace, sql.placeholder('workspace')),
    isPending,
    sql`${links.expiresAt} <= ${sql.placeholder('instant')}`,
  ),
)

/** A pending link expires when its workspace's clock reaches its expiresAt. */
export const hostedLinkExpiryJob: JobKind = {
  name: 'integration-payments.link.expire',
  due: (workspace) => nextExpiry(workspace.database).get({ workspace: workspace.number })?.due ?? null,
  run(workspace, instant) {
    for (const link of expiredBy.all(workspace.database, { workspace: workspace.number, instant })) {
      keepLink(workspace, { ...link, status: mustMove(linkMachine, link.status, 'expire') })
    }
  },
}

// ---------------------------------------------------------------- as it is told

/** The link as lists and events show it. */
export const linkFacts = (link: Link, workspace: Workspace) => ({
  id: link.id,
  hashUrl: link.hashUrl,
  paymentLinkUrl: checkoutUrl(workspace, link),
  linkType: link.linkType,
  customerName: link.customerName,
  concept: link.concept,
  amount: link.amount,
  status: link.status,
  isTest: link.isTest,
  ...(link.paymentMethods !== null && { paymentMethods: [...link.paymentMethods] }),
  requestCustomerEmail: link.requestCustomerEmail,
  ...(link.redirectUrl !== null && { redirectUrl: link.redirectUrl }),
  ...(link.metadata !== null && { metadata: link.metadata }),
  createdAt: iso(link.createdAt),
  expiresAt: iso(link.expiresAt),
  ...(link.completedAt !== null && { completedAt: iso(link.completedAt) }),
  ...(link.cancelledAt !== null && { cancelledAt: iso(link.cancelledAt) }),
})
