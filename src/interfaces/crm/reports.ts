/** Reports. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { forecast, type ForecastType, type Outlook } from '../../state/crm/reports/forecast.ts'
import {
  pipelineReport,
  pipelineReportBy,
  pipelineReportByMonth,
  reportedPipeline,
  teamReport,
  type MemberReport,
} from '../../state/crm/reports/reports.ts'
import type { ByCurrency, Tally, ValueSums } from '../../state/crm/reports/tally.ts'
import type { VERTICALS } from '../../state/crm/tables.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { refuse } from '../../state/model/refusal.ts'
import { mustBeInOrder, spanOf, type Span } from '../../state/shared/periods.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import {
  ForecastQuery,
  ForecastReport,
  PipelineReport,
  PipelineReportQuery,
  TeamReport,
  TeamReportQuery,
} from './shapes/reports.ts'
import { amountOf, ownerView } from './shapes/deals.ts'

const UNPAGED_REPORT = unpaged('One report on all records that it counts.')

export const reports: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Reports' })

  at('/reports/pipeline').get({
    id: 'getPipelineReport',
    summary: 'Report on a pipeline',
    scope: 'crm:reports',
    fidelity: documentedBut(
      'The specification shows the shape. Assumed: total_deals, total_value and by_stage count the deals created in the period; won and lost count the deals closed in it, as in the other reports. Sums include only deals in the currency of the workspace; other_currencies has the sums of the others. A report by month has at most 600 months. Returns 404 when the pipeline does not exist.',
    ),
    query: PipelineReportQuery,
    answers: { 200: PipelineReport },
    paging: UNPAGED_REPORT,
    refuses: ['not_found'],
    async run({ query, workspace }) {
      const pipeline = mustBePipeline(workspace, query.pipeline_id)
      const span = mustBeInOrder(spanOf(workspace, query.from, query.to))
      const { summary, stages } = await pipelineReport(workspace, pipeline.id, span)
      return {
        pipeline,
        period: periodView(query),
        currency: workspace.currency,
        summary: {
          total_deals: summary.dealsCount,
          ...closedView(summary),
          average_days_to_close: summary.averageDaysToWin,
          ...moneyView(workspace, summary.worth, (worth) => ({
            total_value: amountOf(worth.total),
            won_value: amountOf(worth.won),
            average_deal_value: amountOf(worth.average),
          })),
        },
        by_stage: stages.map(({ id, name, tally, averageDays }) => ({
          stage_id: id,
          stage: name,
          deals_count: tally.dealsCount,
          avg_days: averageDays,
          ...moneyView(workspace, tally.worth, ({ total }) => ({ total_value: amountOf(total) })),
        })),
        ...(await groupsView(workspace, pipeline.id, span, query.group_by)),
      }
    },
  })

  at('/reports/team').get({
    id: 'getTeamReport',
    summary: 'Report on the team',
    fidelity: documentedBut(
      'Assumed: the report counts the deals and activities created in the period and the deals won and lost in it, by owner. Sums include only deals in the currency of the workspace; other_currencies has the sums of the others.',
    ),
    query: TeamReportQuery,
    answers: { 200: TeamReport },
    paging: UNPAGED_REPORT,
    refuses: ['not_found'],
    async run({ query, workspace }) {
      const pipeline = optionalPipeline(workspace, query.pipeline_id)
      const span = mustBeInOrder(spanOf(workspace, query.from, query.to))
      const { members, totals } = await teamReport(workspace, pipeline?.id ?? null, span)
      return {
        period: periodView(query),
        currency: workspace.currency,
        team: members.map((member) => ({
          owner: ownerView(workspace, member.ownerId),
          ...performanceView(workspace, member),
        })),
        totals: performanceView(workspace, totals),
      }
    },
  })

  at('/reports/forecast').get({
    id: 'getForecast',
    summary: 'Forecast the value of deals',
    fidelity: documentedBut(
      'Assumed: weighted is the value of open deals times the probability of their stage. best_case is all open deals and the won deals of the current year, whatever the period. committed is the open deals with a probability of at least 90 and those won deals. Sums include only deals in the currency of the workspace; other_currencies has the sums of the others.',
    ),
    query: ForecastQuery,
    answers: { 200: ForecastReport },
    paging: UNPAGED_REPORT,
    refuses: ['not_found'],
    async run({ query, workspace }) {
      const { period: length, type } = query
      const pipeline = optionalPipeline(workspace, query.pipeline_id)
      const { periods, unscheduled } = await forecast(workspace, pipeline?.id ?? null, length)
      return {
        pipeline,
        period: length,
        type,
        currency: workspace.currency,
        ...totalView(workspace, [unscheduled, ...periods.map(({ outlook }) => outlook)], type),
        items: periods.map(({ period, outlook }) => ({
          period_start: period.firstDay,
          period_end: period.lastDay,
          label: period.label,
          ...outlookView(workspace, outlook, type),
        })),
        unscheduled: outlookView(workspace, unscheduled, type),
      }
    },
  })
}

const mustBePipeline = (workspace: Workspace, id: string): { id: string; name: string } =>
  reportedPipeline(workspace, id) ?? refuse('not_found', `There is no pipeline ${id}.`)

/** Returns null for a report on all pipelines. */
const optionalPipeline = (workspace: Workspace, id: string | undefined) =>
  id === undefined ? null : mustBePipeline(workspace, id)

