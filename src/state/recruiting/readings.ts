/** The readings of recruiting. */
import { reading } from '../model/reading.ts'

export const vacancyStatus = reading({
  name: 'recruiting.vacancy_status',
  title: 'The statuses that POST /vacancies/{vacancy_id}/status can set',
  section: 'part 1, "Vacancy status"',
  default: 'free',
  alternatives: {
    free: 'Any status, but a published vacancy must be closed before it is archived.',
    machine:
      'The transitions of common applicant tracking systems, such as closed to published but not archived to draft.',
  },
})

export const deleteVacancy = reading({
  name: 'recruiting.delete_vacancy',
  title: 'The response of DELETE /vacancies/{vacancy_id}',
  section: 'part 1, "Errors": 204 (deleted; CRM and signage)',
  default: '204',
  alternatives: {
    204: '204 without a body, as in all other interfaces.',
    200: '200 with {"success": true}, because the specification names 204 for CRM and signage only.',
  },
})
