/**
 * The page where a person acts as the recipient and decides on a cancellation (assumed; specification part 2, "Tax invoice
 * cancellation"). It does the same as the triggers tax-invoicing.cancellation.accept and .reject. The page responds with
 * 409 if the cancellation was already decided, and with 422 if the form has no decision.
 */
import type { FastifyReply } from 'fastify'
import type { PageSet, Resource } from '../../http/definition/definition.ts'
import { alert } from '../../http/webPages/formFields.ts'
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import { goTo, sendPage, typedInto } from '../../http/webPages/webPages.ts'
import { momentInWords } from '../../http/schemas/wording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { unlessRefused } from '../../state/model/refusal.ts'
import { decideCancellation, lastCancellation } from '../../state/tax-invoicing/invoices/cancellations.ts'
import { invoiceByUuid, type Invoice } from '../../state/tax-invoicing/invoices/invoices.ts'
import { ISSUER_TIMEZONE } from '../../state/tax-invoicing/taxpayers/issuer.ts'
import { CANCELLATION_MOTIVES } from '../../state/tax-invoicing/catalogs/satCatalogs.ts'
import { say, type Spoken } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { money } from './printed.ts'
import { RECIPIENT_TEXTS } from './recipientTexts.ts'

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
    if (decided) goTo(reply, encodeURIComponent(invoice.uuid))
    else show(reply, workspace, invoice, 409)
  })
}

/** The pages of tax invoicing. `decision_url` of a pending cancellation is the address of its page. */
export const recipientPages: PageSet = {
  resources: [decisions],
  style: `
.facts + form { margin-top: 1.5rem; }
button[value='reject'] { margin-top: 0.75rem; background: none; border: 1px solid var(--edge); color: var(--text); }
button[value='reject']:hover { background: var(--soft); }
`,
}

function show(reply: FastifyReply, workspace: Workspace, invoice: Invoice, status = 200): void {
  const { look, heading, note, form } = stateOf(workspace, invoice)
  const number = `${invoice.serie}-${String(invoice.folio)}`
  const page = {
    title: say`${heading} – ${number}`,
    body: html`${status !== 200 && alert(status === 409 ? RECIPIENT_TEXTS.alreadyDecided : RECIPIENT_TEXTS.choose, html``)}
      <div class="state ${look}">
        <h1>${heading}</h1>
        <p class="amount">${money(invoice.total, invoice.moneda)} ${invoice.moneda}</p>
        <p class="quiet">${note}</p>
      </div>
      <dl class="facts">
        <dt>${RECIPIENT_TEXTS.invoice}</dt>
        <dd>${number}</dd>
        <dt>${RECIPIENT_TEXTS.uuid}</dt>
        <dd>${invoice.uuid}</dd>
        <dt>${RECIPIENT_TEXTS.issuedBy}</dt>
        <dd>${invoice.emisor.nombre}, ${invoice.emisor.rfc}</dd>
        <dt>${RECIPIENT_TEXTS.to}</dt>
        <dd>${invoice.receptor.nombre}, ${invoice.receptor.rfc}</dd>
        <dt>${RECIPIENT_TEXTS.date}</dt>
        <dd>${moment(invoice.date)}</dd>
      </dl>
      ${form}`,
  }
  sendPage(reply, page, status)
}

interface PageState {
  readonly look: 'good' | 'wait' | 'bad'
  readonly heading: Spoken
  readonly note: Content
  readonly form?: Markup
}

function stateOf(workspace: Workspace, invoice: Invoice): PageState {
  const cancellation = lastCancellation(workspace, invoice.id)
  if (invoice.status === 'cancelled') {
    const note = RECIPIENT_TEXTS.cancelledOn(inWords(invoice.cancelledAt ?? invoice.date))
    return { look: 'bad', heading: RECIPIENT_TEXTS.cancelled, note }
  }
  if (!cancellation) {
    return { look: 'good', heading: RECIPIENT_TEXTS.active, note: RECIPIENT_TEXTS.notRequested }
  }
  if (cancellation.status === 'rejected') {
    const { hadDependents, youRejected } = RECIPIENT_TEXTS
    const sentence = cancellation.resolvedBy === 'clock' ? hadDependents : youRejected
    const note = sentence(inWords(cancellation.resolvedAt ?? invoice.date))
    return { look: 'good', heading: RECIPIENT_TEXTS.active, note }
  }
  const motive = CANCELLATION_MOTIVES.get(cancellation.motivo)?.descripcion ?? cancellation.motivo
  return {
    look: 'wait',
    heading: RECIPIENT_TEXTS.asks(invoice.emisor.nombre),
    note: html`${RECIPIENT_TEXTS.motive(motive)}
    ${cancellation.dueAt !== null && RECIPIENT_TEXTS.lapses(inWords(cancellation.dueAt))}`,
    form: html`<form method="post">
      <button type="submit" name="decision" value="accept">${RECIPIENT_TEXTS.accept}</button>
      <button type="submit" name="decision" value="reject">${RECIPIENT_TEXTS.reject}</button>
    </form>`,
  }
}

const inWords = (instant: number): Spoken => momentInWords(instant, ISSUER_TIMEZONE)

const moment = (instant: number): Markup => html`<time datetime="${iso(instant)}">${inWords(instant)}</time>`
