/** The routes, pages, events and triggers of signage. Specification part 1, "Signage". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { analytics } from './analytics.ts'
import { signageDialect } from './dialect.ts'
import { events } from './events.ts'
import { groups } from './groups.ts'
import { layouts } from './layouts.ts'
import { media } from './media.ts'
import * as payloads from './payloads.ts'
import { playerPages } from './playerPages.ts'
import { playlists } from './playlists.ts'
import { schedules } from './schedules.ts'
import { screens } from './screens.ts'
import { signageTriggers } from './triggers.ts'

export const wire: Wire = {
  dialect: signageDialect,
  resources: [screens, ...media, playlists, layouts, schedules, analytics, groups],
  pages: playerPages,
  events: publish(events, payloads),
  triggers: signageTriggers,
}
