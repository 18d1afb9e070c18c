/** Amounts of payments: integer cents everywhere. Specification part 2, "Payments v1". */
import { refuseProperty } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import { CURRENCIES } from './tables.ts'

/** 999,999.99: what card processors usually take at most (assumed; the specification shows no bound). */
export const LARGEST_AMOUNT = 99_999_999

/** The words of the specification. */
export const AMOUNT_RULE = 'must be a positive integer in cents'

export type Currency = (typeof CURRENCIES)[number]

const isCurrency = (code: string): code is Currency => (CURRENCIES as readonly string[]).includes(code)

/** The currency of what names none: the workspace's where payments are made in it, else US dollars. */
export const defaultCurrency = ({ currency }: Pick<Workspace, 'currency'>): Currency =>
  isCurrency(currency) ? currency : 'USD'

/** Refuses what is no amount in cents. */
export function mustBeAmount(amount: number): void {
  if (Number.isInteger(amount) && amount >= 1 && amount <= LARGEST_AMOUNT) return
  refuseProperty('amount', 'invalid', `{amount} ${AMOUNT_RULE}, at most ${String(LARGEST_AMOUNT)}`)
}
