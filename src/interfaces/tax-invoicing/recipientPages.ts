/**
 * The page where a person acts as the recipient and decides on a cancellation (assumed; specification part 2, "Tax invoice
 * cancellation"). It does the same as the triggers tax-invoicing.cancellation.accept and .reject. The page responds with
 * 409 if the cancellation was already decided, and with 422 if the form has no decision.
 */
import type { FastifyReply } from 'fastify'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { alert } from '../../http/webPages/formFields.ts'
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import { sendPage, typedInto } from '../../http/webPages/webPages.ts'
import { momentInWords } from '../../http/schemas/wording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { unlessRefused } from '../../state/model/refusal.ts'
import { decideCancellation, lastCancellation } from '../../state/tax-invoicing/invoices/cancellations.ts'
import { invoiceByUuid, type Invoice } from '../../state/tax-invoicing/invoices/invoices.ts'
import { ISSUER_TIMEZONE } from '../../state/tax-invoicing/taxpayers/issuer.ts'
import { CANCELLATION_MOTIVES } from '../../state/tax-invoicing/catalogs/satCatalogs.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

interface InvoiceRoute {
  Params: { uuid: string }
}

const decisions: Resource = async (pages) => {
  pages.get<InvoiceRoute>('/:uuid', ({ params, workspace }, reply) => {
    show(reply, workspace, invoiceByUuid.get(workspace, params.uuid))
  })

  pages.post<InvoiceRoute>('/:uuid', (request, reply) => {
    const { workspace, params } = request
    const invoice = invoiceByUuid.get(workspace, params.uuid)
    const decision = typedInto(request)('decision')
    if (decision !== 'accept' && decision !== 'reject') {
      show(reply, workspace, invoice, 422)
      return
    }
    const decided = unlessRefused('wrong_state', () => decideCancellation(workspace, invoice, decision))
    // Relative, because a proxy may serve the pages under any path.
    if (decided) void reply.redirect(encodeURIComponent(invoice.uuid), 303)
    else show(reply, workspace, invoice, 409)
  })
}

/** The pages of tax invoicing. `decision_url` of a pending cancellation is the address of its page. */
export const recipientPages: PageSet = {
  resources: [decisions],
  style: `
button[value='reject'] { margin-top: 0.75rem; background: none; border: 1px solid var(--edge); color: var(--text); }
button[value='reject']:hover { background: var(--soft); }
`,
}

function show(reply: FastifyReply, workspace: Workspace, invoice: Invoice, status = 200): void {
  const { look, heading, note, form } = stateOf(workspace, invoice)
  const amount = `${invoice.total} ${invoice.moneda}`
  const page = {
    title: `${heading} – ${invoice.serie}-${String(invoice.folio)}`,
    body: html`${status !== 200 && alert(status === 409 ? 'This cancellation was already decided' : 'Choose accept or reject', html``)}
      <div class="state ${look}">
        <h1>${heading}</h1>
        <p class="amount">${amount}</p>
        <p class="quiet">${note}</p>
      </div>
      <dl class="facts">
        <dt>Invoice</dt>
        <dd>${invoice.serie}-${String(invoice.folio)}</dd>
        <dt>UUID</dt>
        <dd>${invoice.uuid}</dd>
        <dt>Issued by</dt>
        <dd>${invoice.emisor.nombre}, ${invoice.emisor.rfc}</dd>
        <dt>To</dt>
        <dd>${invoice.receptor.nombre}, ${invoice.receptor.rfc}</dd>
        <dt>Date</dt>
        <dd>${moment(invoice.date)}</dd>
      </dl>
      ${form}`,
  }
  sendPage(reply, page, status)
}

interface PageState {
  readonly look: 'good' | 'wait' | 'bad'
  readonly heading: string
  readonly note: Content
  readonly form?: Markup
}

function stateOf(workspace: Workspace, invoice: Invoice): PageState {
  const cancellation = lastCancellation(workspace, invoice.id)
  if (invoice.status === 'cancelled') {
    const note = html`Cancelled on ${moment(invoice.cancelledAt ?? invoice.date)}.`
    return { look: 'bad', heading: 'This invoice is cancelled', note }
  }
  if (!cancellation) {
    return { look: 'good', heading: 'This invoice is active', note: 'No cancellation was requested.' }
  }
  if (cancellation.status === 'rejected') {
    const at = moment(cancellation.resolvedAt ?? invoice.date)
    const note =
      cancellation.resolvedBy === 'clock'
        ? html`Its cancellation was rejected on ${at}, because a payment receipt or a credit note was active.`
        : html`You rejected its cancellation on ${at}.`
    return { look: 'good', heading: 'This invoice is active', note }
  }
  return {
    look: 'wait',
    heading: `${invoice.emisor.nombre} asks to cancel this invoice`,
    note: html`${CANCELLATION_MOTIVES.get(cancellation.motivo)?.descripcion ?? cancellation.motivo}.
    ${cancellation.dueAt !== null && html`If you do not respond by ${moment(cancellation.dueAt)}, it is cancelled.`}`,
    form: html`<form method="post">
      <button type="submit" name="decision" value="accept">Accept cancellation</button>
      <button type="submit" name="decision" value="reject">Reject cancellation</button>
    </form>`,
  }
}

const moment = (instant: number): Markup =>
  html`<time datetime="${iso(instant)}">${momentInWords(instant, ISSUER_TIMEZONE)}</time>`
