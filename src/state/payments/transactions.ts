/**
 * Payments made by a link, and how they end. Specification part 2, "Payments v1": the states are shown, the moves
 * between them are not. `payLink` is the one way in which a payment comes about, for the page where a person pays as
 * for the trigger.
 */
import { Type } from '@sinclair/typebox'
import { and, desc, eq, sql } from 'drizzle-orm'
import { CARD_NETWORKS, FAILURES, TEST_CARDS, type CardNetwork, type Failure } from '../cards.ts'
import { numbered } from '../listing.ts'
import { mustMove } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse, refuseProperty } from '../refusal.ts'
import { email, oneOf, upTo, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { LARGEST_AMOUNT, mustBeAmount } from './amounts.ts'
import { appendPaymentEvent } from './events.ts'
import { links, LONGEST_DESCRIPTION, markLinkPaid, paymentsWanted, type Link } from './links.ts'
import { transactionMachine } from './machines.ts'
import { transactions as table, type PaymentMethod } from './tables.ts'

export type Transaction = typeof table.$inferSelect

/** How a payment begins. */
export type Outcome = (typeof transactionMachine.initial)[number]

/** What a payer does. */
export interface Payment {
  /** One of the link's; its first unless named. */
  readonly paymentMethod?: PaymentMethod | undefined
  readonly outcome: Outcome
  /** With the outcome failed; declined unless named. */
  readonly failure?: Failure | undefined
  /** In cents. Needed where the link's amount is open, else that of the link. */
  readonly amount?: number | undefined
  readonly customer?: { readonly name?: string | null; readonly email?: string | null } | undefined
  /** Of a card; those of the test card with that outcome unless known. */
  readonly cardLastFour?: string | undefined
  /** Unguessable, made when the form is shown: a form that is sent twice pays once. */
  readonly attempt?: string | undefined
}

/** Refuses what no payment can have come to. */
function mustAddUp({ id, amount: paid, refundedAmount, status, completedAt }: Transaction): void {
  const isCompleted = status === 'completed' || status === 'refunded'
  const problem =
    isCompleted !== (completedAt !== null)
      ? `${status}, and ${completedAt === null ? 'has no' : 'has a'} completedAt`
      : refundedAmount > (isCompleted ? paid : 0) || (status === 'refunded') !== (refundedAmount === paid)
        ? `${status}, and refunded by ${String(refundedAmount)} of ${String(paid)}`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the transaction ${id} is ${problem}.`)
}

/** Transactions with every filter of GET /transactions; `from` and `to` are instants, both inclusive. */
export const transactions = record(table, {
  noun: 'transaction',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      payment_method: (value) => sql`${table.paymentMethod} = ${value}`,
      link_id: (value) => sql`${table.linkId} = ${value}`,
      from: (value) => sql`${table.createdAt} >= ${value}`,
      to: (value) => sql`${table.createdAt} <= ${value}`,
      min_amount: (value) => sql`${table.amount} >= ${value}`,
      max_amount: (value) => sql`${table.amount} <= ${value}`,
    },
    indexes: {
      status: [table.status, table.createdAt, table.amount],
      payment_method: [table.paymentMethod, table.createdAt, table.amount],
    },
  }),
  snapshot: {
    section: 'payments',
    name: 'transactions',
    instants: ['createdAt', 'completedAt'],
    shapes: () => ({
      amount: whole(1, LARGEST_AMOUNT),
      refundedAmount: whole(0),
      description: upTo(LONGEST_DESCRIPTION),
      customerName: upTo(200),
      customerEmail: email(),
      failure: oneOf(FAILURES),
      attempt: Type.String({ pattern: '^[\\w-]{1,100}$' }),
      cardLastFour: Type.String({ pattern: '^\\d{4}$' }),
    }),
    check: mustAddUp,
  },
})

// ---------------------------------------------------------------- paying

const byAttempt = transactions.by('attempt')

/**
 * Pays a link, or tries to. Refuses when the link takes no payments (wrong_state), and a method or an amount that is
 * not the link's (invalid). An attempt that was made before answers with what came of it then.
 */
export function payLink(workspace: Workspace, linkId: string, payment: Payment): Transaction {
  return workspace.write(() => {
    const link = links.get(workspace, linkId)
    const { attempt = null } = payment
    const earlier = attempt === null ? undefined : byAttempt.find(workspace, attempt)
    if (earlier?.linkId === link.id) return earlier
    if (earlier) refuse('conflict', 'This form was sent for another payment link.')
    mustTakePayments(workspace, link)
    const now = workspace.now()
    const { outcome } = payment
    const method = methodOf(link, payment)
    const transaction = transactions.insert(workspace, {
      id: workspace.ids.prefixed('txn_'),
      linkId: link.id,
      amount: amountOf(link, payment),
      currency: link.currency,
      description: link.description,
      status: outcome,
      paymentMethod: method,
      cardLastFour: isCardNetwork(method) ? (payment.cardLastFour ?? lastFourOf(method, payment)) : null,
      customerName: payment.customer?.name ?? null,
      customerEmail: payment.customer?.email ?? null,
      refundedAmount: 0,
      failure: outcome === 'failed' ? (payment.failure ?? 'declined') : null,
      attempt,
      settlementId: null,
      completedAt: outcome === 'completed' ? now : null,
      createdAt: now,
    })
    tellOutcome(workspace, transaction, link)
    return transaction
  })
}

/** How many payments of the link are completed, refunded ones too, and how many may still be. */
const paymentsOf = query((orm) =>
  orm
    .select({
      completed: sql<number>`count(*) filter (where ${table.status} <> 'pending')`,
      all: sql<number>`count(*)`,
    })
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.linkId, sql.placeholder('linkId')),
        sql`${table.status} in ('completed', 'refunded', 'pending')`,
      ),
    ),
)

const lastCompleted = query((orm) =>
  orm
    .select({ id: table.id })
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.linkId, sql.placeholder('linkId')),
        sql`${table.status} in ('completed', 'refunded')`,
      ),
    )
    .orderBy(desc(table.createdAt))
    .limit(1),
)

/** The payment that a link was paid by; the last one where it took several. */
export const paidBy = (workspace: Workspace, { id }: Link): { id: string } | undefined =>
  lastCompleted.first(workspace, { linkId: id })

const countPayments = (workspace: Workspace, link: Link): { completed: number; all: number } =>
  paymentsOf.first(workspace, { linkId: link.id }) ?? { completed: 0, all: 0 }

/** Whether a link that is active takes no more payments all the same: pending ones may yet make up its number. */
export const waitsForPending = (workspace: Workspace, link: Link): boolean =>
  link.status === 'active' && countPayments(workspace, link).all >= paymentsWanted(link)

function mustTakePayments(workspace: Workspace, link: Link): void {
  const { status, expiresAt } = link
  // The clock may have come to the expiry while nobody has looked.
  const state = status === 'active' && expiresAt !== null && expiresAt <= workspace.now() ? 'expired' : status
  const facts = { state, move: 'pay' }
  if (state !== 'active') {
    refuse('wrong_state', `The payment link is ${state}; it takes no payments.`, { facts })
  }
  if (!waitsForPending(workspace, link)) return
  refuse('wrong_state', 'The payment link waits for payments that are pending, and takes no more.', { facts })
}

function methodOf({ paymentMethods }: Link, { paymentMethod }: Payment): PaymentMethod {
  const method = paymentMethod ?? paymentMethods[0]
  if (method !== undefined && paymentMethods.includes(method)) return method
  return refuseProperty(
    'paymentMethod',
    'not_allowed',
    `{paymentMethod} must be one of the link's: ${paymentMethods.join(', ')}`,
  )
}

