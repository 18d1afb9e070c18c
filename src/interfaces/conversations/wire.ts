/** The wire format of conversations. Specification part 3, "Conversations". */
import type { Wire } from '../../http/definition/definition.ts'
import { publish } from '../../http/definition/events.ts'
import { addresses } from './addresses.ts'
import { agents, teams } from './agents.ts'
import { channels } from './channels.ts'
import { contactExport, contactImport } from './contactFiles.ts'
import { contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { conversationSearches } from './conversationSearches.ts'
import { conversationsDialect } from './dialect.ts'
import { events } from './events.ts'
import { inboxes } from './inboxes.ts'
import { messages } from './messages.ts'
import * as payloads from './payloads.ts'
import { conversationTriggers } from './triggers.ts'
import { widgetPages } from './widgetPages.ts'

export const wire: Wire = {
  dialect: conversationsDialect,
  resources: [
    conversations,
    conversationSearches,
    messages,
    contacts,
    contactImport,
    contactExport,
    inboxes,
    agents,
    teams,
  ],
  events: publish(events, payloads),
  triggers: conversationTriggers,
  pages: widgetPages,
  channels,
  addresses,
}
