/** Cancels invoices. Specification part 2, "Tax invoice cancellation", POST /invoices/{invoice_id}/cancel. */
import { addHint } from '../../timeline/causes.ts'
import { mustMove, take } from '../../model/machine.ts'
import { refuseProperty } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal } from '../documents/amounts.ts'
import { afterBusinessDays } from './businessDays.ts'
import { cancellations, type Cancellation } from './cancellations.ts'
import { indexNotes } from './creditNotes.ts'
import { countCancellationOfClient } from '../masterData/clients.ts'
import { inPesos, PESO } from '../documents/documents.ts'
import { SUBSTITUTION } from '../documents/relations.ts'
import { mustHaveNoDependents } from './dependents.ts'
import { appendTaxInvoicingEvent } from '../documents/events.ts'
import { invoiceByUuid, invoices, type Invoice } from './invoices.ts'
import { invoiceMachine } from '../machines.ts'
import { cancellationExempt } from '../readings.ts'
import { isGeneric, NATIONAL_GENERIC } from '../taxpayers/taxpayers.ts'
import { restoreReplacedReceipts, undoReceipt } from './receipts.ts'

/** The deadline of the recipient in business days. */
export const DAYS_TO_DECIDE = 3

/** Invoices below this amount in pesos need no acceptance. */
export const ACCEPTANCE_THRESHOLD = 1000

export interface CancellationRequest {
  readonly motivo: Cancellation['motivo']
  readonly uuidSustitucion: string | null
}

/** Cancels an invoice immediately, or requests the acceptance of its recipient. */
export function requestCancellation(
  workspace: Workspace,
  invoice: Invoice,
  request: CancellationRequest,
): Invoice {
  indexNotes(workspace)
  return workspace.write(() => {
    // The state is checked first, because no other error matters for a cancelled invoice.
    mustMove(invoiceMachine, invoice.status, 'request_cancellation')
    const substitute = checkSubstitute(workspace, invoice, request)
    mustHaveNoDependents(workspace, invoice)
    if (substitute) hintAtSubstitute(invoice, substitute)
    hintAtReason(invoice, request)
    if (needsNoAcceptance(workspace, invoice)) return cancelImmediately(workspace, invoice, request)
    hintAtSilentRecipient(invoice)
    return requestAcceptance(workspace, invoice, request)
  })
}

/** Small amounts in pesos, payment receipts and transfers need no acceptance. A reading adds the rule of the authority. */
function needsNoAcceptance(workspace: Workspace, invoice: Invoice): boolean {
  const { type, moneda, total, tipoCambio, receptor } = invoice
  if (type === 'P' || type === 'T') return true
  if (workspace.reading(cancellationExempt) === 'threshold') {
    return moneda === PESO && decimal(total).lt(ACCEPTANCE_THRESHOLD)
  }
  const pesos = inPesos(decimal(total), moneda, tipoCambio)
  return type === 'E' || isGeneric(receptor.rfc) || pesos.lte(ACCEPTANCE_THRESHOLD)
}

function hintAtSilentRecipient({ receptor: { rfc } }: Invoice): void {
  if (!isGeneric(rfc)) return
  addHint(
    'recipient_cannot_answer',
    `The cancellation waits for ${rfc}, which stands for many recipients, so nobody can answer: it is accepted after ${String(DAYS_TO_DECIDE)} business days. The authority cancels it immediately, and so does the reading ${cancellationExempt.name} = authority.`,
  )
}

/** The reason of a global invoice after one of its operations got an invoice of its own. */
const PART_OF_GLOBAL = '04'

function hintAtReason({ uuid, receptor: { rfc } }: Invoice, { motivo }: CancellationRequest): void {
  if (motivo !== PART_OF_GLOBAL || rfc === NATIONAL_GENERIC) return
  addHint(
    'reason_of_global_invoice',
    `motivo ${PART_OF_GLOBAL} is for an invoice to the public (${NATIONAL_GENERIC}) after one of its operations got an invoice of its own, but the invoice ${uuid} is for ${rfc}.`,
  )
}

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
  if (cancelled.type === 'P') {
    undoReceipt(workspace, cancelled.id)
    restoreReplacedReceipts(workspace, cancelled)
  }
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
