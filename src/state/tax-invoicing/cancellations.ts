/**
 * Requests to cancel an invoice, and what becomes of them: the recipient decides, or says nothing for three business days.
 * Specification part 2, "Tax invoice cancellation".
 */
import { Type } from '@sinclair/typebox'
import { and, desc, eq, sql } from 'drizzle-orm'
import { take } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { countCancellationOfClient } from './clients.ts'
import { appendTaxInvoicingEvent } from './events.ts'
import { invoices, type Invoice } from './invoices.ts'
import { cancellationMachine, invoiceMachine } from './machines.ts'
import { uuid } from './shapes.ts'
import { cancellations as table } from './tables.ts'

export type Cancellation = typeof table.$inferSelect

export const cancellations = record(table, {
  noun: 'cancellation',
  due: {
    at: 'dueAt',
    when: { status: 'pending_acceptance' },
    job: 'tax-invoicing.cancellation.lapse',
    isProgress: true,
    run(workspace, cancellation, instant) {
      settle(workspace, cancellation, 'lapse', instant)
    },
  },
  snapshot: {
    section: 'tax-invoicing',
    name: 'cancellations',
    instants: ['requestedAt', 'resolvedAt', 'dueAt', 'createdAt'],
    shapes: () => ({ uuidSustitucion: Type.Union([uuid(), Type.Null()]) }),
    check({ invoiceId, status }, workspace) {
      if (
        status === 'pending_acceptance' &&
        invoices.get(workspace, invoiceId).status !== 'cancellation_pending'
      ) {
        refuse(
          'invalid',
          `The invoice ${invoiceId} is not cancellation_pending, and its cancellation is pending.`,
        )
      }
    },
  },
})

/** By insertion: the clock of the workspace may have gone back since. */
const newestFirst = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), eq(table.invoiceId, sql.placeholder('invoiceId'))))
    .orderBy(desc(sql`rowid`))
    .limit(1),
)

/** The last request to cancel an invoice. */
export const lastCancellation = (workspace: Workspace, invoiceId: string): Cancellation | undefined =>
  newestFirst.first(workspace, { invoiceId })

/** What the moves of a request do to its invoice. */
const OF_INVOICE = {
  accept: 'accept_cancellation',
  reject: 'reject_cancellation',
  lapse: 'lapse',
} as const

type Settling = keyof typeof OF_INVOICE

/** Only inside a `write`. */
function settle(workspace: Workspace, cancellation: Cancellation, move: Settling, at: number): Invoice {
  const { state, event } = take(cancellationMachine, cancellation.status, move)
  const before = invoices.get(workspace, cancellation.invoiceId)
  const settled = cancellations.update(workspace, cancellation, {
    status: state,
    resolvedAt: at,
    resolvedBy: move === 'lapse' ? 'clock' : 'recipient',
  })
  if (move === 'reject') {
    const { to } = invoiceMachine.moves.reject_cancellation
    const invoice = invoices.update(workspace, before, { status: to })
    appendTaxInvoicingEvent(workspace, event, invoice.id, { invoice, cancellation: settled })
    return invoice
  }
  const taken = take(invoiceMachine, before.status, OF_INVOICE[move])
  const invoice = invoices.update(workspace, before, {
    status: taken.state,
    cancelledAt: at,
    substitutedBy: settled.uuidSustitucion,
  })
  appendTaxInvoicingEvent(workspace, event, invoice.id, { invoice, cancellation: settled })
  appendTaxInvoicingEvent(workspace, taken.event, invoice.id, { invoice })
  countCancellationOfClient(workspace, invoice)
  return invoice
}

/** What the recipient of an invoice decides on a request to cancel it. */
export const decideCancellation = (
  workspace: Workspace,
  invoice: Invoice,
  decision: 'accept' | 'reject',
): Invoice =>
  workspace.write(() => {
    const cancellation = lastCancellation(workspace, invoice.id)
    if (!cancellation) refuse('wrong_state', `Nobody has asked to cancel the invoice ${invoice.id}.`)
    return settle(workspace, cancellation, decision, workspace.now())
  })
