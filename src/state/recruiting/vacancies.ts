/** Vacancies and their operations. Specification part 1, "Vacancy", "Vacancy status". */
import { and, eq, sql } from 'drizzle-orm'
import { fold } from '@suite-sim/kit/text/collation'
import { numbered, type LookupFilter } from '../storage/queries/listing.ts'
import { mustMove } from '../model/machine.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse, refuseProperty, Refusal } from '../model/refusal.ts'
import { folded, searchedIn } from '../storage/queries/searchColumns.ts'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { createSlug } from '../text/slugs.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { appendRecruitingEvent } from './events.ts'
import { vacancyMachine, type VacancyStatus } from './machines.ts'
import { vacancyStatus } from './readings.ts'
import { applications, interviews, vacancies as table } from './tables.ts'
import { isChange } from '../storage/unchanged.ts'

export type Vacancy = typeof table.$inferSelect

/** The fields of a vacancy that a request may have. */
export type VacancyFields = Partial<
  Omit<
    Vacancy,
    | keyof typeof recordKey
    | keyof typeof withTimes
    | 'slug'
    | 'applicationsCount'
    | 'viewsCount'
    | 'publishedAt'
    | 'departmentKey'
    | 'searchKey'
    | 'closingAt'
  >
>
export type NewVacancy = VacancyFields &
  Pick<Vacancy, 'title'> & { readonly status?: (typeof vacancyMachine.initial)[number] }

const departmentIs: LookupFilter = { forms: [fold], where: (value) => sql`${table.departmentKey} = ${value}` }

const INDEXES = {
  status: [table.status, table.createdAt],
  department: [table.departmentKey, table.createdAt],
  location_country: [table.country, table.createdAt],
}

/** Vacancies with the order and the filters of GET /vacancies. */
export const vacancies = record(table, {
  noun: 'vacancy',
  derived: {
    departmentKey: ({ department }: Pick<Vacancy, 'department'>) =>
      department === null ? null : fold(department),
    searchKey: folded(({ title, department, description, skills, city }) => [
      title,
      department,
      description,
      ...skills,
      city,
    ]),
    closingAt: ({ status, closesAt }: Pick<Vacancy, 'status' | 'closesAt'>) =>
      vacancyMachine.moves.expire.from.some((each) => each === status) ? closesAt : null,
  },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      department: departmentIs,
      modality: (value) => sql`${table.modality} = ${value}`,
      contract_type: (value) => sql`${table.contractType} = ${value}`,
      location_country: (value) => sql`${table.country} = ${value}`,
      search: searchedIn(table.searchKey),
      created_from: (value) => sql`${table.createdAt} >= ${value}`,
      created_to: (value) => sql`${table.createdAt} <= ${value}`,
    },
    indexes: INDEXES,
  }),
  indexes: INDEXES,
  due: {
    at: 'closingAt',
    when: { status: vacancyMachine.moves.expire.from },
    job: 'recruiting.vacancy.close',
    run: (workspace, vacancy) => {
      applyStatus(workspace, vacancy, mustMove(vacancyMachine, vacancy.status, 'expire'), {
        event: vacancyMachine.moves.expire.emits,
        reason: 'The closing date has come.',
      })
    },
  },
  snapshot: { section: 'recruiting', name: 'vacancies' },
})

const bySlug = vacancies.by('slug')

/** Returns the vacancy with this slug, or refuses an unknown one. */
export const vacancyWithSlug = (workspace: Workspace, slug: string): Vacancy => bySlug.get(workspace, slug)

/** Creates a vacancy: a draft, unless the fields have the status published. */
export function createVacancy(workspace: Workspace, fields: NewVacancy): Vacancy {
  return workspace.write(() => {
    mustBeConsistent(workspace, fields)
    const now = workspace.now()
    const { status = vacancyMachine.initial[0], ...sent } = fields
    const vacancy = vacancies.insert(workspace, {
      responsibilities: [],
      mandatory: [],
      desirable: [],
      benefits: [],
      skills: [],
      ...sent,
      id: workspace.ids.prefixed('vac_'),
      slug: slugFor(workspace, fields.title),
      status,
      publishedAt: status === 'published' ? now : null,
      createdAt: now,
      updatedAt: now,
    })
    appendRecruitingEvent(workspace, 'vacancy.created', vacancy.id, { vacancy })
    if (status === 'published') {
      const data = { vacancy, previousStatus: 'draft' as const, reason: null }
      appendRecruitingEvent(workspace, 'vacancy.published', vacancy.id, data)
    }
    return vacancy
  })
}

