/** Payment links, transactions with their refunds, and settlements. */
import type { Answers, Row } from '../../crawl/answers.ts'
import { columns, rowsOf, subscription, type Loaded, type Loader, type LoadOptions } from './loader.ts'

const LINK = [
  'id',
  'amount',
  'currency',
  'description',
  'status',
  'paymentMethods',
  'logoUrl',
  'expiresAt',
  'maxPayments',
  'reference',
  'metadata',
  'paidAt',
  'createdAt',
]
const TRANSACTION = [
  'id',
  'linkId',
  'amount',
  'currency',
  'description',
  'status',
  'paymentMethod',
  'cardLastFour',
  'refundedAmount',
  'completedAt',
  'createdAt',
]
const REFUND = [
  'id',
  'transactionId',
  'amount',
  'status',
  'reason',
  'failureReason',
  'createdAt',
  'completedAt',
]
const SETTLEMENT = [
  'id',
  'amount',
  'fees',
  'netAmount',
  'currency',
  'transactionsCount',
  'status',
  'bankAccountLastFour',
  'depositedAt',
  'periodFrom',
  'periodTo',
]

export const payments: Loader = { load }

function load(answers: Answers, { knowsTimezone }: LoadOptions): Loaded {
  const links = rowsOf(answers, 'listPaymentLinks')
  const transactions = rowsOf(answers, 'listTransactions')
  const settlements = rowsOf(answers, 'listSettlements')
  const webhooks = rowsOf(answers, 'listWebhooks')
  return {
    snapshot: {
      payments: {
        links: links.rows.map(({ row }) => columns(row, LINK)),
        settlements: settlements.rows.map(({ row }) => ({
          ...columns(row, SETTLEMENT),
          createdAt: row['period_to'],
        })),
        transactions: transactions.rows.map(({ row }) => {
          const customer = (row['customer'] ?? {}) as Row
          return {
            ...columns(row, TRANSACTION),
            customerName: customer['name'] ?? null,
            customerEmail: customer['email'] ?? null,
            refundedAmount: row['refunded_amount'] ?? 0,
            failure: row['status'] === 'failed' ? 'declined' : null,
          }
        }),
        refunds: transactions.rows.flatMap(({ row }) =>
          ((row['refunds'] ?? []) as Row[]).map((refund) => ({
            ...columns(refund, REFUND),
            transactionId: row['id'],
            announced: refund['status'] === 'completed',
          })),
        ),
      },
      webhooks: { subscriptions: webhooks.rows.map(({ row }) => subscription('payments', row)) },
    },
    unknown: knowsTimezone ? [] : ['getRevenueReport.data.by_period*'],
    isComplete: [links, transactions, settlements, webhooks].every(({ isComplete }) => isComplete),
  }
}
