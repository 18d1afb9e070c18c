/** Wire shapes of the reports. Specification part 1, "CRM": the pipeline report is shown, the other two are not. */
import { Type } from '@sinclair/typebox'
import { Assumed, CalendarDate, Currency, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { FORECAST_PERIODS } from '../../../state/crm/periods.ts'
import { FORECAST_TYPES, GROUPINGS } from '../../../state/crm/reports.ts'
import { Id, spanQuery, Vertical } from './common.ts'
import { money, Owner, PipelineReference, Sum } from './deals.ts'

const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })

const Days = (description: string) => Type.Number({ minimum: 0, description, examples: [18.25] })

const span = spanQuery('Deals')

const Span = Type.Object(
  { from: Nullable(Type.String()), to: Nullable(Type.String()) },
  { description: 'As it was asked for; null where it has no bound.' },
)

const reportCurrency = Assumed(
  'Not shown: that of the workspace, in which the sums are.',
  Currency({ description: 'That of the workspace.' }),
)

const closed = {
  won_deals: Count('Deals that were won in the period (assumed).'),
  lost_deals: Count('Deals that were lost in the period (assumed).'),
  conversion_rate: Type.Number({
    minimum: 0,
    maximum: 100,
    description:
      'Won deals of those closed in the period, in percent with one decimal; 0 when none was (assumed).',
    examples: [62.5],
  }),
}

const wonValue = Sum('What the deals are worth that were won in the period (assumed).')

const averageValue = Sum(
  'Of the deals created in the period, with two decimals; 0 when there are none (assumed).',
)

const averages = {
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

const measures = { deals_count: Count(), ...closed, ...money({ total_value: Sum(), won_value: wonValue }) }

export const PipelineReport = named(
  'PipelineReport',
  Type.Object({
    pipeline: PipelineReference,
    period: Span,
    currency: reportCurrency,
    summary: Type.Object({
      total_deals: Count('Deals that were created in the period (assumed).'),
      ...closed,
      ...averages,
      ...money({
        total_value: Sum('What the deals are worth that were created in the period (assumed).'),
        won_value: wonValue,
        average_deal_value: averageValue,
      }),
    }),
    by_stage: Type.Array(
      Type.Object({
        stage_id: Assumed('Two stages may have one name.', Id('stage_')),
        stage: Type.String({ description: 'Its name (assumed).', examples: ['Offer sent'] }),
        deals_count: Count(
          'Deals created in the period that are in the stage or were closed in it (assumed).',
        ),
        avg_days: Days(
          'How long the deals have stayed in the stage, those that are still in it until now, with two decimals (assumed).',
        ),
        ...money({ total_value: Sum() }),
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
            'Deals by the month of their creation, won and lost ones by that of their closing, in the time zone of the workspace, from the first with a deal to the last; at most 600.',
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
  open_deals: Count('Deals created in the period that are open.'),
  ...closed,
  ...averages,
  activities_count: Count(
    'Activities of the CRM created in the period; with pipeline_id those of its deals.',
  ),
  ...money({ open_value: Sum(), won_value: wonValue, average_deal_value: averageValue }),
}

export const TeamReport = named(
  'TeamReport',
  Assumed(
    'The specification does not show the team report: the measures of the pipeline report for each user.',
    Type.Object({
      period: Span,
      currency: reportCurrency,
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
  ...money({
    total_value: Sum('What they are worth.'),
    weighted_value: Sum(
      'What they are worth times the probabilities of their stages; what is won weighs nothing here.',
    ),
    best_case_value: Sum('What they are worth, and what was won.'),
    committed_value: Sum('What those with a probability of 90 or more are worth, and what was won.'),
    won_value: Sum('What the deals are worth that were won in the period.'),
    value: Sum('That of the type that was asked for.'),
  }),
}

export const ForecastReport = named(
  'ForecastReport',
  Assumed(
    'The specification does not show the forecast: deals by the period in which they are expected to close, as sales forecasts usually show them.',
    Type.Object({
      pipeline: Nullable(PipelineReference),
      period: OneOf(FORECAST_PERIODS),
      type: OneOf(FORECAST_TYPES),
      currency: Currency({ description: 'That of the workspace.' }),
      ...money({ total: Sum('The values of all items, and of the deals without an expected date.') }),
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
