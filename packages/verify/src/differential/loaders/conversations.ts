/** Inboxes, agents, teams, contacts and conversations with their latest messages. */
import { MESSAGE_TYPES } from '../../../../../src/published.ts'
import type { Answers, Row } from '../../crawl/answers.ts'
import {
  columns,
  fileNotShown,
  instantIn,
  NOT_SHOWN,
  rowsOf,
  rowsOfEach,
  startOf,
  timesAt,
  type Found,
  type Loaded,
  type Loader,
} from './loader.ts'

const INBOX = [
  ...['name', 'channelType', 'websiteUrl', 'greetingEnabled', 'greetingMessage', 'enableAutoAssignment'],
  ...['outOfOfficeMessage', 'workingHoursEnabled'],
]
const CONTACT = ['name', 'email', 'phoneNumber', 'identifier', 'customAttributes', 'additionalAttributes']
const CONVERSATION = [
  ...['status', 'priority', 'vip', 'labels', 'customAttributes', 'additionalAttributes', 'unreadCount'],
]
const MESSAGE = [
  ...['content', 'contentType', 'contentAttributes', 'additionalAttributes', 'status', 'private', 'sourceId'],
]

/** The messages that a conversation shows without `before` and `after`. */
const SHOWN_MESSAGES = 20

export const conversations: Loader = { needs: ['listConversations?status=all', 'listMessages'], load }

function load(answers: Answers): Loaded {
  const inboxes = numbered(rowsOf(answers, 'listInboxes'))
  const teams = numbered(rowsOf(answers, 'listTeams'))
  const agents = numbered(rowsOf(answers, 'listAgents'))
  const contacts = numbered(rowsOf(answers, 'listContacts'))
  const listed = numbered(rowsOf(answers, 'listConversations'))
  const messages = numbered(rowsOfEach(answers, 'listMessages', listed))
  const now = startOf(answers)
  const mine = ownNumber(answers)
  const messagesOf = new Map<unknown, Row[]>()
  for (const { row } of messages.rows) {
    const id = row['conversation_id']
    messagesOf.set(id, [...(messagesOf.get(id) ?? []), row])
  }
  const isCut = [...messagesOf.values()].some(({ length }) => length >= SHOWN_MESSAGES)
  return {
    // The key belongs to the first user. Agents who have not confirmed are no users yet.
    users: agents.rows
      .filter(({ row }) => row['confirmed'] === true)
      .toSorted((one, other) => Number(other.row['id'] === mine) - Number(one.row['id'] === mine))
      .map(({ row }) => ({ ...columns(row, ['name', 'email']), id: `user-${String(row['id'])}` })),
    snapshot: {
      files: fileNotShown(now),
      conversations: {
        inboxes: inboxes.rows.map(({ row }, index) => ({
          ...columns(row, INBOX),
          id: String(row['id']),
          ...timesAt(index),
        })),
        teams: teams.rows.map(({ row }, index) => ({
          ...columns(row, ['name', 'description', 'allowAutoAssign']),
          id: String(row['id']),
          ...timesAt(index),
        })),
        agents: agents.rows.map(({ row }, index) => ({
          ...columns(row, ['name', 'email', 'role', 'confirmed']),
          id: agentId(row),
          number: row['id'],
          availability: row['availability_status'],
          ...timesAt(index),
        })),
        contacts: contacts.rows.map(({ row }) => ({
          ...columns(row, CONTACT),
          id: String(row['id']),
          lastActivityAt: instantIn(row['last_activity_at']),
          createdAt: instantIn(row['created_at']),
          updatedAt: instantIn(row['created_at']),
        })),
        conversations: listed.rows.map(({ row }) => conversationOf(row, messagesOf.get(row['id']) ?? [])),
        messages: messages.rows.map(({ row }) => messageOf(row)),
      },
    },
    unknown: [
      ...(isCut ? ['searchConversations*', 'listMessages?before*', 'listMessages?after*'] : []),
      ...(mine === null
        ? ['listConversations.data.meta.mine_count', 'listConversations?assignee_type*']
        : []),
    ],
    derived: [
      ...['getConversation.messages*', 'getConversation.last_non_activity_message*'],
      ...['getConversation.can_reply', 'getContact.payload.contact_inboxes*'],
    ],
    isComplete: [inboxes, teams, agents, contacts, listed, messages].every(({ isComplete }) => isComplete),
  }
}

/** Returns rows in the order of their numbers. */
const numbered = ({ rows, isComplete }: Found): Found => ({
  rows: rows.toSorted((one, other) => Number(one.row['id']) - Number(other.row['id'])),
  isComplete,
})

const agentId = (agent: Row): string => `agent-${String(agent['id'])}`

/** Returns the number of the agent to whom the key belongs; null if it has no conversation. */
function ownNumber(answers: Answers): unknown {
  const own = answers.exchanges.find(({ probe: { purpose }, status, body }) => {
    const isOwn = purpose.kind === 'filter' && purpose.parameter === 'assignee_type' && purpose.value === 'me'
    return isOwn && status === 200 && body !== undefined
  })
  const [row] = own ? (answers.rows(own) as Row[]) : []
  return (((row?.['meta'] ?? {}) as Row)['assignee'] as Row | null | undefined)?.['id'] ?? null
}

function conversationOf(row: Row, messages: readonly Row[]): Record<string, unknown> {
  const meta = (row['meta'] ?? {}) as Readonly<Record<string, Row | null | undefined>>
  const incoming = messages.filter((message) => typeIn(message) === 'incoming')
  return {
    ...columns(row, CONVERSATION),
    id: String(row['id']),
    inboxId: String(row['inbox_id']),
    contactId: String(meta['sender']?.['id']),
    assigneeId: meta['assignee'] ? agentId(meta['assignee']) : null,
    teamId: meta['team'] ? String(meta['team']['id']) : null,
    snoozedUntil: instantIn(row['snoozed_until']),
    lastActivityAt: instantIn(row['last_activity_at']),
    contactWroteAt: instantIn(incoming.at(-1)?.['created_at']),
    firstReplyAt: instantIn(row['first_reply_created_at']),
    waitingSince: instantIn(row['waiting_since']),
    createdAt: instantIn(row['created_at']),
    updatedAt: instantIn(row['updated_at']),
  }
}

/** Returns the type of a message, which is a number or a word. */
const typeIn = ({ message_type: type }: Row): unknown =>
  typeof type === 'number' ? MESSAGE_TYPES[type] : type

function messageOf(row: Row): Record<string, unknown> {
  const sender = row['sender'] as Row | null
  const type = sender?.['type'] ?? null
  return {
    ...columns(row, MESSAGE),
    id: String(row['id']),
    conversationId: String(row['conversation_id']),
    inboxId: String(row['inbox_id']),
    messageType: typeIn(row),
    senderType: type,
    senderId: sender && (type === 'user' ? `user-${String(sender['id'])}` : String(sender['id'])),
    attachments: ((row['attachments'] ?? []) as Row[]).map((attachment) => ({
      fileId: NOT_SHOWN,
      name: `file${typeof attachment['extension'] === 'string' ? `.${attachment['extension']}` : ''}`,
      contentType: `${attachment['file_type'] === 'file' ? 'application' : String(attachment['file_type'])}/${NOT_SHOWN}`,
      size: attachment['file_size'] ?? 0,
    })),
    createdAt: instantIn(row['created_at']),
    updatedAt: instantIn(row['created_at']),
  }
}
