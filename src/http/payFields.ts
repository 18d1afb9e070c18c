/** The fields by which a person pays (a card, a wallet, a bank account), and the test values that they take. */
import { readCard, TEST_CARDS, type CardNetwork, type CardOutcome, type ReadCard } from '../state/cards.ts'
import type { FieldProblem } from '../state/refusal.ts'
import {
  readBankAccount,
  readPhone,
  TEST_BANK_ACCOUNTS,
  TEST_PHONES,
  type TestAccount,
} from '../state/testAccounts.ts'
import { areProblems, textField, type Typed } from './formFields.ts'
import { html, type Content, type Markup } from './html.ts'

/**
 * Number, expiry and security code, with the test cards of the networks that are taken. Only the expiry is ever
 * filled in again; the rest is forgotten.
 */
export const cardFields = (
  networks: readonly CardNetwork[],
  expiry: string,
  problems: readonly FieldProblem[],
): Markup =>
  html`${textField(
      {
        name: 'card_number',
        label: 'Card number',
        inputmode: 'numeric',
        autocomplete: 'cc-number',
        maxlength: 40,
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
          isShort: true,
        },
        problems,
      )}
    </div>
    ${cardTable(networks)}`

/** The card that was typed into `cardFields`, or what is wrong with it, by the names of the fields. */
export function readCardFields(typed: Typed, now: number): ReadCard | readonly FieldProblem[] {
  const read = readCard(
    { number: typed('card_number'), expiry: typed('card_expiry'), cvc: typed('card_cvc') },
    now,
  )
  return areProblems(read) ? read.map((problem) => ({ ...problem, field: `card_${problem.field}` })) : read
}

/** The phone number of a wallet, in a field `name`, with the test numbers. */
export const walletFields = (name: string, problems: readonly FieldProblem[]): Markup =>
  html`${textField(
    {
      name,
      label: 'Phone number of the wallet',
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel-national',
      maxlength: 40,
    },
    problems,
  )}
  ${accountTable('Test phone numbers', 'Only these numbers are taken.', TEST_PHONES)}`

/** What the issuer of the wallet in the field `name` answers, or what is wrong with it. */
export const readWalletFields = (name: string, typed: Typed): TestAccount | FieldProblem =>
  readPhone(typed(name), name)

/** The number of a bank account, in a field `name`, with the test numbers. */
export const bankFields = (name: string, problems: readonly FieldProblem[]): Markup =>
  html`${textField(
    { name, label: 'Account number', inputmode: 'numeric', autocomplete: 'off', maxlength: 40 },
    problems,
  )}
  ${accountTable('Test accounts', 'Only these account numbers are taken.', TEST_BANK_ACCOUNTS)}`

/** What the bank of the account in the field `name` answers, or what is wrong with it. */
export const readBankFields = (name: string, typed: Typed): TestAccount | FieldProblem =>
  readBankAccount(typed(name), name)

/** What the page says will come of a test value. */
const OUTCOMES: Readonly<Record<CardOutcome, string>> = {
  approved: 'Approved',
  pending: 'Pending',
  declined: 'Declined',
  insufficient_funds: 'Insufficient funds',
}

/** Why nothing was paid, in a sentence, when an issuer says no. */
export const DECLINES: Readonly<Record<'declined' | 'insufficient_funds', string>> = {
  declined: 'The payment was declined.',
  insufficient_funds: 'The payment was declined: there are not enough funds.',
}

const cardTable = (networks: readonly CardNetwork[]): Markup =>
  testValues(
    'Test cards',
    'Only these cards are taken, with any expiry date ahead and any security code.',
    TEST_CARDS.filter(({ network }) => networks.includes(network)).map(({ number, network, outcome }) => ({
      value: html`${digits(grouped(number))} <span class="quiet">${network}</span>`,
      outcome,
    })),
  )

const accountTable = (title: string, caption: string, accounts: readonly TestAccount[]): Markup =>
  testValues(
    title,
    caption,
    accounts.map(({ number, outcome }) => ({ value: digits(number), outcome })),
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
}

const testValues = (title: string, caption: string, values: readonly TestValue[]): Markup =>
  html`<table class="test-values">
    <caption>
      <strong>${title}.</strong>
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
        ({ value, outcome }) =>
          html`<tr>
            <td>${value}</td>
            <td class="verdict ${outcome}">${OUTCOMES[outcome]}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
