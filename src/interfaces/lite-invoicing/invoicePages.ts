/**
 * The printable page of an invoice, the `documentUrl` of an issued invoice. The specification does not show it. The page has
 * the contents of the printed form of Panama's electronic invoices.
 */
import type { Resource, PageSet } from '../../http/definition/definition.ts'
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import { sendPage, type Page } from '../../http/webPages/webPages.ts'
import { momentInWords } from '../../http/schemas/wording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { countryNameIn } from '../../state/shared/countries.ts'
import { getIssuer } from '../../state/shared/cufe.ts'
import { invoicesByCufe, type Invoice } from '../../state/lite-invoicing/invoices.ts'
import { ITBMS_RATES } from '../../state/lite-invoicing/tables.ts'
import { grouped } from '../../state/text/grouped.ts'
import { say, type Spoken, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { INVOICE_TEXTS, PAYMENT_TYPE_TEXTS } from './invoiceTexts.ts'
import { printedNumber } from './shapes/invoices.ts'

const invoicePageRoutes: Resource = async (pages) => {
  pages.get<{ Params: { cufe: string } }>('/:cufe', ({ params, workspace }, reply) => {
    sendPage(reply, invoicePage(workspace, invoicesByCufe.get(workspace, params.cufe)))
  })
}

const STYLE = `
.lines { width: 100%; margin: 1.5rem 0; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.lines th, .lines td { padding: 0 0 0.375rem 0.75rem; text-align: right; }
.lines th { color: var(--quiet); font-weight: normal; overflow-wrap: normal; }
/* A description takes no part in the widths of the columns, so that no number breaks that fits. */
.lines [colspan] { max-width: 0; padding-top: 0.375rem; text-align: left; }
.lines th:first-child, .lines td:first-child { padding-left: 0; }
.lines tbody { border-top: 1px solid var(--line); }
@media (max-width: 30rem) {
  .lines { font-size: 0.875rem; }
  .lines th, .lines td { padding-left: 0.375rem; }
}
`

/** The pages of lite invoicing. */
export const invoicePages: PageSet = { resources: [invoicePageRoutes], style: STYLE }

const PANAMA = 'America/Panama'

function invoicePage(workspace: Workspace, invoice: Invoice): Page {
  const { canceledAt, reason, status } = invoice
  const issuer = getIssuer()
  const heading = INVOICE_TEXTS.heading(printedNumber(invoice.number))
  return {
    title: status === 'canceled' ? INVOICE_TEXTS.canceled(heading) : heading,
    body: html`<div class="state ${status === 'canceled' ? 'bad' : 'good'}">
        <h1>${heading}</h1>
        <p class="amount">${balboas(invoice.total)}</p>
        ${canceledAt !== null && html`<p>${cancellation(canceledAt, reason)}</p>`}
      </div>
      <dl class="facts receipt">
        ${fact(INVOICE_TEXTS.issuedBy, workspace.name)} ${fact('RUC', ruc(issuer.ruc, issuer.dv))}
        ${fact(INVOICE_TEXTS.branch, invoice.branchId)} ${fact(INVOICE_TEXTS.date, moment(invoice.createdAt))}
        ${recipientFacts(invoice)}
      </dl>
      ${lines(invoice)}
      <dl class="facts receipt">
        ${fact(INVOICE_TEXTS.subtotal, balboas(invoice.subTotal))} ${fact('ITBMS', balboas(invoice.taxTotal))}
        ${fact(INVOICE_TEXTS.total, balboas(invoice.total))}
        ${invoice.payments.map(({ type, amount }) => fact(PAYMENT_TYPE_TEXTS[type], balboas(amount)))}
        ${fact('CUFE', invoice.cufe)}
      </dl>`,
  }
}

const recipientFacts = ({ recipient }: Invoice): Content => [
  fact(INVOICE_TEXTS.to, recipient.name),
  recipient.taxId !== null && fact('RUC', ruc(recipient.taxId, recipient.taxDv)),
  fact(INVOICE_TEXTS.foreignTaxId, recipient.foreignTaxId),
  fact(INVOICE_TEXTS.passport, recipient.passport),
  recipient.country !== null && fact(INVOICE_TEXTS.country, countryNameIn(recipient.country)),
]

const lines = ({ items }: Invoice): Markup =>
  html`<table class="lines">
    <thead>
      <tr>
        <th scope="col" colspan="4">${INVOICE_TEXTS.description}</th>
      </tr>
      <tr>
        <th scope="col">${INVOICE_TEXTS.quantity}</th>
        <th scope="col">${INVOICE_TEXTS.price}</th>
        <th scope="col">ITBMS</th>
        <th scope="col">${INVOICE_TEXTS.amount}</th>
      </tr>
    </thead>
    <tbody>
      ${items.map(
        ({ description, qty, price, taxCode, amount }) =>
          html`<tr>
              <td colspan="4">${description}</td>
            </tr>
            <tr>
              <td>${grouped(qty)}</td>
              <td>${grouped(price)}</td>
              <td>${String(ITBMS_RATES[taxCode])} %</td>
              <td>${grouped(amount)}</td>
            </tr>`,
      )}
    </tbody>
  </table>`

/** "155700001-2-2021 DV 08" */
const ruc = (id: string, dv: number | null): string =>
  dv === null ? id : `${id} DV ${String(dv).padStart(2, '0')}`

const balboas = (amount: string): string => `B/. ${grouped(amount)}`

const moment = (instant: number): Markup =>
  html`<time datetime="${iso(instant)}">${momentInWords(instant, PANAMA)}</time>`

const cancellation = (instant: number, reason: string | null): Spoken =>
  say`${INVOICE_TEXTS.canceledOn(momentInWords(instant, PANAMA))}${reason === null ? '' : `: ${reason}`}`

const fact = (name: Text, value: Content): Content =>
  value !== null &&
  html`<dt>${name}</dt>
    <dd>${value}</dd>`
