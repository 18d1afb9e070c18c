/**
 * Counts for analytics. Specification part 1, "Recruiting" names the blocks and measures; the definitions are assumed.
 * Queries count from indexes, and each application stores its furthest stage.
 */
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { fold } from '@suite-sim/kit/text/collation'
import { ofEachState } from '../model/machine.ts'
import { isOneOf } from '../storage/columns.ts'
import { periodIndexAt, withoutEmptyInstant, type Period, type Span } from '../shared/periods.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { applications as applicationRecords } from './candidates.ts'
import { applicationMachine, FUNNEL, interviewMachine, vacancyMachine, type Stage } from './machines.ts'
import { applications, candidates, interviews, vacancies } from './tables.ts'
import { vacancies as vacancyRecords, type Vacancy } from './vacancies.ts'

const count = sql<number>`count(*)`

const isWithin = (column: SQLiteColumn): SQL =>
  sql`${column} >= ${sql.placeholder('start')} and ${column} < ${sql.placeholder('end')}`

/** Returns a count for each name, 0 if the name has no row. */
function countsOf<Name extends string>(
  names: readonly Name[],
  rows: readonly { readonly name: string; readonly count: number }[],
): Record<Name, number> {
  const byName = new Map(rows.map((each) => [each.name, each.count]))
  return Object.fromEntries(names.map((name) => [name, byName.get(name) ?? 0])) as Record<Name, number>
}

/** Returns a percentage with one decimal; null if `whole` is 0. */
export const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 1000) / whole) / 10

const oneDecimal = (number: number): number => Math.round(number * 10) / 10

const HOUR = 3_600_000
const DAY = 24 * HOUR

// ---------------------------------------------------------------- summary

const byStatus = query((orm) =>
  orm
    .select({ name: vacancies.status, count })
    .from(vacancies)
    .where(ofWorkspace(vacancies))
    .groupBy(vacancies.status),
)

const NO_APPLICATION = 'no_application'

/** Counts every candidate once, by the stage of the latest application. */
const byStage = query((orm) =>
  orm
    .select({
      name: sql<string>`coalesce((
        select ${applications.stage} from ${applications}
        where ${applications}.workspace = ${candidates}.workspace and ${applications}.candidate_id = ${candidates}.id
        order by ${applications.appliedAt} desc, ${applications}.rowid desc limit 1
      ), ${NO_APPLICATION})`,
      count,
    })
    .from(candidates)
    .where(ofWorkspace(candidates))
    .groupBy(sql`1`),
)

/** The keys of `by_stage` in a summary. Their counts add up to all candidates. */
export const STAGE_COUNTS = [...applicationMachine.states, NO_APPLICATION] as const

const createdIn = (table: typeof vacancies | typeof candidates) =>
  query((orm) =>
    orm
      .select({ count })
      .from(table)
      .where(and(ofWorkspace(table), isWithin(table.createdAt))),
  )

const newVacancies = createdIn(vacancies)
const newCandidates = createdIn(candidates)

const interviewsIn = query((orm) =>
  orm
    .select({
      name: sql<string>`case when ${isOneOf(interviews.status, interviewMachine.moves.start.from)} and ${interviews.endsAt} <= ${sql.placeholder('now')} then 'no_show' else ${interviews.status} end`,
      count,
    })
    .from(interviews)
    .where(and(ofWorkspace(interviews), isWithin(interviews.createdAt)))
    .groupBy(sql`1`),
)

export const INTERVIEW_COUNTS = [...interviewMachine.states, 'no_show'] as const

const furthestOf = (...conditions: SQL[]) =>
  query((orm) =>
    orm
      .select({ furthest: applications.furthest, count })
      .from(applications)
      .where(and(ofWorkspace(applications), isWithin(applications.appliedAt), ...conditions))
      .groupBy(applications.furthest),
  )

const furthestOfAll = furthestOf()

/** Returns, for each stage of the funnel, how many applications reached it or a later one. Other stages have 0. */
const reachedOf = (
  rows: readonly { readonly furthest: number; readonly count: number }[],
): Record<Stage, number> =>
  ofEachState(applicationMachine, (stage) => {
    const rank = FUNNEL.indexOf(stage)
    return rows.reduce((sum, row) => (rank >= 0 && row.furthest >= rank ? sum + row.count : sum), 0)
  })