/** Changes the given fields, then the status. The slug stays, so that known URLs keep working. */
export function updateVacancy(
  workspace: Workspace,
  vacancy: Vacancy,
  { status = vacancy.status, ...fields }: VacancyFields,
): Vacancy {
  return workspace.write(() => {
    let changed = vacancy
    if (isChange(vacancy, fields)) {
      mustBeConsistent(workspace, fields, vacancy)
      changed = vacancies.update(workspace, vacancy, { ...fields, updatedAt: workspace.now() })
      appendRecruitingEvent(workspace, 'vacancy.updated', vacancy.id, { vacancy: changed })
    }
    return status === changed.status ? changed : setVacancyStatus(workspace, changed, status, null)
  })
}

/**
 * Sets the status, as far as the reading `recruiting.vacancy_status` allows. Under `free`, setting the current status
 * changes nothing.
 */
export function setVacancyStatus(
  workspace: Workspace,
  vacancy: Vacancy,
  status: VacancyStatus,
  reason: string | null,
): Vacancy {
  return workspace.write(() => {
    if (status === vacancy.status && workspace.reading(vacancyStatus) === 'free') return vacancy
    const move = vacancyMachine.moveBetween(vacancy.status, status, workspace)
    if (move instanceof Refusal) throw move
    const state = mustMove(vacancyMachine, vacancy.status, move)
    if (state === 'published' && vacancy.closesAt !== null && vacancy.closesAt <= workspace.now()) {
      refuse(
        'conflict',
        `The closing date of the vacancy ${vacancy.id} has passed. Change closes_at first.`,
        {
          assumed: 'It does not say what closes_at does; the simulator publishes no vacancy after it.',
        },
      )
    }
    return applyStatus(workspace, vacancy, state, { event: vacancyMachine.moves[move].emits, reason })
  })
}

function applyStatus(
  workspace: Workspace,
  vacancy: Vacancy,
  status: VacancyStatus,
  {
    event,
    reason,
  }: {
    event: (typeof vacancyMachine.moves)[keyof typeof vacancyMachine.moves]['emits']
    reason: string | null
  },
): Vacancy {
  const now = workspace.now()
  const changed = vacancies.update(workspace, vacancy, {
    status,
    updatedAt: now,
    ...(status === 'published' && vacancy.publishedAt === null && { publishedAt: now }),
  })
  const data = { vacancy: changed, previousStatus: vacancy.status, reason }
  appendRecruitingEvent(workspace, event, vacancy.id, data)
  return changed
}

const applicationOfVacancy = query((orm) =>
  orm
    .select({ id: applications.id })
    .from(applications)
    .where(and(ofWorkspace(applications), eq(applications.vacancyId, sql.placeholder('vacancyId'))))
    .limit(1),
)

const interviewOfVacancy = query((orm) =>
  orm
    .select({ id: interviews.id })
    .from(interviews)
    .where(and(ofWorkspace(interviews), eq(interviews.vacancyId, sql.placeholder('vacancyId'))))
    .limit(1),
)

/** Deletes a draft without candidates permanently. */
export function deleteVacancy(workspace: Workspace, vacancy: Vacancy): void {
  workspace.write(() => {
    const { id, status } = vacancy
    if (status !== 'draft') {
      refuse('wrong_state', `The vacancy is ${status}. Only a draft can be deleted; archive it instead.`, {
        facts: { state: status },
      })
    }
    if (
      applicationOfVacancy.first(workspace, { vacancyId: id }) ??
      interviewOfVacancy.first(workspace, { vacancyId: id })
    ) {
      refuse('conflict', 'The vacancy has candidates and cannot be deleted. Archive it instead.')
    }
    vacancies.remove(workspace, id)
    appendRecruitingEvent(workspace, 'vacancy.deleted', id, { vacancy, deletedAt: workspace.now() })
  })
}

/** Adds `count` views to the vacancy. */
export const countViews = (workspace: Workspace, vacancy: Vacancy, count: number): Vacancy =>
  workspace.write(() => vacancies.update(workspace, vacancy, { viewsCount: vacancy.viewsCount + count }))

function mustBeConsistent(workspace: Workspace, fields: VacancyFields, before?: Vacancy): void {
  const { salaryRange, closesAt, country, city } = fields
  const { min, max } = salaryRange ?? { min: null, max: null }
  if (min !== null && max !== null && min > max) {
    refuseProperty(
      'salaryRange.max',
      'too_small',
      '{salaryRange.max} must not be less than {salaryRange.min}',
    )
  }
  if (typeof closesAt === 'number' && closesAt !== before?.closesAt && closesAt <= workspace.now()) {
    refuseProperty('closesAt', 'in_the_past', '{closesAt} must be in the future')
  }
  if (typeof city === 'string' && country === null) {
    refuseProperty('location.country', 'required', '{location.country} is required with a city')
  }
}

/** Returns an unused slug for the page of the vacancy: "senior-accountant", "senior-accountant-2". */
const slugFor = (workspace: Workspace, title: string): string =>
  createSlug(workspace, title, 'vacancy', (slug) => bySlug.find(workspace, slug) === undefined)
