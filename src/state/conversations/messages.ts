/** Messages. Specification part 3, "Message", "Message status". */
import { and, eq, ne, sql, type SQL } from 'drizzle-orm'
import { take } from '../model/machine.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { refuse, Refusal } from '../model/refusal.ts'
import { removeFile } from '../shared/storedFiles.ts'
import { textSearch } from '../storage/queries/textSearch.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { assignAutomatically, replyAutomatically } from './automation.ts'
import { contacts, mustFitAttributes, recordContactActivity, type Contact } from './contacts.ts'
import {
  announceConversation,
  conversations,
  insertConversation,
  reopenAfterMessage,
  type Conversation,
  type NewConversation,
} from './conversations.ts'
import { appendConversationEvent } from './events.ts'
import { inboxes, mustBeConnected, type Inbox } from './inboxes.ts'
import { messageMachine, type MessageStatus } from './machines.ts'
import { announceMessage, insertMessage, messages, type Message, type MessageType } from './messageRecords.ts'
import { conversations as conversationTable, messages as table, type Attachment } from './tables.ts'

export { messages, type Message, type MessageType } from './messageRecords.ts'

export { LONGEST_MESSAGE } from './limits.ts'

/** The most files of one message. */
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

/** Messaging-app channels, which deliver free text for one day after a message of the contact (assumed). */
const WINDOWED_CHANNELS: readonly string[] = [
  'Channel::Whatsapp',
  'Channel::FacebookPage',
  'Channel::Instagram',
]

const WINDOW_MS = 86_400_000

/** Checks if the channel delivers free text now. This does not limit templates. */
export const canReply = (workspace: Workspace, { contactWroteAt }: Conversation, inbox: Inbox): boolean =>
  inbox.disconnectedAt === null &&
  (!WINDOWED_CHANNELS.includes(inbox.channelType) ||
    (contactWroteAt !== null && isWithin(workspace, contactWroteAt + WINDOW_MS)))

const isWithin = (workspace: Workspace, end: number): boolean =>
  workspace.clock.nowUntil((now) => (now < end ? end : Infinity)) < end

/** The contact field that a channel uses as the address, with its label. */
const ADDRESSES: Partial<Readonly<Record<string, readonly ['phoneNumber' | 'email', string]>>> = {
  'Channel::Whatsapp': ['phoneNumber', 'phone number'],
  'Channel::Email': ['email', 'e-mail address'],
}

/** Returns why a message cannot reach the contact; null if it can. A contact who wrote needs no address. */
function failureOf(
  workspace: Workspace,
  conversation: Conversation,
  inbox: Inbox,
  messageType: MessageType,
): string | null {
  const isTemplate = messageType === 'template'
  const address = ADDRESSES[inbox.channelType]
  if (address && conversation.contactWroteAt === null) {
    const [field, label] = address
    if (contacts.get(workspace, conversation.contactId)[field] === null) {
      return `The contact has no ${label}. Add one to the contact, then send the message again.`
    }
  }
  return isTemplate || canReply(workspace, conversation, inbox)
    ? null
    : 'The contact has not written within 24 hours. Send a template.'
}

/**
 * Adds a message to a conversation, or to a new one. Refuses if its inbox is disconnected, unless it is a note. Only inside a
 * `write`.
 */
