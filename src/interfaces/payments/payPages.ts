/**
 * The hosted payment page (the `url` of a link) and the receipts. Specification part 2, "Payments v1", shows neither page.
 * Only `payLink` creates payments. Responds with 422 to invalid input, with 402 to a declined payment and with 409 if the link
 * accepts no more payments.
 */
import type { FastifyReply } from 'fastify'
import { areProblems } from '../../http/webPages/formFields.ts'
import { html, type Markup } from '../../http/webPages/html.ts'
import type { Resource, PageSet } from '../../http/definition/definition.ts'
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
import { PAY_SCRIPT } from '../../http/webPages/payScript.ts'
import { goTo, sendPage, typedInto, type Page } from '../../http/webPages/webPages.ts'
import { amountInWords, momentInWords } from '../../http/schemas/wording.ts'
import { failureOf } from '../../state/shared/cards.ts'
import { links, requiredPayments, type Link } from '../../state/payments/links.ts'
import {
  linkOf,
  lastCompletedPayment,
  payLink,
  transactions,
  waitsForPending,
} from '../../state/payments/transactions.ts'
import { unlessRefused } from '../../state/model/refusal.ts'
import { say, type Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { payButton, payForm, readAttempt, readPayForm, type ShownForm } from './payForm.ts'
import { PAY_PAGE_TEXTS } from './payTexts.ts'
import { receiptPage } from './receipt.ts'

const linkPages: Resource = async (pages) => {
  pages.get<{ Params: { link_id: string } }>('/:link_id', (request, reply) => {
    const { workspace, params } = request
    const link = links.get(workspace, params.link_id)
    const step = authenticationIn(request, link.id)
    if (step && !closedState(workspace, link)) sendPage(reply, confirmPage(workspace, link, step))
    else showLink(reply, workspace, link)
  })

  pages.post<{ Params: { link_id: string } }>('/:link_id', (request, reply) => {
    const { workspace, params } = request
    const link = links.get(workspace, params.link_id)
    const typed = typedInto(request)
    const read = readPayForm(link, typed, workspace.now())
    if (areProblems(read)) {
      showLink(reply, workspace, link, { typed, problems: read, attempt: readAttempt(typed) }, 422)
      return
    }
    if ('confirms' in read) {
      if (closedState(workspace, link)) showLink(reply, workspace, link, { typed }, 409)
      else startAuthentication(reply, workspace, link.id, { typed, last4: read.confirms })
      return
    }
    // If the link accepts no more payments, its page says so.
    const transaction = unlessRefused('wrong_state', () => payLink(workspace, link.id, read))
    if (transaction === null) {
      showLink(reply, workspace, links.get(workspace, link.id), { typed }, 409)
    } else if (transaction.status === 'failed') {
      const failure = failureOf(transaction.failure)
      showLink(reply, workspace, links.get(workspace, link.id), { typed, failure }, 402)
    } else {
      goTo(reply, `receipts/${encodeURIComponent(transaction.id)}`)
    }
  })
}

const receipts: Resource = async (pages) => {
  pages.get<{ Params: { transaction_id: string } }>(
    '/receipts/:transaction_id',
    ({ params, workspace }, reply) => {
      const transaction = transactions.get(workspace, params.transaction_id)
      const link = linkOf(workspace, transaction)
      const isPayable = link !== undefined && closedState(workspace, link) === null
      sendPage(reply, receiptPage(workspace, transaction, link ?? null, isPayable))
    },
  )
}

/** The pages of payments v1. The field `url` of a link contains their addresses. */
export const payPages: PageSet = {
  resources: [linkPages, receipts],
  script: PAY_SCRIPT,
  takesPayments: true,
}

/** Sends the form if the link accepts payments, otherwise the reason why not; then any status but 200 becomes 409. */
function showLink(
  reply: FastifyReply,
  workspace: Workspace,
  link: Link,
  shown: ShownForm = {},
  status = 200,
): void {
  const closed = closedState(workspace, link)
  if (closed) sendPage(reply, closedPage(link, closed, workspace), status === 200 ? 200 : 409)
  else sendPage(reply, formPage(workspace, link, shown), status)
}

function confirmPage({ name }: Workspace, { amount, currency }: Link, step: AuthenticationStep): Page {
  const what =
    amount === null ? PAY_PAGE_TEXTS.thePayment : PAY_TEXTS.paymentOf(amountInWords(amount, currency))
  return {
    title: say`${PAY_TEXTS.confirm} ${what} – ${name}`,
    script: true,
    body: authenticationForm(step, what),
  }
}

function formPage(workspace: Workspace, link: Link, shown: ShownForm): Page {
  const what = link.description ?? PAY_TEXTS.payment
  const prefix = shown.failure ? PAGE_TEXTS.declined : shown.problems?.length ? PAGE_TEXTS.error : ''
  return {
    title: say`${prefix}${payButton(link)} – ${what}`,
    script: true,
    body: html`${summary(workspace, link, html`<h1>${what}</h1>`)} ${payForm(link, shown, hintsOf(workspace))}`,
  }
}

const summary = (workspace: Workspace, link: Link, heading: Markup): Markup =>
  html`<div class="summary">
    ${link.logoUrl !== null && html`<img class="logo" src="${link.logoUrl}" alt="${workspace.name}" />`}
    <p class="quiet">${PAY_TEXTS.payTo(workspace.name)}</p>
    ${heading}
    ${link.amount !== null && html`<p class="amount">${amountInWords(link.amount, link.currency)}</p>`}
    ${link.reference !== null && html`<p class="quiet">${PAY_PAGE_TEXTS.referenceName} ${link.reference}</p>`}
    ${
      link.expiresAt !== null &&
      html`<p class="quiet">${PAY_PAGE_TEXTS.payUntil(momentInWords(link.expiresAt, workspace.timezone))}</p>`
    }
  </div>`

interface ClosedState {
  /** The id of the transaction whose receipt is linked. */
  readonly receipt?: string | undefined
  readonly look: 'good' | 'wait' | 'bad'
  readonly heading: Text
  readonly note: Text
}

/** Returns why the link accepts no payments; null if it does. */
function closedState(workspace: Workspace, link: Link): ClosedState | null {
  const { status, paidAt, expiresAt } = link
  const on = (instant: number | null): Text =>
    instant === null ? '' : PAY_TEXTS.on(momentInWords(instant, workspace.timezone))
  const texts = PAY_PAGE_TEXTS
  switch (status) {
    case 'active':
      return waitsForPending(workspace, link)
        ? {
            look: 'wait',
            heading: texts.processing,
            note: texts.processingNote,
          }
        : null
    case 'paid':
      return {
        look: 'good',
        heading: PAY_TEXTS.alreadyPaid,
        note:
          requiredPayments(link) === 1
            ? PAY_TEXTS.wasPaid(on(paidAt))
            : texts.wereCompleted(String(requiredPayments(link)), on(paidAt)),
        // With several payments, each payer has a different receipt.
        receipt: requiredPayments(link) === 1 ? lastCompletedPayment(workspace, link)?.id : undefined,
      }
    case 'expired':
      return {
        look: 'bad',
        heading: PAY_TEXTS.linkExpired,
        note: texts.expiredNote(on(expiresAt), workspace.name),
      }
    case 'disabled':
      return {
        look: 'bad',
        heading: texts.disabled,
        note: texts.disabledNote(workspace.name),
      }
  }
}

function closedPage(link: Link, { look, heading, note, receipt }: ClosedState, workspace: Workspace): Page {
  const what = link.description ?? PAY_TEXTS.payment
  return {
    title: say`${heading} – ${what}`,
    script: look === 'wait',
    body: html`<div class="state ${look}" ${look === 'wait' && html`id="processing"`}>
        <h1>${heading}</h1>
        <p>${what}${link.amount !== null && html`, ${amountInWords(link.amount, link.currency)}`}</p>
        <p class="quiet">${note}</p>
        ${
          link.reference !== null &&
          html`<p class="quiet">${PAY_PAGE_TEXTS.referenceName} ${link.reference} · ${workspace.name}</p>`
        }
      </div>
      ${
        receipt !== undefined &&
        html`<p class="onward">
          <a class="button" href="${linkTo(`receipts/${encodeURIComponent(receipt)}`)}"
            >${PAY_TEXTS.seeReceipt}</a
          >
        </p>`
      }`,
  }
}
