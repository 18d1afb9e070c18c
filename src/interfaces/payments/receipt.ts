/** The receipt of a payment. Specification part 2, "Payments v1", shows receipt_url but not the page. */
import { html, type Content, type Markup } from '../../http/webPages/html.ts'
import { linkTo } from '../../http/webPages/languages.ts'
import { DECLINES, PAY_TEXTS } from '../../http/webPages/payTexts.ts'
import type { Page } from '../../http/webPages/webPages.ts'
import { amountInWords, momentInWords } from '../../http/schemas/wording.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { Link } from '../../state/payments/links.ts'
import { failureOf } from '../../state/shared/cards.ts'
import type { Transaction } from '../../state/payments/transactions.ts'
import { say, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { WAYS, wayOf } from './payForm.ts'
import { PAY_PAGE_TEXTS, RECEIPT_STATES, RECEIPT_TEXTS } from './payTexts.ts'

interface State {
  readonly look: 'good' | 'wait' | 'bad'
  readonly heading: Text
  readonly note?: Text
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
    title: say`${heading}: ${paid}`,
    script: status === 'pending',
    body: html`<div class="state ${look}" ${status === 'pending' && html`id="processing"`}>
        <h1>${heading}</h1>
        <p class="amount">${paid}</p>
        ${note !== undefined && html`<p class="quiet">${note}</p>`}
      </div>
      <dl class="facts receipt">
        ${fact(PAY_TEXTS.paidTo, workspace.name)} ${fact(PAY_TEXTS.for, transaction.description)}
        ${fact(PAY_PAGE_TEXTS.referenceName, link?.reference)}
        ${fact(RECEIPT_TEXTS.date, moment(workspace, transaction))}
        ${fact(RECEIPT_TEXTS.method, method(transaction))}
        ${fact(RECEIPT_TEXTS.paidBy, transaction.customerName)}
        ${isRefunded && fact(RECEIPT_TEXTS.refunded, amountInWords(refundedAmount, currency))}
        ${isRefunded && refundedAmount < amount && fact(RECEIPT_TEXTS.kept, amountInWords(amount - refundedAmount, currency))}
        ${fact(RECEIPT_TEXTS.transaction, transaction.id)}
      </dl>
      ${
        status === 'failed' &&
        isPayable &&
        link &&
        html`<p class="onward">
          <a class="button" href="${linkTo(`../${encodeURIComponent(link.id)}`)}"
            >${RECEIPT_TEXTS.tryAgain}</a
          >
        </p>`
      }`,
  }
}

function stateOf({ status, amount, refundedAmount, failure }: Transaction): State {
  switch (status) {
    case 'completed':
      if (refundedAmount === amount) {
        return {
          look: 'wait',
          heading: RECEIPT_STATES.refunding,
          note: RECEIPT_STATES.refundNote,
        }
      }
      return refundedAmount > 0
        ? { look: 'good', heading: RECEIPT_STATES.partlyRefunded }
        : { look: 'good', heading: RECEIPT_STATES.completed, note: RECEIPT_STATES.completedNote }
    case 'refunded':
      return { look: 'wait', heading: RECEIPT_STATES.refunded, note: RECEIPT_STATES.refundNote }
    case 'pending':
      return {
        look: 'wait',
        heading: RECEIPT_STATES.pending,
        note: RECEIPT_STATES.pendingNote,
      }
    case 'failed':
      return { look: 'bad', heading: RECEIPT_STATES.failed, note: DECLINES[failureOf(failure)] }
  }
}

const fact = (name: Text, value: Content): Content =>
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

function method({ paymentMethod, cardLastFour }: Transaction): Text {
  const way = wayOf(paymentMethod)
  if (way !== 'card') return WAYS[way]
  const ending = cardLastFour === null ? '' : RECEIPT_TEXTS.endingIn(cardLastFour)
  return say`${WAYS.card} (${paymentMethod})${ending}`
}
