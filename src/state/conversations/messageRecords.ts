/** The stored messages. Specification part 3, "Message". */
import { record } from '../storage/records/record.ts'
import { folded } from '../storage/queries/searchColumns.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { nextId } from './counters.ts'
import { appendConversationEvent } from './events.ts'
import { messages as table, type Attachment, type conversations } from './tables.ts'

export type Message = typeof table.$inferSelect
export type MessageType = Message['messageType']

export const messages = record(table, {
  noun: 'message',
  derived: { searchKey: folded<Message>(({ content }) => [content]) },
  indexes: { timeInConversation: [table.conversationId, table.createdAt] },
  snapshot: {
    section: 'conversations',
    name: 'messages',
  },
})

type MessageFields = Pick<Message, 'content' | 'messageType'> &
  Partial<
    Pick<
      Message,
      | 'private'
      | 'contentType'
      | 'contentAttributes'
      | 'additionalAttributes'
      | 'status'
      | 'senderType'
      | 'senderId'
      | 'sourceId'
    >
  > & { readonly attachments?: readonly Attachment[] }

/** Inserts a message. The caller updates its conversation. Only inside a `write`. */
export function insertMessage(
  workspace: Workspace,
  { id: conversationId, inboxId }: Pick<typeof conversations.$inferSelect, 'id' | 'inboxId'>,
  fields: MessageFields,
): Message {
  const now = workspace.now()
  return messages.insert(workspace, {
    id: nextId(workspace, 'message', (id) => messages.find(workspace, id) !== undefined),
    conversationId,
    inboxId,
    content: fields.content,
    messageType: fields.messageType,
    contentType: fields.contentType ?? 'text',
    contentAttributes: fields.contentAttributes ?? {},
    additionalAttributes: fields.additionalAttributes ?? {},
    status: fields.status ?? 'sent',
    private: fields.private ?? false,
    senderType: fields.senderType ?? null,
    senderId: fields.senderId ?? null,
    sourceId: fields.sourceId ?? null,
    attachments: fields.attachments ?? [],
    createdAt: now,
    updatedAt: now,
  })
}

/** Appends the event of a new message. Call it after the conversation is updated. Only inside a `write`. */
export const announceMessage = (workspace: Workspace, message: Message): void => {
  appendConversationEvent(workspace, 'message_created', message.id, { message })
}
