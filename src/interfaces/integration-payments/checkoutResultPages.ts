/**
 * The page after the hosted checkout. Specification part 2, "Hosted checkout in a popup". It sends a message to the opener,
 * or goes on to redirectUrl. The form leads here first, because browsers apply form-action to the redirects of a form.
 */
import { html } from '../../http/webPages/html.ts'
import { linkTo } from '../../http/webPages/languages.ts'
import { PAY_TEXTS } from '../../http/webPages/payTexts.ts'
import type { Page } from '../../http/webPages/webPages.ts'
import { amountInWords } from '../../http/schemas/wording.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import { parseExactUrl } from '@suite-sim/kit/text/parseUrl'
import { say } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { CHECKOUT_TEXTS } from './checkoutTexts.ts'

/** Returns the message {type, status, orderId, customerEmail, card} to the opener. The card is null for a wallet (assumed). */
export function openerMessage(link: Link) {
  const isCollection = link.linkType === 'customer_collection'
  return {
    type: isCollection ? 'sim_collected' : 'sim_paid',
    status: isCollection ? 'collected' : 'completed',
    orderId: link.orderId,
    customerEmail: link.customerEmail,
    card: link.cardLast4 === null ? null : { brand: link.cardBrand, last4: link.cardLast4 },
  }
}

/** The message to the opener after a cancelled checkout (assumed). The link remains usable. */
const CANCELLED = {
  type: 'sim_cancelled',
  status: 'cancelled',
  orderId: null,
  customerEmail: null,
  card: null,
}

/** Renders the page after a cancelled checkout of a link that is still pending. */
export function cancelledPage(workspace: Workspace, link: Link): Page {
  const isCollection = link.linkType === 'customer_collection'
  return {
    title: say`${CHECKOUT_TEXTS.cancelled} – ${workspace.name}`,
    script: true,
    body: html`<div class="state bad" id="outcome" data-message="${JSON.stringify(CANCELLED)}">
        <h1>${isCollection ? CHECKOUT_TEXTS.noCardSaved : CHECKOUT_TEXTS.nothingPaid}</h1>
        <p class="quiet">${CHECKOUT_TEXTS.cancelledNote}</p>
      </div>
      <p class="onward">
        <a class="button" href="${linkTo(`../${encodeURIComponent(link.hashUrl)}`)}"
          >${CHECKOUT_TEXTS.backToCheckout}</a
        >
      </p>`,
  }
}

/** Renders the page of a completed link. A receipt sends no message and does not redirect. */
export function donePage(workspace: Workspace, link: Link, isReceipt = false): Page {
  const onward = isReceipt ? null : onwardFrom(link)
  const heading =
    link.linkType === 'customer_collection' ? CHECKOUT_TEXTS.cardSaved : CHECKOUT_TEXTS.paymentCompleted
  return {
    title: say`${heading} – ${workspace.name}`,
    script: !isReceipt,
    head: onward && html`<noscript><meta http-equiv="refresh" content="0; url=${onward.href}" /></noscript>`,
    body: html`<div
        class="state good"
        id="${isReceipt ? 'receipt' : 'outcome'}"
        data-message="${isReceipt ? undefined : JSON.stringify(openerMessage(link))}"
        data-redirect="${onward?.href}"
      >
        <h1>${heading}</h1>
        ${link.amount !== null && html`<p class="amount">${amountInWords(link.amount, link.currency)}</p>`}
        <p class="quiet">
          ${isReceipt ? CHECKOUT_TEXTS.isReceipt : onward ? CHECKOUT_TEXTS.redirecting : CHECKOUT_TEXTS.canClose}
        </p>
      </div>
      <dl class="facts receipt">
        ${
          link.concept !== null &&
          html`<dt>${PAY_TEXTS.for}</dt>
            <dd>${link.concept}</dd>`
        }
        <dt>${link.amount === null ? CHECKOUT_TEXTS.savedFor : PAY_TEXTS.paidTo}</dt>
        <dd>${workspace.name}</dd>
        ${
          link.cardLast4 !== null &&
          html`<dt>${PAY_TEXTS.card}</dt>
            <dd>${CHECKOUT_TEXTS.cardEndingIn(link.cardBrand ?? '', link.cardLast4)}</dd>`
        }
        <dt>${CHECKOUT_TEXTS.order}</dt>
        <dd>${link.orderId}</dd>
      </dl>
      ${onward && html`<p class="onward"><a class="button" href="${onward.href}">${CHECKOUT_TEXTS.continueTo(onward.host)}</a></p>`}`,
  }
}

/** Returns the redirectUrl of the link. Skips other schemes than HTTP and HTTPS, which a snapshot may contain. */
function onwardFrom({ redirectUrl }: Link): URL | null {
  const url = redirectUrl === null ? null : parseExactUrl(redirectUrl)
  return url && /^https?:$/.test(url.protocol) ? url : null
}
