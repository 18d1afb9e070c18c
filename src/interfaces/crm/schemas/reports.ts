/** Wire shapes of the reports. Specification part 1, "CRM": the pipeline report is shown, the other two are not. */
import { Type } from '@sinclair/typebox'
import { Assumed, CalendarDate, Currency, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { FORECAST_PERIODS } from '../../../state/crm/periods.ts'
import { FORECAST_TYPES, GROUPINGS } from '../../../state/crm/reports.ts'
import { Id, spanQuery, Vertical } from './common.ts'
import { Owner, PipelineReference, Sum } from './deals.ts'

const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })

const Days = (description: string) => Type.Number({ minimum: 0, description, examples: [18.25] })

const span = spanQuery('Deals')

const Span = Type.Object(
  { from: Nullable(Type.String()), to: Nullable(Type.String()) },
  { description: 'As it was asked for; null where it has no bound.' },
)

const closed = {
  won_deals: Count(),
  won_value: Sum(),
  lost_deals: Count(),
  conversion_rate: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Won deals of those closed, in percent with one decimal; 0 when none is closed (assumed).',
    examples: [62.5],
  }),
}

const averages = {
  average_deal_value: Sum(
    'Of all deals that are counted, with two decimals; 0 when there are none (assumed).',
  ),
  average_days_to_close: Days(
    'From the creation of the won deals to winning them, with two decimals; 0 when none is won (assumed).',
  ),
}

// ---------------------------------------------------------------- pipeline

export const PipelineReportQuery = Type.Object({
  pipeline_id: Id('pipe_', { minLength: 1 }),
  ...span,
  group_by: OneOf(GROUPINGS, {
    default: 'stage',
    description: 'owner, vertical and month are told beside the stages (assumed).',
  }),
})

const beside = 'The values of group_by are shown, what they add is not: the measures of the summary for each.'

const measures = { deals_count: Count(), total_value: Sum(), ...closed }

export const PipelineReport = named(
  'PipelineReport',
  Type.Object({
    pipeline: PipelineReference,
    period: Span,
    summary: Type.Object({ total_deals: Count(), total_value: Sum(), ...closed, ...averages }),
    by_stage: Type.Array(
      Type.Object({
        stage_id: Assumed('Two stages may have one name.', Id('stage_')),
        stage: Type.String({ description: 'Its name (assumed).', examples: ['Offer sent'] }),
        deals_count: Count('Deals in the stage, open ones and those that were closed in it (assumed).'),
        total_value: Sum(),
        avg_days: Days(
          'How long the deals have stayed in the stage, those that are still in it until now, with two decimals (assumed).',
        ),
      }),
      { description: 'Every stage, in their order.' },
    ),
    by_owner: Type.Optional(
      Assumed(beside, Type.Array(Type.Object({ owner: Nullable(Owner), ...measures }))),
    ),
    by_vertical: Type.Optional(
      Assumed(beside, Type.Array(Type.Object({ vertical: Nullable(Vertical()), ...measures }))),
    ),
    by_month: Type.Optional(
      Assumed(
        beside,
        Type.Array(Type.Object({ month: Type.String({ examples: ['2026-11'] }), ...measures }), {
          description:
            'By the month of creation in the time zone of the workspace, from the first with a deal to the last.',
        }),
      ),
    ),
  }),
)

// ---------------------------------------------------------------- team

export const TeamReportQuery = Type.Object({
  ...span,
  pipeline_id: Type.Optional(Id('pipe_', { minLength: 1 })),
})

const performance = {
  deals_count: Count(),
  open_deals: Count(),
  open_value: Sum(),
  ...closed,
  ...averages,
  activities_count: Count(
    'Activities of the CRM created in the period; with pipeline_id those of its deals.',
  ),
}

export const TeamReport = named(
  'TeamReport',
  Assumed(
    'The specification does not show the team report: the measures of the pipeline report for each user.',
    Type.Object({
      period: Span,
      team: Type.Array(Type.Object({ owner: Nullable(Owner), ...performance }), {
        description:
          'Every user of the workspace; without an owner at the end what belongs to nobody, where there is such.',
      }),
      totals: Type.Object(performance),
    }),
  ),
)

// ---------------------------------------------------------------- forecast

export const ForecastQuery = Type.Object({
  pipeline_id: Type.Optional(Id('pipe_', { minLength: 1 })),
  period: OneOf(FORECAST_PERIODS, { default: 'monthly' }),
  type: OneOf(FORECAST_TYPES, { default: 'weighted' }),
})

const outlook = {
  deals_count: Count('Open deals that are expected to close.'),
  total_value: Sum('What they are worth.'),
  weighted_value: Sum('What they are worth times the probabilities of their stages.'),
  best_case_value: Sum('What they are worth, and what was won.'),
  committed_value: Sum('What those with a probability of 90 or more are worth, and what was won.'),
  won_value: Sum('What the deals are worth that were won in the period.'),
  value: Sum('That of the type that was asked for.'),
}

export const ForecastReport = named(
  'ForecastReport',
  Assumed(
    'The specification does not show the forecast: deals by the period in which they are expected to close, as sales forecasts usually show them.',
    Type.Object({
      pipeline: Nullable(PipelineReference),
      period: OneOf(FORECAST_PERIODS),
      type: OneOf(FORECAST_TYPES),
      currency: Currency({
        description: 'That of the workspace; values in other currencies are added as they are.',
      }),
      total: Sum('The values of all items, and of the deals without an expected date.'),
      items: Type.Array(
        Type.Object({
          period_start: CalendarDate(),
          period_end: CalendarDate(),
          label: Type.String({ examples: ['2026-11', '2026-Q4', '2026'] }),
          ...outlook,
        }),
        {
          description:
            'The current period and those right after it (12 months, 4 quarters or 3 years in all), and any other in which an open deal is expected.',
        },
      ),
      unscheduled: Type.Object(outlook, { description: 'Open deals without an expected date.' }),
    }),
  ),
)
