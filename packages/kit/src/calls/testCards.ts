/** The test cards: numbers that are no secret. */

export const CARD_NETWORKS = ['network_1', 'network_2', 'network_3'] as const
export type CardNetwork = (typeof CARD_NETWORKS)[number]

/** The error responses of a card issuer. */
export const FAILURES = [
  'declined',
  'insufficient_funds',
  'expired_card',
  'wrong_code',
  'processing_error',
  'authentication_failed',
] as const
/** The reason of a failed payment. */
export type Failure = (typeof FAILURES)[number]

export type CardOutcome = 'approved' | 'pending' | 'authentication_required' | Failure

export interface TestCard {
  readonly number: string
  readonly network: CardNetwork
  readonly outcome: CardOutcome
}

/** The accepted numbers and their outcomes. All pass the Luhn check, and none belongs to a real person. */
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

/** True for the number of a test card, which is no secret. Spaces and dashes are ignored. */
export const isTestCard = (typed: string): boolean => testCardOf(typed) !== undefined

export const testCardOf = (typed: string): TestCard | undefined => {
  const number = typed.replace(/[\s-]/g, '')
  return TEST_CARDS.find((known) => known.number === number)
}
