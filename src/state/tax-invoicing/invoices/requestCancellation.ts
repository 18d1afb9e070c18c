/** Cancels invoices. Specification part 2, "Tax invoice cancellation", POST /invoices/{invoice_id}/cancel. */
import { and, eq, sql } from 'drizzle-orm'
import { addHint } from '../../timeline/causes.ts'
import { mustMove, take } from '../../model/machine.ts'
import { isOneOf } from '../../storage/columns.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { refuse, refuseProperty } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal } from '../documents/amounts.ts'
import { afterBusinessDays } from './businessDays.ts'
import { cancellations, type Cancellation } from './cancellations.ts'
import { countCancellationOfClient } from '../masterData/clients.ts'
import { PESO } from '../documents/documents.ts'
import { appendTaxInvoicingEvent } from '../events.ts'
import { invoiceByUuid, invoices, type Invoice } from './invoices.ts'
import { IN_FORCE, invoiceMachine } from '../machines.ts'
import { undoReceipt } from './receipts.ts'
import { invoices as invoiceTable, receiptDocuments as documentTable } from '../tables.ts'

/** The deadline of the recipient in business days. */
export const DAYS_TO_DECIDE = 3

/** Invoices below this amount in pesos need no acceptance. */
export const ACCEPTANCE_THRESHOLD = 1000

export interface CancellationRequest {
  readonly motivo: Cancellation['motivo']
  readonly uuidSustitucion: string | null
}

/** The code of c_TipoRelacion for a document that replaces others. */
const SUBSTITUTION = '04'

/** Cancels an invoice immediately, or requests the acceptance of its recipient. */
export const requestCancellation = (
  workspace: Workspace,
  invoice: Invoice,
  request: CancellationRequest,
): Invoice =>
  workspace.write(() => {
    // The state is checked first, because no other error matters for a cancelled invoice.
    mustMove(invoiceMachine, invoice.status, 'request_cancellation')
    const substitute = checkSubstitute(workspace, invoice, request)
    checkPayments(workspace, invoice)
    checkCreditNotes(workspace, invoice)
    if (substitute) hintAtSubstitute(invoice, substitute)
    return needsNoAcceptance(invoice)
      ? cancelImmediately(workspace, invoice, request)
      : requestAcceptance(workspace, invoice, request)
  })

/** Small amounts in pesos, payment receipts and transfers need no acceptance. */
const needsNoAcceptance = ({ type, moneda, total }: Invoice): boolean =>
  type === 'P' || type === 'T' || (moneda === PESO && decimal(total).lt(ACCEPTANCE_THRESHOLD))

/** Validates `uuidSustitucion`. Returns the substitute if the reason requires one. */
function checkSubstitute(
  workspace: Workspace,
  invoice: Invoice,
  request: CancellationRequest,
): Invoice | undefined {
  const { motivo, uuidSustitucion } = request
  if (motivo !== '01') {
    if (uuidSustitucion !== null) {
      refuseProperty(
        'uuidSustitucion',
        'not_allowed',
        '{uuidSustitucion} must be left out unless motivo is 01',
      )
    }
    return undefined
  }
  if (uuidSustitucion === null) {
    refuseProperty('uuidSustitucion', 'required', '{uuidSustitucion} is required if motivo is 01')
  }
  const substitute = invoiceByUuid.find(workspace, uuidSustitucion)
  if (!substitute || substitute.id === invoice.id) {
    refuseProperty(
      'uuidSustitucion',
      'not_found',
      '{uuidSustitucion} must be the UUID of another invoice of the issuer',
    )
  }
  if (substitute.status !== 'active') {
    refuseProperty(
      'uuidSustitucion',
      'invalid_state',
      `{uuidSustitucion} must be the UUID of an active invoice; this invoice is ${substitute.status}`,
    )
  }
  return substitute
}

