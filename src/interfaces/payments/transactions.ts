/** Transactions and their refunds. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { allowMissingBody } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { links } from '../../state/payments/links.ts'
import { refundEvent } from '../../state/payments/readings.ts'
import { refundTransaction } from '../../state/payments/refunds.ts'
import { transactions as transactionRecords } from '../../state/payments/transactions.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { One, one, PageOf, pageMeta } from './dialect.ts'
import { refuseParameter, parseSpan } from './queries.ts'
import { Refund, Transaction, TransactionId, TransactionQuery } from './shapes/transactions.ts'

const collection = numberedCollection({
  records: transactionRecords,
  rendering: Transaction.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

export const transactions: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Transactions' })

  at('/transactions').get({
    id: 'listTransactions',
    order: collection.order,
    summary: 'List transactions',
    fidelity: documentedBut(
      'Assumed: the newest transaction comes first. from and to apply to created_at. min_amount and max_amount are inclusive.',
    ),
    names: { link_id: links },
    query: TransactionQuery,
    answers: { 200: PageOf(Transaction.item) },
    run({ query, caller, workspace }) {
      const { status, payment_method, link_id, min_amount, max_amount } = query
      if ((min_amount ?? 0) > (max_amount ?? Infinity)) {
        refuseParameter('max_amount', 'too_small', 'max_amount must not be less than min_amount')
      }
      const span = parseSpan(workspace, query)
      return collection.page(caller, query, {
        status,
        payment_method,
        link_id,
        min_amount,
        max_amount,
        ...span,
      })
    },
  })

  at('/transactions/:transaction_id', { params: TransactionId }).get({
    id: 'getTransaction',
    summary: 'Get a transaction',
    fidelity: documented,
    answers: {
      200: Assumed(
        'The specification does not show the response; the simulator returns {data: transaction}.',
        One(Transaction.item),
      ),
    },
    run: ({ params, workspace }) => one(collection.get(workspace, params.transaction_id)),
  })

  at('/transactions/:transaction_id/refund', { params: TransactionId, record: transactionRecords }).post({
    id: 'refundTransaction',
    summary: 'Refund a transaction',
    description:
      'Refunds the full amount, or parts of it. When nothing remains, a further refund returns 409.',
    fidelity: documentedBut(
      'Assumed: without an amount, refunds the remaining amount. Returns 422 if the amount exceeds the remaining amount, and 409 if the transaction is not completed. The reading payments.refund_event decides when the transaction becomes refunded and payment.refunded is sent.',
    ),
    readings: [refundEvent],
    body: Type.Optional(Refund.create),
    before: allowMissingBody,
    answers: { 200: One(Refund.item) },
    refuses: ['wrong_state'],
    run: ({ params, body, workspace }) => ({
      data: Refund.view(refundTransaction(workspace, params.transaction_id, body), workspace),
    }),
  })
}
