/**
 * Test values of payment methods without a card: phone numbers of wallets and bank account numbers. Specification
 * part 2, "Payments v1" (wallet_1, wallet_2, ach) has no test values. Only these are accepted, and they are not
 * stored.
 */
import type { CardOutcome } from '@suite-sim/kit/calls/testCards'
import type { PageProblem } from '../model/refusal.ts'
import { ACCOUNT_PROBLEMS } from './payTexts.ts'

export interface TestAccount {
  readonly number: string
  /** The outcome, as for cards. */
  readonly outcome: CardOutcome
}

/** Phone numbers of wallets. */
export const TEST_PHONES: readonly TestAccount[] = [
  { number: '60000001', outcome: 'approved' },
  { number: '60000002', outcome: 'declined' },
  { number: '60000003', outcome: 'insufficient_funds' },
  { number: '60000004', outcome: 'pending' },
]

/** Bank account numbers. */
export const TEST_BANK_ACCOUNTS: readonly TestAccount[] = [
  { number: '000123456789', outcome: 'approved' },
  { number: '000111111116', outcome: 'declined' },
  { number: '000222222227', outcome: 'insufficient_funds' },
  { number: '000333333335', outcome: 'pending' },
]

/** Returns the test phone for the input of `field`, or its error. */
export const readPhone = (typed: string, field: string): TestAccount | PageProblem =>
  readAccount(typed, field, TEST_PHONES, ACCOUNT_PROBLEMS.phone)

/** Returns the test account for the input of `field`, or its error. */
export const readBankAccount = (typed: string, field: string): TestAccount | PageProblem =>
  readAccount(typed, field, TEST_BANK_ACCOUNTS, ACCOUNT_PROBLEMS.account)

/** Returns the known account; ignores spaces and dashes. */
function readAccount(
  typed: string,
  field: string,
  known: readonly TestAccount[],
  { required, unknown }: typeof ACCOUNT_PROBLEMS.phone,
): TestAccount | PageProblem {
  const number = typed.replace(/[\s-]/g, '')
  if (number === '') return { field, code: 'required', message: required }
  return (
    known.find((account) => account.number === number) ?? {
      field,
      code: 'not_a_test_account',
      message: unknown,
    }
  )
}
