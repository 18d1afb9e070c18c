/**
 * Renders and parses the form of the hosted payment page. Specification part 2, "Payments v1", shows the methods of a link
 * but not the page. `payLink` decides the outcome of a payment.
 */
import {
  bankFields,
  cardFields,
  readBankFields,
  readCardFields,
  readWalletFields,
  walletFields,
  type Hints,
} from '../../http/webPages/payFields.ts'
import {
  alert,
  areProblems,
  choiceOf,
  emailField,
  problemSummary,
  readEmail,
  textField,
  type Choice,
  type Typed,
} from '../../http/webPages/formFields.ts'
import { html, type Markup } from '../../http/webPages/html.ts'
import { DECLINES, PAY_TEXTS } from '../../http/webPages/payTexts.ts'
import { PAGE_TEXTS } from '../../http/webPages/texts.ts'
import { amountInWords } from '../../http/schemas/wording.ts'
import {
  CARD_NETWORKS,
  type CardNetwork,
  type CardOutcome,
  type Failure,
} from '@suite-sim/kit/calls/testCards'
import { isFailure } from '../../state/shared/cards.ts'
import { randomToken } from '@suite-sim/kit/random'
import { LARGEST_AMOUNT } from '../../state/payments/amounts.ts'
import type { Link } from '../../state/payments/links.ts'
import type { PaymentMethod } from '../../state/payments/tables.ts'
import type { Payment } from '../../state/payments/transactions.ts'
import type { PageProblem } from '../../state/model/refusal.ts'
import type { Text } from '../../state/text/languages.ts'
import { PAY_PAGE_TEXTS } from './payTexts.ts'

/** What a payer chooses. The network of a card follows from its number. */
type Way = 'card' | 'wallet_1' | 'wallet_2' | 'ach'

/** The labels of the ways to pay. */
export const WAYS: Readonly<Record<Way, Text>> = {
  card: PAY_TEXTS.card,
  wallet_1: PAY_TEXTS.wallet1,
  wallet_2: PAY_PAGE_TEXTS.wallet2,
  ach: PAY_PAGE_TEXTS.ach,
}

const isNetwork = (method: PaymentMethod): method is CardNetwork =>
  (CARD_NETWORKS as readonly string[]).includes(method)

/** Returns the way to pay of a method. */
export const wayOf = (method: PaymentMethod): Way => (isNetwork(method) ? 'card' : method)

const waysOf = ({ paymentMethods }: Link): readonly Way[] => [...new Set(paymentMethods.map(wayOf))]

const networksOf = ({ paymentMethods }: Link): readonly CardNetwork[] => paymentMethods.filter(isNetwork)

const NAME_LIMIT = 120

// ---------------------------------------------------------------- the form

export interface ShownForm {
  /** The values to fill in. Never a card or account number. */
  readonly typed?: Typed
  readonly problems?: readonly PageProblem[]
  /** Why the last attempt failed. */
  readonly failure?: Failure
  /** The attempt id of the previous form, unless it led to a payment. */
  readonly attempt?: string | undefined
}

/** Renders the form, below the errors of the last attempt. */
export function payForm(
  link: Link,
  { typed = () => '', problems = [], failure, attempt }: ShownForm,
  hints: Hints,
): Markup {
  const chosen = waysOf(link).find((way) => way === typed('method')) ?? waysOf(link)[0] ?? 'card'
  return html`${failure && alert(DECLINES[failure], html`<p>${PAY_PAGE_TEXTS.tryAnother}</p>`)}
    ${problems.length > 0 && problemSummary(problems)}
    <form method="post" novalidate>
      <input type="hidden" name="attempt" value="${attempt ?? randomToken()}" />
      ${link.amount === null && amountField(link, typed('amount'), problems)}
      ${choiceOf('method', PAY_TEXTS.howToPay, choicesOf(link, typed, problems, hints), chosen, problems)}
      <fieldset>
        <legend>${PAY_PAGE_TEXTS.aboutYou}</legend>
        ${textField(
          {
            name: 'name',
            label: PAGE_TEXTS.name,
            isOptional: true,
            autocomplete: 'name',
            maxlength: NAME_LIMIT,
            value: typed('name'),
          },
          problems,
        )}
        ${emailField(typed('email'), problems)}
      </fieldset>
      <div class="pay-button">
        <button type="submit">${payButton(link)}</button>
      </div>
    </form>`
}

/** The words of the button, with the amount of the link. */
export const payButton = ({ amount, currency }: Link): Text =>
  amount === null ? PAY_TEXTS.pay : PAY_TEXTS.payAmount(amountInWords(amount, currency))

const amountField = ({ currency }: Link, value: string, problems: readonly PageProblem[]): Markup =>
  textField(
    {
      name: 'amount',
      label: PAY_PAGE_TEXTS.amountIn(currency),
      hint: PAY_PAGE_TEXTS.amountHint,
      prefix: currency,
      inputmode: 'decimal',
      autocomplete: 'transaction-amount',
      maxlength: 20,
      value,
    },
    problems,
  )

