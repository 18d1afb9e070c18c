/** What lite invoicing refuses for reasons more exact than those of all interfaces; each has a code of its own (assumed). */
import { refuse, type Reason } from '../refusal.ts'

const CASES = {
  taxpayer_unknown: 'not_found',
  invoice_unknown: 'not_found',
} as const satisfies Record<string, Reason>

/** Goes with the refusal as the fact `case`. */
export type RefusedCase = keyof typeof CASES

/** Says no in one of these cases. */
export function refuseCase(name: RefusedCase, message: string): never {
  refuse(CASES[name], message, { facts: { case: name } })
}
