/** Wire shapes of analytics. Specification part 1, "Recruiting", whose blocks and measures are named there. */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { Id } from '../../../http/wireShapes.ts'
import { SKILLS_OF, STAGE_COUNTS } from '../../../state/recruiting/analytics.ts'
import { applicationMachine, vacancyMachine } from '../../../state/recruiting/machines.ts'
import { GRANULARITIES } from '../../../state/recruiting/periods.ts'
import { spanQuery } from './common.ts'

const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })

const Percent = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 100, description }))

const counts = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, Count()])) as Record<Names[number], ReturnType<typeof Count>>

const inside = 'The specification names the block and not what is in it: what such a summary usually counts.'

const Period = Type.Object({ from: Instant(), to: Instant() })

const span = spanQuery('Counted is what happened')

export const SummaryQuery = Type.Object({
  ...span,
  granularity: OneOf(GRANULARITIES, { default: 'day' }),
})

export const Summary = named(
  'RecruitingSummary',
  Type.Object({
    period: Assumed(
      'The last month unless the query says otherwise.',
      Type.Object({ from: Instant(), to: Instant(), granularity: OneOf(GRANULARITIES) }),
    ),
    vacancies: Assumed(
      inside,
      Type.Object({
        total: Count('All there are now, and those of each status.'),
        ...counts(vacancyMachine.states),
        new: Count('Created in the period.'),
      }),
    ),
    candidates: Assumed(
      inside,
      Type.Object({
        total: Count('All there are now.'),
        new: Count('Added in the period.'),
        by_stage: Type.Object(counts(STAGE_COUNTS), {
          description:
            'Every candidate once, by the stage of the last application; no_application counts those who have applied for nothing.',
        }),
      }),
    ),
    interviews: Assumed(
      inside,
      Type.Object(
        {
          ...counts(['scheduled', 'confirmed', 'in_progress', 'completed', 'cancelled']),
          no_show: Count('Those whose time is over, and that never began.'),
        },
        { description: 'Interviews that were made in the period, by the status that they have now.' },
      ),
    ),
    conversion_funnel: Assumed(
      'The specification names the block and not what is in it: of those who applied in the period, how many ever came to each stage or beyond it. Only candidates who are hired now count as hired.',
      Type.Object({
        ...counts(['applied', 'reviewing', 'shortlisted', 'interview', 'offer', 'hired']),
        rates: Type.Object(
          {
            reviewing: Percent('Of those who applied.'),
            shortlisted: Percent('Of those who were looked at.'),
            interview: Percent('Of those who were shortlisted.'),
            offer: Percent('Of those who were interviewed.'),
            hired: Percent('Of those who had an offer.'),
            overall: Percent('Of those who applied.'),
          },
          { description: 'In percent with one decimal; null of nothing.' },
        ),
      }),
    ),
    series: Assumed(
      'The specification shows a granularity and nothing that has one: applications and hires over the period.',
      Type.Array(
        Type.Object({
          period_start: Type.String({ description: 'A day, or a month.', examples: ['2026-11-02'] }),
          applications: Count(),
          hires: Count('Candidates who were hired then and are still hired.'),
        }),
      ),
    ),
  }),
)

export const VacancyMetrics = named(
  'VacancyAnalytics',
  Type.Object({
    vacancy_id: Assumed('What the metrics are of.', Id('vac_')),
    metrics: Type.Object({
      views: Count(),
      applications: Count(),
      conversion_rate: Percent(
        'Applications of a hundred views, with one decimal and at most 100; null without views (assumed).',
      ),
      time_to_first_application: Nullable(
        Assumed(
          'The specification shows no unit: hours from publication, with one decimal.',
          Type.Number({ minimum: 0 }),
        ),
      ),
      candidates_by_stage: Type.Object(counts(applicationMachine.states)),
      sources: Assumed(
        'The specification shows no shape: the twenty that brought most.',
        Type.Array(Type.Object({ source: Type.String(), count: Count() })),
      ),
      top_skills: Assumed(
        `The specification shows no shape: the ten that most candidates have, of the last ${String(SKILLS_OF)} who applied.`,
        Type.Array(Type.Object({ skill: Type.String(), count: Count() })),
      ),
    }),
  }),
)

export const RecruitmentQuery = Type.Object({
  ...span,
  department: Type.Optional(
    Type.String({ maxLength: 100, description: 'The whole name, without case and accents (assumed).' }),
  ),
})

const measures =
  'The specification names the block and not its measures: those that recruiting usually goes by. A hire is a candidate who is hired now. A candidate who leaves that stage counts in no measure of hires, and still counts as having had an offer.'

const Months = (what: string) =>
  Type.Array(Type.Object({ month: Type.String({ examples: ['2026-11'] }), count: Count() }), {
    description: `${what}, in the time zone of the workspace.`,
  })

export const Recruitment = named(
  'RecruitmentAnalytics',
  Type.Object({
    period: Assumed('The last twelve months unless the query says otherwise.', Period),
    kpis: Assumed(
      measures,
      Type.Object({
        total_vacancies: Count('Created in the period.'),
        total_applications: Count(),
        total_hires: Count('Candidates who were hired in the period and are still hired.'),
        avg_time_to_hire_days: Nullable(
          Type.Number({ minimum: 0, description: 'From the application to the hire, with one decimal.' }),
        ),
        avg_time_to_fill_days: Nullable(
          Type.Number({
            minimum: 0,
            description: 'From the publication of the vacancy to the hire, with one decimal.',
          }),
        ),
        offer_acceptance_rate: Percent(
          'Hires of a hundred who had an offer, of those who applied in the period; null without an offer.',
        ),
        applications_per_vacancy: Nullable(
          Type.Number({ minimum: 0, description: 'null without a vacancy.' }),
        ),
        interview_to_hire_ratio: Nullable(
          Type.Number({
            minimum: 0,
            description: 'Interviewed candidates for each hire, of those who applied in the period.',
          }),
        ),
        cost_per_hire: Type.Null({ description: 'Nothing in the interface tells of costs.' }),
      }),
    ),
    trends: Type.Object({
      applications_by_month: Assumed(
        'The specification shows no shape.',
        Months('Applications of each month'),
      ),
      hires_by_month: Assumed(
        'The specification shows no shape.',
        Months('Hires of each month, of candidates who are still hired'),
      ),
    }),
  }),
)
