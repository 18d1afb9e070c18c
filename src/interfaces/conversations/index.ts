/** Conversations, their messages, contacts, inboxes, agents and teams. Specification part 3. */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { under } from '../../state/model/reading.ts'
import { conversationMachines } from '../../state/conversations/machines.ts'
import { webhookPayload } from '../../state/conversations/readings.ts'
import { conversationRecords } from '../../state/conversations/records.ts'
import { renderWith } from '../../state/workspace/events.ts'
import { pushConversations } from './pushing.ts'
import { normalizeClientRequest } from './normalizeClientRequest.ts'
import { events } from './events.ts'
import { flatBody } from './flatBody.ts'
import { PAGES_PATH } from './widgetAddress.ts'

export const conversations: InterfaceDefinition = {
  name: 'conversations',
  title: 'Conversations',
  specification: 'part 3, "Conversations"',
  description: 'Conversations with contacts across channels, their messages, inboxes, agents and teams.',
  basePath: '/chat/api/v1',
  pagesPath: PAGES_PATH,
  cablePath: '/chat/cable',
  parsing: normalizeClientRequest,
  machines: conversationMachines,
  records: conversationRecords,
  renderEvent: renderWith(events),
  otherBody: { when: under(webhookPayload, 'flat'), render: flatBody },
  followers: [pushConversations],
  load: async () => (await import('./wire.ts')).wire,
}
