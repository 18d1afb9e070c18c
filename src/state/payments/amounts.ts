/** Amounts of payments: integer cents everywhere. Specification part 2, "Payments v1". */
import { refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'

export const CURRENCIES = ['USD', 'PAB'] as const

/** 999,999.99: the usual maximum of card processors (assumed; the specification shows none). */
export const LARGEST_AMOUNT = 99_999_999

/** The wording of the specification. */
export const AMOUNT_RULE = 'must be a positive integer in cents'

export type Currency = (typeof CURRENCIES)[number]

const isCurrency = (code: string): code is Currency => (CURRENCIES as readonly string[]).includes(code)

/** Returns the currency of the workspace if payments support it, otherwise USD. */
export const defaultCurrency = ({ currency }: Pick<Workspace, 'currency'>): Currency =>
  isCurrency(currency) ? currency : 'USD'

/** Refuses invalid amounts. */
export function mustBeAmount(amount: number): void {
  if (!Number.isInteger(amount) || amount < 1) refuseProperty('amount', 'invalid', `{amount} ${AMOUNT_RULE}`)
  if (amount > LARGEST_AMOUNT) {
    refuseProperty('amount', 'too_large', `{amount} must be at most ${String(LARGEST_AMOUNT)}`)
  }
}
