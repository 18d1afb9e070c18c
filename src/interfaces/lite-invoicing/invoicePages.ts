/**
 * The printable page of an invoice, the `documentUrl` of an issued invoice. The specification does not show it. The page has
 * the contents of the printed form of Panama's electronic invoices.
 */
import type { Resource, PageSet } from '../../http/definition/definition.ts'
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import { sendPage, type Page } from '../../http/webPages/webPages.ts'
import { momentInWords } from '../../http/schemas/wording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { countryName } from '../../state/shared/countries.ts'
import { getIssuer } from '../../state/shared/cufe.ts'
import { invoicesByCufe, type Invoice } from '../../state/lite-invoicing/invoices.ts'
import { ITBMS_RATES, PAYMENT_TYPES } from '../../state/lite-invoicing/tables.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { printedNumber } from './shapes/invoices.ts'

const invoicePageRoutes: Resource = async (pages) => {
  pages.get<{ Params: { cufe: string } }>('/:cufe', ({ params, workspace }, reply) => {
    sendPage(reply, invoicePage(workspace, invoicesByCufe.get(workspace, params.cufe)))
  })
}

const STYLE = `
.lines { width: 100%; margin-top: 1.5rem; border-collapse: collapse; }
.lines th, .lines td { padding: 0.375rem 0 0.375rem 0.75rem; text-align: right; vertical-align: top; }
.lines th { color: var(--quiet); font-weight: normal; border-bottom: 1px solid var(--line); }
.lines th:first-child, .lines td:first-child { padding-left: 0; text-align: left; }
`

/** The pages of lite invoicing. */
export const invoicePages: PageSet = { resources: [invoicePageRoutes], style: STYLE }

const PANAMA = 'America/Panama'

function invoicePage(workspace: Workspace, invoice: Invoice): Page {
  const { canceledAt, reason, status } = invoice
  const issuer = getIssuer()
  const heading = `Invoice ${printedNumber(invoice.number)}`
  return {
    title: status === 'canceled' ? `Canceled: ${heading}` : heading,
    body: html`<div class="state ${status === 'canceled' ? 'bad' : 'good'}">
        <h1>${heading}</h1>
        <p class="amount">${balboas(invoice.total)}</p>
        ${canceledAt !== null && html`<p>Canceled on ${moment(canceledAt)}${reason !== null && html`: ${reason}`}</p>`}
      </div>
      <dl class="facts receipt">
        ${fact('Issued by', workspace.name)} ${fact('RUC', ruc(issuer.ruc, issuer.dv))}
        ${fact('Branch', invoice.branchId)} ${fact('Date', moment(invoice.createdAt))}
        ${recipientFacts(invoice)}
      </dl>
      ${lines(invoice)}
      <dl class="facts receipt">
        ${fact('Subtotal', balboas(invoice.subTotal))} ${fact('ITBMS', balboas(invoice.taxTotal))}
        ${fact('Total', balboas(invoice.total))}
        ${invoice.payments.map(({ type, amount }) => fact(PAYMENT_TYPES[type], balboas(amount)))}
        ${fact('CUFE', invoice.cufe)}
      </dl>`,
  }
}

const recipientFacts = ({ recipient }: Invoice): Content => [
  fact('To', recipient.name),
  recipient.taxId !== null && fact('RUC', ruc(recipient.taxId, recipient.taxDv)),
  fact('Foreign tax id', recipient.foreignTaxId),
  fact('Passport', recipient.passport),
  recipient.country !== null && fact('Country', countryName(recipient.country)),
]

const lines = ({ items }: Invoice): Markup =>
  html`<table class="lines">
    <thead>
      <tr>
        <th scope="col">Description</th>
        <th scope="col">Quantity</th>
        <th scope="col">Price</th>
        <th scope="col">ITBMS</th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody>
      ${items.map(
        ({ description, qty, price, taxCode, amount }) =>
          html`<tr>
            <td>${description}</td>
            <td>${qty}</td>
            <td>${price}</td>
            <td>${String(ITBMS_RATES[taxCode])} %</td>
            <td>${amount}</td>
          </tr>`,
      )}
    </tbody>
  </table>`

/** "155700001-2-2021 DV 08" */
const ruc = (id: string, dv: number | null): string =>
  dv === null ? id : `${id} DV ${String(dv).padStart(2, '0')}`

const balboas = (amount: string): string => `B/. ${amount}`

const moment = (instant: number): Markup =>
  html`<time datetime="${iso(instant)}">${momentInWords(instant, PANAMA)}</time>`

const fact = (name: string, value: Content): Content =>
  value !== null &&
  html`<dt>${name}</dt>
    <dd>${value}</dd>`
