/** Forms and the responses submitted to them. Specification part 1. */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { formMachines } from '../../state/forms/machines.ts'
import { formRecords } from '../../state/forms/records.ts'
import { BASE_PATH, EMBEDDED_PATH, PAGES_PATH } from './addresses.ts'
import { events } from './events.ts'

export const forms: InterfaceDefinition = {
  name: 'forms',
  title: 'Forms',
  specification: 'part 1, "Forms"',
  description: 'Forms, their pages, and the responses that people submit to them.',
  basePath: BASE_PATH,
  pagesPath: PAGES_PATH,
  framedPagesPath: EMBEDDED_PATH,
  machines: formMachines,
  records: formRecords,
  renderEvent: renderWith(events),
  load: async () => (await import('./wire.ts')).wire,
}
