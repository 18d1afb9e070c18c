/** The refusals of integration payments with their own error codes. Specification part 2, "Errors", shows one of the codes. */
import { refuse, type Reason } from '../model/refusal.ts'

const CASES = {
  link_unknown: 'not_found',
  customer_unknown: 'not_found',
  product_unknown: 'not_found',
  product_not_one_time: 'invalid',
  product_not_active: 'invalid',
} as const satisfies Record<string, Reason>

/** The fact `case` of the refusal. */
export type RefusedCase = keyof typeof CASES

/** Refuses with one of these cases. */
export function refuseCase(name: RefusedCase, message: string): never {
  refuse(CASES[name], message, { facts: { case: name } })
}