export function addMessage(
  workspace: Workspace,
  to: Conversation | NewConversation,
  fields: NewMessage,
): Message {
  const { messageType, sender } = fields
  const isPrivate = fields.private ?? false
  const inbox = isPrivate ? inboxes.get(workspace, to.inboxId) : mustBeConnected(workspace, to.inboxId)
  const isNew = !('id' in to)
  const before = isNew ? insertConversation(workspace, to) : to
  const isIncoming = messageType === 'incoming'
  const conversation = isIncoming ? reopenAfterMessage(workspace, before) : before
  const now = workspace.now()
  const error = isIncoming || isPrivate ? null : failureOf(workspace, conversation, inbox, messageType)
  const contentAttributes = { ...fields.contentAttributes, ...(error !== null && { external_error: error }) }
  // The template and the error count, because responses and snapshots have the same limit as requests.
  mustFitAttributes('content_attributes', 'Content attributes', contentAttributes)
  const message = insertMessage(workspace, conversation, {
    ...fields,
    contentAttributes,
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
  if (isNew) announceConversation(workspace, updated)
  if (isIncoming && 'contact' in sender) recordContactActivity(workspace, sender.contact)
  announceMessage(workspace, message)
  if (isIncoming) {
    replyAutomatically(workspace, conversation, inbox)
    if (before.contactWroteAt === null || before.status !== updated.status) {
      assignAutomatically(workspace, updated, inbox)
    }
  }
  return message
}

/** Sets the status of a message. Refuses if no move leads to it. */
export function setMessageStatus(workspace: Workspace, message: Message, status: MessageStatus): Message {
  return workspace.write(() => {
    if (message.status === status) return message
    const name = messageMachine.moveBetween(message.status, status)
    if (name instanceof Refusal) throw name
    if (['incoming', 'activity'].includes(message.messageType) || message.private) {
      refuse('wrong_state', 'Only messages to a contact have a delivery status.')
    }
    const { state, event } = take(messageMachine, message.status, name)
    const changed = messages.update(workspace, message, { status: state, updatedAt: workspace.now() })
    appendConversationEvent(workspace, event, changed.id, { message: changed })
    return changed
  })
}

const ofConversation = and(ofWorkspace(table), eq(table.conversationId, sql.placeholder('conversationId')))

/**
 * The messages between two others, by rowid: it is the order of creation, even if the clock was set back. A message that
 * does not exist has no rowid, so its number is the bound.
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

/** The most messages per response: the latest, after one, between two. */
export const PAGE_SIZES = { latest: 20, after: 100, between: 1000 }

const END = Number.MAX_SAFE_INTEGER

/** Returns the rowid of the message with this number, or the number if it does not exist. `open` replaces the other bound. */
function boundOf(
  workspace: Workspace,
  id: number | undefined,
  open: number,
): [place: number, number: number] {
  const place = id === undefined ? undefined : messages.head(workspace, String(id))?.rowid
  return place === undefined ? [open, id ?? open] : [place, open]
}

/** Returns the latest messages of a conversation, or those before, after or between messages, the oldest of them first. */
export function messagesOf(
  workspace: Workspace,
  conversationId: string,
  { before, after }: { readonly before?: number | undefined; readonly after?: number | undefined } = {},
): Message[] {
  const [beforePlace, beforeNumber] = boundOf(workspace, before, END)
  const [afterPlace, afterNumber] = boundOf(workspace, after, -1)
  const span = { conversationId, beforePlace, beforeNumber, afterPlace, afterNumber }
  if (after === undefined) return latest.all(workspace, { ...span, limit: PAGE_SIZES.latest }).reverse()
  return following.all(workspace, {
    ...span,
    limit: before === undefined ? PAGE_SIZES.after : PAGE_SIZES.between,
  })
}

/** Returns the last message of a conversation. */
export function lastMessage(workspace: Workspace, conversationId: string): Message | undefined {
  return last.first(workspace, { conversationId })
}

const idsOfLast = (condition: SQL) =>
  query((orm) =>
    orm
      .select({
        id: sql<string | null>`(
          select ${table.id} from ${table}
          where ${ofWorkspace(table)} and ${table.conversationId} = wanted.value and ${condition}
          order by rowid desc limit 1
        )`,
      })
      .from(sql`json_each(${sql.placeholder('ids')}) as wanted`),
  )

const LAST = { all: idsOfLast(sql`true`), people: idsOfLast(ne(table.messageType, 'activity')) }

/** Returns the last messages of these conversations, by conversation: of any type, or those that are no activities. */
export function lastMessages(
  workspace: Workspace,
  conversationIds: readonly string[],
  which: keyof typeof LAST = 'all',
): Map<string, Message> {
  const found = LAST[which].all(workspace, { ids: JSON.stringify(conversationIds) })
  const ids = found.flatMap(({ id }) => id ?? [])
  return new Map(messages.findAll(workspace, ids).map((message) => [message.conversationId, message]))
}

const lastOfPeople = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofConversation, ne(table.messageType, 'activity')))
    .orderBy(sql`rowid desc`)
    .limit(1),
)

/** Returns the last message that is not an activity. `newest` is the last message of any type. */
export const lastNonActivityMessage = (
  workspace: Workspace,
  newest: Message | undefined,
): Message | undefined =>
  newest?.messageType === 'activity'
    ? lastOfPeople.first(workspace, { conversationId: newest.conversationId })
    : newest

/** Finds the conversations whose messages contain the text, by their latest match. */
export const findConversationsWithText = textSearch(table, {
  key: table.searchKey,
  of: table.conversationId,
  where: sql`${table.messageType} in ('incoming', 'outgoing')`,
})

/** The number of messages to remove in one write. */
const AT_ONCE = 200

const someOfConversation = query((orm) =>
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

/** Removes a contact with its conversations, messages and files in slices, the contact last. */
export function* removeContactInSlices(workspace: Workspace, contact: Contact): Generator<void, void> {
  for (;;) {
    const conversation = conversationOfContact.first(workspace, { contactId: contact.id })
    if (!conversation) break
    const slice = someOfConversation.all(workspace, { conversationId: conversation.id })
    workspace.write(() => {
      for (const { id, attachments } of slice) {
        messages.remove(workspace, id)
        for (const { fileId } of attachments) removeFile(workspace, fileId)
      }
      if (slice.length < AT_ONCE) conversations.remove(workspace, conversation.id)
    })
    yield
  }
  workspace.write(() => {
    contacts.remove(workspace, contact.id)
    appendConversationEvent(workspace, 'contact_deleted', contact.id, { contact })
  })
}
