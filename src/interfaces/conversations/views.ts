/**
 * Serializes agents, conversations and messages. Specification part 3, "Resources and their fields". Written by
 * hand, because most of each comes from other records.
 */
import type { Static } from '@sinclair/typebox'
import { fileLink } from '../../http/files/fileLinks.ts'
import { agentOfUser, agentWithId, type Agent as AgentRow } from '../../state/conversations/agents.ts'
import { contacts, type Contact } from '../../state/conversations/contacts.ts'
import { inboxes, type Inbox } from '../../state/conversations/inboxes.ts'
import {
  canReply,
  lastMessage,
  lastMessages,
  lastNonActivityMessage,
  type Message as MessageRow,
} from '../../state/conversations/messages.ts'
import type { Conversation as ConversationRow } from '../../state/conversations/conversations.ts'
import { messageType } from '../../state/conversations/readings.ts'
import { MESSAGE_TYPES } from '../../state/conversations/tables.ts'
import { teams, type Team } from '../../state/conversations/teams.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { seconds, secondsOrNull } from './shapes/common.ts'
import type { Conversation, Message } from './shapes/conversations.ts'
import type { Agent } from './shapes/people.ts'

export const agentView = (agent: AgentRow, { tenantId }: Workspace): Static<typeof Agent> => ({
  id: agent.number,
  name: agent.name,
  email: agent.email,
  role: agent.role,
  availability_status: agent.availability,
  confirmed: agent.confirmed,
  account_id: tenantId,
  available_name: agent.name,
  thumbnail: '',
})

const FILE_TYPES = ['image', 'audio', 'video'] as const

function attachmentView(message: MessageRow, workspace: Workspace, index: number) {
  const { fileId, name, contentType, size } = message.attachments[index] ?? {
    fileId: '',
    name: '',
    contentType: '',
    size: 0,
  }
  const { url } = fileLink(workspace, { id: fileId, name })
  const fileType: (typeof FILE_TYPES)[number] | 'file' =
    FILE_TYPES.find((each) => contentType.startsWith(`${each}/`)) ?? 'file'
  return {
    id: `${message.id}-${String(index + 1)}`,
    message_id: Number(message.id),
    file_type: fileType,
    account_id: workspace.tenantId,
    extension: /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? null,
    data_url: url,
    thumb_url: fileType === 'image' ? url : '',
    file_size: size,
  }
}

function senderView({ senderType, senderId }: MessageRow, workspace: Workspace) {
  if (senderType === null || senderId === null) return null
  if (senderType === 'contact') {
    const contact = contacts.find(workspace, senderId)
    if (!contact) return null
    const { id, name, email } = contact
    return { id: Number(id), name, type: senderType, email, thumbnail: '' }
  }
  const user = workspace.user(senderId)
  return user
    ? {
        id: agentOfUser(workspace, senderId).number,
        name: user.name,
        type: senderType,
        email: user.email,
        thumbnail: '',
      }
    : null
}

export const messageView = (message: MessageRow, workspace: Workspace): Static<typeof Message> => ({
  id: Number(message.id),
  content: message.content,
  inbox_id: Number(message.inboxId),
  conversation_id: Number(message.conversationId),
  message_type:
    workspace.reading(messageType) === 'string'
      ? message.messageType
      : MESSAGE_TYPES.indexOf(message.messageType),
  content_type: message.contentType,
  content_attributes: { ...message.contentAttributes },
  status: message.status,
  private: message.private,
  created_at: seconds(message.createdAt),
  additional_attributes: { ...message.additionalAttributes },
  source_id: message.sourceId,
  sender: senderView(message, workspace),
  attachments: message.attachments.map((_attachment, index) => attachmentView(message, workspace, index)),
})

/** The records that a conversation shows. */
interface Related {
  readonly inbox: Inbox
  readonly contact: Contact
  readonly team: Team | undefined
  readonly last: MessageRow | undefined
  readonly lastOfPeople: MessageRow | undefined
}

export const conversationView = (
  conversation: ConversationRow,
  workspace: Workspace,
): Static<typeof Conversation> => {
  const { id, inboxId, contactId, teamId } = conversation
  const last = lastMessage(workspace, id)
  return viewWith(conversation, workspace, {
    inbox: inboxes.get(workspace, inboxId),
    contact: contacts.get(workspace, contactId),
    team: teamId === null ? undefined : teams.find(workspace, teamId),
    last,
    lastOfPeople: lastNonActivityMessage(workspace, last),
  })
}