export function summaryOf(workspace: Workspace, span: Span) {
  vacancyRecords.index(workspace, ['status'])
  const stages = countsOf(STAGE_COUNTS, byStage.all(workspace))
  const statuses = countsOf(vacancyMachine.states, byStatus.all(workspace))
  const interviewRows = interviewsIn.all(workspace, { ...span, now: workspace.now() })
  const {
    new: applied,
    reviewing,
    shortlisted,
    interview,
    offer,
    hired,
  } = reachedOf(furthestOfAll.all(workspace, { ...span }))
  return {
    vacancies: {
      total: Object.values(statuses).reduce((sum, each) => sum + each, 0),
      ...statuses,
      new: newVacancies.first(workspace, { ...span })?.count ?? 0,
    },
    candidates: {
      total: Object.values(stages).reduce((sum, each) => sum + each, 0),
      new: newCandidates.first(workspace, { ...span })?.count ?? 0,
      by_stage: stages,
    },
    interviews: countsOf(INTERVIEW_COUNTS, interviewRows),
    conversion_funnel: {
      applied,
      reviewing,
      shortlisted,
      interview,
      offer,
      hired,
      rates: {
        reviewing: percent(reviewing, applied),
        shortlisted: percent(shortlisted, reviewing),
        interview: percent(interview, shortlisted),
        offer: percent(offer, interview),
        hired: percent(hired, offer),
        overall: percent(hired, applied),
      },
    },
  }
}

// ---------------------------------------------------------------- over time

/** 15 minutes. In every time zone, days start at a multiple of it. */
const QUARTER = 900_000

const overTime = (column: SQLiteColumn, ...conditions: SQL[]) =>
  query((orm) =>
    orm
      .select({ quarter: sql<number>`cast(${column} / ${sql.raw(String(QUARTER))} as integer)`, count })
      .from(applications)
      .where(and(ofWorkspace(applications), isWithin(column), ...conditions))
      .groupBy(sql`1`),
  )

const isOfDepartment = sql`${applications.vacancyId} in (select ${vacancies.id} from ${vacancies} where ${vacancies.workspace} = ${sql.placeholder('workspace')} and ${vacancies.departmentKey} = ${sql.placeholder('department')})`

/** Creates a query for all vacancies and one for a single department. */
const both = <Query>(create: (...conditions: SQL[]) => Query): readonly [Query, Query] => [
  create(),
  create(isOfDepartment),
]

const applicationsOverTime = both((...conditions) => overTime(applications.appliedAt, ...conditions))
const hiresOverTime = both((...conditions) => overTime(applications.hiredAt, ...conditions))

/** The applications and hires of a part of a span. */
interface PartCounts {
  readonly start: number
  readonly label: string
  readonly applications: number
  readonly hires: number
}

/** Counts applications and hires in each part of a span. */
export function countOverTime(
  workspace: Workspace,
  span: Span,
  parts: readonly Period[],
  department?: string,
): readonly PartCounts[] {
  const sumByPart = ([ofAll, ofOne]: typeof applicationsOverTime): number[] => {
    const sums = parts.map(() => 0)
    for (const { quarter, count: partial } of (department === undefined ? ofAll : ofOne).all(
      workspace,
      valuesOf(span, department),
    )) {
      const index = periodIndexAt(parts, quarter * QUARTER)
      sums[index] = (sums[index] ?? 0) + partial
    }
    return sums
  }
  const [applied, hired] = [sumByPart(applicationsOverTime), sumByPart(hiresOverTime)]
  const counts = parts.map(({ start, label }, index) => ({
    start,
    label,
    applications: applied[index] ?? 0,
    hires: hired[index] ?? 0,
  }))
  return withoutEmptyInstant(counts, span.end - 1, (each) => each.applications + each.hires === 0)
}

const valuesOf = (span: Span, department: string | undefined) => ({
  ...span,
  ...(department !== undefined && { department: fold(department) }),
})

// ---------------------------------------------------------------- one vacancy

const firstApplied = query((orm) =>
  orm
    .select({ at: sql<number | null>`min(${applications.appliedAt})` })
    .from(applications)
    .where(and(ofWorkspace(applications), eq(applications.vacancyId, sql.placeholder('vacancyId')))),
)

const stagesOfVacancy = query((orm) =>
  orm
    .select({ name: applications.stage, count })
    .from(applications)
    .where(and(ofWorkspace(applications), eq(applications.vacancyId, sql.placeholder('vacancyId'))))
    .groupBy(applications.stage),
)

const MAX_SOURCES = 20

const sourcesOfVacancy = query((orm) =>
  orm
    .select({ source: applications.source, count })
    .from(applications)
    .where(and(ofWorkspace(applications), eq(applications.vacancyId, sql.placeholder('vacancyId'))))
    .groupBy(applications.source)
    .orderBy(desc(count), applications.source)
    .limit(MAX_SOURCES),
)