/** Adds hints about substitutes that are probably a mistake. The authority accepts them. */
function hintAtSubstitute({ uuid, receptor, date }: Invoice, substitute: Invoice): void {
  const isRelated = substitute.relaciones.some(
    ({ tipoRelacion, uuids }) => tipoRelacion === SUBSTITUTION && uuids.includes(uuid),
  )
  if (!isRelated) {
    addHint(
      'substitute_not_related',
      `The substitute ${substitute.uuid} has no relation ${SUBSTITUTION} to the invoice ${uuid}. Add the relation to cfdi_relacionados of the substitute.`,
    )
  }
  if (substitute.receptor.rfc !== receptor.rfc) {
    addHint(
      'substitute_of_another_recipient',
      `The substitute ${substitute.uuid} is for ${substitute.receptor.rfc}, but the invoice ${uuid} is for ${receptor.rfc}.`,
    )
  }
  if (substitute.date < date) {
    addHint(
      'substitute_older',
      `The substitute ${substitute.uuid} was issued before the invoice ${uuid} that it replaces.`,
    )
  }
}

const paidBy = query((orm) =>
  orm
    .select({ receiptId: documentTable.receiptId })
    .from(documentTable)
    .where(
      and(
        ofWorkspace(documentTable),
        eq(documentTable.uuid, sql.placeholder('uuid')),
        eq(documentTable.live, true),
      ),
    )
    .limit(1),
)

function checkPayments(workspace: Workspace, { id, uuid }: Invoice): void {
  const paid = paidBy.first(workspace, { uuid })
  if (!paid) return
  refuse(
    'conflict',
    `The invoice ${id} can not be cancelled while the payment receipt ${paid.receiptId} is active. Cancel the receipt first.`,
    { facts: { receipt_id: paid.receiptId } },
  )
}

const creditedBy = query((orm) =>
  orm
    .select({ id: invoiceTable.id })
    .from(invoiceTable)
    .where(
      and(
        ofWorkspace(invoiceTable),
        eq(invoiceTable.type, 'E'),
        sql`+${isOneOf(invoiceTable.status, IN_FORCE)}`,
        // A substring search skips most notes without parsing their JSON.
        sql`instr(${invoiceTable.relaciones}, ${sql.placeholder('uuid')}) > 0`,
        sql`exists (select 1 from json_each(${invoiceTable.relaciones}) as relation, json_each(relation.value, '$.uuids') as related where related.value = ${sql.placeholder('uuid')} and json_extract(relation.value, '$.tipoRelacion') <> ${SUBSTITUTION})`,
      ),
    )
    .limit(1),
)

/** Refuses an invoice with an active credit note. A note that replaces the invoice does not count. */
function checkCreditNotes(workspace: Workspace, { id, uuid }: Invoice): void {
  const note = creditedBy.first(workspace, { uuid })
  if (!note) return
  refuse(
    'conflict',
    `The invoice ${id} can not be cancelled while the credit note ${note.id} is active. Cancel the note first.`,
    { facts: { credit_note_id: note.id } },
  )
}

function cancelImmediately(workspace: Workspace, invoice: Invoice, request: CancellationRequest): Invoice {
  const now = workspace.now()
  const { state, event } = take(invoiceMachine, invoice.status, 'cancel')
  insert(workspace, invoice, request, {
    status: 'cancelled',
    resolvedAt: now,
    resolvedBy: 'none_needed',
  })
  const cancelled = invoices.update(workspace, invoice, {
    status: state,
    cancelledAt: now,
    substitutedBy: request.uuidSustitucion,
  })
  if (cancelled.type === 'P') undoReceipt(workspace, cancelled.id)
  appendTaxInvoicingEvent(workspace, event, cancelled.id, { invoice: cancelled })
  countCancellationOfClient(workspace, cancelled)
  return cancelled
}

function requestAcceptance(workspace: Workspace, invoice: Invoice, request: CancellationRequest): Invoice {
  const pending = invoices.update(workspace, invoice, {
    status: mustMove(invoiceMachine, invoice.status, 'request_cancellation'),
  })
  insert(workspace, pending, request, { dueAt: afterBusinessDays(workspace.now(), DAYS_TO_DECIDE) })
  return pending
}

const insert = (
  workspace: Workspace,
  { id: invoiceId }: Invoice,
  { motivo, uuidSustitucion }: CancellationRequest,
  outcome: Partial<Pick<Cancellation, 'status' | 'dueAt' | 'resolvedAt' | 'resolvedBy'>>,
): Cancellation =>
  cancellations.insert(workspace, {
    id: workspace.ids.prefixed('can_'),
    invoiceId,
    motivo,
    uuidSustitucion,
    requestedAt: workspace.now(),
    createdAt: workspace.now(),
    ...outcome,
  })
