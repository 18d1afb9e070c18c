/**
 * The page after the hosted checkout. Specification part 2, "Hosted checkout in a popup": a message {type, status,
 * orderId, customerEmail, card {brand, last4}} to the opener, display-only, or the way on to redirectUrl.
 *
 * The form leads here and not straight to redirectUrl, for browsers apply form-action to the redirects of a form.
 * Assumed: cancelling is reported as sim_cancelled; the status is that of the specification's table, `collected` for a collection link and `completed` for a
 * payment; the card is null where a wallet paid. Opened again, the page says the same again, and nothing happens.
 */
import { html } from '../../http/html.ts'
import type { Page } from '../../http/webPages.ts'
import { amountInWords } from '../../http/wording.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import { parseExactUrl } from '../../state/parseUrl.ts'
import type { Workspace } from '../../state/workspace.ts'

/** What the opener of the popup is told. */
export function messageOf(link: Link) {
  const isCollection = link.linkType === 'customer_collection'
  return {
    type: isCollection ? 'sim_collected' : 'sim_paid',
    status: isCollection ? 'collected' : 'completed',
    orderId: link.orderId,
    customerEmail: link.customerEmail,
    card: link.cardLast4 === null ? null : { brand: link.cardBrand, last4: link.cardLast4 },
  }
}

/** What the opener is told of a checkout that was given up; the link can still be used. */
const GIVEN_UP = {
  type: 'sim_cancelled',
  status: 'cancelled',
  orderId: null,
  customerEmail: null,
  card: null,
}

/** Of a link whose checkout was given up, and that waits for it still. */
export function givenUpPage(workspace: Workspace, link: Link): Page {
  const isCollection = link.linkType === 'customer_collection'
  return {
    title: `Cancelled – ${workspace.name}`,
    script: true,
    body: html`<div
        class="state bad"
        id="outcome"
        data-message="${JSON.stringify(GIVEN_UP)}"
        data-origin="${onwardFrom(link)?.origin}"
      >
        <h1>${isCollection ? 'No card was saved' : 'Nothing was paid'}</h1>
        <p class="quiet">You cancelled. The link can still be used.</p>
      </div>
      <p class="onward">
        <a class="button" href="../${encodeURIComponent(link.hashUrl)}">Back to the checkout</a>
      </p>`,
  }
}

/** Of a link that is completed; a receipt tells and leads nobody. */
export function donePage(workspace: Workspace, link: Link, isReceipt = false): Page {
  const onward = isReceipt ? null : onwardFrom(link)
  const heading = link.linkType === 'customer_collection' ? 'Card saved' : 'Payment completed'
  return {
    title: `${heading} – ${workspace.name}`,
    script: !isReceipt,
    head: onward && html`<noscript><meta http-equiv="refresh" content="0; url=${onward.href}" /></noscript>`,
    body: html`<div
        class="state good"
        id="${isReceipt ? 'receipt' : 'outcome'}"
        data-message="${isReceipt ? undefined : JSON.stringify(messageOf(link))}"
        data-origin="${onward?.origin}"
        data-redirect="${onward?.href}"
      >
        <h1>${heading}</h1>
        ${link.amount !== null && html`<p class="amount">${amountInWords(link.amount, link.currency)}</p>`}
        <p class="quiet">
          ${isReceipt ? 'This is your receipt.' : onward ? 'Thank you. You are taken on.' : 'Thank you. You can close this page.'}
        </p>
      </div>
      <dl class="facts receipt">
        ${
          link.concept !== null &&
          html`<dt>For</dt>
            <dd>${link.concept}</dd>`
        }
        <dt>${link.amount === null ? 'Saved for' : 'Paid to'}</dt>
        <dd>${workspace.name}</dd>
        ${
          link.cardLast4 !== null &&
          html`<dt>Card</dt>
            <dd>${link.cardBrand} ending in ${link.cardLast4}</dd>`
        }
        <dt>Order</dt>
        <dd>${link.orderId}</dd>
      </dl>
      ${onward && html`<p class="onward"><a class="button" href="${onward.href}">Continue to ${onward.host}</a></p>`}`,
  }
}

/** Where the link leads on to; a snapshot may hold an address that no browser should be sent to. */
function onwardFrom({ redirectUrl }: Link): URL | null {
  const url = redirectUrl === null ? null : parseExactUrl(redirectUrl)
  return url && /^https?:$/.test(url.protocol) ? url : null
}