/** The number of latest applications whose skills are counted, which limits the cost. */
export const MAX_SKILL_APPLICATIONS = 5000

const skillsOfVacancy = query((orm) => {
  const latest = orm
    .select({ skills: applications.skills })
    .from(applications)
    .where(and(ofWorkspace(applications), eq(applications.vacancyId, sql.placeholder('vacancyId'))))
    .orderBy(desc(applications.appliedAt))
    .limit(MAX_SKILL_APPLICATIONS)
    .as('latest')
  return orm
    .select({ skill: sql<string>`min(each.value)`, count })
    .from(sql`${latest}, json_each(${latest.skills}) as each`)
    .groupBy(sql`lower(each.value)`)
    .orderBy(desc(count), sql`1`)
    .limit(10)
})

export function metricsOf(workspace: Workspace, vacancy: Vacancy) {
  applicationRecords.index(workspace, ['stageOfVacancy', 'source'])
  const { id: vacancyId, viewsCount, applicationsCount, publishedAt } = vacancy
  const first = firstApplied.first(workspace, { vacancyId })?.at ?? null
  return {
    views: viewsCount,
    applications: applicationsCount,
    // Candidates who apply without opening the page have no view, so the rate is limited to 100.
    conversion_rate: percent(Math.min(applicationsCount, viewsCount), viewsCount),
    time_to_first_application:
      first === null || publishedAt === null ? null : oneDecimal(Math.max(0, first - publishedAt) / HOUR),
    candidates_by_stage: countsOf(applicationMachine.states, stagesOfVacancy.all(workspace, { vacancyId })),
    sources: sourcesOfVacancy
      .all(workspace, { vacancyId })
      .map((row) => ({ source: row.source ?? '', count: row.count })),
    top_skills: skillsOfVacancy.all(workspace, { vacancyId }),
  }
}

// ---------------------------------------------------------------- recruitment

const furthestOfEach = both(furthestOf)

const createdVacancies = (...conditions: SQL[]) =>
  query((orm) =>
    orm
      .select({ count })
      .from(vacancies)
      .where(and(ofWorkspace(vacancies), isWithin(vacancies.createdAt), ...conditions)),
  )

const vacanciesOfEach = [
  createdVacancies(),
  createdVacancies(eq(vacancies.departmentKey, sql.placeholder('department'))),
] as const

const hiresIn = (...conditions: SQL[]) =>
  query((orm) =>
    orm
      .select({
        count,
        toHire: sql<number>`coalesce(sum(max(0, ${applications.hiredAt} - ${applications.appliedAt})), 0)`,
        published: sql<number>`count(${vacancies.publishedAt})`,
        toFill: sql<number>`coalesce(sum(max(0, ${applications.hiredAt} - ${vacancies.publishedAt})), 0)`,
      })
      .from(applications)
      .innerJoin(
        vacancies,
        and(eq(vacancies.workspace, applications.workspace), eq(vacancies.id, applications.vacancyId)),
      )
      .where(and(ofWorkspace(applications), isWithin(applications.hiredAt), ...conditions)),
  )

const hiresOfEach = [hiresIn(), hiresIn(eq(vacancies.departmentKey, sql.placeholder('department')))] as const

/** Returns the average in days with one decimal; null if `total` is 0. */
const averageDays = (ms: number, total: number): number | null =>
  total === 0 ? null : oneDecimal(ms / total / DAY)

export function kpisOf(workspace: Workspace, span: Span, department: string | undefined) {
  if (department !== undefined) vacancyRecords.index(workspace, ['department'])
  const index = department === undefined ? 0 : 1
  const values = valuesOf(span, department)
  const total = vacanciesOfEach[index].first(workspace, values)?.count ?? 0
  const {
    new: applied,
    interview: interviewed,
    offer: offered,
    hired: accepted,
  } = reachedOf(furthestOfEach[index].all(workspace, values))
  const hires = hiresOfEach[index].first(workspace, values)
  const hired = hires?.count ?? 0
  return {
    total_vacancies: total,
    total_applications: applied,
    total_hires: hired,
    avg_time_to_hire_days: averageDays(hires?.toHire ?? 0, hired),
    avg_time_to_fill_days: averageDays(hires?.toFill ?? 0, hires?.published ?? 0),
    offer_acceptance_rate: percent(accepted, offered),
    applications_per_vacancy: total === 0 ? null : oneDecimal(applied / total),
    interview_to_hire_ratio: accepted === 0 ? null : oneDecimal(interviewed / accepted),
    cost_per_hire: null,
  }
}
