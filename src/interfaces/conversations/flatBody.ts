/**
 * The body of webhooks under the reading `flat`: the fields of the record at the top level, as in Chatwoot. Its
 * records are those of the event data.
 */
import type { Static } from '@sinclair/typebox'
import { inboxes } from '../../state/conversations/inboxes.ts'
import type { AppendedEvent, Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'

/** The event data of all events: each has the records that it is about. */
type Records = Partial<
  Static<typeof payloads.MessageData> &
    Static<typeof payloads.ContactData> &
    Static<typeof payloads.InboxData>
>

export function flatBody({ name: event, data }: AppendedEvent, workspace: Workspace): object {
  const { message, conversation, contact, inbox }: Records = data
  const account = { id: workspace.tenantId, name: workspace.name }
  if (!message) return { event, ...(conversation ?? contact ?? inbox), account }
  const { id, name } = inboxes.get(workspace, String(message.inbox_id))
  return { event, ...message, account, inbox: { id: Number(id), name }, conversation }
}
