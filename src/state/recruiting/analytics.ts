/**
 * What analytics count. Specification part 1, "Recruiting": the blocks and measures are named, what is counted how is
 * assumed. The database adds up from indexes; what was reached on the way is kept with each application.
 */
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { fold } from '../collation.ts'
import { ofWorkspace, query } from '../query.ts'
import type { Workspace } from '../workspace.ts'
import { applications as applicationRecords } from './candidates.ts'
import { applicationMachine, FUNNEL, vacancyMachine } from './machines.ts'
import { partAt, type Span } from './periods.ts'
import { applications, candidates, interviews, vacancies } from './tables.ts'
import { vacancies as vacancyRecords, type Vacancy } from './vacancies.ts'

const count = sql<number>`count(*)`

const within = (column: SQLiteColumn): SQL =>
  sql`${column} >= ${sql.placeholder('start')} and ${column} < ${sql.placeholder('end')}`

/** A number for each of the names, 0 where none was counted. */
function countsOf<Name extends string>(
  names: readonly Name[],
  counted: readonly { readonly name: string; readonly count: number }[],
): Record<Name, number> {
  const byName = new Map(counted.map((each) => [each.name, each.count]))
  return Object.fromEntries(names.map((name) => [name, byName.get(name) ?? 0])) as Record<Name, number>
}

/** In percent with one decimal; null of nothing. */
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

/** Every candidate once, by the stage of the last application. */
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

/** What `by_stage` of a summary counts: together all candidates. */
export const STAGE_COUNTS = [...applicationMachine.states, NO_APPLICATION] as const

const createdIn = (table: typeof vacancies | typeof candidates) =>
  query((orm) =>
    orm
      .select({ count })
      .from(table)
      .where(and(ofWorkspace(table), within(table.createdAt))),
  )

const newVacancies = createdIn(vacancies)
const newCandidates = createdIn(candidates)

const interviewsIn = query((orm) =>
  orm
    .select({
      name: sql<string>`case when ${interviews.status} in ('scheduled', 'confirmed') and ${interviews.endsAt} <= ${sql.placeholder('now')} then 'no_show' else ${interviews.status} end`,
      count,
    })
    .from(interviews)
    .where(and(ofWorkspace(interviews), within(interviews.createdAt)))
    .groupBy(sql`1`),
)

const INTERVIEW_COUNTS = [
  'scheduled',
  'confirmed',
  'in_progress',
  'completed',
  'cancelled',
  'no_show',
] as const

const furthestOf = (...conditions: SQL[]) =>
  query((orm) =>
    orm
      .select({ furthest: applications.furthest, count })
      .from(applications)
      .where(and(ofWorkspace(applications), within(applications.appliedAt), ...conditions))
      .groupBy(applications.furthest),
  )

const furthestOfAll = furthestOf()

/** How many came to each stage of the funnel or beyond it. */
function reached(counted: readonly { readonly furthest: number; readonly count: number }[]): number[] {
  return FUNNEL.map((_stage, rank) =>
    counted.reduce((sum, { furthest, count: many }) => (furthest >= rank ? sum + many : sum), 0),
  )
}