const choicesOf = (link: Link, typed: Typed, problems: readonly PageProblem[], hints: Hints): Choice[] =>
  waysOf(link).map((way) => ({
    value: way,
    label: WAYS[way],
    ...fieldsOf(way, link, typed, problems, hints),
  }))

function fieldsOf(
  way: Way,
  link: Link,
  typed: Typed,
  problems: readonly PageProblem[],
  hints: Hints,
): Pick<Choice, 'fields' | 'hint'> {
  switch (way) {
    case 'card': {
      const networks = networksOf(link)
      return {
        hint: networks.join(', '),
        fields: cardFields(networks, typed('card_expiry'), problems, hints),
      }
    }
    case 'wallet_1':
    case 'wallet_2':
      return { fields: walletFields(`${way}_phone`, problems, hints) }
    case 'ach':
      return { fields: bankFields('ach_account', problems, hints) }
  }
}

// ---------------------------------------------------------------- what was typed

/** A card whose issuer requires authentication first. */
export interface Unconfirmed {
  readonly confirms: string
}

/** Parses the form into a payment, or returns its errors in the order of the form. */
export function readPayForm(
  link: Link,
  typed: Typed,
  now: number,
): Payment | Unconfirmed | readonly PageProblem[] {
  const amount = link.amount ?? readAmount(typed('amount'), link.currency)
  const paid = readWay(link, typed, now)
  const name = typed('name').trim()
  const email = readEmail(typed)
  const problems = [
    typeof amount !== 'number' && amount,
    ...(areProblems(paid) ? paid : []),
    name.length > NAME_LIMIT && problem('name', 'too_long', PAGE_TEXTS.tooLong(String(NAME_LIMIT))),
    typeof email === 'object' && email,
  ].filter((found) => found !== false)
  if (problems.length > 0 || typeof amount !== 'number' || areProblems(paid) || typeof email === 'object') {
    return problems
  }
  if ('confirms' in paid) return paid
  return {
    ...paid,
    amount,
    customer: { name: name === '' ? null : name, email: email ?? null },
    attempt: readAttempt(typed),
  }
}

/** Returns the attempt id of the form; undefined if `unguessable` cannot have generated it. */
export const readAttempt = (typed: Typed): string | undefined => /^[\w-]{32}$/.exec(typed('attempt'))?.[0]

const problem = (field: string, code: string, message: Text): PageProblem => ({ field, code, message })

/** Parses an amount into cents. Never parses a fraction as a number, so the result is exact. */
function readAmount(text: string, currency: string): number | PageProblem {
  const amountProblem = (code: string, message: Text): PageProblem => problem('amount', code, message)
  if (text.trim() === '') return amountProblem('required', PAY_PAGE_TEXTS.amountRequired)
  const [, units, fraction = ''] = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (units === undefined) {
    return amountProblem('invalid', PAY_PAGE_TEXTS.amountInvalid)
  }
  const cents = Number(units + fraction.padEnd(2, '0'))
  if (cents === 0) return amountProblem('invalid', PAY_PAGE_TEXTS.amountZero)
  if (cents <= LARGEST_AMOUNT) return cents
  return amountProblem('too_large', PAY_PAGE_TEXTS.amountTooLarge(amountInWords(LARGEST_AMOUNT, currency)))
}

type Paid = Pick<Payment, 'paymentMethod' | 'outcome' | 'failure' | 'cardLastFour'>

/** Parses the payment method and determines the issuer's response. */
function readWay(link: Link, typed: Typed, now: number): Paid | Unconfirmed | readonly PageProblem[] {
  const way = waysOf(link).find((each) => each === typed('method'))
  if (way === undefined) return [problem('method', 'required', PAY_TEXTS.chooseHowToPay)]
  if (way === 'card') return readCardOf(link, typed, now)
  const read = way === 'ach' ? readBankFields('ach_account', typed) : readWalletFields(`${way}_phone`, typed)
  return 'outcome' in read ? { paymentMethod: way, ...outcomeOf(read.outcome) } : [read]
}

function readCardOf(link: Link, typed: Typed, now: number): Paid | Unconfirmed | readonly PageProblem[] {
  const read = readCardFields(typed, now)
  if (areProblems(read)) return read
  const { card, outcome } = read
  if (!link.paymentMethods.includes(card.brand)) {
    return [problem('card_number', 'not_allowed', PAY_PAGE_TEXTS.networkNotAccepted(card.brand))]
  }
  if (outcome === 'authentication_required') return { confirms: card.last4 }
  return { paymentMethod: card.brand, cardLastFour: card.last4, ...outcomeOf(outcome) }
}

/** Maps the issuer's response to the outcome of the payment. */
function outcomeOf(outcome: CardOutcome): Pick<Payment, 'outcome' | 'failure'> {
  if (isFailure(outcome)) return { outcome: 'failed', failure: outcome }
  return { outcome: outcome === 'pending' ? 'pending' : 'completed' }
}
