/** The payment form fields (card, wallet, bank account), and the test values that they accept. */
import { isFailure, readCard, type ReadCard } from '../../state/shared/cards.ts'
import { TEST_CARDS, type CardNetwork, type CardOutcome } from '@suite-sim/kit/calls/testCards'
import { iso } from '@suite-sim/kit/time/instants'
import type { PageProblem } from '../../state/model/refusal.ts'
import {
  readBankAccount,
  readPhone,
  TEST_BANK_ACCOUNTS,
  TEST_PHONES,
  type TestAccount,
} from '../../state/shared/testAccounts.ts'
import type { Text } from '../../state/text/languages.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { readAuthentication } from './authentication.ts'
import { areProblems, textField, type Typed } from './formFields.ts'
import { html, type Content, type Markup } from './html.ts'
import { OUTCOMES, PAY_TEXTS } from './payTexts.ts'

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
  problems: readonly PageProblem[],
  hints: Hints,
): Markup =>
  html`${textField(
      {
        name: 'card_number',
        label: PAY_TEXTS.cardNumber,
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
          label: PAY_TEXTS.expiryDate,
          hint: PAY_TEXTS.expiryHint,
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
          label: PAY_TEXTS.securityCode,
          hint: PAY_TEXTS.securityCodeHint,
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
export function readCardFields(typed: Typed, now: number): ReadCard | readonly PageProblem[] {
  const authenticated = readAuthentication(typed, now)
  if (authenticated) return authenticated
  const read = readCard(
    { number: typed('card_number'), expiry: typed('card_expiry'), cvc: typed('card_cvc') },
    now,
  )
  return areProblems(read) ? read.map((problem) => ({ ...problem, field: `card_${problem.field}` })) : read
}

/** Returns the field `name` for the phone number of a wallet, with the test numbers. */
export const walletFields = (name: string, problems: readonly PageProblem[], hints: Hints): Markup =>
  html`${textField(
    {
      name,
      label: PAY_TEXTS.walletPhone,
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel-national',
      maxlength: 40,
      isSecret: true,
    },
    problems,
  )}
  ${hints.testValues && accountTable(PAY_TEXTS.testPhones, PAY_TEXTS.testPhonesCaption, TEST_PHONES, name)}`

/** Returns the wallet's test result, or the error of the field. */
export const readWalletFields = (name: string, typed: Typed): TestAccount | PageProblem =>
  readPhone(typed(name), name)

/** Returns the field `name` for a bank account number, with the test numbers. */
export const bankFields = (name: string, problems: readonly PageProblem[], hints: Hints): Markup =>
  html`${textField(
    {
      name,
      label: PAY_TEXTS.accountNumber,
      inputmode: 'numeric',
      autocomplete: 'off',
      maxlength: 40,
      isSecret: true,
    },
    problems,
  )}
  ${
    hints.testValues &&
    accountTable(PAY_TEXTS.testAccounts, PAY_TEXTS.testAccountsCaption, TEST_BANK_ACCOUNTS, name)
  }`

/** Returns the bank account's test result, or the error of the field. */
export const readBankFields = (name: string, typed: Typed): TestAccount | PageProblem =>
  readBankAccount(typed(name), name)

const cardTable = (networks: readonly CardNetwork[], now: number): Markup =>
  testValues(
    PAY_TEXTS.testCards,
    PAY_TEXTS.testCardsCaption,
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

const accountTable = (title: Text, caption: Text, accounts: readonly TestAccount[], name: string): Markup =>
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
const testValues = (title: Text, caption: Text, values: readonly TestValue[]): Markup =>
  html`<details class="drawer">
    <summary>${title}</summary>
    <table class="test-values">
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${PAY_TEXTS.number}</th>
          <th scope="col">${PAY_TEXTS.outcome}</th>
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
