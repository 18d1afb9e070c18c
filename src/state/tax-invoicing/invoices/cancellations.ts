/**
 * Cancellation requests and their outcome: the recipient decides within three business days, or the cancellation lapses into
 * acceptance. Specification part 2, "Tax invoice cancellation".
 */
import { and, asc, sql } from 'drizzle-orm'
import { mustMove, take } from '../../model/machine.ts'
import { isAmong, ofWorkspace, queryOfEach } from '../../storage/queries/query.ts'
import { record } from '../../storage/records/record.ts'
import { refuse } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { indexNotes } from './creditNotes.ts'
import { countCancellationOfClient } from '../masterData/clients.ts'
import { appendTaxInvoicingEvent } from '../documents/events.ts'
import { hasDependents, mustHaveNoDependents } from './dependents.ts'
import { invoices, type Invoice } from './invoices.ts'
import { cancellationMachine, invoiceMachine } from '../machines.ts'
import { cancellations as table } from '../tables.ts'

export type Cancellation = typeof table.$inferSelect

export const cancellations = record(table, {
  noun: 'cancellation',
  due: {
    at: 'dueAt',
    when: { status: cancellationMachine.moves.lapse.from },
    job: 'tax-invoicing.cancellation.lapse',
    isProgress: true,
    run(workspace, cancellation, instant) {
      const invoice = invoices.get(workspace, cancellation.invoiceId)
      // No document can be issued while the cancellation is pending, but a snapshot can have both.
      const move = hasDependents(workspace, invoice) ? 'reject' : 'lapse'
      resolve(workspace, cancellation, move, instant, 'clock')
    },
  },
  snapshot: {
    section: 'tax-invoicing',
    name: 'cancellations',
    check({ invoiceId, status }, workspace) {
      if (
        status === 'pending_acceptance' &&
        invoices.get(workspace, invoiceId).status !== 'cancellation_pending'
      ) {
        refuse(
          'invalid',
          `The invoice ${invoiceId} must be cancellation_pending because its cancellation is pending.`,
        )
      }
    },
  },
})

/** Sorts by insertion, not by time, because the clock of the workspace may have been set back. */
const oldestFirst = queryOfEach('invoiceId', (orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), isAmong(table.invoiceId)))
    .orderBy(asc(sql`rowid`)),
)

/** Returns the last cancellation request of each of these invoices that has one. */
export function lastCancellations(
  workspace: Workspace,
  invoiceIds: readonly string[],
): Map<string, Cancellation> {
  const found = oldestFirst.ofEach(workspace, invoiceIds)
  return new Map(
    [...found].flatMap(([id, requests]) => requests.slice(-1).map((last) => [id, last] as const)),
  )
}

/** Returns the last cancellation request of an invoice. */
export const lastCancellation = (workspace: Workspace, invoiceId: string): Cancellation | undefined =>
  lastCancellations(workspace, [invoiceId]).get(invoiceId)

/** The move of the invoice for each move of its cancellation. */
const INVOICE_MOVES = {
  accept: 'accept_cancellation',
  reject: 'reject_cancellation',
  lapse: 'lapse',
} as const

type Resolution = keyof typeof INVOICE_MOVES

/** Resolves a cancellation and updates its invoice. Call it inside a `write`. */
function resolve(
  workspace: Workspace,
  cancellation: Cancellation,
  move: Resolution,
  at: number,
  by: 'clock' | 'recipient',
): Invoice {
  const { state, event } = take(cancellationMachine, cancellation.status, move)
  const before = invoices.get(workspace, cancellation.invoiceId)
  const resolved = cancellations.update(workspace, cancellation, {
    status: state,
    resolvedAt: at,
    resolvedBy: by,
  })
  if (move === 'reject') {
    const { to } = invoiceMachine.moves.reject_cancellation
    const invoice = invoices.update(workspace, before, { status: to })
    appendTaxInvoicingEvent(workspace, event, invoice.id, { invoice, cancellation: resolved })
    return invoice
  }
  const taken = take(invoiceMachine, before.status, INVOICE_MOVES[move])
  const invoice = invoices.update(workspace, before, {
    status: taken.state,
    cancelledAt: at,
    substitutedBy: resolved.uuidSustitucion,
  })
  appendTaxInvoicingEvent(workspace, event, invoice.id, { invoice, cancellation: resolved })
  appendTaxInvoicingEvent(workspace, taken.event, invoice.id, { invoice })
  countCancellationOfClient(workspace, invoice)
  return invoice
}

/**
 * Accepts or rejects a cancellation as the recipient. Refuses with wrong_state if none is pending, and with conflict if a
 * receipt or a credit note keeps the invoice from being cancelled.
 */
export const decideCancellation = (
  workspace: Workspace,
  invoice: Invoice,
  decision: 'accept' | 'reject',
): Invoice => {
  indexNotes(workspace)
  return workspace.write(() => {
    const cancellation = lastCancellation(workspace, invoice.id)
    if (!cancellation) refuse('wrong_state', `The invoice ${invoice.id} has no cancellation request.`)
    mustMove(cancellationMachine, cancellation.status, decision)
    if (decision === 'accept') mustHaveNoDependents(workspace, invoice)
    return resolve(workspace, cancellation, decision, workspace.now(), 'recipient')
  })
}
