/** The receipt of a payment. Specification part 2, "Payments v1", shows receipt_url but not the page. */
import { DECLINES } from '../../http/webPages/payFields.ts'
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import type { Page } from '../../http/webPages/webPages.ts'
import { amountInWords, momentInWords } from '../../http/schemas/wording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { Link } from '../../state/payments/links.ts'
import { failureOf } from '../../state/shared/cards.ts'
import type { Transaction } from '../../state/payments/transactions.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { WAYS, wayOf } from './payForm.ts'

interface State {
  readonly look: 'good' | 'wait' | 'bad'
  readonly heading: string
  readonly note?: string
}

/** Renders a receipt. `link` is null for a payment without a link; `isPayable` is true if the payer can try again. */
export function receiptPage(
  workspace: Workspace,
  transaction: Transaction,
  link: Link | null,
  isPayable: boolean,
): Page {
  const { look, heading, note } = stateOf(transaction)
  const { amount, currency, refundedAmount, status } = transaction
  const isRefunded = refundedAmount > 0
  const paid = amountInWords(amount, currency)
  return {
    title: `${heading}: ${paid}`,
    script: status === 'pending',
    body: html`<div class="state ${look}" ${status === 'pending' && html`id="processing"`}>
        <h1>${heading}</h1>
        <p class="amount">${paid}</p>
        ${note !== undefined && html`<p class="quiet">${note}</p>`}
      </div>
      <dl class="facts receipt">
        ${fact('Paid to', workspace.name)} ${fact('For', transaction.description)}
        ${fact('Reference', link?.reference)} ${fact('Date', moment(workspace, transaction))}
        ${fact('Method', method(transaction))} ${fact('Paid by', transaction.customerName)}
        ${isRefunded && fact('Refunded', amountInWords(refundedAmount, currency))}
        ${isRefunded && refundedAmount < amount && fact('Kept', amountInWords(amount - refundedAmount, currency))}
        ${fact('Transaction', transaction.id)}
      </dl>
      ${
        status === 'failed' &&
        isPayable &&
        link &&
        html`<p class="onward"><a class="button" href="../${encodeURIComponent(link.id)}">Try again</a></p>`
      }`,
  }
}

function stateOf({ status, amount, refundedAmount, failure }: Transaction): State {
  switch (status) {
    case 'completed':
      if (refundedAmount === amount) {
        return {
          look: 'wait',
          heading: 'Payment is being refunded',
          note: 'You receive the full amount back.',
        }
      }
      return refundedAmount > 0
        ? { look: 'good', heading: 'Payment partly refunded' }
        : { look: 'good', heading: 'Payment completed', note: 'Thank you. This is your receipt.' }
    case 'refunded':
      return { look: 'wait', heading: 'Payment refunded', note: 'You receive the full amount back.' }
    case 'pending':
      return {
        look: 'wait',
        heading: 'Payment pending',
        note: 'It is being processed. This page updates when it is done.',
      }
    case 'failed':
      return { look: 'bad', heading: 'Payment failed', note: DECLINES[failureOf(failure)] }
  }
}

const fact = (name: string, value: Content): Content =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  html`<dt>${name}</dt>
    <dd>${value}</dd>`

/** Renders the time of completion, or the time of creation if the payment is not completed. */
function moment(workspace: Workspace, { completedAt, createdAt }: Transaction): Markup {
  const instant = completedAt ?? createdAt
  return html`<time datetime="${iso(instant)}">${momentInWords(instant, workspace.timezone)}</time>`
}

function method({ paymentMethod, cardLastFour }: Transaction): string {
  const way = wayOf(paymentMethod)
  if (way !== 'card') return WAYS[way]
  return `${WAYS.card} (${paymentMethod})${cardLastFour === null ? '' : ` ending in ${cardLastFour}`}`
}
