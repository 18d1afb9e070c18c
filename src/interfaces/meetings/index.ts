/** Meetings, their participants, summaries and transcripts. Specification part 3. */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { meetingMachines } from '../../state/meetings/machines.ts'
import { meetingRecords } from '../../state/meetings/records.ts'
import { events } from './events.ts'
import { PAGES_PATH } from './views.ts'

export const meetings: InterfaceDefinition = {
  name: 'meetings',
  title: 'Meetings',
  specification: 'part 3, "Meetings"',
  description: 'Meetings with their participants, summaries and transcripts.',
  basePath: '/meetings',
  pagesPath: PAGES_PATH,
  machines: meetingMachines,
  records: meetingRecords,
  renderEvent: renderWith(events),
  load: async () => (await import('./wire.ts')).wire,
}
