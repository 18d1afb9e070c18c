/**
 * Test values of the ways to pay that have no card: the phone number of a wallet, the number of a bank account.
 * Specification part 2, "Payments v1" (wallet_1, wallet_2, ach), which shows no test values. As with cards, nothing
 * else is taken, and a number is read, judged and forgotten.
 */
import type { CardOutcome } from './cards.ts'
import type { FieldProblem } from './refusal.ts'

export interface TestAccount {
  readonly number: string
  /** What comes of it: the same four outcomes as of a card. */
  readonly outcome: CardOutcome
}

/** Phone numbers that stand for wallets. */
export const TEST_PHONES: readonly TestAccount[] = [
  { number: '60000001', outcome: 'approved' },
  { number: '60000002', outcome: 'declined' },
  { number: '60000003', outcome: 'insufficient_funds' },
  { number: '60000004', outcome: 'pending' },
]

/** Numbers that stand for bank accounts. */
export const TEST_BANK_ACCOUNTS: readonly TestAccount[] = [
  { number: '000123456789', outcome: 'approved' },
  { number: '000111111116', outcome: 'declined' },
  { number: '000222222227', outcome: 'insufficient_funds' },
  { number: '000333333335', outcome: 'pending' },
]

/** The test phone behind what was typed into `field`, or what is wrong with it. */
export const readPhone = (typed: string, field: string): TestAccount | FieldProblem =>
  readAccount(typed, field, TEST_PHONES, 'phone number')

/** The test account behind what was typed into `field`, or what is wrong with it. */
export const readBankAccount = (typed: string, field: string): TestAccount | FieldProblem =>
  readAccount(typed, field, TEST_BANK_ACCOUNTS, 'account number')

/** Spaces and dashes do no harm. */
function readAccount(
  typed: string,
  field: string,
  known: readonly TestAccount[],
  what: string,
): TestAccount | FieldProblem {
  const number = typed.replace(/[\s-]/g, '')
  if (number === '') return { field, code: 'required', message: `Give the ${what}.` }
  return (
    known.find((account) => account.number === number) ?? {
      field,
      code: 'not_a_test_account',
      message: `This is a simulator: only its test values are taken as ${what}.`,
    }
  )
}
