/** What somebody does who writes as a contact, and sees of it: public messages, and nothing of notes. */
import { and, eq, ne, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import type { Workspace } from '../workspace.ts'
import type { Contact } from './contacts.ts'
import { createConversation, lastOfContact, type Conversation } from './conversations.ts'
import type { Inbox } from './inboxes.ts'
import { addMessage, messages, type Message } from './messages.ts'
import { messages as table } from './tables.ts'

/** Messages that a contact sees at a time: the latest. */
export const MAX_SHOWN = 50

const latestPublic = query((orm) =>
  orm
    .select()
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.conversationId, sql.placeholder('conversationId')),
        eq(table.private, false),
        ne(table.messageType, 'activity'),
        ne(table.status, 'failed'),
      ),
    )
    .orderBy(sql`rowid desc`)
    .limit(MAX_SHOWN),
)

/** Whether a contact is to see it. */
export const isForContact = (message: Message): boolean =>
  !message.private && message.messageType !== 'activity' && message.status !== 'failed'

/** What a contact sees of a conversation, the oldest first. */
export function shownToContact(workspace: Workspace, { id }: Conversation): Message[] {
  messages.index(workspace, ['conversation'])
  return latestPublic.all(workspace, { conversationId: id }).reverse()
}

/** The contact writes in an inbox: to its last conversation there, which is opened again, or to a new one. */
export const writeAsContact = (
  workspace: Workspace,
  inbox: Inbox,
  contact: Contact,
  content: string,
): Message =>
  workspace.write(() => {
    const conversation =
      lastOfContact(workspace, contact.id, inbox.id) ??
      createConversation(workspace, { inboxId: inbox.id, contact })
    return addMessage(workspace, conversation, { content, messageType: 'incoming', sender: { contact } })
  })
