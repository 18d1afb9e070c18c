/**
 * The fees of payments (assumed). Settlements have fees, but the specification shows no rates; these are common rates of
 * card processors, wallets and bank transfers.
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

/** Returns the fee for one payment in cents, rounded half up. It never exceeds the payment. */
export function feeOf(method: PaymentMethod, amount: number): number {
  const { basisPoints, fixed } = TARIFFS[method]
  return Math.min(amount, Math.round((amount * basisPoints) / 10_000) + fixed)
}