export function summaryOf(workspace: Workspace, span: Span) {
  vacancyRecords.index(workspace, ['status'])
  const stages = countsOf(STAGE_COUNTS, byStage.all(workspace))
  const statuses = countsOf(vacancyMachine.states, byStatus.all(workspace))
  const held = interviewsIn.all(workspace, { ...span, now: workspace.now() })
  const [applied = 0, reviewing = 0, shortlisted = 0, interview = 0, offer = 0, hired = 0] = reached(
    furthestOfAll.all(workspace, { ...span }),
  )
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
    interviews: countsOf(INTERVIEW_COUNTS, held),
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

/** No time zone begins a day between two of these. */
const QUARTER = 900_000

const overTime = (column: SQLiteColumn, ...conditions: SQL[]) =>
  query((orm) =>
    orm
      .select({ quarter: sql<number>`cast(${column} / ${sql.raw(String(QUARTER))} as integer)`, count })
      .from(applications)
      .where(and(ofWorkspace(applications), within(column), ...conditions))
      .groupBy(sql`1`),
  )

const isOfDepartment = sql`${applications.vacancyId} in (select ${vacancies.id} from ${vacancies} where ${vacancies.workspace} = ${sql.placeholder('workspace')} and ${vacancies.departmentKey} = ${sql.placeholder('department')})`

/** What is counted of all vacancies, and of those of one department. */
const both = <Counted>(make: (...conditions: SQL[]) => Counted): readonly [Counted, Counted] => [
  make(),
  make(isOfDepartment),
]

const applicationsOverTime = both((...conditions) => overTime(applications.appliedAt, ...conditions))
const hiresOverTime = both((...conditions) => overTime(applications.hiredAt, ...conditions))

/** How many applications and hires fell into each of the parts of a span. */
export function countedOverTime(
  workspace: Workspace,
  span: Span,
  parts: readonly number[],
  department?: string,
): { readonly applications: number[]; readonly hires: number[] } {
  const counted = ([ofAll, ofOne]: typeof applicationsOverTime): number[] => {
    const sums = parts.map(() => 0)
    for (const { quarter, count: many } of (department === undefined ? ofAll : ofOne).all(
      workspace,
      valuesOf(span, department),
    )) {
      const place = partAt(parts, quarter * QUARTER)
      sums[place] = (sums[place] ?? 0) + many
    }
    return sums
  }
  return { applications: counted(applicationsOverTime), hires: counted(hiresOverTime) }
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

const MAX_TOLD = 20

const sourcesOfVacancy = query((orm) =>
  orm
    .select({ source: applications.source, count })
    .from(applications)
    .where(and(ofWorkspace(applications), eq(applications.vacancyId, sql.placeholder('vacancyId'))))
    .groupBy(applications.source)
    .orderBy(desc(count), applications.source)
    .limit(MAX_TOLD),
)

/** Applications that are looked at for their skills, the latest: enough to tell, and never too many to look at. */
export const SKILLS_OF = 5000

const skillsOfVacancy = query((orm) => {
  const latest = orm
    .select({ skills: applications.skills })
    .from(applications)
    .where(and(ofWorkspace(applications), eq(applications.vacancyId, sql.placeholder('vacancyId'))))
    .orderBy(desc(applications.appliedAt))
    .limit(SKILLS_OF)
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
    // Who applies by another way than the page has not looked at it.
    conversion_rate: percent(Math.min(applicationsCount, viewsCount), viewsCount),
    time_to_first_application:
      first === null || publishedAt === null ? null : oneDecimal(Math.max(0, first - publishedAt) / HOUR),
    candidates_by_stage: countsOf(applicationMachine.states, stagesOfVacancy.all(workspace, { vacancyId })),
    sources: sourcesOfVacancy
      .all(workspace, { vacancyId })
      .map(({ source, count: many }) => ({ source: source ?? '', count: many })),
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
      .where(and(ofWorkspace(vacancies), within(vacancies.createdAt), ...conditions)),
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
      .where(and(ofWorkspace(applications), within(applications.hiredAt), ...conditions)),
  )

const hiresOfEach = [hiresIn(), hiresIn(eq(vacancies.departmentKey, sql.placeholder('department')))] as const

/** Days for each, with one decimal; null of nothing. */
const daysOf = (ms: number, many: number): number | null => (many === 0 ? null : oneDecimal(ms / many / DAY))

export function kpisOf(workspace: Workspace, span: Span, department: string | undefined) {
  if (department !== undefined) vacancyRecords.index(workspace, ['department'])
  const place = department === undefined ? 0 : 1
  const values = valuesOf(span, department)
  const total = vacanciesOfEach[place].first(workspace, values)?.count ?? 0
  const [applied = 0, , , interviewed = 0, offered = 0, accepted = 0] = reached(
    furthestOfEach[place].all(workspace, values),
  )
  const hires = hiresOfEach[place].first(workspace, values)
  const hired = hires?.count ?? 0
  return {
    total_vacancies: total,
    total_applications: applied,
    total_hires: hired,
    avg_time_to_hire_days: daysOf(hires?.toHire ?? 0, hired),
    avg_time_to_fill_days: daysOf(hires?.toFill ?? 0, hires?.published ?? 0),
    offer_acceptance_rate: percent(accepted, offered),
    applications_per_vacancy: total === 0 ? null : oneDecimal(applied / total),
    interview_to_hire_ratio: accepted === 0 ? null : oneDecimal(interviewed / accepted),
    cost_per_hire: null,
  }
}
