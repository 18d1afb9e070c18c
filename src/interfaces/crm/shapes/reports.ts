/** Wire shapes of the reports. Specification part 1, "CRM", shows the pipeline report and not the other two. */
import { Type, type TSchema } from '@sinclair/typebox'
import {
  Assumed,
  assumedDefault,
  CalendarDate,
  Currency,
  named,
  Nullable,
  OneOf,
} from '../../../http/schemas/schemas.ts'
import { FORECAST_PERIODS, FORECAST_TYPES } from '../../../state/crm/reports/forecast.ts'
import type { DealStatus } from '../../../state/crm/machines.ts'
import { GROUPINGS } from '../../../state/crm/reports/reports.ts'
import { Id, spanQuery, Vertical } from './common.ts'
import { money, Owner, PipelineReference, Sum } from './deals.ts'

const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })

const Days = (description: string) => Type.Number({ minimum: 0, description, examples: [18.25] })

const span = spanQuery('Deals')

const Span = Type.Object(
  { from: Nullable(Type.String()), to: Nullable(Type.String()) },
  { description: 'The from and to of the request; null without a limit.' },
)

const reportCurrency = Assumed(
  'The specification does not show this field; it is the currency of the workspace, which the sums use.',
  Currency({ description: 'The currency of the workspace.' }),
)

const closed = {
  won_deals: Count('Deals won in the period (assumed).'),
  lost_deals: Count('Deals lost in the period (assumed).'),
  conversion_rate: Type.Number({
    minimum: 0,
    maximum: 100,
    description:
      'The percentage of deals closed in the period that were won, with one decimal; 0 if none was closed (assumed).',
    examples: [62.5],
  }),
  // A new status of closed deals needs its count here.
} satisfies Readonly<Record<`${Exclude<DealStatus, 'open'>}_deals` | 'conversion_rate', TSchema>>

const wonValue = Sum('The value of the deals won in the period (assumed).')

const averageValue = Sum(
  'The average value of the deals created in the period, with two decimals; 0 if there are none (assumed).',
)

const averages = {
  average_days_to_close: Days(
    'The average time from creation to winning of the won deals, with two decimals; 0 if none was won (assumed).',
  ),
}

// ---------------------------------------------------------------- pipeline

export const PipelineReportQuery = Type.Object({
  pipeline_id: Id('pipe_', { minLength: 1 }),
  ...span,
  group_by: OneOf(GROUPINGS, {
    ...assumedDefault('stage'),
    description: 'owner, vertical and month add their groups to the stages (assumed).',
  }),
})

const groupFields =
  'The specification shows the values of group_by and not the fields that they add; the simulator adds the measures of the summary for each group.'

const measures = { deals_count: Count(), ...closed, ...money({ total_value: Sum(), won_value: wonValue }) }

export const PipelineReport = named(
  'PipelineReport',
  Type.Object({
    pipeline: PipelineReference,
    period: Span,
    currency: reportCurrency,
    summary: Type.Object({
      total_deals: Count('Deals created in the period (assumed).'),
      ...closed,
      ...averages,
      ...money({
        total_value: Sum('The value of the deals created in the period (assumed).'),
        won_value: wonValue,
        average_deal_value: averageValue,
      }),
    }),
    by_stage: Type.Array(
      Type.Object({
        stage_id: Assumed(
          'The specification does not show this field; it is needed because two stages may have the same name.',
          Id('stage_'),
        ),
        stage: Type.String({ description: 'The name of the stage (assumed).', examples: ['Offer sent'] }),
        deals_count: Count(
          'Deals created in the period that are in the stage or were closed in it (assumed).',
        ),
        avg_days: Days(
          'The average time that deals created in the period stayed in the stage, with two decimals. A deal that is still in the stage counts until now (assumed).',
        ),
        ...money({ total_value: Sum() }),
      }),
      { description: 'Every stage, in order.' },
    ),
    by_owner: Type.Optional(
      Assumed(groupFields, Type.Array(Type.Object({ owner: Nullable(Owner), ...measures }))),
    ),
    by_vertical: Type.Optional(
      Assumed(groupFields, Type.Array(Type.Object({ vertical: Nullable(Vertical()), ...measures }))),
    ),
    by_month: Type.Optional(
      Assumed(
        groupFields,
        Type.Array(Type.Object({ month: Type.String({ examples: ['2026-11'] }), ...measures }), {
          description:
            'Deals by the month of their creation; won and lost deals by the month of their closing. Months follow the time zone of the workspace and run from the first with a deal to the last; at most 600.',
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
  open_deals: Count('Open deals created in the period.'),
  ...closed,
  ...averages,
  activities_count: Count(
    'Activities of the CRM created in the period; with pipeline_id, those of its deals.',
  ),
  ...money({ open_value: Sum(), won_value: wonValue, average_deal_value: averageValue }),
}

export const TeamReport = named(
  'TeamReport',
  Assumed(
    'The specification does not show the team report; the simulator returns the measures of the pipeline report for each user.',
    Type.Object({
      period: Span,
      currency: reportCurrency,
      team: Type.Array(Type.Object({ owner: Nullable(Owner), ...performance }), {
        description:
          'Every user of the workspace. Deals and activities without an owner come last, if there are any.',
      }),
      totals: Type.Object(performance),
    }),
  ),
)

// ---------------------------------------------------------------- forecast

export const ForecastQuery = Type.Object({
  pipeline_id: Type.Optional(Id('pipe_', { minLength: 1 })),
  period: OneOf(FORECAST_PERIODS, assumedDefault('monthly')),
  type: OneOf(FORECAST_TYPES, assumedDefault('weighted')),
})

const outlook = {
  deals_count: Count('Open deals that are expected to close in the period.'),
  ...money({
    total_value: Sum('Their value.'),
    weighted_value: Sum('Their value times the probabilities of their stages. Won deals are not included.'),
    best_case_value: Sum('Their value and the value of the won deals.'),
    committed_value: Sum(
      'The value of those with a probability of 90 or more, and the value of the won deals.',
    ),
    won_value: Sum('The value of the deals that were won in the period and in the current year.'),
    value: Sum('The value of the requested type.'),
  }),
}

export const ForecastReport = named(
  'ForecastReport',
  Assumed(
    'The specification does not show the forecast; the simulator groups deals by the period in which they are expected to close, as sales forecasts usually do.',
    Type.Object({
      pipeline: Nullable(PipelineReference),
      period: OneOf(FORECAST_PERIODS),
      type: OneOf(FORECAST_TYPES),
      currency: Currency({ description: 'The currency of the workspace.' }),
      ...money({ total: Sum('The sum of all items and of the deals without an expected date.') }),
      items: Type.Array(
        Type.Object({
          period_start: CalendarDate(),
          period_end: CalendarDate(),
          label: Type.String({ examples: ['2026-11', '2026-Q4', '2026'] }),
          ...outlook,
        }),
        {
          description:
            'The current period and the next ones (12 months, 4 quarters or 3 years in total), any other period in which an open deal is expected to close, and the earlier ones of this year with won deals.',
        },
      ),
      unscheduled: Type.Object(outlook, { description: 'Open deals without an expected date.' }),
    }),
  ),
)
