/**
 * What a payment costs the one who is paid. Assumed throughout: settlements show their fees, and the specification no
 * tariff; these are the prices of card processors, wallets and bank transfers as they are commonly asked.
 */
import type { PaymentMethod } from './tables.ts'

interface Tariff {
  /** Hundredths of a percent. */
  readonly basisPoints: number
  /** In cents, for each payment. */
  readonly fixed: number
}

const CARD: Tariff = { basisPoints: 290, fixed: 30 }
const WALLET: Tariff = { basisPoints: 150, fixed: 0 }
const BANK: Tariff = { basisPoints: 0, fixed: 50 }

export const TARIFFS: Readonly<Record<PaymentMethod, Tariff>> = {
  network_1: CARD,
  network_2: CARD,
  network_3: CARD,
  wallet_1: WALLET,
  wallet_2: WALLET,
  ach: BANK,
}

/** The fee for one payment in cents, half a cent rounded up; never more than the payment. */
export function feeOf(method: PaymentMethod, amount: number): number {
  const { basisPoints, fixed } = TARIFFS[method]
  return Math.min(amount, Math.round((amount * basisPoints) / 10_000) + fixed)
}
