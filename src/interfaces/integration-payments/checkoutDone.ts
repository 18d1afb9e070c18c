/**
 * The page after the hosted checkout. Specification part 2, "Hosted checkout in a popup": a message {type, status,
 * orderId, customerEmail, card {brand, last4}} to the opener, display-only, or the way on to redirectUrl.
 *
 * The form leads here and not straight to redirectUrl, for browsers apply form-action to the redirects of a form.
 * Assumed: the status is that of the specification's table, `collected` for a collection link and `completed` for a
 * payment; the card is null where a wallet paid. Opened again, the page says the same again, and nothing happens.
 */
import { html } from '../../http/html.ts'
import type { Page } from '../../http/webPages.ts'
import { amountInWords } from '../../http/wording.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import { writtenUrl } from '../../state/urlTexts.ts'
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

/** Of a link that is completed. */
export function donePage(workspace: Workspace, link: Link): Page {
  const onward = onwardFrom(link)
  const heading = link.linkType === 'customer_collection' ? 'Card saved' : 'Payment completed'
  return {
    title: `${heading} – ${workspace.name}`,
    script: true,
    head: onward && html`<noscript><meta http-equiv="refresh" content="0; url=${onward.href}" /></noscript>`,
    body: html`<div
        class="state good"
        id="outcome"
        data-message="${JSON.stringify(messageOf(link))}"
        data-origin="${onward?.origin}"
        data-redirect="${onward?.href}"
      >
        <h1>${heading}</h1>
        ${link.amount !== null && html`<p class="amount">${amountInWords(link.amount, link.currency)}</p>`}
        <p class="quiet">Thank you. ${onward ? 'You are taken on.' : 'You can close this page.'}</p>
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
  const url = redirectUrl === null ? null : writtenUrl(redirectUrl)
  return url && /^https?:$/.test(url.protocol) ? url : null
}
