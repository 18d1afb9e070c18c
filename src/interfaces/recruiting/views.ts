/** The fields of vacancies, some of which depend on the caller. */
import type { Static } from '@sinclair/typebox'
import { fieldView, instant, computed, type Fields } from '../../http/shapes/fields.ts'
import type { SalaryRange } from '../../state/recruiting/jsonColumns.ts'
import { vacancies } from '../../state/recruiting/tables.ts'
import { pageAddress } from './addresses.ts'
import { locationOf } from './shapes/common.ts'
import type { Vacancy } from './shapes/vacancies.ts'

/** Removes the amounts of a salary that is not visible. */
const publicSalary = (range: SalaryRange | null): SalaryRange | null =>
  range === null || range.visible ? range : { ...range, min: null, max: null }

/** The fields of a vacancy for every caller. */
export const vacancyFields: Fields<Static<typeof Vacancy>> = {
  id: vacancies.id,
  title: vacancies.title,
  slug: vacancies.slug,
  department: vacancies.department,
  description: vacancies.description,
  responsibilities: vacancies.responsibilities,
  requirements: computed([vacancies.mandatory, vacancies.desirable], ([mandatory, desirable]) => ({
    mandatory: [...mandatory],
    desirable: [...desirable],
  })),
  benefits: vacancies.benefits,
  skills: vacancies.skills,
  location: computed([vacancies.country, vacancies.city], ([country, city]) => locationOf(country, city)),
  modality: vacancies.modality,
  contract_type: vacancies.contractType,
  level: vacancies.level,
  min_experience_years: computed([vacancies.minExperienceYears], ([years]) => years),
  salary_range: computed([vacancies.salaryRange], ([range]) => publicSalary(range)),
  openings: vacancies.openings,
  visibility: vacancies.visibility,
  status: vacancies.status,
  applications_count: vacancies.applicationsCount,
  views_count: vacancies.viewsCount,
  public_url: computed([vacancies.slug], ([slug], workspace) => pageAddress(workspace, slug)),
  published_at: instant(vacancies.publishedAt),
  closes_at: instant(vacancies.closesAt),
  created_at: instant(vacancies.createdAt),
  updated_at: instant(vacancies.updatedAt),
}

/** The fields of a vacancy for callers with the permission vacancies:write. */
export const fullVacancyFields: Fields<Static<typeof Vacancy>> = {
  ...vacancyFields,
  salary_range: computed([vacancies.salaryRange], ([range]) => range),
}

export const createdVacancyView = fieldView(vacancies, vacancyFields, [
  'id',
  'title',
  'slug',
  'status',
  'created_at',
])

export const vacancyView = fieldView(vacancies, vacancyFields)
