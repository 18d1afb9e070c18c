/**
 * The results of a checkout: a stored card, a customer, a charge. Specification part 2, "Integration payment links",
 * "Events". The hosted checkout and the triggers call the same two functions.
 */
import { TEST_CARDS } from '@suite-sim/kit/calls/testCards'
import type { Card } from '../shared/cards.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { mustMove, take } from '../model/machine.ts'
import { record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { createCustomer, type Customer } from './customers.ts'
import { appendPaymentEvent } from './events.ts'
import { links, linksByHash, type Link } from './links.ts'
import { linkMachine } from './machines.ts'
import { charges as table } from './tables.ts'

/** The stored data of a card. The brand is any string, because processors have more networks. */
export type PaidCard = Omit<Card, 'brand'> & { readonly brand: string }

/** The input of a checkout. */
export interface Payer {
  /** Default is card if one is given, otherwise the first method of the link. */
  readonly method?: NonNullable<Link['paymentProvider']>
  /** Default is the card of `processLink`, otherwise an approved test card. */
  readonly card?: PaidCard
  /** Name and address default to those of the link. */
  readonly customerEmail?: string
  readonly customerName?: string
}

export interface Completion {
  readonly link: Link
  /** null for a link of the type one_time, which stores no card. */
  readonly customer: Customer | null
  readonly orderId: string
}

/** The e-mail address that a trigger uses if the customer needs one and none is known. */
export const DEFAULT_PAYER_EMAIL = 'payer@example.com'

/** The processor that stores the cards of hosted checkouts. POST /v1/customers/{id}/vault has the same default. */
const CHECKOUT_PROCESSOR = 'processor_a'

/** Starts a payment. The link is processing until it is completed or cancelled. */
export function processLink(
  workspace: Workspace,
  hashUrl: string,
  { method, card, customerEmail, customerName }: Payer = {},
): Link {
  return workspace.write(() => {
    const link = linksByHash.get(workspace, hashUrl)
    const status = mustMove(linkMachine, link.status, 'process')
    return links.update(workspace, link, {
      ...(card && cardColumns(card)),
      paymentProvider: method ?? link.paymentProvider,
      customerName: customerName ?? link.customerName,
      customerEmail: customerEmail ?? link.customerEmail,
      status,
      updatedAt: workspace.now(),
    })
  })
}

/**
 * Completes a pending or processing link. Creates the customer and stores the card; a payment link also records a charge.
 * Events: customer.created, then payment.success and charge.succeeded for a payment.
 */
export function completeLink(workspace: Workspace, hashUrl: string, payer: Payer = {}): Completion {
  return workspace.write(() => {
    const link = linksByHash.get(workspace, hashUrl)
    const { state, event } = take(linkMachine, link.status, 'complete')
    const method = payer.method ?? (payer.card ? 'card' : methodOf(link))
    const card = method === 'card' ? (payer.card ?? cardOf(link) ?? approvedCard(workspace)) : null
    const storesCard = card !== null && link.linkType !== 'one_time'
    const payment = {
      ...(card && cardColumns(card)),
      paymentProvider: method,
      customerName: payer.customerName ?? link.customerName,
      customerEmail: payer.customerEmail ?? link.customerEmail ?? (storesCard ? DEFAULT_PAYER_EMAIL : null),
    }
    const customer = storesCard ? storeCard(workspace, payment, card) : null
    const orderId = workspace.ids.prefixed('ord_')
    const now = workspace.now()
    const completed = links.update(workspace, link, {
      ...payment,
      status: state,
      orderId,
      customerId: customer?.id ?? null,
      completedAt: now,
      updatedAt: now,
    })
    if (customer) appendPaymentEvent(workspace, event, { link: completed, customer })
    if (link.linkType !== 'customer_collection') {
      appendPaymentEvent(workspace, 'payment.success', { link: completed, orderId, method, customer })
    }
    if (customer && link.linkType === 'customer_payment') {
      const charge = recordCharge(workspace, completed, customer, orderId)
      appendPaymentEvent(workspace, 'charge.succeeded', { link: completed, charge })
    }
    return { link: completed, customer, orderId }
  })
}

const methodOf = ({ paymentProvider, paymentMethods }: Link): NonNullable<Link['paymentProvider']> =>
  paymentProvider ?? paymentMethods?.[0] ?? 'card'

type NamedPayer = Pick<Link, 'customerName' | 'customerEmail'>

/** Generates the id that a processor gives to a stored card. */
export const newVaultId = (workspace: Workspace): string => workspace.ids.prefixed('vault_')

const storeCard = (
  workspace: Workspace,
  { customerName, customerEmail }: NamedPayer,
  card: PaidCard,
): Customer =>
  createCustomer(
    workspace,
    { name: customerName, email: customerEmail },
    {
      customerVaultId: newVaultId(workspace),
      paymentProvider: CHECKOUT_PROCESSOR,
      cardBrand: card.brand,
      cardLast4: card.last4,
      cardBin: card.bin,
      cardExp: card.exp,
    },
  )

/** Lists the columns explicitly, so that no other card data is ever stored. */
const cardColumns = ({ brand, bin, last4, exp }: PaidCard) => ({
  cardBrand: brand,
  cardBin: bin,
  cardLast4: last4,
  cardExp: exp,
})

/** Returns the card of a processing payment; null if it is not known. */
function cardOf({ cardBrand, cardBin, cardLast4, cardExp }: Link): PaidCard | null {
  if (cardBrand === null || cardBin === null || cardLast4 === null || cardExp === null) return null
  return { brand: cardBrand, bin: cardBin, last4: cardLast4, exp: cardExp }
}

/** Returns the first approved test card, with an expiry in three years. */
export function approvedCard(workspace: Workspace): PaidCard {
  const testCard = TEST_CARDS.find(({ outcome }) => outcome === 'approved')
  if (!testCard) throw new Error('no test card is approved')
  const year = (Number(iso(workspace.now()).slice(2, 4)) + 3) % 100
  return {
    brand: testCard.network,
    bin: testCard.number.slice(0, 6),
    last4: testCard.number.slice(-4),
    exp: `12${String(year).padStart(2, '0')}`,
  }
}

// ---------------------------------------------------------------- charges

export type Charge = typeof table.$inferSelect

export const charges = record(table, {
  noun: 'charge',
  snapshot: { section: 'integration-payments', name: 'charges' },
})

function recordCharge(workspace: Workspace, link: Link, customer: Customer, orderId: string): Charge {
  const { concept, amount, productCode } = link
  if (concept === null || amount === null || productCode === null) {
    // Only a snapshot can contain such a link.
    refuse('wrong_state', `The payment link ${link.hashUrl} has no concept, amount or product to charge.`)
  }
  return charges.insert(workspace, {
    id: workspace.ids.prefixed('ch_'),
    orderId,
    linkId: link.id,
    customerId: customer.id,
    productCode,
    concept,
    amount,
    currency: link.currency,
    paymentProvider: CHECKOUT_PROCESSOR,
    cardBrand: customer.cardBrand,
    cardLast4: customer.cardLast4,
    isTest: link.isTest,
    createdAt: workspace.now(),
  })
}
