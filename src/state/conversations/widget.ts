/** Writing and reading as a contact, on the page of a web widget. A contact sees public messages only. */
import { and, eq, ne, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Contact } from './contacts.ts'
import { lastConversationOf, type Conversation } from './conversations.ts'
import type { Inbox } from './inboxes.ts'
import { addMessage, type Message } from './messages.ts'
import { messages as table } from './tables.ts'

/** The most messages that a contact sees: the latest ones. */
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

/** Checks if a contact may see a message. */
export const isVisibleToContact = (message: Message): boolean =>
  !message.private && message.messageType !== 'activity' && message.status !== 'failed'

/** Returns the latest messages of a conversation that a contact may see, the oldest first. */
export function messagesForContact(workspace: Workspace, { id }: Conversation): Message[] {
  return latestPublic.all(workspace, { conversationId: id }).reverse()
}

/** Adds a message of a contact to its last conversation in an inbox, which it reopens, or to a new one. */
export const writeAsContact = (
  workspace: Workspace,
  inbox: Inbox,
  contact: Contact,
  content: string,
): Message =>
  workspace.write(() => {
    const conversation = lastConversationOf(workspace, contact.id, inbox.id) ?? { inboxId: inbox.id, contact }
    return addMessage(workspace, conversation, { content, messageType: 'incoming', sender: { contact } })
  })
