/**
 * Payments by link and their outcomes. Specification part 2, "Payments v1", shows the states but not the moves between them.
 * Only `payLink` creates payments, for the hosted payment page and for the trigger.
 */
import { and, desc, eq, sql } from 'drizzle-orm'
import { CARD_NETWORKS, TEST_CARDS, type CardNetwork, type Failure } from '@suite-sim/kit/calls/testCards'
import { numbered } from '../storage/queries/listing.ts'
import { mustMove } from '../model/machine.ts'
import { isOneOf } from '../storage/columns.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { mustBeAmount } from './amounts.ts'
import { appendPaymentEvent } from './events.ts'
import { links, markLinkPaid, requiredPayments, type Link } from './links.ts'
import { COUNTED, linkMachine, PAID, transactionMachine } from './machines.ts'
import { transactions as table, type PaymentMethod } from './tables.ts'

export type Transaction = typeof table.$inferSelect

/** The initial status of a payment. */
type PaymentOutcome = (typeof transactionMachine.initial)[number]

/** The input of a payment. */
export interface Payment {
  /** One of the methods of the link. Default is the first one. */
  readonly paymentMethod?: PaymentMethod | undefined
  readonly outcome: PaymentOutcome
  /** For the outcome failed. Default is declined. */
  readonly failure?: Failure | undefined
  /** In cents. Required if the amount of the link is open, otherwise that of the link. */
  readonly amount?: number | undefined
  readonly customer?: { readonly name?: string | null; readonly email?: string | null } | undefined
  /** For a card. Default is that of the test card with the outcome. */
  readonly cardLastFour?: string | undefined
  /** The unguessable id of the form, so that a form that is sent twice pays once. */
  readonly attempt?: string | undefined
}

/** Checks a transaction of a snapshot: its amounts and times must fit its status. */
function mustAddUp({ id, amount: paid, refundedAmount, status, completedAt }: Transaction): void {
  const isCompleted = PAID.includes(status)
  const problem =
    isCompleted !== (completedAt !== null)
      ? `${status} and ${completedAt === null ? 'must have a' : 'must not have a'} completedAt`
      : refundedAmount > (isCompleted ? paid : 0) || (status === 'refunded' && refundedAmount !== paid)
        ? `${status}, which does not fit its refundedAmount ${String(refundedAmount)} of ${String(paid)}`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the transaction ${id} is ${problem}.`)
}

/** Transactions with the filters of GET /transactions; `from` and `to` are inclusive instants. */
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
    check: mustAddUp,
  },
})

// ---------------------------------------------------------------- paying

const byAttempt = transactions.by('attempt')

/**
 * Pays a link. Refuses if the link accepts no payments (wrong_state), or if the method or amount does not match the link
 * (invalid). A repeated attempt returns the transaction of the first.
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
    recordOutcome(workspace, transaction, link)
    return transaction
  })
}

/** Counts the payments of a link that were completed, including refunded ones, and all including pending ones. */
const paymentsOf = query((orm) =>
  orm
    .select({
      completed: sql<number>`count(*) filter (where ${isOneOf(table.status, PAID)})`,
      all: sql<number>`count(*)`,
    })
    .from(table)
    .where(
      and(ofWorkspace(table), eq(table.linkId, sql.placeholder('linkId')), isOneOf(table.status, COUNTED)),
    ),
)

const lastCompleted = query((orm) =>
  orm
    .select({ id: table.id })
    .from(table)
    .where(and(ofWorkspace(table), eq(table.linkId, sql.placeholder('linkId')), isOneOf(table.status, PAID)))
    .orderBy(desc(table.createdAt))
    .limit(1),
)

/** Returns the last completed payment of a link. */
export const lastCompletedPayment = (workspace: Workspace, { id }: Link): { id: string } | undefined =>
  lastCompleted.first(workspace, { linkId: id })

const countPayments = (workspace: Workspace, link: Link): { completed: number; all: number } =>
  paymentsOf.first(workspace, { linkId: link.id }) ?? { completed: 0, all: 0 }

/** Checks if an active link accepts no more payments because pending ones may reach its maximum. */
export const waitsForPending = (workspace: Workspace, link: Link): boolean =>
  link.status === 'active' && countPayments(workspace, link).all >= requiredPayments(link)

function mustTakePayments(workspace: Workspace, link: Link): void {
  const { status, expiresAt } = link
  // The clock may have passed the expiry before the due job has run.
  const state = status === 'active' && expiresAt !== null && expiresAt <= workspace.now() ? 'expired' : status
  const facts = { state, move: 'pay' }
  if (state !== 'active') {
    refuse('wrong_state', `The payment link is ${state} and accepts no payments.`, { facts })
  }
  if (!waitsForPending(workspace, link)) return
  refuse('wrong_state', 'The payment link waits for pending payments and accepts no more.', { facts })
}

function methodOf({ paymentMethods }: Link, { paymentMethod }: Payment): PaymentMethod {
  const method = paymentMethod ?? paymentMethods[0]
  if (method !== undefined && paymentMethods.includes(method)) return method
  return refuseProperty(
    'paymentMethod',
    'not_allowed',
    `{paymentMethod} must be a method of the link: ${paymentMethods.join(', ')}`,
  )
}

function amountOf(link: Link, { amount }: Payment): number {
  if (link.amount === null) {
    mustBeAmount(amount ?? Number.NaN)
    return amount ?? 0
  }
  if (amount !== undefined && amount !== link.amount) {
    refuseProperty('amount', 'not_allowed', `{amount} must be the amount of the link, ${String(link.amount)}`)
  }
  return link.amount
}

const isCardNetwork = (method: PaymentMethod): method is CardNetwork =>
  (CARD_NETWORKS as readonly string[]).includes(method)

/** Returns the last four digits of a test card of the network, if possible one with the outcome. */
function lastFourOf(network: CardNetwork, { outcome, failure = 'declined' }: Payment): string | null {
  const cardOutcome = outcome === 'completed' ? 'approved' : outcome === 'failed' ? failure : outcome
  const cards = TEST_CARDS.filter((card) => card.network === network)
  const card = cards.find((each) => each.outcome === cardOutcome) ?? cards[0]
  return card?.number.slice(-4) ?? null
}

// ---------------------------------------------------------------- outcomes

/** Completes or fails a pending payment, also of a link that accepts no more payments. */
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
    recordOutcome(workspace, settled, linkOf(workspace, settled))
    return settled
  })
}

/** Appends the event of a completed or failed payment. Marks the link as paid if the payment reaches its maximum. */
function recordOutcome(workspace: Workspace, transaction: Transaction, link: Link | undefined): void {
  const { id, status } = transaction
  const { complete, fail } = transactionMachine.moves
  if (status === 'failed') appendPaymentEvent(workspace, fail.emits, id, { transaction, link })
  if (status !== 'completed') return
  if (link && canBePaid(link) && countPayments(workspace, link).completed >= requiredPayments(link)) {
    markLinkPaid(workspace, link)
  }
  appendPaymentEvent(workspace, complete.emits, id, { transaction, link })
}

const canBePaid = ({ status }: Link): boolean =>
  linkMachine.moves.pay.from.some((payable) => payable === status)

/** Returns the link of a transaction; undefined without one. */
export const linkOf = (workspace: Workspace, { linkId }: Transaction): Link | undefined =>
  linkId === null ? undefined : links.find(workspace, linkId)
