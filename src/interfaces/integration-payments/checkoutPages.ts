/**
 * The hosted checkout at `paymentLinkUrl` (assumed; specification part 2, "Integration payments", shows only its results).
 * Only `completeLink` and `processLink` change a link. Responds with 422 to invalid input, with 402 to a declined card, which
 * changes nothing and emits no event, and with 409 if the link cannot be used.
 */
import type { FastifyReply } from 'fastify'
import { areProblems } from '../../http/webPages/formFields.ts'
import {
  authenticationForm,
  authenticationIn,
  startAuthentication,
  type AuthenticationStep,
} from '../../http/webPages/authentication.ts'
import { linkTo } from '../../http/webPages/languages.ts'
import { hintsOf } from '../../http/webPages/payFields.ts'
import { PAY_TEXTS } from '../../http/webPages/payTexts.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { html, type Content } from '../../http/webPages/html.ts'
import type { Resource, PageSet } from '../../http/definition/definition.ts'
import { goTo, sendPage, typedInto, type Page } from '../../http/webPages/webPages.ts'
import { amountInWords, momentInWords } from '../../http/schemas/wording.ts'
import { completeLink, processLink } from '../../state/integration-payments/completion.ts'
import { linksByHash, type Link } from '../../state/integration-payments/links.ts'
import { unlessRefused } from '../../state/model/refusal.ts'
import { say, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { isFailure } from '../../state/shared/cards.ts'
import { donePage, cancelledPage } from './checkoutResultPages.ts'
import { checkoutForm, readCheckout, type ReadCheckout, type ShownForm } from './checkoutForm.ts'
import { CHECKOUT_SCRIPT } from './checkoutScript.ts'
import { CHECKOUT_STATES, CHECKOUT_TEXTS } from './checkoutTexts.ts'

interface OfLink {
  Params: { hashUrl: string }
}

interface OfReceipt extends OfLink {
  /** Shows a receipt, which does not notify the opener again. */
  Querystring: { receipt?: string }
}

const checkout: Resource = async (pages) => {
  pages.get<OfLink>('/:hashUrl', (request, reply) => {
    const { workspace, params } = request
    const link = linksByHash.get(workspace, params.hashUrl)
    const step = authenticationIn(request, link.hashUrl)
    if (step && link.status === 'pending') sendPage(reply, confirmPage(workspace, link, step))
    else showLink(reply, workspace, link)
  })

  pages.post<OfLink>('/:hashUrl', (request, reply) => {
    const { workspace, params } = request
    const link = linksByHash.get(workspace, params.hashUrl)
    const typed = typedInto(request)
    if (link.status === 'processing') {
      // The form was sent twice. Both responses lead to the result of the first.
      goTo(reply, `${encodeURIComponent(link.hashUrl)}/done`)
      return
    }
    if (link.status === 'completed') {
      // Only the form that completed the link reports success.
      showLink(reply, workspace, link, {}, 409)
      return
    }
    const read = readCheckout(link, typed, workspace.now())
    if (areProblems(read)) {
      showLink(reply, workspace, link, { typed, problems: read }, 422)
      return
    }
    const { outcome } = read
    if (link.status === 'pending' && outcome === 'authentication_required') {
      startAuthentication(reply, workspace, link.hashUrl, { typed, last4: read.payer.card?.last4 ?? '' })
    } else if (link.status === 'pending' && isFailure(outcome)) {
      showLink(reply, workspace, link, { typed, decline: outcome }, 402)
    } else if (pay(workspace, link, read) !== null) {
      goTo(reply, `${encodeURIComponent(link.hashUrl)}/done`)
    } else {
      showLink(reply, workspace, linksByHash.get(workspace, link.hashUrl), { typed }, 409)
    }
  })

  pages.get<OfLink>('/:hashUrl/cancelled', ({ params, workspace }, reply) => {
    const link = linksByHash.get(workspace, params.hashUrl)
    if (link.status === 'pending') sendPage(reply, cancelledPage(workspace, link))
    else goTo(reply, `../${encodeURIComponent(link.hashUrl)}`)
  })

  pages.get<OfReceipt>('/:hashUrl/done', ({ params, query, workspace }, reply) => {
    const link = linksByHash.get(workspace, params.hashUrl)
    const isReceipt = query.receipt !== undefined
    if (link.status === 'completed') sendPage(reply, donePage(workspace, link, isReceipt))
    else if (link.status === 'processing') showLink(reply, workspace, link)
    else goTo(reply, `../${encodeURIComponent(link.hashUrl)}`)
  })
}

/** The pages of the hosted checkout. The field `paymentLinkUrl` of a link contains their addresses. */
export const checkoutPages: PageSet = {
  resources: [checkout],
  script: CHECKOUT_SCRIPT,
  takesPayments: true,
}

function confirmPage({ name }: Workspace, { amount, currency }: Link, step: AuthenticationStep): Page {
  const what =
    amount === null ? CHECKOUT_TEXTS.mayBeSaved : PAY_TEXTS.paymentOf(amountInWords(amount, currency))
  return { title: say`${PAY_TEXTS.confirm} – ${name}`, script: true, body: authenticationForm(step, what) }
}

/** Pays a link; null if it can no longer be used, which its page then says. */
const pay = (workspace: Workspace, { hashUrl }: Link, { payer, outcome }: ReadCheckout): object | null =>
  unlessRefused('wrong_state', () =>
    outcome === 'pending' ? processLink(workspace, hashUrl, payer) : completeLink(workspace, hashUrl, payer),
  )

/** Sends the form while the link is pending, otherwise its state; then any status but 200 becomes 409. */
function showLink(
  reply: FastifyReply,
  workspace: Workspace,
  link: Link,
  shown: ShownForm = {},
  status = 200,
): void {
  const state = stateOf(workspace, link)
  if (state) sendPage(reply, statePage(workspace, link, state), status === 200 ? 200 : 409)
  else sendPage(reply, formPage(workspace, link, shown), status)
}

const banner = ({ isTest }: Link): Content =>
  isTest &&
  html`<p class="banner"><strong>${CHECKOUT_TEXTS.testMode}</strong> ${CHECKOUT_TEXTS.testModeNote}</p>`

function formPage(workspace: Workspace, link: Link, shown: ShownForm): Page {
  const isCollection = link.linkType === 'customer_collection'
  const amount = link.amount === null ? null : amountInWords(link.amount, link.currency)
  const heading = isCollection ? CHECKOUT_TEXTS.saveYourCard : (link.concept ?? PAY_TEXTS.payment)
  const prefix = shown.decline ? PAGE_TEXTS.declined : shown.problems?.length ? PAGE_TEXTS.error : ''
  return {
    title: say`${prefix}${amount === null ? '' : say`${PAY_TEXTS.payAmount(amount)} – `}${heading} – ${workspace.name}`,
    script: true,
    body: html`${banner(link)}
      <div class="summary">
        <p class="quiet">
          ${isCollection ? CHECKOUT_TEXTS.forName(workspace.name) : PAY_TEXTS.payTo(workspace.name)}
        </p>
        <h1>${heading}</h1>
        ${amount !== null && html`<p class="amount">${amount}</p>`}
        ${isCollection && html`<p>${CHECKOUT_TEXTS.collectionNote(workspace.name)}</p>`}
        <dl class="facts">
          <dt>${CHECKOUT_TEXTS.customer}</dt>
          <dd>${link.customerName}</dd>
          <dt>${CHECKOUT_TEXTS.validUntil}</dt>
          <dd>${momentInWords(link.expiresAt, workspace.timezone)}</dd>
        </dl>
      </div>
      ${checkoutForm(link, shown, hintsOf(workspace))}`,
  }
}

interface State {
  readonly look: 'good' | 'wait' | 'bad'
  readonly heading: Text
  readonly note: Text
}

/** Describes the state of a link; null while it is pending. */
function stateOf({ name, timezone }: Workspace, link: Link): State | null {
  const { status, linkType, completedAt, cancelledAt, expiresAt } = link
  const on = (instant: number | null): Text =>
    instant === null ? '' : PAY_TEXTS.on(momentInWords(instant, timezone))
  const texts = CHECKOUT_STATES
  const isCollection = linkType === 'customer_collection'
  switch (status) {
    case 'pending':
      return null
    case 'processing':
      return {
        look: 'wait',
        heading: isCollection ? texts.checking : texts.processing,
        note: texts.takesAMoment,
      }
    case 'completed':
      return isCollection
        ? { look: 'good', heading: texts.alreadySaved, note: texts.wasSaved(on(completedAt)) }
        : { look: 'good', heading: PAY_TEXTS.alreadyPaid, note: PAY_TEXTS.wasPaid(on(completedAt)) }
    case 'expired':
      return {
        look: 'bad',
        heading: PAY_TEXTS.linkExpired,
        note: texts.expiredNote(on(expiresAt), name),
      }
    case 'cancelled':
      return {
        look: 'bad',
        heading: texts.cancelled,
        note: texts.cancelledNote(name, on(cancelledAt)),
      }
  }
}

function statePage({ name }: Workspace, link: Link, { look, heading, note }: State): Page {
  const isProcessing = link.status === 'processing'
  return {
    title: say`${heading} – ${name}`,
    script: isProcessing,
    body: html`${banner(link)}
      <div class="state ${look}" ${isProcessing && html`id="processing"`}>
        <h1>${heading}</h1>
        ${link.concept !== null && html`<p>${link.concept}</p>`}
        ${link.amount !== null && html`<p class="amount">${amountInWords(link.amount, link.currency)}</p>`}
        <p class="quiet">${note}</p>
      </div>
      ${isProcessing && html`<p class="onward"><a class="button" href="">${CHECKOUT_TEXTS.checkAgain}</a></p>`}
      ${
        link.status === 'completed' &&
        html`<p class="onward">
          <a class="button" href="${linkTo(`${encodeURIComponent(link.hashUrl)}/done?receipt`)}"
            >${PAY_TEXTS.seeReceipt}</a
          >
        </p>`
      }`,
  }
}
