/**
 * What integration payments refuses for reasons more exact than those of all interfaces, each of which has a code of
 * its own. Specification part 2, "Errors": one of the codes is shown, the others are formed after it.
 */
import { refuse, type Reason } from '../refusal.ts'

const CASES = {
  link_unknown: 'not_found',
  customer_unknown: 'not_found',
  product_unknown: 'not_found',
  product_not_one_time: 'invalid',
  product_not_active: 'invalid',
} as const satisfies Record<string, Reason>

/** Goes with the refusal as the fact `case`. */
export type RefusedCase = keyof typeof CASES

/** Says no in one of these cases. */
export function refuseCase(name: RefusedCase, message: string): never {
  refuse(CASES[name], message, { facts: { case: name } })
}
