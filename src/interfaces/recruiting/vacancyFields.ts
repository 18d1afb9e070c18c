/** Converts the fields of a vacancy from wire names to state names. */
import type { Static } from '@sinclair/typebox'
import { lastInstantOf } from '../../state/model/clock.ts'
import type { SalaryRange } from '../../state/recruiting/jsonColumns.ts'
import type { Vacancy, VacancyFields } from '../../state/recruiting/vacancies.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { VacancyUpdate } from './shapes/vacancies.ts'

type Sent = Omit<Static<typeof VacancyUpdate>, 'status'>

/** The values that a partial update of a salary or location keeps. */
type Before = Pick<Vacancy, 'salaryRange' | 'city'>

/** Returns the sent fields. Parts of a salary or location that were not sent come from `before`. */
export function fromWire(workspace: Workspace, sent: Sent, before?: Before): VacancyFields {
  const { requirements, location, contract_type, min_experience_years, salary_range, closes_at } = sent
  return {
    ...pick(sent, ['title', 'department', 'description', 'responsibilities', 'benefits', 'skills']),
    ...pick(sent, ['modality', 'level', 'openings', 'visibility']),
    ...pick(requirements ?? {}, ['mandatory', 'desirable']),
    ...(location !== undefined && locationFields(location, before?.city ?? null)),
    ...(contract_type !== undefined && { contractType: contract_type }),
    ...(min_experience_years !== undefined && { minExperienceYears: min_experience_years }),
    ...(salary_range !== undefined && {
      salaryRange: salaryOf(workspace, salary_range, before?.salaryRange ?? null),
    }),
    ...(closes_at !== undefined && {
      closesAt: closes_at === null ? null : lastInstantOf(closes_at, workspace),
    }),
  }
}

function locationFields(sent: NonNullable<Sent['location']> | null, before: string | null) {
  if (sent === null) return { country: null, city: null }
  const { country, city = before } = sent
  return { country, city }
}

function salaryOf(
  { currency }: Workspace,
  sent: NonNullable<Sent['salary_range']> | null,
  before: SalaryRange | null,
): SalaryRange | null {
  if (sent === null) return null
  const defaults = before ?? { min: null, max: null, currency, period: 'monthly', visible: true }
  return { ...defaults, ...pick(sent, ['min', 'max', 'currency', 'period', 'visible']) }
}

/** Returns the properties that are not undefined. */
function pick<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): { [Each in Name]?: Exclude<From[Each], undefined> } {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  ) as { [Each in Name]?: Exclude<From[Each], undefined> }
}
