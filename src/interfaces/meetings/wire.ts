/** The wire format of meetings. Specification part 3, "Meetings". */
import type { Wire } from '../../http/definition/definition.ts'
import { meetingsDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { joinPages } from './joinPages.ts'
import { meetings } from './meetings.ts'
import { meetingTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: meetingsDialect,
  resources: [meetings],
  pages: joinPages,
  events: publishedEvents,
  triggers: meetingTriggers,
}
