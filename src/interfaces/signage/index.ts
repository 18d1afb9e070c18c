/** Screens, media, playlists, layouts, schedules, groups and analytics. Specification part 1, "Signage". */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { signageMachines } from '../../state/signage/machines.ts'
import { signageRecords } from '../../state/signage/records.ts'
import { PAGES_PATH } from './addresses.ts'
import { events } from './events.ts'

export const signage: InterfaceDefinition = {
  name: 'signage',
  title: 'Signage',
  specification: 'part 1, "Signage"',
  description: 'Display screens, media, playlists, layouts, schedules, groups and analytics.',
  basePath: '/grid/v1',
  pagesPath: PAGES_PATH,
  machines: signageMachines,
  records: signageRecords,
  renderEvent: renderWith(events),
  calls: async () => (await import('./calls.ts')).signageCalls,
  load: async () => (await import('./wire.ts')).wire,
}
