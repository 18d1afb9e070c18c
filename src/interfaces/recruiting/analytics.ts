/** Analytics. Specification part 1, "Recruiting"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { countOverTime, kpisOf, metricsOf, summaryOf } from '../../state/recruiting/analytics.ts'
import { analyzedSpan, partsOf, spanView } from '../../state/recruiting/periods.ts'
import { vacancies as vacancyRecords } from '../../state/recruiting/vacancies.ts'
import { One } from './dialect.ts'
import { Recruitment, RecruitmentQuery, Summary, SummaryQuery, VacancyMetrics } from './shapes/analytics.ts'
import { VacancyId } from './shapes/vacancies.ts'

export const analytics: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Analytics' })

  at('/analytics/summary').get({
    id: 'getSummary',
    summary: 'Get a summary of vacancies, candidates and interviews',
    scope: 'vacancies:read',
    fidelity: documentedBut('The specification names the blocks. Their content is assumed.'),
    query: SummaryQuery,
    answers: { 200: One(Summary) },
    paging: unpaged('The period limits the number of parts.'),
    run({ query: { from, to, granularity }, workspace }) {
      const span = analyzedSpan(workspace, from, to, 1)
      const parts = partsOf(workspace, span, granularity)
      return {
        data: {
          period: { ...spanView(span), granularity },
          ...summaryOf(workspace, span),
          series: countOverTime(workspace, span, parts).map(({ label, applications, hires }) => ({
            period_start: label,
            applications,
            hires,
          })),
        },
      }
    },
  })

  at('/analytics/vacancies/:vacancy_id', { params: VacancyId, record: vacancyRecords }).get({
    id: 'getVacancyAnalytics',
    summary: 'Get the analytics of a vacancy',
    scope: 'vacancies:read',
    fidelity: documentedBut('The specification names the measures. Their units and shapes are assumed.'),
    answers: { 200: One(VacancyMetrics) },
    run: ({ record: vacancy, workspace }) => ({
      data: { vacancy_id: vacancy.id, metrics: metricsOf(workspace, vacancy) },
    }),
  })

  at('/analytics/recruitment').get({
    id: 'getRecruitmentAnalytics',
    summary: 'Get key figures of recruiting',
    scope: ['vacancies:read', 'candidates:read'],
    fidelity: documentedBut(
      'The specification names the blocks and the trends. The measures in kpis are assumed.',
    ),
    query: RecruitmentQuery,
    answers: { 200: One(Recruitment) },
    run({ query: { from, to, department }, workspace }) {
      const span = analyzedSpan(workspace, from, to, 12)
      const parts = partsOf(workspace, span, 'month')
      const kpis = kpisOf(workspace, span, department)
      const months = countOverTime(workspace, span, parts, department)
      const byMonth = (counted: 'applications' | 'hires') =>
        months.map((month) => ({ month: month.label, count: month[counted] }))
      return {
        data: {
          period: spanView(span),
          kpis,
          trends: { applications_by_month: byMonth('applications'), hires_by_month: byMonth('hires') },
        },
      }
    },
  })
}
