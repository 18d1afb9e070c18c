/** Reports. Specification part 2, "Payments v1"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { revenueReport, type RevenueReport as Revenue } from '../../state/payments/revenue.ts'
import { settlements } from '../../state/payments/settlements.ts'
import { spanOf } from '../../state/shared/periods.ts'
import { One, PageOf, pageMeta } from './dialect.ts'
import { refuseParameter, parseSpan } from './queries.ts'
import { RevenueQuery, RevenueReport, Settlement, SettlementQuery } from './shapes/reports.ts'

const collection = numberedCollection({
  records: settlements,
  rendering: Settlement.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

export const reports: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Reports' })

  at('/reports/revenue').get({
    id: 'getRevenueReport',
    summary: 'Get the revenue report',
    fidelity: documentedBut(
      'The specification shows the fields. Assumed: a payment counts at its completion time with its amount less refunds, so all views have the same sums. It counts as a transaction until it is refunded, also while a full refund is processing. A report has at most 3,700 periods.',
    ),
    query: RevenueQuery,
    answers: { 200: One(RevenueReport) },
    paging: unpaged('One response has the whole report.'),
    run({ query, workspace }) {
      const span = spanOf(workspace, query.from, query.to)
      const { group_by: grouping } = query
      if (span.start >= span.end) refuseParameter('to', 'before_from', 'to must not be before from')
      return JSON.stringify({ data: revenueView(revenueReport(workspace, span, grouping)) })
    },
  })

  at('/reports/settlements').get({
    id: 'listSettlements',
    order: collection.order,
    summary: 'List settlements',
    fidelity: documentedBut(
      'Assumed: the newest settlement comes first. from and to apply to the creation time.',
    ),
    query: SettlementQuery,
    answers: { 200: PageOf(Settlement.item) },
    run: ({ query, caller, workspace }) =>
      collection.page(caller, query, { status: query.status, ...parseSpan(workspace, query) }),
  })
}

const revenueView = ({
  total,
  currency,
  byPeriod,
  byMethod,
  byCurrency,
}: Revenue): Static<typeof RevenueReport> => ({
  total_revenue: total.revenue,
  total_transactions: total.transactions,
  average_amount: total.transactions === 0 ? 0 : Math.round(total.revenue / total.transactions),
  currency,
  by_period: byPeriod.map(({ date, revenue, transactions }) => ({ date, revenue, transactions })),
  by_payment_method: Object.fromEntries(byMethod),
  by_currency: Object.fromEntries(byCurrency),
})
