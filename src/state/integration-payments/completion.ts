/**
 * What comes of a checkout: a stored card, a customer, a charge. Specification part 2, "Integration payment links",
 * "Events". The hosted page and the triggers call the same two actions.
 */
import { TEST_CARDS, type Card } from '../cards.ts'
import { iso } from '../clock.ts'
import { mustMove, take } from '../machine.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import { currency, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { cardShapes } from './cardShapes.ts'
import { createCustomer, type Customer } from './customers.ts'
import { appendPaymentEvent } from './events.ts'
import { links, linksByHash, type Link } from './links.ts'
import { linkMachine } from './machines.ts'
import { charges as table } from './tables.ts'

/** What is kept of a card; the network is not checked here, for processors name more of them. */
export type PaidCard = Omit<Card, 'brand'> & { readonly brand: string }

/** What the checkout was told of the payer. */
export interface Payer {
  /** By card where one is given, else what the link names first. */
  readonly method?: NonNullable<Link['paymentProvider']>
  /** The card of `processLink` unless given, else an approved test card. */
  readonly card?: PaidCard
  /** Those of the link unless given. */
  readonly customerEmail?: string
  readonly customerName?: string
}

export interface Completion {
  readonly link: Link
  /** null for a link of the type one_time, which stores no card. */
  readonly customer: Customer | null
  readonly orderId: string
}

/** What a payer types whom a trigger plays, where a customer needs an address and none is known. */
export const TYPED_ADDRESS = 'payer@example.com'

/** Who stores the cards of hosted checkouts; POST /v1/customers/{id}/vault has the same default. */
const CHECKOUT_PROCESSOR = 'processor_a'

/** The payment takes its time: the link is processing until it is completed or cancelled. */
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
 * Completes a link that is pending or processing. The customer is made and the card stored; a payment link records a
 * charge as well. Events: customer.created, and for a payment payment.success and charge.succeeded after it.
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
      customerEmail: payer.customerEmail ?? link.customerEmail ?? (storesCard ? TYPED_ADDRESS : null),
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
      appendPaymentEvent(workspace, 'payment.success', { link: completed, orderId, customer })
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

/** What a processor calls a card that it stores. */
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

/** Column by column, so that nothing else of a card is ever kept. */
const cardColumns = ({ brand, bin, last4, exp }: PaidCard) => ({
  cardBrand: brand,
  cardBin: bin,
  cardLast4: last4,
  cardExp: exp,
})

/** The card that the link is being paid with; null while it is not known. */
function cardOf({ cardBrand, cardBin, cardLast4, cardExp }: Link): PaidCard | null {
  if (cardBrand === null || cardBin === null || cardLast4 === null || cardExp === null) return null
  return { brand: cardBrand, bin: cardBin, last4: cardLast4, exp: cardExp }
}

/** The first test card that is approved, good for three more years. */
export function approvedCard(workspace: Workspace): PaidCard {
  const known = TEST_CARDS.find(({ outcome }) => outcome === 'approved')
  if (!known) throw new Error('no test card is approved')
  const year = (Number(iso(workspace.now()).slice(2, 4)) + 3) % 100
  return {
    brand: known.network,
    bin: known.number.slice(0, 6),
    last4: known.number.slice(-4),
    exp: `12${String(year).padStart(2, '0')}`,
  }
}

// ---------------------------------------------------------------- charges

export type Charge = typeof table.$inferSelect

export const charges = record(table, {
  noun: 'charge',
  snapshot: {
    section: 'integration-payments',
    name: 'charges',
    instants: ['createdAt'],
    shapes: () => {
      const { cardBrand, cardLast4 } = cardShapes()
      return { amount: whole(0), currency: currency(), cardBrand, cardLast4 }
    },
  },
})

function recordCharge(workspace: Workspace, link: Link, customer: Customer, orderId: string): Charge {
  const { concept, amount, productCode } = link
  if (concept === null || amount === null || productCode === null) {
    // Only a snapshot can hold such a link.
    refuse('wrong_state', `The payment link ${link.hashUrl} does not say what it charges.`)
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
