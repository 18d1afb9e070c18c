/** The fields of a payment card and the test values, on the pages where a person pays. */
import {
  isCardProblem,
  readCard,
  TEST_CARDS,
  type CardNetwork,
  type CardOutcome,
  type ReadCard,
} from '../state/cards.ts'
import type { FieldProblem } from '../state/refusal.ts'
import type { TestAccount } from '../state/testAccounts.ts'
import { textField } from './formFields.ts'
import { html, type Content, type Markup } from './html.ts'

/** Number, expiry and security code. Never filled in by the server: what was typed is forgotten. */
export const cardFields = (problems: readonly FieldProblem[]): Markup =>
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
    </div>`

/** The card that was typed into `cardFields`, or what is wrong with it, by the names of the fields. */
export function readCardFields(
  typed: (field: string) => string,
  now: number,
): ReadCard | readonly FieldProblem[] {
  const read = readCard(
    { number: typed('card_number'), expiry: typed('card_expiry'), cvc: typed('card_cvc') },
    now,
  )
  return isCardProblem(read) ? read.map((problem) => ({ ...problem, field: `card_${problem.field}` })) : read
}

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

/** The cards that are taken, of the networks that are. */
export const testCards = (networks: readonly CardNetwork[]): Markup =>
  testValues(
    'Test cards',
    'Only these cards are taken, with any expiry date ahead and any security code.',
    ['Number', 'Network', 'Outcome'],
    TEST_CARDS.filter(({ network }) => networks.includes(network)).map(({ number, network, outcome }) => [
      digits(grouped(number)),
      network,
      verdict(outcome),
    ]),
  )

/** The values that are taken in place of a card: `caption` says of what. */
export const testAccounts = (title: string, caption: string, accounts: readonly TestAccount[]): Markup =>
  testValues(
    title,
    caption,
    ['Number', 'Outcome'],
    accounts.map(({ number, outcome }) => [digits(number), verdict(outcome)]),
  )

/** In fours, which are read more easily; the form takes them with or without the spaces. */
const grouped = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')

const digits = (number: string): Markup => html`<span class="digits">${number}</span>`

const verdict = (outcome: CardOutcome): Markup =>
  html`<span class="verdict ${outcome}">${OUTCOMES[outcome]}</span>`

const testValues = (
  title: string,
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Content[])[],
): Markup =>
  html`<table class="test-values">
    <caption>
      <strong>${title}</strong>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
