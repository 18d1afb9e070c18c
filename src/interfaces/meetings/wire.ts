/** The wire format of meetings. Specification part 3, "Meetings". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { meetingsDialect } from './dialect.ts'
import { events } from './events.ts'
import { joinPages } from './joinPages.ts'
import { meetings } from './meetings.ts'
import * as payloads from './payloads.ts'
import { meetingTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: meetingsDialect,
  resources: [meetings],
  pages: joinPages,
  events: publish(events, payloads),
  triggers: meetingTriggers,
}
