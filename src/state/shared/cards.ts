/**
 * Payment cards on hosted payment pages (specification part 2, "Payments v1" and "Integration payments: customer").
 * Only test cards are accepted, so that no real card data enters a simulator. The number is never stored, only
 * `Card`.
 */
import {
  FAILURES,
  TEST_CARDS,
  testCardOf,
  type CardNetwork,
  type CardOutcome,
  type Failure,
  type TestCard,
} from '@suite-sim/kit/calls/testCards'
import { iso } from '@suite-sim/kit/time/instants'
import type { PageProblem } from '../model/refusal.ts'
import type { Text } from '../text/languages.ts'
import { CARD_PROBLEMS } from './payTexts.ts'

/** Returns the stored failure; `declined` if it is missing or unknown. */
export const failureOf = (stored: string | null): Failure =>
  FAILURES.find((failure) => failure === stored) ?? 'declined'
/** Checks whether the issuer refuses the payment. */
export const isFailure = (outcome: CardOutcome): outcome is Failure =>
  (FAILURES as readonly CardOutcome[]).includes(outcome)

/** The stored data of a card. */
export interface Card {
  readonly brand: CardNetwork
  /** Its first six digits. */
  readonly bin: string
  readonly last4: string
  /** MMYY. */
  readonly exp: string
}

/** The input of a card form. Spaces and dashes are ignored. */
export interface TypedCard {
  readonly number: string
  /** "12/28", "1228" or "12/2028". */
  readonly expiry: string
  readonly cvc: string
}

export interface ReadCard {
  readonly card: Card
  readonly outcome: CardOutcome
}

/**
 * Parses the input of a card form. Returns the card and its outcome, or one problem per field (`number`, `expiry`,
 * `cvc`). A card is valid until the end of its month in UTC; `now` decides whether it has expired.
 */
export function readCard(typed: TypedCard, now: number): ReadCard | readonly PageProblem[] {
  const number = typed.number.replace(/[\s-]/g, '')
  const test = testCardOf(number)
  const exp = readExpiry(typed.expiry)
  const problems = [
    numberProblem(number, test),
    exp === null
      ? problem('expiry', 'invalid', CARD_PROBLEMS.expiryInvalid)
      : isPast(exp, now) && problem('expiry', 'expired', CARD_PROBLEMS.expired),
    cvcProblem(typed.cvc.trim(), test),
  ].filter((found) => found !== false)
  if (problems.length > 0 || !test || exp === null) return problems
  return {
    card: { brand: test.network, bin: number.slice(0, 6), last4: number.slice(-4), exp },
    outcome: test.outcome,
  }
}

const problem = (field: string, code: string, message: Text): PageProblem => ({ field, code, message })

function numberProblem(number: string, test: TestCard | undefined): PageProblem | false {
  if (test) return false
  if (number === '') return problem('number', 'required', CARD_PROBLEMS.numberRequired)
  return isLuhn(number)
    ? problem('number', 'not_a_test_card', CARD_PROBLEMS.notTestCard)
    : problem('number', 'invalid', CARD_PROBLEMS.numberInvalid)
}

function cvcProblem(cvc: string, test: TestCard | undefined): PageProblem | false {
  const length = test?.network === 'network_3' ? 4 : 3
  if (/^\d+$/.test(cvc) && (test ? cvc.length === length : /^\d{3,4}$/.test(cvc))) return false
  const digits = test ? String(length) : CARD_PROBLEMS.threeOrFour
  return problem('cvc', 'invalid', CARD_PROBLEMS.codeInvalid(digits))
}

/** Returns MMYY, or null if the text is not a month and a year. A month of one digit needs a slash: "1/30". */
function readExpiry(text: string): string | null {
  const [, month, year] =
    /^(0[1-9]|1[0-2])\s*(?:[/.-]\s*)?(?:20)?(\d{2})$/.exec(text.trim()) ??
    /^([1-9])\s*[/.-]\s*(?:20)?(\d{2})$/.exec(text.trim()) ??
    []
  return month === undefined || year === undefined ? null : month.padStart(2, '0') + year
}

/** Compares both as YYMM, which sorts by date. */
const isPast = (exp: string, now: number): boolean =>
  exp.slice(2) + exp.slice(0, 2) < iso(now).slice(2, 4) + iso(now).slice(5, 7)

/** Checks a number by ISO/IEC 7812-1, annex B: 12 to 19 digits whose weighted sum ends in 0. */
function isLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = Array.from(number)
    .reverse()
    .reduce((total, digit, place) => {
      const weighted = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (weighted > 9 ? weighted - 9 : weighted)
    }, 0)
  return sum % 10 === 0
}

/**
 * Returns the test card after the authentication page, approved or failed. The page has only the last four digits,
 * which are different for each test card that requires authentication.
 */
export function authenticatedCard(
  { last4, expiry, passed }: { readonly last4: string; readonly expiry: string; readonly passed: boolean },
  now: number,
): ReadCard | null {
  const test = TEST_CARDS.find(
    ({ number, outcome }) => outcome === 'authentication_required' && number.endsWith(last4),
  )
  const exp = readExpiry(expiry)
  if (!/^\d{4}$/.test(last4) || !test || exp === null || isPast(exp, now)) return null
  return {
    card: { brand: test.network, bin: test.number.slice(0, 6), last4, exp },
    outcome: passed ? 'approved' : 'authentication_failed',
  }
}
