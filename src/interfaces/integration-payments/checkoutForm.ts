/**
 * Renders and parses the form of the hosted checkout. Specification part 2, "Integration payments": "Both collection
 * variants accept cards only; the local wallet cannot store a credential."
 */
import {
  alert,
  areProblems,
  choiceOf,
  emailField,
  problemSummary,
  readEmail,
  type Choice,
  type Typed,
} from '../../http/webPages/formFields.ts'
import { html, type Markup } from '../../http/webPages/html.ts'
import { linkTo } from '../../http/webPages/languages.ts'
import {
  cardFields,
  readCardFields,
  readWalletFields,
  walletFields,
  type Hints,
} from '../../http/webPages/payFields.ts'
import { DECLINES, PAY_TEXTS } from '../../http/webPages/payTexts.ts'
import { amountInWords } from '../../http/schemas/wording.ts'
import { CARD_NETWORKS, type CardOutcome } from '@suite-sim/kit/calls/testCards'
import type { Payer } from '../../state/integration-payments/completion.ts'
import type { Link } from '../../state/integration-payments/links.ts'
import type { LINK_METHODS } from '../../state/integration-payments/tables.ts'
import type { PageProblem } from '../../state/model/refusal.ts'
import type { Text } from '../../state/text/languages.ts'
import { CHECKOUT_TEXTS, COLLECTION_DECLINES } from './checkoutTexts.ts'

type Method = (typeof LINK_METHODS)[number]

const METHODS: Readonly<Record<Method, Text>> = { card: PAY_TEXTS.card, wallet_1: PAY_TEXTS.wallet1 }

/** Includes the wallet only if the checkout stores no card and the link names the wallet. */
const methodsOf = ({ linkType, paymentMethods }: Link): readonly Method[] =>
  linkType === 'one_time' && paymentMethods?.length ? paymentMethods : ['card']

/** Checks if the checkout asks for an e-mail address: on request, and if none is known. */
const asksForEmail = ({ requestCustomerEmail, customerEmail }: Link): boolean =>
  requestCustomerEmail || customerEmail === null

/** Checks if the e-mail address is required, because the checkout creates a customer. */
const needsEmail = ({ linkType }: Link): boolean => linkType !== 'one_time'

// ---------------------------------------------------------------- the form

export interface ShownForm {
  /** The values to fill in. A new form has the e-mail address of the link. */
  readonly typed?: Typed
  readonly problems?: readonly PageProblem[]
  /** Why the last attempt failed. */
  readonly decline?: keyof typeof DECLINES
}

/** Renders the form, below the errors of the last attempt. */
export function checkoutForm(link: Link, { typed, problems = [], decline }: ShownForm, hints: Hints): Markup {
  const methods = methodsOf(link)
  const choices = methods.map((method) => choice(method, typed?.('card_expiry') ?? '', problems, hints))
  const chosen = methods.find((method) => method === typed?.('method')) ?? methods[0] ?? 'card'
  return html`${
      decline &&
      alert(
        link.linkType === 'customer_collection' ? COLLECTION_DECLINES[decline] : DECLINES[decline],
        html`<p>
          ${link.amount === null ? CHECKOUT_TEXTS.noCardSavedTryAnother : CHECKOUT_TEXTS.nothingChargedTryAnother}
        </p>`,
      )
    }
    ${problems.length > 0 && problemSummary(problems)}
    <form method="post" novalidate>
      ${
        asksForEmail(link) &&
        html`<div>
          ${emailField(typed?.('email') ?? link.customerEmail ?? '', problems, needsEmail(link))}
        </div>`
      }
      ${choiceOf('method', PAY_TEXTS.howToPay, choices, chosen, problems)}
      <div class="pay-button">
        <button type="submit">
          ${
            link.amount === null
              ? CHECKOUT_TEXTS.saveCard
              : PAY_TEXTS.payAmount(amountInWords(link.amount, link.currency))
          }
        </button>
      </div>
      ${link.linkType === 'customer_payment' && html`<p class="quiet">${CHECKOUT_TEXTS.cardIsStored}</p>`}
      <p class="onward">
        <a href="${linkTo(`${encodeURIComponent(link.hashUrl)}/cancelled`)}">${CHECKOUT_TEXTS.cancel}</a>
      </p>
    </form>`
}

function choice(method: Method, expiry: string, problems: readonly PageProblem[], hints: Hints): Choice {
  const fields =
    method === 'card'
      ? cardFields(CARD_NETWORKS, expiry, problems, hints)
      : walletFields('wallet_1_phone', problems, hints)
  return { value: method, label: METHODS[method], fields }
}

// ---------------------------------------------------------------- what was typed

/** The payer with the payment method, and the issuer's response. */
export interface ReadCheckout {
  readonly payer: Payer
  readonly outcome: CardOutcome
}

/** Parses the form, or returns its errors in the order of the form. */
export function readCheckout(link: Link, typed: Typed, now: number): ReadCheckout | readonly PageProblem[] {
  const email = asksForEmail(link) ? readEmail(typed, needsEmail(link)) : undefined
  const paid = readMethod(link, typed, now)
  const problems = [...(typeof email === 'object' ? [email] : []), ...(areProblems(paid) ? paid : [])]
  if (areProblems(paid) || typeof email === 'object') return problems
  return {
    outcome: paid.outcome,
    payer: { ...paid.payer, ...(email !== undefined && { customerEmail: email }) },
  }
}

function readMethod(link: Link, typed: Typed, now: number): ReadCheckout | readonly PageProblem[] {
  const method = methodsOf(link).find((each) => each === typed('method'))
  switch (method) {
    case undefined:
      return [{ field: 'method', code: 'required', message: PAY_TEXTS.chooseHowToPay }]
    case 'card': {
      const read = readCardFields(typed, now)
      return areProblems(read) ? read : { payer: { method, card: read.card }, outcome: read.outcome }
    }
    case 'wallet_1': {
      const read = readWalletFields('wallet_1_phone', typed)
      return 'outcome' in read ? { payer: { method }, outcome: read.outcome } : [read]
    }
  }
}
