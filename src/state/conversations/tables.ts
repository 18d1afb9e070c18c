/**
 * The tables of conversations. Specification part 3, "Resources and their fields". In the interface, ids are integers,
 * counted per account; the tables store them as decimal strings, like all ids.
 */
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { scoped, stamped } from '../storage/columns.ts'
import { conversationMachine, messageMachine } from './machines.ts'

export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const
export const ROLES = ['agent', 'administrator'] as const
export const AVAILABILITIES = ['online', 'busy', 'offline'] as const
export const MESSAGE_TYPES = ['incoming', 'outgoing', 'activity', 'template'] as const
export const SENDERS = ['contact', 'user'] as const

type Attributes = Readonly<Record<string, unknown>>

const attributes = (name: string) => text(name, { mode: 'json' }).$type<Attributes>().notNull()

const flag = (name: string) => integer(name, { mode: 'boolean' }).notNull()

/** The last assigned number of each kind of record. */
export const counters = sqliteTable('chat_counters', { ...scoped, last: integer().notNull() }, (table) => [
  primaryKey({ columns: [table.workspace, table.id] }),
])

export const inboxes = sqliteTable(
  'chat_inboxes',
  {
    ...scoped,
    name: text().notNull(),
    /** "Channel::WebWidget" */
    channelType: text('channel_type').notNull(),
    websiteUrl: text('website_url'),
    greetingEnabled: flag('greeting_enabled'),
    greetingMessage: text('greeting_message'),
    enableAutoAssignment: flag('enable_auto_assignment'),
    outOfOfficeMessage: text('out_of_office_message'),
    workingHoursEnabled: flag('working_hours_enabled'),
    /** The time of deletion. Its conversations remain, but nothing can be sent or received. */
    disconnectedAt: integer('disconnected_at'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('chat_inboxes_created').on(table.workspace, table.createdAt),
  ],
)

export const teams = sqliteTable(
  'chat_teams',
  {
    ...scoped,
    name: text().notNull(),
    description: text(),
    allowAutoAssign: flag('allow_auto_assign'),
    ...stamped,
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

/** The settings of users as agents, and the invited agents. Only invited agents have number, name and email. */
export const agents = sqliteTable(
  'chat_agents',
  {
    ...scoped,
    number: integer(),
    name: text(),
    email: text(),
    role: text({ enum: ROLES }).notNull(),
    availability: text({ enum: AVAILABILITIES }).notNull(),
    confirmed: flag('confirmed'),
    removedAt: integer('removed_at'),
    ...stamped,
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

export const contacts = sqliteTable(
  'chat_contacts',
  {
    ...scoped,
    name: text().notNull(),
    email: text(),
    phoneNumber: text('phone_number'),
    identifier: text(),
    customAttributes: attributes('custom_attributes'),
    additionalAttributes: attributes('additional_attributes'),
    lastActivityAt: integer('last_activity_at'),
    ...stamped,
    nameKey: text('name_key').notNull(),
    /** In lower case; empty if none. phoneKey is empty and activityKey is 0 if none. */
    emailKey: text('email_key').notNull(),
    phoneKey: text('phone_key').notNull(),
    activityKey: integer('activity_key').notNull(),
    searchKey: text('search_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('chat_contacts_email').on(table.workspace, table.emailKey),
    index('chat_contacts_phone').on(table.workspace, table.phoneKey),
    index('chat_contacts_identifier').on(table.workspace, table.identifier),
    index('chat_contacts_created').on(table.workspace, table.createdAt),
  ],
)

export const conversations = sqliteTable(
  'chat_conversations',
  {
    ...scoped,
    inboxId: text('inbox_id').notNull(),
    contactId: text('contact_id').notNull(),
    status: text({ enum: conversationMachine.states }).notNull(),
    priority: text({ enum: PRIORITIES }),
    vip: flag('vip'),
    labels: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    customAttributes: attributes('custom_attributes'),
    additionalAttributes: attributes('additional_attributes'),
    /** The id of a user or of an invitation. */
    assigneeId: text('assignee_id'),
    teamId: text('team_id'),
    /** The number of messages of the contact since the last reply. */
    unreadCount: integer('unread_count').notNull(),
    snoozedUntil: integer('snoozed_until'),
    lastActivityAt: integer('last_activity_at').notNull(),
    /** The time of the last message of the contact. */
    contactWroteAt: integer('contact_wrote_at'),
    firstReplyAt: integer('first_reply_at'),
    /** The time since which the contact waits for a reply. */
    waitingSince: integer('waiting_since'),
    ...stamped,
    /** The sort key for latest activity first. VIPs have the largest keys, so they come first. */
    activityKey: integer('activity_key').notNull(),
    /** The sort keys for oldest activity first, and for both orders by creation. */
    activityKeyUp: integer('activity_key_up').notNull(),
    creationKey: integer('creation_key').notNull(),
    creationKeyUp: integer('creation_key_up').notNull(),
    /** When the clock reopens it. */
    wakesAt: integer('wakes_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    foreignKey({
      columns: [table.workspace, table.contactId],
      foreignColumns: [contacts.workspace, contacts.id],
    }).onDelete('cascade'),
    index('chat_conversations_activity').on(table.workspace, table.status, table.activityKey),
    index('chat_conversations_assignee').on(table.workspace, table.status, table.assigneeId),
    index('chat_conversations_contact').on(table.workspace, table.contactId),
    index('chat_conversations_next')
      .on(table.workspace, table.wakesAt)
      .where(sql`${table.wakesAt} is not null`),
  ],
)

/** A file of a message. */
export interface Attachment {
  readonly fileId: string
  readonly name: string
  readonly contentType: string
  readonly size: number
}

export const messages = sqliteTable(
  'chat_messages',
  {
    ...scoped,
    conversationId: text('conversation_id').notNull(),
    inboxId: text('inbox_id').notNull(),
    content: text(),
    messageType: text('message_type', { enum: MESSAGE_TYPES }).notNull(),
    contentType: text('content_type').notNull(),
    contentAttributes: attributes('content_attributes'),
    additionalAttributes: attributes('additional_attributes'),
    status: text({ enum: messageMachine.states }).notNull(),
    private: flag('private'),
    senderType: text('sender_type', { enum: SENDERS }),
    /** The id of a contact or of a user. */
    senderId: text('sender_id'),
    sourceId: text('source_id'),
    attachments: text({ mode: 'json' }).$type<readonly Attachment[]>().notNull(),
    ...stamped,
    searchKey: text('search_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    foreignKey({
      columns: [table.workspace, table.conversationId],
      foreignColumns: [conversations.workspace, conversations.id],
    }).onDelete('cascade'),
    index('chat_messages_conversation').on(table.workspace, table.conversationId, table.createdAt),
  ],
)
