/** The payment form fields (card, wallet, bank account), and the test values that they accept. */
import { isFailure, readCard, type ReadCard } from '../../state/shared/cards.ts'
import { TEST_CARDS, type CardNetwork, type CardOutcome, type Failure } from '@suite-sim/kit/calls/testCards'
import { iso } from '@suite-sim/kit/time/instants'
import type { FieldProblem } from '../../state/model/refusal.ts'
import {
  readBankAccount,
  readPhone,
  TEST_BANK_ACCOUNTS,
  TEST_PHONES,
  type TestAccount,
} from '../../state/shared/testAccounts.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { readAuthentication } from './authentication.ts'
import { areProblems, textField, type Typed } from './formFields.ts'
import { html, type Content, type Markup } from './html.ts'

/** Returns the hints for the forms of a workspace. */
export const hintsOf = (workspace: Workspace): Hints => ({ testValues: true, now: workspace.now() })

/** The hints of a form. */
export interface Hints {
  /** Whether the form lists the test values. */
  readonly testValues: boolean
  /** The workspace's time, for an expiry date in the future. */
  readonly now: number
}

/**
 * Returns the fields for number, expiry and security code, with the test cards of the accepted networks. Only
 * the expiry is filled in again; the other values are not kept.
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

/** Returns the card from `cardFields`, or its errors by field name. */
export function readCardFields(typed: Typed, now: number): ReadCard | readonly FieldProblem[] {
  const authenticated = readAuthentication(typed, now)
  if (authenticated) return authenticated
  const read = readCard(
    { number: typed('card_number'), expiry: typed('card_expiry'), cvc: typed('card_cvc') },
    now,
  )
  return areProblems(read) ? read.map((problem) => ({ ...problem, field: `card_${problem.field}` })) : read
}

/** Returns the field `name` for the phone number of a wallet, with the test numbers. */
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
    hints.testValues &&
    accountTable('Test phone numbers', 'Only these numbers are accepted.', TEST_PHONES, name)
  }`

/** Returns the wallet's test result, or the error of the field. */
export const readWalletFields = (name: string, typed: Typed): TestAccount | FieldProblem =>
  readPhone(typed(name), name)

/** Returns the field `name` for a bank account number, with the test numbers. */
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
    accountTable('Test accounts', 'Only these account numbers are accepted.', TEST_BANK_ACCOUNTS, name)
  }`

/** Returns the bank account's test result, or the error of the field. */
export const readBankFields = (name: string, typed: Typed): TestAccount | FieldProblem =>
  readBankAccount(typed(name), name)

/** The outcome of a test value as the page shows it. */
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

/** The message for a payment that the issuer refused. */
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
    'Only these cards are accepted, with any future expiry date and any security code.',
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

/** Groups the digits as on a card; the form accepts both. */
const grouped = (number: string): string =>
  number.length === 15
    ? number.replace(/(\d{4})(\d{6})(\d{5})/, '$1 $2 $3')
    : number.replace(/(\d{4})(?=\d)/g, '$1 ')

const digits = (number: string): Markup => html`<span class="digits">${number}</span>`

interface TestValue {
  readonly value: Content
  readonly outcome: CardOutcome
  /** The values that the row fills in, by field name. */
  readonly fill: Readonly<Record<string, string>>
}

/** Collapsed, so that the form stays short. */
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
