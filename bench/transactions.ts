/** The transactions of the bench: the same in every run, one every four minutes, of all methods and states. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { scratch } from './processes.ts'
import { KEY, WORKSPACE } from './records.ts'

export const LINKS = '/pay/v1/payment-links'
export const TRANSACTIONS = '/pay/v1/transactions'
export const REVENUE = '/pay/v1/reports/revenue'

/** Links that accept any number of payments of any amount. */
export const OPEN_LINKS: readonly string[] = Array.from(
  { length: 1000 },
  (_, index) => `pl_benchlink${String(index).padStart(10, '0')}`,
)

/** Returns the URL path of a link's payment form. */
export const payPage = (link: string): string => `/pay/links/${WORKSPACE}/${link}`

const FIRST = Date.parse('2025-11-01T00:00:00.000Z')
const BETWEEN = 240_000
const METHODS = ['network_1', 'network_2', 'network_3', 'wallet_1', 'wallet_2', 'ach'] as const
const STATUSES = [
  'completed',
  'completed',
  'completed',
  'completed',
  'pending',
  'failed',
  'refunded',
] as const

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T
const at = (instant: number): string => new Date(instant).toISOString()

/** Returns the time span of `count` transactions. */
export const spanOf = (count: number): { from: string; to: string } => ({
  from: at(FIRST),
  to: at(FIRST + count * BETWEEN),
})

/** Writes a fixture file with `count` transactions, spread over the links. */
export function transactionsFixture(count: number): string {
  const file = scratch(`transactions-${String(count)}.json`)
  writeFileSync(
    file,
    JSON.stringify({
      format: 'suite-simulator/1',
      workspace: { id: WORKSPACE, name: 'Bench', timezone: 'America/New_York' },
      key: KEY,
      users: [{ id: 'bench-user', name: 'Sim User', email: 'sim.user@example.com' }],
      payments: {
        links: OPEN_LINKS.map(link),
        transactions: Array.from({ length: count }, (_, index) => transaction(index)),
      },
    }),
  )
  return file
}

const link = (id: string): object => ({
  id,
  amount: null,
  currency: 'USD',
  description: 'Whatever it is worth',
  status: 'active',
  paymentMethods: METHODS,
  logoUrl: null,
  expiresAt: null,
  maxPayments: 1_000_000_000,
  reference: null,
  metadata: {},
  paidAt: null,
  createdAt: at(FIRST),
})

/** Coprime divisors, so that every combination occurs. */
function transaction(index: number): object {
  const created = at(FIRST + index * BETWEEN)
  const status = pick(STATUSES, index)
  const method = pick(METHODS, Math.floor(index / 5))
  const amount = 100 + ((index * 7919) % 100_000)
  return {
    id: `txn_${createHash('sha256')
      .update(`transaction ${String(index)}`)
      .digest('hex')
      .slice(0, 20)}`,
    linkId: pick(OPEN_LINKS, index),
    amount,
    currency: 'USD',
    description: 'Whatever it is worth',
    status,
    paymentMethod: method,
    cardLastFour: method.startsWith('network') ? '4242' : null,
    customerName: `Payer ${String(index % 1000)}`,
    customerEmail: `payer.${String(index % 1000)}@example.com`,
    refundedAmount: status === 'refunded' ? amount : 0,
    failure: status === 'failed' ? 'declined' : null,
    attempt: null,
    settlementId: null,
    completedAt: status === 'pending' || status === 'failed' ? null : created,
    createdAt: created,
  }
}
