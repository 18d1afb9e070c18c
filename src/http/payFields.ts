/** The fields by which a person pays (a card, a wallet, a bank account), and the test values that they take. */
import {
  authenticatedCard,
  isFailure,
  readCard,
  TEST_CARDS,
  type CardNetwork,
  type CardOutcome,
  type Failure,
  type ReadCard,
} from '../state/cards.ts'
import { iso } from '../state/clock.ts'
import type { FieldProblem } from '../state/refusal.ts'
import {
  readBankAccount,
  readPhone,
  TEST_BANK_ACCOUNTS,
  TEST_PHONES,
  type TestAccount,
} from '../state/testAccounts.ts'
import type { Workspace } from '../state/workspace.ts'
import { areProblems, textField, type Typed } from './formFields.ts'
import { html, type Content, type Markup } from './html.ts'

/** What the forms of a workspace show of the test values. */
export const hintsOf = (workspace: Workspace): Hints => ({ testValues: true, now: workspace.now() })

/** What a form shows of the test values. */
export interface Hints {
  /** Whether it shows them at all. */
  readonly testValues: boolean
  /** On the workspace's clock, for an expiry date ahead. */
  readonly now: number
}

/**
 * Number, expiry and security code, with the test cards of the networks that are taken. Only the expiry is ever
 * filled in again; the rest is forgotten.
 */
export const cardFields = (
  networks: readonly CardNetwork[],
  expiry: string,
  problems: readonly FieldProblem[],
  hints: Hints,
): Markup =>
  html`${textField(
      {
        name: 'card_number',
        label: 'Card number',
        inputmode: 'numeric',
        autocomplete: 'cc-number',
        maxlength: 40,
        isSecret: true,
      },
      problems,
    )}
    <div class="row">
      ${textField(
        {
          name: 'card_expiry',
          label: 'Expiry date',
          hint: 'MM/YY',
          inputmode: 'numeric',
          autocomplete: 'cc-exp',
          maxlength: 10,
          value: expiry,
          isShort: true,
        },
        problems,
      )}
      ${textField(
        {
          name: 'card_cvc',
          label: 'Security code',
          hint: '3 or 4 digits',
          inputmode: 'numeric',
          autocomplete: 'cc-csc',
          maxlength: 8,
          isSecret: true,
          isShort: true,
        },
        problems,
      )}
    </div>
    ${hints.testValues && cardTable(networks, hints.now)}`

/** The card that was typed into `cardFields`, or what is wrong with it, by the names of the fields. */
export function readCardFields(typed: Typed, now: number): ReadCard | readonly FieldProblem[] {
  const authenticated = readAuthentication(typed, now)
  if (authenticated) return authenticated
  const read = readCard(
    { number: typed('card_number'), expiry: typed('card_expiry'), cvc: typed('card_cvc') },
    now,
  )
  return areProblems(read) ? read.map((problem) => ({ ...problem, field: `card_${problem.field}` })) : read
}

/** What the holder of the card told its issuer on the page of `authenticationStep`; null where nothing was asked. */
const readAuthentication = (typed: Typed, now: number): ReadCard | null =>
  authenticatedCard(
    { last4: typed('authentication'), expiry: typed('card_expiry'), passed: typed('decision') === 'confirm' },
    now,
  )

/**
 * The step between, where the issuer of a card asks its holder whether it is them. The form holds what was typed
 * but for the number and the code of the card, of which the last four digits tell which test card it is.
 */
export function authenticationStep(typed: Typed, last4: string, what: string): Markup {
  const kept = ['method', 'amount', 'name', 'email', 'attempt', 'card_expiry']
  return html`<div class="state wait">
      <h1>Confirm that it is you</h1>
      <p>Your bank asks you to confirm ${what} with the card ending in ${last4}.</p>
      <p class="quiet">In this simulator you are the bank's app, too.</p>
    </div>
    <form method="post">
      ${kept.map((name) => html`<input type="hidden" name="${name}" value="${typed(name)}" />`)}
      <input type="hidden" name="authentication" value="${last4}" />
      <button type="submit" name="decision" value="confirm">Confirm</button>
      <button type="submit" name="decision" value="refuse" class="plain">Refuse</button>
    </form>`
}

