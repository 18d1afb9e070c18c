/** Inboxes, agents, teams, contacts and open conversations. Of messages, only the last of each conversation is read. */
import type { Row } from '../../walk/readings.ts'
import { columns, rowsOf, type Loader } from './loader.ts'

const INBOX = [
  'name',
  'channelType',
  'websiteUrl',
  'greetingEnabled',
  'greetingMessage',
  'enableAutoAssignment',
  'outOfOfficeMessage',
  'workingHoursEnabled',
]
const CONTACT = ['name', 'email', 'phoneNumber', 'identifier', 'customAttributes', 'additionalAttributes']
const CONVERSATION = [
  'status',
  'priority',
  'vip',
  'labels',
  'customAttributes',
  'additionalAttributes',
  'unreadCount',
]
const MESSAGE = [
  'content',
  'contentType',
  'contentAttributes',
  'additionalAttributes',
  'status',
  'private',
  'sourceId',
]
const MESSAGE_TYPES = ['incoming', 'outgoing', 'activity', 'template']

const START = new Date(0).toISOString()

const time = (seconds: unknown): string | null =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : null

const text = (id: unknown): string | null => (typeof id === 'number' ? String(id) : null)

const inside = (row: Row, name: string): Row => (row[name] ?? {}) as Row

/** Agents are numbered; a user has a text as id. */
const userOf = (id: unknown): string | null => (typeof id === 'number' ? `agent-${String(id)}` : null)

const times = (row: Row) => ({
  createdAt: time(row['created_at']) ?? START,
  updatedAt: time(row['updated_at'] ?? row['created_at']) ?? START,
})

function message(row: Row): Record<string, unknown> {
  const sender = inside(row, 'sender')
  const isContact = sender['type'] === 'contact'
  return {
    ...columns(row, MESSAGE),
    id: text(row['id']),
    conversationId: text(row['conversation_id']),
    inboxId: text(row['inbox_id']),
    messageType: MESSAGE_TYPES[Number(row['message_type'])],
    senderType: sender['id'] === undefined ? null : isContact ? 'contact' : 'user',
    senderId: isContact ? text(sender['id']) : userOf(sender['id']),
    attachments: [],
    ...times(row),
  }
}

export const conversations: Loader = (readings) => {
  // Their lists begin with the oldest.
  const [inboxes, agents, teams] = ['listInboxes', 'listAgents', 'listTeams'].map((id) =>
    rowsOf(readings, id).rows.toReversed(),
  )
  const contacts = rowsOf(readings, 'listContacts')
  const open = rowsOf(readings, 'listConversations')
  const messages = open.rows.flatMap(({ row }) => [
    ...((row['messages'] ?? []) as Row[]),
    ...(row['last_non_activity_message'] ? [inside(row, 'last_non_activity_message')] : []),
  ])
  return {
    snapshot: {
      users: (agents ?? []).map(({ row }) => ({
        ...columns(row, ['name', 'email']),
        id: userOf(row['id']),
        createdAt: START,
      })),
      conversations: {
        inboxes: (inboxes ?? []).map(({ row }) => ({
          ...columns(row, INBOX),
          id: text(row['id']),
          createdAt: START,
          updatedAt: START,
        })),
        teams: (teams ?? []).map(({ row }) => ({
          ...columns(row, ['name', 'description', 'allowAutoAssign']),
          id: text(row['id']),
          createdAt: START,
          updatedAt: START,
        })),
        agents: (agents ?? []).map(({ row }) => ({
          ...columns(row, ['role', 'confirmed']),
          id: userOf(row['id']),
          number: row['id'],
          availability: row['availability_status'],
          createdAt: START,
          updatedAt: START,
        })),
        contacts: contacts.rows.map(({ row }) => ({
          ...columns(row, CONTACT),
          id: text(row['id']),
          lastActivityAt: time(row['last_activity_at']),
          ...times(row),
        })),
        conversations: open.rows.map(({ row }) => {
          const meta = inside(row, 'meta')
          return {
            ...columns(row, CONVERSATION),
            id: text(row['id']),
            inboxId: text(row['inbox_id']),
            contactId: text(inside(meta, 'sender')['id']),
            assigneeId: userOf(inside(meta, 'assignee')['id']),
            teamId: text(inside(meta, 'team')['id']),
            snoozedUntil: time(row['snoozed_until']),
            lastActivityAt: time(row['last_activity_at']),
            firstReplyAt: time(row['first_reply_created_at']),
            waitingSince: time(row['waiting_since']),
            ...times(row),
          }
        }),
        messages: [...new Map(messages.map((row) => [row['id'], message(row)])).values()],
      },
    },
    unknown: ['listMessages*', 'searchConversations*'],
    isComplete: contacts.isComplete && open.isComplete,
  }
}
