/** Transactions and their refunds. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { checkFirst, allowMissingBody, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { rendering } from '../../http/renderings.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { links } from '../../state/payments/links.ts'
import { refundTransaction } from '../../state/payments/refunds.ts'
import {
  transactions as transactionRecords,
  type Transaction as TransactionRow,
} from '../../state/payments/transactions.ts'
import { One, one, PageOf, pageMeta } from './dialect.ts'
import { refuseParameter, spanOf } from './queries.ts'
import { Refund, RefundCreate, Transaction, TransactionId, TransactionQuery } from './schemas/transactions.ts'
import { refundView, transactionView } from './views.ts'

const transactionText = rendering<TransactionRow>(transactionView, transactionRecords)

const transactionOperation = operationsOf({ tag: 'Transactions' })

export const transactions: Resource = async (app) => {
  app.get(
    '/transactions',
    {
      schema: { querystring: TransactionQuery },
      config: transactionOperation({
        id: 'listTransactions',
        summary: 'List transactions',
        fidelity: documentedBut(
          'Assumed: the newest first; from and to are about the time of creation, and both ends of a range of amounts belong to it.',
        ),
        names: { link_id: links },
        answers: { 200: PageOf(Transaction) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, status, payment_method, link_id, min_amount, max_amount } = query
      if ((min_amount ?? 0) > (max_amount ?? Infinity)) {
        refuseParameter('max_amount', 'too_small', 'max_amount must not be less than min_amount')
      }
      const where = { page, perPage, sort: 'created_at', order: 'desc' } as const
      const span = spanOf(workspace, query)
      const filters = { status, payment_method, link_id, min_amount, max_amount, ...span }
      return numberedPage(
        'payment transactions',
        transactionRecords.list,
        transactionText,
        everyCallerIn(workspace),
        where,
        filters,
        pageMeta,
      )
    },
  )

  app.get(
    '/transactions/:transaction_id',
    {
      schema: { params: TransactionId },
      config: transactionOperation({
        id: 'getTransaction',
        summary: 'Get a transaction',
        fidelity: documentedBut('The answer is not shown: {data: transaction}.'),
        answers: { 200: One(Transaction) },
      }),
    },
    ({ params, workspace }) =>
      one(transactionText.one(workspace, transactionRecords.get(workspace, params.transaction_id))),
  )

  app.post(
    '/transactions/:transaction_id/refund',
    {
      preValidation: [mustExist, allowMissingBody],
      schema: { params: TransactionId, body: Type.Optional(RefundCreate) },
      config: transactionOperation({
        id: 'refundTransaction',
        summary: 'Refund a transaction',
        description:
          'All of it, or in parts until nothing is left; then it is refunded, and to refund it again is a conflict.',
        fidelity: documentedBut(
          'Assumed: without an amount, what is left is refunded; more than that is unprocessable, and only a completed transaction can be refunded.',
        ),
        answers: { 200: One(Refund) },
        refuses: ['wrong_state'],
      }),
    },
    ({ params, body, workspace }) => ({
      data: refundView(refundTransaction(workspace, params.transaction_id, body)),
    }),
  )
}

/** That the transaction exists is asked before the body is judged. */
const mustExist = checkFirst<{ transaction_id: string }>(({ workspace }, params) =>
  transactionRecords.get(workspace, params.transaction_id),
)
