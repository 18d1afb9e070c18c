/** Refusals of lite invoicing that are more specific than the common reasons. Each has its own error code (assumed). */
import { refuse, type Reason } from '../model/refusal.ts'

const CASES = {
  taxpayer_unknown: 'not_found',
  invoice_unknown: 'not_found',
} as const satisfies Record<string, Reason>

/** The fact `case` of the refusal. */
export type RefusedCase = keyof typeof CASES

/** Throws a refusal for one of these cases. */
export function refuseCase(name: RefusedCase, message: string): never {
  refuse(CASES[name], message, { facts: { case: name } })
}
