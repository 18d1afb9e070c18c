/** The tables of payments as they stand in snapshots. Amounts are whole cents. */
import { Type } from '@sinclair/typebox'
import { renewed, type RecordSet } from '../records.ts'
import { refuse } from '../refusal.ts'
import { LARGEST_AMOUNT } from './amounts.ts'
import { links, PAYMENT_METHODS, refunds, settlements, transactions } from './tables.ts'
import type { Transaction } from './transactions.ts'

const amount = Type.Integer({ minimum: 1, maximum: LARGEST_AMOUNT })
const sum = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const fourDigits = Type.String({ pattern: '^\\d{4}$' })

const set = (name: string, of: Omit<RecordSet, 'section' | 'name'>): RecordSet => ({
  section: 'payments',
  name,
  ...of,
})

/** Refuses what no payment can have come to. */
function mustAddUp({ id, amount: paid, refundedAmount, status, completedAt }: Transaction): void {
  const isCompleted = status === 'completed' || status === 'refunded'
  const problem =
    isCompleted !== (completedAt !== null)
      ? `${status}, and ${completedAt === null ? 'has no' : 'has a'} completedAt`
      : refundedAmount > (isCompleted ? paid : 0) || (status === 'refunded') !== (refundedAmount === paid)
        ? `${status}, and refunded by ${String(refundedAmount)} of ${String(paid)}`
        : null
  if (problem !== null) refuse('invalid', `The snapshot does not fit: the transaction ${id} is ${problem}.`)
}

export const paymentRecords: readonly RecordSet[] = [
  set('links', {
    table: links,
    instants: ['createdAt', 'expiresAt', 'paidAt'],
    shapes: {
      amount,
      description: Type.String({ maxLength: 500 }),
      paymentMethods: Type.Array(Type.Unsafe({ type: 'string', enum: PAYMENT_METHODS }), {
        minItems: 1,
        uniqueItems: true,
      }),
      logoUrl: Type.String({ format: 'uri' }),
      maxPayments: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      reference: Type.String({ maxLength: 255 }),
      metadata: Type.Record(Type.String(), Type.Unknown()),
    },
    ...renewed,
  }),
  set('settlements', {
    table: settlements,
    instants: ['createdAt', 'depositedAt', 'periodFrom', 'periodTo'],
    shapes: {
      amount: sum,
      fees: sum,
      netAmount: sum,
      transactionsCount: sum,
      bankAccountLastFour: fourDigits,
    },
    ...renewed,
  }),
  set('transactions', {
    table: transactions,
    instants: ['createdAt', 'completedAt'],
    shapes: { amount, refundedAmount: sum, cardLastFour: fourDigits },
    derived: renewed.derived,
    complete(workspace, row) {
      mustAddUp(row as Transaction)
      return renewed.complete(workspace, row)
    },
  }),
  set('refunds', {
    table: refunds,
    instants: ['createdAt', 'completedAt'],
    derived: [],
    shapes: { amount },
  }),
]
