/** Messages. Specification part 3, "Message", "Message status". */
import { and, eq, ne, sql } from 'drizzle-orm'
import { take } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { refuse, Refusal } from '../refusal.ts'
import { removeFile } from '../storedFiles.ts'
import { textSearch } from '../textSearch.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { assignAutomatically, replyAutomatically } from './automation.ts'
import { contacts, wasActive, type Contact } from './contacts.ts'
import { conversations, reopened, type Conversation } from './conversations.ts'
import { appendConversationEvent } from './events.ts'
import { mustBeConnected, type Inbox } from './inboxes.ts'
import { messageMachine, type MessageStatus } from './machines.ts'
import { announceMessage, insertMessage, messages, type Message, type MessageType } from './messageRecords.ts'
import { conversations as conversationTable, messages as table, type Attachment } from './tables.ts'

export { messages, type Message, type MessageType } from './messageRecords.ts'

export { LONGEST_MESSAGE } from './limits.ts'

/** Files of one message. */
export const MAX_ATTACHMENTS = 15

export interface NewMessage {
  readonly content: string | null
  readonly messageType: Exclude<MessageType, 'activity'>
  readonly private?: boolean
  readonly contentType?: string
  readonly contentAttributes?: Message['contentAttributes']
  readonly additionalAttributes?: Message['additionalAttributes']
  readonly sourceId?: string | null
  readonly attachments?: readonly Attachment[]
  readonly sender: { readonly contact: Contact } | { readonly user: User }
}

/** Channels on which a free text is delivered for a day after the contact has written (assumed, as it is there). */
const WITH_A_WINDOW: readonly string[] = ['Channel::Whatsapp', 'Channel::FacebookPage', 'Channel::Instagram']

const WINDOW_MS = 86_400_000

/** Whether a free text would be delivered. Templates always are. */
export const canReply = (workspace: Workspace, { contactWroteAt }: Conversation, inbox: Inbox): boolean =>
  inbox.disconnectedAt === null &&
  (!WITH_A_WINDOW.includes(inbox.channelType) ||
    (contactWroteAt !== null && workspace.now() - contactWroteAt < WINDOW_MS))

/** The instant at which the clock alone changes `canReply`; Infinity where it does not. */
export const repliesUntil = ({ contactWroteAt }: Conversation, now: number): number =>
  contactWroteAt !== null && now - contactWroteAt < WINDOW_MS ? contactWroteAt + WINDOW_MS : Infinity

/** What of a contact the channel sends to. */
const ADDRESSES: Partial<Readonly<Record<string, readonly ['phoneNumber' | 'email', string]>>> = {
  'Channel::Whatsapp': ['phoneNumber', 'phone number'],
  'Channel::Email': ['email', 'e-mail address'],
}

/** Why what an agent sends can't reach the contact; null if it can. A contact who wrote can be answered. */
function failureOf(
  workspace: Workspace,
  conversation: Conversation,
  inbox: Inbox,
  messageType: MessageType,
): string | null {
  const isTemplate = messageType === 'template'
  const address = ADDRESSES[inbox.channelType]
  if (address && conversation.contactWroteAt === null) {
    const [field, words] = address
    if (contacts.get(workspace, conversation.contactId)[field] === null) {
      return `The contact has no ${words} to send to: add one.`
    }
  }
  return isTemplate || canReply(workspace, conversation, inbox)
    ? null
    : 'The contact has not written within 24 hours: send a template.'
}

/** Adds a message to a conversation, whose inbox has to be connected. Only inside a `write`. */
export function addMessage(workspace: Workspace, before: Conversation, wanted: NewMessage): Message {
  const inbox = mustBeConnected(workspace, before.inboxId)
  const { messageType, sender } = wanted
  const isPrivate = wanted.private ?? false
  const isIncoming = messageType === 'incoming'
  const conversation = isIncoming ? reopened(workspace, before) : before
  const now = workspace.now()
  const error = isIncoming || isPrivate ? null : failureOf(workspace, conversation, inbox, messageType)
  const message = insertMessage(workspace, conversation, {
    ...wanted,
    contentAttributes: { ...wanted.contentAttributes, ...(error !== null && { external_error: error }) },
    status: error !== null ? 'failed' : messageType === 'template' ? 'delivered' : 'sent',
    senderType: 'contact' in sender ? 'contact' : 'user',
    senderId: 'contact' in sender ? sender.contact.id : sender.user.id,
  })
  const updated = conversations.update(workspace, conversation, {
    lastActivityAt: now,
    ...(isIncoming && {
      unreadCount: conversation.unreadCount + 1,
      contactWroteAt: now,
      waitingSince: conversation.waitingSince ?? now,
    }),
    ...(messageType !== 'incoming' &&
      !isPrivate && { unreadCount: 0, waitingSince: null, firstReplyAt: conversation.firstReplyAt ?? now }),
  })
  if (isIncoming && 'contact' in sender) wasActive(workspace, sender.contact)
  announceMessage(workspace, message)
  if (isIncoming) {
    replyAutomatically(workspace, conversation, inbox)
    if (before.contactWroteAt === null || before.status !== updated.status) {
      assignAutomatically(workspace, updated, inbox)
    }
  }
  return message
}