function amountOf(link: Link, { amount }: Payment): number {
  if (link.amount === null) {
    mustBeAmount(amount ?? Number.NaN)
    return amount ?? 0
  }
  if (amount !== undefined && amount !== link.amount) {
    refuseProperty('amount', 'not_allowed', `{amount} must be that of the link, ${String(link.amount)}`)
  }
  return link.amount
}

const isCardNetwork = (method: PaymentMethod): method is CardNetwork =>
  (CARD_NETWORKS as readonly string[]).includes(method)

/** Of the test card of that network which has that outcome, or of any of that network. */
function lastFourOf(network: CardNetwork, { outcome, failure = 'declined' }: Payment): string | null {
  const wanted = outcome === 'completed' ? 'approved' : outcome === 'failed' ? failure : outcome
  const cards = TEST_CARDS.filter((card) => card.network === network)
  const card = cards.find((each) => each.outcome === wanted) ?? cards[0]
  return card?.number.slice(-4) ?? null
}

// ---------------------------------------------------------------- how it ends

/** A pending payment ends, whatever has become of its link meanwhile. */
export function settleTransaction(
  workspace: Workspace,
  id: string,
  outcome: 'completed' | 'failed',
): Transaction {
  return workspace.write(() => {
    const transaction = transactions.get(workspace, id)
    const completes = outcome === 'completed'
    const settled = transactions.update(workspace, transaction, {
      status: mustMove(transactionMachine, transaction.status, completes ? 'complete' : 'fail'),
      completedAt: completes ? workspace.now() : null,
      failure: completes ? null : 'declined',
    })
    tellOutcome(workspace, settled, linkOf(workspace, settled))
    return settled
  })
}

/** The event of a payment that has ended; the one that makes up the link's number makes the link paid. */
function tellOutcome(workspace: Workspace, transaction: Transaction, link: Link | undefined): void {
  const { id, status } = transaction
  const { complete, fail } = transactionMachine.moves
  if (status === 'failed') appendPaymentEvent(workspace, fail.emits, id, { transaction, link })
  if (status !== 'completed') return
  if (link?.status === 'active' && countPayments(workspace, link).completed >= paymentsWanted(link)) {
    markLinkPaid(workspace, link)
  }
  appendPaymentEvent(workspace, complete.emits, id, { transaction, link })
}

/** The link that a transaction was made by; undefined where it was made by none. */
export const linkOf = (workspace: Workspace, { linkId }: Transaction): Link | undefined =>
  linkId === null ? undefined : links.find(workspace, linkId)
