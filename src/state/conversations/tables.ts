/**
 * The tables of conversations. Specification part 3, "Resources and their fields". In the interface, ids are integers,
 * counted per account; the tables store them as decimal strings, like all ids.
 */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { index } from 'drizzle-orm/sqlite-core'
import {
  choice,
  email,
  filledText,
  flag,
  id,
  instant,
  integer,
  json,
  refersTo,
  states,
  table,
  text,
  textOf,
  withTimes,
} from '../storage/columns.ts'
import * as shapes from '../storage/shapes.ts'
import { ID_PATTERN, LONGEST_LABEL, LONGEST_MESSAGE, MAX_LABELS, PHONE } from './limits.ts'
import { conversationMachine, messageMachine } from './machines.ts'

export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const
export const ROLES = ['agent', 'administrator'] as const
export const AVAILABILITIES = ['online', 'busy', 'offline'] as const
export const MESSAGE_TYPES = ['incoming', 'outgoing', 'activity', 'template'] as const
export const SENDERS = ['contact', 'user'] as const

type Attributes = Readonly<Record<string, unknown>>

const attributes = () => json<Attributes>(shapes.freeObject)

/** Records have decimal numbers as ids. */
const numberedId = () => textOf(() => Type.String({ pattern: ID_PATTERN }))

/** The kinds of records that are numbered. */
export const KINDS = ['inbox', 'team', 'contact', 'conversation', 'message'] as const

/** The last assigned number of each kind of record. */
export const counters = table('chat_counters', {
  id: textOf(() => shapes.oneOf([...KINDS, 'assignee'])),
  last: integer(0),
})

/** A web address, or a domain without a scheme. */
const WEBSITE = '^(?:https?://[^\\s/]\\S*|[^\\s/:.]+(?:\\.[^\\s/:.]+)+(?:[/:]\\S*)?)$'

export const inboxes = table(
  'chat_inboxes',
  {
    id: numberedId(),
    name: filledText(200),
    /** "Channel::WebWidget" */
    channelType: textOf(() => Type.String({ pattern: '^Channel::[A-Za-z]{1,40}$' })),
    websiteUrl: textOf(() => Type.String({ maxLength: 2000, pattern: WEBSITE })).orNull(),
    greetingEnabled: flag(),
    greetingMessage: text(2000).orNull(),
    enableAutoAssignment: flag(),
    outOfOfficeMessage: text(2000).orNull(),
    workingHoursEnabled: flag(),
    /** The time of deletion. Its conversations remain, but nothing can be sent or received. */
    disconnectedAt: instant().orNull(),
    ...withTimes,
  },
  (self) => [index('chat_inboxes_created').on(self.workspace, self.createdAt)],
)

export const teams = table('chat_teams', {
  id: numberedId(),
  name: filledText(100),
  description: text(2000).orNull(),
  allowAutoAssign: flag(),
  ...withTimes,
})

/** The settings of users as agents, and the invited agents. Only invited agents have number, name and email. */
export const agents = table('chat_agents', {
  number: integer(1).orNull(),
  name: filledText(200).orNull(),
  email: email().orNull(),
  role: choice(ROLES),
  availability: choice(AVAILABILITIES),
  confirmed: flag(),
  removedAt: instant().orNull(),
  ...withTimes,
})

export const contacts = table(
  'chat_contacts',
  {
    id: numberedId(),
    name: text(255),
    email: email().orNull(),
    phoneNumber: textOf(() => Type.String({ pattern: PHONE })).orNull(),
    identifier: text(255).orNull(),
    customAttributes: attributes(),
    additionalAttributes: attributes(),
    lastActivityAt: instant().orNull(),
    ...withTimes,
    nameKey: text(),
    /** In lower case; empty if none. phoneKey is empty and activityKey is 0 if none. */
    emailKey: text(),
    phoneKey: text(),
    activityKey: integer(),
    searchKey: text(),
  },
  (self) => [
    index('chat_contacts_email').on(self.workspace, self.emailKey),
    index('chat_contacts_phone').on(self.workspace, self.phoneKey),
    index('chat_contacts_identifier').on(self.workspace, self.identifier),
    index('chat_contacts_created').on(self.workspace, self.createdAt),
  ],
)

export const conversations = table(
  'chat_conversations',
  {
    id: numberedId(),
    inboxId: id(),
    contactId: refersTo(contacts, { cascade: true }),
    status: states(conversationMachine),
    priority: choice(PRIORITIES).orNull(),
    vip: flag(),
    labels: json<readonly string[]>(() => shapes.texts(MAX_LABELS, LONGEST_LABEL)),
    customAttributes: attributes(),
    additionalAttributes: attributes(),
    /** The id of a user or of an invitation. */
    assigneeId: id().orNull(),
    teamId: id().orNull(),
    /** The number of messages of the contact since the last reply. */
    unreadCount: integer(0),
    snoozedUntil: instant().orNull(),
    lastActivityAt: instant(),
    /** The time of the last message of the contact. */
    contactWroteAt: instant().orNull(),
    firstReplyAt: instant().orNull(),
    /** The time since which the contact waits for a reply. */
    waitingSince: instant().orNull(),
    ...withTimes,
    /** The sort key for latest activity first. VIPs have the largest keys, so they come first. */
    activityKey: integer(),
    /** The sort keys for oldest activity first, and for both orders by creation. */
    activityKeyUp: integer(),
    creationKey: integer(),
    creationKeyUp: integer(),
    /** When the clock reopens it. */
    wakesAt: integer().orNull(),
  },
  (self) => [
    index('chat_conversations_activity').on(self.workspace, self.status, self.activityKey),
    index('chat_conversations_assignee').on(self.workspace, self.status, self.assigneeId),
    index('chat_conversations_contact').on(self.workspace, self.contactId),
    index('chat_conversations_next')
      .on(self.workspace, self.wakesAt)
      .where(sql`${self.wakesAt} is not null`),
  ],
)

/** A file of a message. */
export interface Attachment {
  readonly fileId: string
  readonly name: string
  readonly contentType: string
  readonly size: number
}

const file = () =>
  Type.Object(
    {
      fileId: Type.String(),
      name: Type.String(),
      contentType: Type.String(),
      size: Type.Integer({ minimum: 0 }),
    },
    { additionalProperties: false },
  )

export const messages = table(
  'chat_messages',
  {
    id: numberedId(),
    conversationId: refersTo(conversations, { cascade: true }),
    inboxId: id(),
    content: text(LONGEST_MESSAGE).orNull(),
    messageType: choice(MESSAGE_TYPES),
    contentType: textOf(() => Type.String({ minLength: 1, maxLength: 50 })),
    contentAttributes: attributes(),
    additionalAttributes: attributes(),
    status: states(messageMachine),
    private: flag(),
    senderType: choice(SENDERS).orNull(),
    /** The id of a contact or of a user. */
    senderId: id().orNull(),
    sourceId: text(255).orNull(),
    attachments: json<readonly Attachment[]>(() => Type.Array(file())),
    ...withTimes,
    searchKey: text(),
  },
  (self) => [index('chat_messages_conversation').on(self.workspace, self.conversationId)],
)