/** Sets the status, where a move leads there. */
export function setMessageStatus(workspace: Workspace, message: Message, status: MessageStatus): Message {
  return workspace.write(() => {
    if (message.status === status) return message
    const name = messageMachine.moveBetween(message.status, status)
    if (name instanceof Refusal) throw name
    if (['incoming', 'activity'].includes(message.messageType) || message.private) {
      refuse('wrong_state', 'Only what is sent to a contact is delivered and read.')
    }
    const { state, event } = take(messageMachine, message.status, name)
    const changed = messages.update(workspace, message, { status: state, updatedAt: workspace.now() })
    appendConversationEvent(workspace, event, changed.id, { message: changed })
    return changed
  })
}

const ofConversation = and(ofWorkspace(table), eq(table.conversationId, sql.placeholder('conversationId')))

/**
 * Between two messages, by their places: messages stand in the order in which they were written, which their times do not
 * tell where the clock was put back. A message that is not there has no place, and is known by its number alone.
 */
const inSpan = and(
  ofConversation,
  sql`rowid > ${sql.placeholder('afterPlace')} and rowid < ${sql.placeholder('beforePlace')}`,
  sql`cast(${table.id} as integer) > ${sql.placeholder('afterNumber')}`,
  sql`cast(${table.id} as integer) < ${sql.placeholder('beforeNumber')}`,
)

const latest = query((orm) =>
  orm
    .select()
    .from(table)
    .where(inSpan)
    .orderBy(sql`rowid desc`)
    .limit(sql.placeholder('limit')),
)

const following = query((orm) =>
  orm
    .select()
    .from(table)
    .where(inSpan)
    .orderBy(sql`rowid`)
    .limit(sql.placeholder('limit')),
)

const last = query((orm) =>
  orm
    .select()
    .from(table)
    .where(ofConversation)
    .orderBy(sql`rowid desc`)
    .limit(1),
)

/** How many messages come at once: the latest, after one, between two. */
export const PAGE = { latest: 20, after: 100, between: 1000 }

const END = Number.MAX_SAFE_INTEGER

/** The place of the message with this number, or the number where there is none; `open` stands for the other. */
function boundOf(
  workspace: Workspace,
  id: number | undefined,
  open: number,
): [place: number, number: number] {
  const place = id === undefined ? undefined : messages.head(workspace, String(id))?.rowid
  return place === undefined ? [open, id ?? open] : [place, open]
}

/** The latest messages of a conversation, or those before, after or between messages; the oldest of them first. */
export function messagesOf(
  workspace: Workspace,
  conversationId: string,
  { before, after }: { readonly before?: number | undefined; readonly after?: number | undefined } = {},
): Message[] {
  messages.index(workspace, ['conversation'])
  const [beforePlace, beforeNumber] = boundOf(workspace, before, END)
  const [afterPlace, afterNumber] = boundOf(workspace, after, -1)
  const span = { conversationId, beforePlace, beforeNumber, afterPlace, afterNumber }
  if (after === undefined) return latest.all(workspace, { ...span, limit: PAGE.latest }).reverse()
  return following.all(workspace, { ...span, limit: before === undefined ? PAGE.after : PAGE.between })
}

/** The last message of a conversation. */
export function lastMessage(workspace: Workspace, conversationId: string): Message | undefined {
  messages.index(workspace, ['conversation'])
  return last.first(workspace, { conversationId })
}

const lastOfPeople = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofConversation, ne(table.messageType, 'activity')))
    .orderBy(sql`rowid desc`)
    .limit(1),
)

/** The last message that is no activity; `newest` is the last one of all. */
export const lastMessageOfPeople = (workspace: Workspace, newest: Message | undefined): Message | undefined =>
  newest?.messageType === 'activity'
    ? lastOfPeople.first(workspace, { conversationId: newest.conversationId })
    : newest

/** Conversations with messages that hold the text, those where it was written last first. */
export const conversationsHolding = textSearch(table, {
  key: table.searchKey,
  of: table.conversationId,
  where: sql`${table.messageType} in ('incoming', 'outgoing')`,
})

/** Those that are removed in one write. */
const AT_ONCE = 200

const someOfContact = query((orm) =>
  orm
    .select({ id: table.id, attachments: table.attachments })
    .from(table)
    .where(ofConversation)
    .limit(AT_ONCE),
)

const conversationOfContact = query((orm) =>
  orm
    .select({ id: conversationTable.id })
    .from(conversationTable)
    .where(and(ofWorkspace(conversationTable), eq(conversationTable.contactId, sql.placeholder('contactId'))))
    .limit(1),
)

/** Removes a contact with its conversations, their messages and files: some at a time, the contact at last. */
export function* removal(workspace: Workspace, contact: Contact): Generator<void, void> {
  for (;;) {
    const conversation = conversationOfContact.first(workspace, { contactId: contact.id })
    if (!conversation) break
    const some = someOfContact.all(workspace, { conversationId: conversation.id })
    workspace.write(() => {
      for (const { id, attachments } of some) {
        messages.remove(workspace, id)
        for (const { fileId } of attachments) removeFile(workspace, fileId)
      }
      if (some.length < AT_ONCE) conversations.remove(workspace, conversation.id)
    })
    yield
  }
  workspace.write(() => {
    contacts.remove(workspace, contact.id)
    appendConversationEvent(workspace, 'contact_deleted', contact.id, { contact })
  })
}