const periodView = ({ from, to }: { readonly from?: string; readonly to?: string }) => ({
  from: from ?? null,
  to: to ?? null,
})

/** Returns the sums in the currency of the workspace, and those of each other currency. */
const moneyView = <Sums, Money>(
  { currency }: Workspace,
  sums: ByCurrency<Sums>,
  view: (sums: Sums) => Money,
): Money & { other_currencies: (Money & { currency: string })[] } => ({
  ...view(sums.of(currency)),
  other_currencies: sums
    .others(currency)
    .map(([other, otherSums]) => ({ currency: other, ...view(otherSums) })),
})

const closedView = (tally: Tally) => ({
  won_deals: tally.counts.won,
  lost_deals: tally.counts.lost,
  conversion_rate: tally.conversionRate,
})

const worthView = (worth: ValueSums) => ({
  total_value: amountOf(worth.total),
  won_value: amountOf(worth.won),
})

const measuresView = (workspace: Workspace, tally: Tally) => ({
  deals_count: tally.dealsCount,
  ...closedView(tally),
  ...moneyView(workspace, tally.worth, worthView),
})

/** Returns the groups that group_by adds to the stages. */
async function groupsView(
  workspace: Workspace,
  pipelineId: string,
  span: Span,
  grouping: Static<typeof PipelineReportQuery>['group_by'],
): Promise<Pick<Static<typeof PipelineReport>, 'by_owner' | 'by_vertical' | 'by_month'>> {
  switch (grouping) {
    case 'stage':
      return {}
    case 'owner':
      return {
        by_owner: (await pipelineReportBy(workspace, pipelineId, span, grouping)).map(([id, tally]) => ({
          owner: ownerView(workspace, id),
          ...measuresView(workspace, tally),
        })),
      }
    case 'vertical':
      return {
        by_vertical: (await pipelineReportBy(workspace, pipelineId, span, grouping)).map(
          ([vertical, tally]) => ({
            vertical: vertical as (typeof VERTICALS)[number] | null,
            ...measuresView(workspace, tally),
          }),
        ),
      }
    case 'month':
      return {
        by_month: (await pipelineReportByMonth(workspace, pipelineId, span)).map(([month, tally]) => ({
          month,
          ...measuresView(workspace, tally),
        })),
      }
  }
}

const performanceView = (
  workspace: Workspace,
  { tally, activitiesCount }: Omit<MemberReport, 'ownerId'>,
) => ({
  deals_count: tally.dealsCount,
  open_deals: tally.counts.open,
  ...closedView(tally),
  average_days_to_close: tally.averageDaysToWin,
  activities_count: activitiesCount,
  ...moneyView(workspace, tally.worth, (worth) => ({
    open_value: amountOf(worth.open),
    won_value: amountOf(worth.won),
    average_deal_value: amountOf(worth.average),
  })),
})

const outlookView = (workspace: Workspace, outlook: Outlook, type: ForecastType) => ({
  deals_count: outlook.dealsCount,
  ...moneyView(workspace, outlook.expected, (expected) => ({
    total_value: amountOf(expected.total),
    weighted_value: amountOf(expected.weighted),
    best_case_value: amountOf(expected.bestCase),
    committed_value: amountOf(expected.committed),
    won_value: amountOf(expected.won),
    value: amountOf(expected.of(type)),
  })),
})

/** Returns the total of all periods. It adds up the rounded values that the report shows. */
function totalView(workspace: Workspace, outlooks: readonly Outlook[], type: ForecastType) {
  const totalIn = (currency: string) =>
    amountOf(outlooks.reduce((sum, { expected }) => sum + (expected.get(currency)?.of(type) ?? 0), 0))
  const currencies = new Set<string>(outlooks.flatMap(({ expected }) => [...expected.keys()]))
  currencies.delete(workspace.currency)
  return {
    total: totalIn(workspace.currency),
    other_currencies: [...currencies].sort().map((currency) => ({ currency, total: totalIn(currency) })),
  }
}
