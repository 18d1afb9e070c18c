/** Reports. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { unpaged } from '../../http/paging.ts'
import { spanOf, type Span } from '../../state/crm/periods.ts'
import {
  forecast,
  pipelineReport,
  pipelineReportBy,
  pipelineReportByMonth,
  reportedPipeline,
  teamReport,
  type ForecastType,
  type MemberReport,
  type Outlook,
  type Tally,
} from '../../state/crm/reports.ts'
import type { VERTICALS } from '../../state/crm/tables.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
import { refuse } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import {
  ForecastQuery,
  ForecastReport,
  PipelineReport,
  PipelineReportQuery,
  TeamReport,
  TeamReportQuery,
} from './schemas/reports.ts'
import { amountOf, ownerView } from './views.ts'

const A_REPORT = unpaged('One answer about all that it counts.')

const reportOperation = operationsOf({ tag: 'Reports' })

export const reports: Resource = async (app) => {
  app.get(
    '/reports/pipeline',
    {
      schema: { querystring: PipelineReportQuery },
      config: reportOperation({
        id: 'getPipelineReport',
        summary: 'Report on a pipeline',
        scope: 'crm:reports',
        fidelity: documentedBut(
          'The shape is shown. Assumed: it is about the deals created in the period, whatever became of them since; a pipeline that does not exist is not found.',
        ),
        answers: { 200: PipelineReport },
        paging: A_REPORT,
        refuses: ['not_found'],
      }),
    },
    async ({ query, workspace }): Promise<Static<typeof PipelineReport>> => {
      const pipeline = mustBePipeline(workspace, query.pipeline_id)
      const span = spanOf(workspace, query.from, query.to)
      const { summary, stages } = await pipelineReport(workspace, pipeline.id, span)
      return {
        pipeline,
        period: periodView(query),
        summary: {
          total_deals: summary.dealsCount,
          total_value: amountOf(summary.totalValue),
          ...closedView(summary),
          ...averagesView(summary),
        },
        by_stage: stages.map(({ id, name, tally, averageDays }) => ({
          stage_id: id,
          stage: name,
          deals_count: tally.dealsCount,
          total_value: amountOf(tally.totalValue),
          avg_days: averageDays,
        })),
        ...(await groupsView(workspace, pipeline.id, span, query.group_by)),
      }
    },
  )

  app.get(
    '/reports/team',
    {
      schema: { querystring: TeamReportQuery },
      config: reportOperation({
        id: 'getTeamReport',
        summary: 'Report on the team',
        fidelity: assumed(
          'The specification shows no answer: the deals and activities created in the period, by owner; any key may ask for it.',
        ),
        answers: { 200: TeamReport },
        paging: A_REPORT,
        refuses: ['not_found'],
      }),
    },
    async ({ query, workspace }): Promise<Static<typeof TeamReport>> => {
      const pipeline = pipelineAskedFor(workspace, query.pipeline_id)
      const span = spanOf(workspace, query.from, query.to)
      const { members, totals } = await teamReport(workspace, pipeline?.id ?? null, span)
      return {
        period: periodView(query),
        team: members.map((member) => ({
          owner: ownerView(workspace, member.ownerId),
          ...performanceView(member),
        })),
        totals: performanceView(totals),
      }
    },
  )

  app.get(
    '/reports/forecast',
    {
      schema: { querystring: ForecastQuery },
      config: reportOperation({
        id: 'getForecast',
        summary: 'Forecast what deals will bring',
        fidelity: assumed(
          'The specification shows no answer: weighted is the values of open deals times the probabilities of their stages, best_case all open deals and what was won, committed the open deals from a probability of 90 and what was won; any key may ask for it.',
        ),
        answers: { 200: ForecastReport },
        paging: A_REPORT,
        refuses: ['not_found'],
      }),
    },
    ({ query, workspace }): Static<typeof ForecastReport> => {
      const { period: length, type } = query
      const pipeline = pipelineAskedFor(workspace, query.pipeline_id)
      const { periods, unscheduled } = forecast(workspace, pipeline?.id ?? null, length)
      const outlooks = [unscheduled, ...periods.map(({ outlook }) => outlook)]
      return {
        pipeline,
        period: length,
        type,
        currency: workspace.currency,
        total: amountOf(outlooks.reduce((sum, outlook) => sum + outlook.of(type), 0)),
        items: periods.map(({ period, outlook }) => ({
          period_start: period.firstDay,
          period_end: period.lastDay,
          label: period.label,
          ...outlookView(outlook, type),
        })),
        unscheduled: outlookView(unscheduled, type),
      }
    },
  )
}

const mustBePipeline = (workspace: Workspace, id: string): { id: string; name: string } =>
  reportedPipeline(workspace, id) ?? refuse('not_found', `There is no pipeline ${id}.`)

/** null when the report is about all pipelines. */
const pipelineAskedFor = (workspace: Workspace, id: string | undefined) =>
  id === undefined ? null : mustBePipeline(workspace, id)

const periodView = ({ from, to }: { readonly from?: string; readonly to?: string }) => ({
  from: from ?? null,
  to: to ?? null,
})

const closedView = (tally: Tally) => ({
  won_deals: tally.wonDeals,
  won_value: amountOf(tally.wonValue),
  lost_deals: tally.lostDeals,
  conversion_rate: tally.conversionRate,
})

const averagesView = (tally: Tally) => ({
  average_deal_value: amountOf(tally.averageValue),
  average_days_to_close: tally.averageDaysToWin,
})

const measuresView = (tally: Tally) => ({
  deals_count: tally.dealsCount,
  total_value: amountOf(tally.totalValue),
  ...closedView(tally),
})

/** What is told beside the stages. */
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
          ...measuresView(tally),
        })),
      }
    case 'vertical':
      return {
        by_vertical: (await pipelineReportBy(workspace, pipelineId, span, grouping)).map(
          ([vertical, tally]) => ({
            vertical: vertical as (typeof VERTICALS)[number] | null,
            ...measuresView(tally),
          }),
        ),
      }
    case 'month':
      return {
        by_month: (await pipelineReportByMonth(workspace, pipelineId, span)).map(([month, tally]) => ({
          month,
          ...measuresView(tally),
        })),
      }
  }
}

const performanceView = ({ tally, activitiesCount }: Omit<MemberReport, 'ownerId'>) => ({
  deals_count: tally.dealsCount,
  open_deals: tally.openDeals,
  open_value: amountOf(tally.openValue),
  ...closedView(tally),
  ...averagesView(tally),
  activities_count: activitiesCount,
})

const outlookView = (outlook: Outlook, type: ForecastType) => ({
  deals_count: outlook.dealsCount,
  total_value: amountOf(outlook.totalValue),
  weighted_value: amountOf(outlook.weighted),
  best_case_value: amountOf(outlook.bestCase),
  committed_value: amountOf(outlook.committed),
  won_value: amountOf(outlook.wonValue),
  value: amountOf(outlook.of(type)),
})
