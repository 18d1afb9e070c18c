/**
 * Hosted links that collect a card, or charge and collect. Specification part 2, "Integration payments: links",
 * "Integration payment links". Amounts are integer cents.
 */
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { mustMove, take } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import { refuseProperty } from '../model/refusal.ts'
import { folded, searchedIn } from '../storage/queries/searchColumns.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCase } from './cases.ts'
import { appendPaymentEvent } from './events.ts'
import { linkMachine } from './machines.ts'
import { productForLink } from './products.ts'
import { links as table } from './tables.ts'

export type Link = typeof table.$inferSelect

export type Metadata = Readonly<Record<string, unknown>>

/** The fields of a new link that collects a card. */
export interface NewLink {
  readonly customerName: string
  readonly customerEmail?: string | null
  readonly isTest?: boolean
  readonly redirectUrl?: string | null
  readonly metadata?: Metadata
}

/** The fields of a new link that charges an amount. */
export interface NewPaymentLink extends NewLink {
  readonly concept: string
  readonly amount: number
  readonly productCode: string
}

/** Links with the filters of GET /v1/payment-links; `isTest` is 1 or 0. A pending link expires when the clock reaches expiresAt. */
export const links = record(table, {
  noun: 'payment link',
  absent: (message) => refuseCase('link_unknown', message),
  derived: { nameKey: folded(({ customerName }) => [customerName]) },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      isTest: (value) => sql`${table.isTest} = ${value}`,
      paymentProvider: (value) => sql`${table.paymentProvider} = ${value}`,
      linkType: (value) => sql`${table.linkType} = ${value}`,
      search: searchedIn(table.nameKey),
    },
    indexes: { status: [table.status, table.createdAt] },
  }),
  due: {
    at: 'expiresAt',
    when: { status: linkMachine.moves.expire.from },
    job: 'integration-payments.link.expire',
    run(workspace, link) {
      const status = mustMove(linkMachine, link.status, 'expire')
      links.update(workspace, link, { status, updatedAt: workspace.now() })
    },
  },
  snapshot: { section: 'integration-payments', name: 'links', generated: ['hashUrl', 'orderId'] },
})

/** Finds links by the last segment of their addresses. */
export const linksByHash = links.by('hashUrl')

/** The lifetime of a link in ms: one day. */
export const LINK_LIFE_MS = 86_400_000

/** Adds a link whose checkout stores a card and charges nothing. */
export const createCollectionLink = (workspace: Workspace, fields: NewLink): Link =>
  workspace.write(() =>
    addLink(workspace, fields, {
      linkType: 'customer_collection',
      currency: workspace.currency,
    }),
  )

/** Adds a link whose checkout charges an amount for a one_time product, in its currency, and stores the card. */
export const createPaymentLink = (workspace: Workspace, fields: NewPaymentLink): Link =>
  workspace.write(() => {
    const product = productForLink(workspace, fields.productCode)
    const { concept, amount } = fields
    return addLink(workspace, fields, {
      linkType: 'customer_payment',
      concept,
      amount,
      productCode: product.productCode,
      currency: product.currency,
    })
  })

type Purpose = Pick<Link, 'linkType' | 'currency'> & Partial<Pick<Link, 'concept' | 'amount' | 'productCode'>>

function addLink(workspace: Workspace, fields: NewLink, purpose: Purpose): Link {
  if (fields.metadata) mustFit(fields.metadata)
  const now = workspace.now()
  return links.insert(workspace, {
    id: workspace.ids.prefixed('link_'),
    hashUrl: workspace.ids.nano('hashUrl'),
    ...purpose,
    customerName: fields.customerName,
    customerEmail: fields.customerEmail,
    isTest: fields.isTest ?? false,
    requestCustomerEmail: (fields.customerEmail ?? null) === null,
    redirectUrl: fields.redirectUrl,
    metadata: fields.metadata,
    // "Both collection variants accept cards only."
    paymentProvider: 'card',
    expiresAt: now + LINK_LIFE_MS,
    createdAt: now,
    updatedAt: now,
  })
}

/** The largest metadata in characters as JSON. Smaller than a body, because lists and events repeat it. */
export const METADATA_LIMIT = 20_000

function mustFit(metadata: Metadata): void {
  if (JSON.stringify(metadata).length <= METADATA_LIMIT) return
  const limit = String(METADATA_LIMIT)
  refuseProperty('metadata', 'too_large', `{metadata} must have at most ${limit} characters as JSON`)
}

/** Cancels a link that is not completed. */
export function cancelLink(workspace: Workspace, hashUrl: string): Link {
  return workspace.write(() => {
    const link = linksByHash.get(workspace, hashUrl)
    const { state, event } = take(linkMachine, link.status, 'cancel')
    const now = workspace.now()
    const cancelled = links.update(workspace, link, { status: state, cancelledAt: now, updatedAt: now })
    appendPaymentEvent(workspace, event, { link: cancelled })
    return cancelled
  })
}
