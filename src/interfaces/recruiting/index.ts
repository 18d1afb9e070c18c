/** Vacancies, candidates, interviews, evaluations, analytics. Specification part 1. */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { recruitingMachines } from '../../state/recruiting/machines.ts'
import { recruitingRecords } from '../../state/recruiting/records.ts'
import { PAGES_PATH } from './addresses.ts'
import { events } from './events.ts'

export const recruiting: InterfaceDefinition = {
  name: 'recruiting',
  title: 'Recruiting',
  specification: 'part 1, "Recruiting"',
  description: 'Vacancies, candidates, interviews, evaluations and analytics.',
  basePath: '/recruiting/v1',
  pagesPath: PAGES_PATH,
  machines: recruitingMachines,
  records: recruitingRecords,
  renderEvent: renderWith(events),
  load: async () => (await import('./wire.ts')).wire,
}
