/** Vacancies, candidates, interviews, evaluations, analytics. Specification part 1. */
import { renderWith } from '../../state/workspace/events.ts'
import { recruitingMachines } from '../../state/recruiting/machines.ts'
import { recruitingRecords } from '../../state/recruiting/records.ts'
import type { Entry } from '../entry.ts'
import { PAGES_PATH } from './addresses.ts'
import { eventViews } from './views.ts'

export const recruiting: Entry = {
  name: 'recruiting',
  title: 'Recruiting',
  specification: 'part 1, "Recruiting"',
  description: 'Vacancies, candidates, interviews, evaluations and analytics.',
  basePath: '/recruiting/v1',
  pagesPath: PAGES_PATH,
  machines: recruitingMachines,
  records: recruitingRecords,
  renderEvent: renderWith(eventViews),
  wire: async () => (await import('./wire.ts')).wire,
}
