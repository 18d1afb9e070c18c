/** Wire shapes of analytics. Specification part 1, "Recruiting" names the blocks and measures. */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedDefault, Instant, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { Id } from '../../../http/schemas/wireShapes.ts'
import { MAX_SKILL_APPLICATIONS, STAGE_COUNTS } from '../../../state/recruiting/analytics.ts'
import { applicationMachine, interviewMachine, vacancyMachine } from '../../../state/recruiting/machines.ts'
import { SERIES_UNITS } from '../../../state/shared/periods.ts'
import { assumedFields, spanQuery } from './common.ts'

const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })

const Percent = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 100, description }))

const counts = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, Count()])) as Record<Names[number], ReturnType<typeof Count>>

const contents =
  'The specification names the block, but not its content. The simulator returns common counts.'

const funnelContents =
  'The specification names the block, but not its content. The simulator counts, for the applications of the period, how many ever reached each stage or a later one. Only candidates who are hired now count as hired.'

const Period = Type.Object({ from: Instant(), to: Instant() })

const span = spanQuery('Counts events')

export const SummaryQuery = Type.Object({
  ...span,
  granularity: OneOf(SERIES_UNITS, assumedDefault('day')),
})

export const Summary = named(
  'RecruitingSummary',
  Type.Object({
    period: Type.Object(
      assumedFields(
        'The specification names the block, but not its content. The default is the last month.',
        { from: Instant(), to: Instant(), granularity: OneOf(SERIES_UNITS) },
      ),
    ),
    vacancies: Type.Object(
      assumedFields(contents, {
        total: Count('All current vacancies. The other fields count them by status.'),
        ...counts(vacancyMachine.states),
        new: Count('Created in the period.'),
      }),
    ),
    candidates: Type.Object(
      assumedFields(contents, {
        total: Count('All current candidates.'),
        new: Count('Added in the period.'),
        by_stage: Type.Object(counts(STAGE_COUNTS), {
          description:
            'Counts every candidate once, by the stage of the latest application. no_application counts candidates without an application.',
        }),
      }),
    ),
    interviews: Type.Object(
      assumedFields(contents, {
        ...counts(interviewMachine.states),
        no_show: Count('Interviews that ended without being started.'),
      }),
      { description: 'Interviews created in the period, by current status.' },
    ),
    conversion_funnel: Type.Object(
      assumedFields(funnelContents, {
        ...counts(['applied', 'reviewing', 'shortlisted', 'interview', 'offer', 'hired']),
        rates: Type.Object(
          {
            reviewing: Percent('Relative to applied.'),
            shortlisted: Percent('Relative to reviewing.'),
            interview: Percent('Relative to shortlisted.'),
            offer: Percent('Relative to interview.'),
            hired: Percent('Relative to offer.'),
            overall: Percent('hired relative to applied.'),
          },
          { description: 'Percentages with one decimal. null if the previous stage has no candidates.' },
        ),
      }),
    ),
    series: Assumed(
      'The specification shows a granularity, but no series. The simulator returns applications and hires over the period. A to at midnight adds a part only if something happened at that instant.',
      Type.Array(
        Type.Object({
          period_start: Type.String({ description: 'A date, or a month.', examples: ['2026-11-02'] }),
          applications: Count(),
          hires: Count('Candidates who were hired in this part and are still hired.'),
        }),
      ),
    ),
  }),
)

export const VacancyMetrics = named(
  'VacancyAnalytics',
  Type.Object({
    vacancy_id: Assumed('The specification does not show it. The vacancy of the metrics.', Id('vac_')),
    metrics: Type.Object({
      views: Count(),
      applications: Count(),
      conversion_rate: Percent(
        'Applications per hundred views, with one decimal and at most 100. null without views (assumed).',
      ),
      time_to_first_application: Nullable(
        Type.Number({
          minimum: 0,
          description: 'Hours from the publication, with one decimal (assumed).',
        }),
      ),
      candidates_by_stage: Type.Object(
        assumedFields(
          'The specification shows no form. The simulator returns a count for each stage.',
          counts(applicationMachine.states),
        ),
      ),
      sources: Type.Array(
        Assumed(
          'The specification shows no form. The simulator returns the twenty sources with the most applications.',
          Type.Object({ source: Type.String(), count: Count() }),
        ),
      ),
      top_skills: Type.Array(
        Assumed(
          `The specification shows no form. The simulator returns the ten most frequent skills of the last ${String(MAX_SKILL_APPLICATIONS)} applications.`,
          Type.Object({ skill: Type.String(), count: Count() }),
        ),
      ),
    }),
  }),
)

export const RecruitmentQuery = Type.Object({
  ...span,
  department: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Must match the whole name. Ignores case and accents (assumed).',
    }),
  ),
})

const measures =
  'The specification names the block, but not its measures. The simulator returns common measures of recruiting. Only candidates who are hired now count as hires. A candidate who leaves that stage still counts as having had an offer.'

const Months = (content: string) =>
  Type.Array(
    Assumed(
      'The specification shows no form. The simulator returns a count for each month.',
      Type.Object({ month: Type.String({ examples: ['2026-11'] }), count: Count() }),
    ),
    { description: `${content}, in the time zone of the workspace.` },
  )

export const Recruitment = named(
  'RecruitmentAnalytics',
  Type.Object({
    period: Assumed('The specification does not show it. The default is the last twelve months.', Period),
    kpis: Type.Object(
      assumedFields(measures, {
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
          'The percentage of hires among the candidates with an offer who applied in the period. null without an offer.',
        ),
        applications_per_vacancy: Nullable(
          Type.Number({ minimum: 0, description: 'null if no vacancy was created in the period.' }),
        ),
        interview_to_hire_ratio: Nullable(
          Type.Number({
            minimum: 0,
            description: 'Interviewed candidates per hire, among those who applied in the period.',
          }),
        ),
        cost_per_hire: Type.Null({ description: 'Always null, because the interface has no costs.' }),
      }),
    ),
    trends: Type.Object({
      applications_by_month: Months('Applications per month'),
      hires_by_month: Months('Hires per month of candidates who are still hired'),
    }),
  }),
)
