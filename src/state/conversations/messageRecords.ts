/** The stored messages. Specification part 3, "Message". */
import { Type } from '@sinclair/typebox'
import { record } from '../storage/records/record.ts'
import { folded } from '../storage/queries/searchColumns.ts'
import { freeObject, upTo } from '../storage/shapes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { ID_PATTERN, nextId } from './counters.ts'
import { appendConversationEvent } from './events.ts'
import { LONGEST_CONTENT_TYPE, LONGEST_MESSAGE, LONGEST_SOURCE_ID } from './limits.ts'
import { messages as table, type Attachment, type conversations } from './tables.ts'

export type Message = typeof table.$inferSelect
export type MessageType = Message['messageType']

const file = Type.Object(
  {
    fileId: Type.String(),
    name: Type.String(),
    contentType: Type.String(),
    size: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
)

export const messages = record(table, {
  noun: 'message',
  derived: { searchKey: folded<Message>(({ content }) => [content]) },
  indexes: { conversation: [table.conversationId] },
  snapshot: {
    section: 'conversations',
    name: 'messages',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({
      id: Type.String({ pattern: ID_PATTERN }),
      content: upTo(LONGEST_MESSAGE),
      contentType: Type.String({ minLength: 1, maxLength: LONGEST_CONTENT_TYPE }),
      contentAttributes: freeObject(),
      additionalAttributes: freeObject(),
      sourceId: upTo(LONGEST_SOURCE_ID),
      attachments: Type.Array(file),
    }),
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