/** Returns a page of conversations. What they show is read once for all of them. */
export function conversationViews(
  conversations: readonly ConversationRow[],
  workspace: Workspace,
): Static<typeof Conversation>[] {
  const ids = conversations.map(({ id }) => id)
  const inboxIds = conversations.map(({ inboxId }) => inboxId)
  const contactIds = conversations.map(({ contactId }) => contactId)
  const teamIds = conversations.map(({ teamId }) => teamId)
  const inboxesById = inboxes.byId(workspace, inboxIds)
  const contactsById = contacts.byId(workspace, contactIds)
  const teamsById = teams.byId(workspace, teamIds)
  const lastById = lastMessages(workspace, ids)
  const isActivity = (id: string): boolean => lastById.get(id)?.messageType === 'activity'
  const ofPeopleById = lastMessages(workspace, ids.filter(isActivity), 'people')
  return conversations.map((conversation) => {
    const { id, inboxId, contactId, teamId } = conversation
    return viewWith(conversation, workspace, {
      inbox: inboxesById.get(inboxId) ?? inboxes.noSuch(inboxId),
      contact: contactsById.get(contactId) ?? contacts.noSuch(contactId),
      team: teamId === null ? undefined : teamsById.get(teamId),
      last: lastById.get(id),
      lastOfPeople: (isActivity(id) ? ofPeopleById : lastById).get(id),
    })
  })
}

function viewWith(
  conversation: ConversationRow,
  workspace: Workspace,
  { inbox, contact, team, last, lastOfPeople }: Related,
): Static<typeof Conversation> {
  const agent = conversation.assigneeId === null ? undefined : agentWithId(workspace, conversation.assigneeId)
  return {
    id: Number(conversation.id),
    account_id: workspace.tenantId,
    inbox_id: Number(conversation.inboxId),
    status: conversation.status,
    priority: conversation.priority,
    vip: conversation.vip,
    labels: [...conversation.labels],
    custom_attributes: { ...conversation.customAttributes },
    meta: {
      sender: {
        id: Number(contact.id),
        name: contact.name,
        email: contact.email,
        phone_number: contact.phoneNumber,
      },
      assignee: agent
        ? {
            id: agent.number,
            name: agent.name,
            email: agent.email,
            availability_status: agent.availability,
          }
        : null,
      team: team ? { id: Number(team.id), name: team.name } : null,
      channel: inbox.channelType,
    },
    created_at: seconds(conversation.createdAt),
    updated_at: seconds(conversation.updatedAt),
    additional_attributes: { ...conversation.additionalAttributes },
    can_reply: canReply(workspace, conversation, inbox),
    unread_count: conversation.unreadCount,
    snoozed_until: secondsOrNull(conversation.snoozedUntil),
    last_activity_at: seconds(conversation.lastActivityAt),
    first_reply_created_at: secondsOrNull(conversation.firstReplyAt),
    waiting_since: secondsOrNull(conversation.waitingSince),
    messages: last ? [messageView(last, workspace)] : [],
    last_non_activity_message: lastOfPeople ? messageView(lastOfPeople, workspace) : null,
  }
}

// ---------------------------------------------------------------- events

export const NO_EVENTS =
  'The specification shows no webhook events of conversations; the names follow Chatwoot.'

/** Describes the difference from Chatwoot, which sends the record itself instead of an envelope. */
export const unlikeChatwoot = (fields: string): string =>
  `${NO_EVENTS} Chatwoot sends the record itself with "event" and "account" {id, name}; so does the simulator under conversations.webhook_payload = flat. Otherwise it sends the usual envelope, in which data has ${fields}.`

export const MESSAGES_UNLIKE_CHATWOOT = unlikeChatwoot(
  'account_id, message and conversation. As in lists, the sender is an object, and message_type is a number; under conversations.message_type = string, it is a word, as in Chatwoot',
)

/** Describes bodies without the envelope. */
export const FLAT =
  'The body under conversations.webhook_payload = flat: the fields of the record as in responses, so times are in seconds, beside event and account, as in Chatwoot. changed_attributes are not sent. X-Service-Delivery has the id of the delivery.'