/** The phone number of a wallet, in a field `name`, with the test numbers. */
export const walletFields = (name: string, problems: readonly FieldProblem[], hints: Hints): Markup =>
  html`${textField(
    {
      name,
      label: 'Phone number of the wallet',
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel-national',
      maxlength: 40,
      isSecret: true,
    },
    problems,
  )}
  ${
    hints.testValues && accountTable('Test phone numbers', 'Only these numbers are taken.', TEST_PHONES, name)
  }`

/** What the issuer of the wallet in the field `name` answers, or what is wrong with it. */
export const readWalletFields = (name: string, typed: Typed): TestAccount | FieldProblem =>
  readPhone(typed(name), name)

/** The number of a bank account, in a field `name`, with the test numbers. */
export const bankFields = (name: string, problems: readonly FieldProblem[], hints: Hints): Markup =>
  html`${textField(
    {
      name,
      label: 'Account number',
      inputmode: 'numeric',
      autocomplete: 'off',
      maxlength: 40,
      isSecret: true,
    },
    problems,
  )}
  ${
    hints.testValues &&
    accountTable('Test accounts', 'Only these account numbers are taken.', TEST_BANK_ACCOUNTS, name)
  }`

/** What the bank of the account in the field `name` answers, or what is wrong with it. */
export const readBankFields = (name: string, typed: Typed): TestAccount | FieldProblem =>
  readBankAccount(typed(name), name)

/** What the page says will come of a test value. */
const OUTCOMES: Readonly<Record<CardOutcome, string>> = {
  approved: 'Approved',
  pending: 'Pending',
  declined: 'Declined',
  insufficient_funds: 'Insufficient funds',
  expired_card: 'Expired card',
  wrong_code: 'Wrong code',
  processing_error: 'Processing error',
  authentication_required: 'Asks for a confirmation',
  authentication_failed: 'Not confirmed',
}

/** Why nothing was paid, in a sentence, when an issuer says no. */
export const DECLINES: Readonly<Record<Failure, string>> = {
  declined: 'The payment was declined.',
  insufficient_funds: 'The payment was declined: there are not enough funds.',
  expired_card: 'The payment was declined: the card has expired.',
  wrong_code: 'The payment was declined: the security code is wrong.',
  processing_error: 'The payment could not be processed.',
  authentication_failed: 'The payment was not confirmed by the holder of the card.',
}

const cardTable = (networks: readonly CardNetwork[], now: number): Markup =>
  testValues(
    'Test cards',
    'Only these cards are taken, with any expiry date ahead and any security code.',
    TEST_CARDS.filter(({ network }) => networks.includes(network)).map(({ number, network, outcome }) => ({
      value: html`${digits(grouped(number))} <span class="quiet">${network}</span>`,
      outcome,
      fill: {
        card_number: grouped(number),
        card_expiry: `12/${String((Number(iso(now).slice(2, 4)) + 3) % 100).padStart(2, '0')}`,
        card_cvc: network === 'network_3' ? '1234' : '123',
      },
    })),
  )

const accountTable = (
  title: string,
  caption: string,
  accounts: readonly TestAccount[],
  name: string,
): Markup =>
  testValues(
    title,
    caption,
    accounts.map(({ number, outcome }) => ({ value: digits(number), outcome, fill: { [name]: number } })),
  )

/** As it stands on a card; the form takes it with or without the spaces. */
const grouped = (number: string): string =>
  number.length === 15
    ? number.replace(/(\d{4})(\d{6})(\d{5})/, '$1 $2 $3')
    : number.replace(/(\d{4})(?=\d)/g, '$1 ')

const digits = (number: string): Markup => html`<span class="digits">${number}</span>`

interface TestValue {
  readonly value: Content
  readonly outcome: CardOutcome
  /** What the row fills in, by the names of the fields. */
  readonly fill: Readonly<Record<string, string>>
}

/** In a drawer, so that the form is no longer than what it asks. */
const testValues = (title: string, caption: string, values: readonly TestValue[]): Markup =>
  html`<details class="drawer">
    <summary>${title}</summary>
    <table class="test-values">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        ${values.map(
          ({ value, outcome, fill }) =>
            html`<tr data-fill="${JSON.stringify(fill)}" data-outcome="${OUTCOMES[outcome]}">
              <td>${value}</td>
              <td class="verdict ${isFailure(outcome) ? 'declined' : outcome}">${OUTCOMES[outcome]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`
