/**
 * Payment cards as the pages where a person pays know them: networks, the test cards, and reading what was typed.
 * Specification part 2, "Payments v1" (network_1 to network_3), "Integration payments: customer" (brand, bin, last
 * four, MMYY).
 *
 * Only test cards are taken, so that nobody's own card ever comes into a simulator; a number is read, judged and
 * forgotten, and only `Card` is kept.
 */
import { iso } from './clock.ts'
import type { FieldProblem } from './refusal.ts'

export const CARD_NETWORKS = ['network_1', 'network_2', 'network_3'] as const
export type CardNetwork = (typeof CARD_NETWORKS)[number]

/** What a card's issuer answers. */
export const FAILURES = [
  'declined',
  'insufficient_funds',
  'expired_card',
  'wrong_code',
  'processing_error',
  'authentication_failed',
] as const
/** Why nothing is paid. */
export type Failure = (typeof FAILURES)[number]

/** Why a payment failed; one whose record says no reason that is known here was declined. */
export const failureOf = (kept: string | null): Failure =>
  FAILURES.find((failure) => failure === kept) ?? 'declined'
export type CardOutcome = 'approved' | 'pending' | 'authentication_required' | Failure

/** Whether an issuer says no. */
export const isFailure = (outcome: CardOutcome): outcome is Failure =>
  (FAILURES as readonly CardOutcome[]).includes(outcome)

/** All that may be kept of a card. */
export interface Card {
  readonly brand: CardNetwork
  /** Its first six digits. */
  readonly bin: string
  readonly last4: string
  /** MMYY. */
  readonly exp: string
}

export interface TestCard {
  readonly number: string
  readonly network: CardNetwork
  readonly outcome: CardOutcome
}

/** The numbers that are taken, with what comes of each. All of them pass the Luhn check, none belongs to anybody. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', network: 'network_1', outcome: 'approved' },
  { number: '5555555555554444', network: 'network_2', outcome: 'approved' },
  { number: '378282246310005', network: 'network_3', outcome: 'approved' },
  { number: '4000000000000002', network: 'network_1', outcome: 'declined' },
  { number: '4000000000009995', network: 'network_1', outcome: 'insufficient_funds' },
  { number: '4000000000000069', network: 'network_1', outcome: 'expired_card' },
  { number: '4000000000000127', network: 'network_1', outcome: 'wrong_code' },
  { number: '4000000000000119', network: 'network_1', outcome: 'processing_error' },
  { number: '4000000000003220', network: 'network_1', outcome: 'authentication_required' },
  { number: '4000000000000077', network: 'network_1', outcome: 'pending' },
]

/** What a person types into a card form; spaces and dashes do no harm. */
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
 * The card behind what was typed, or what is wrong with it, field by field (`number`, `expiry`, `cvc`). `now` tells
 * whether it has expired: a card is good to the end of its month, in UTC.
 */
export function readCard(typed: TypedCard, now: number): ReadCard | readonly FieldProblem[] {
  const number = typed.number.replace(/[\s-]/g, '')
  const test = TEST_CARDS.find((known) => known.number === number)
  const exp = readExpiry(typed.expiry)
  const problems = [
    numberProblem(number, test),
    exp === null
      ? problem('expiry', 'invalid', 'Give the expiry date as month and year: MM/YY.')
      : isPast(exp, now) && problem('expiry', 'expired', 'The card has expired.'),
    cvcProblem(typed.cvc.trim(), test),
  ].filter((found) => found !== false)
  if (problems.length > 0 || !test || exp === null) return problems
  return {
    card: { brand: test.network, bin: number.slice(0, 6), last4: number.slice(-4), exp },
    outcome: test.outcome,
  }
}

const problem = (field: string, code: string, message: string): FieldProblem => ({ field, code, message })

function numberProblem(number: string, test: TestCard | undefined): FieldProblem | false {
  if (test) return false
  if (number === '') return problem('number', 'required', 'Give the number of the card.')
  return isLuhn(number)
    ? problem('number', 'not_a_test_card', 'This is a simulator: only its test cards are taken.')
    : problem('number', 'invalid', 'This is not the number of a card.')
}

function cvcProblem(cvc: string, test: TestCard | undefined): FieldProblem | false {
  const length = test?.network === 'network_3' ? 4 : 3
  if (/^\d+$/.test(cvc) && (test ? cvc.length === length : /^\d{3,4}$/.test(cvc))) return false
  const wanted = test ? String(length) : '3 or 4'
  return problem('cvc', 'invalid', `Give the security code: ${wanted} digits.`)
}

/** MMYY; null when it is no month of a year. A month of one digit needs its slash: "1/30". */
function readExpiry(text: string): string | null {
  const [, month, year] =
    /^(0[1-9]|1[0-2])\s*(?:[/.-]\s*)?(?:20)?(\d{2})$/.exec(text.trim()) ??
    /^([1-9])\s*[/.-]\s*(?:20)?(\d{2})$/.exec(text.trim()) ??
    []
  return month === undefined || year === undefined ? null : month.padStart(2, '0') + year
}

/** Both as YYMM, which sorts. */
const isPast = (exp: string, now: number): boolean =>
  exp.slice(2) + exp.slice(0, 2) < iso(now).slice(2, 4) + iso(now).slice(5, 7)

/** ISO/IEC 7812-1, annex B: 12 to 19 digits whose weighted sum ends in 0. */
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
 * The card whose holder has just told its issuer that it is them, or has not. The page between has its last four
 * digits alone, which tell the test cards apart that ask for it.
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
