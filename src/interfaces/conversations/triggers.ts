/** Triggers that simulate contacts and channels: contacts write, and messages are delivered. */
import { Type } from '@sinclair/typebox'
import { OneOf } from '../../http/schemas/schemas.ts'
import { trigger } from '../../http/definition/trigger.ts'
import {
  contacts,
  createContact,
  contactWithEmail,
  contactWithPhone,
} from '../../state/conversations/contacts.ts'
import { conversations, lastConversationOf } from '../../state/conversations/conversations.ts'
import { mustBeConnected } from '../../state/conversations/inboxes.ts'
import { messageMachine } from '../../state/conversations/machines.ts'
import {
  addMessage,
  LONGEST_MESSAGE,
  messages,
  setMessageStatus,
} from '../../state/conversations/messages.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ContactEmail, Id, Phone } from './shapes/common.ts'
import { Message } from './shapes/conversations.ts'
import { messageView } from './views.ts'

const Sender = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Marta Lasso'] }),
  email: Type.Optional(ContactEmail()),
  phone_number: Type.Optional(Phone()),
})

interface SentContact {
  readonly name: string
  readonly email?: string
  readonly phone_number?: string
}

/** Returns the contact with this e-mail address or phone number, or creates one. */
const contactOf = (workspace: Workspace, { name, email, phone_number: phone }: SentContact) =>
  (email ? contactWithEmail(workspace, email) : undefined) ??
  (phone ? contactWithPhone(workspace, phone) : undefined) ??
  createContact(workspace, { name, ...(email && { email }), ...(phone && { phoneNumber: phone }) })

/** A message of the demo workspace that was sent to a contact. */
const SENT = 2

export const conversationTriggers = [
  trigger({
    name: 'conversations.message.receive',
    summary:
      'Simulate a message from a contact. It goes to the given conversation, else to the last one of the contact in the inbox, else to a new one. A resolved or snoozed conversation is reopened.',
    body: Type.Object({
      inbox_id: Id(),
      content: Type.String({
        minLength: 1,
        maxLength: LONGEST_MESSAGE,
        pattern: '\\S',
        examples: ['Where is my desk?'],
      }),
      conversation_id: Type.Optional(Id()),
      contact_id: Type.Optional(Id()),
      contact: Type.Optional(Sender),
    }),
    records: {
      inbox_id: 'conversations.inboxes',
      conversation_id: 'conversations.conversations',
      contact_id: 'conversations.contacts',
    },
    result: Type.Object({ conversation_id: Id(), message_id: Id() }),
    fidelity: assumed('The specification does not show how messages of contacts arrive.'),
    run: (workspace, { inbox_id: inboxId, content, conversation_id: to, contact_id: by, contact: sender }) =>
      workspace.write(() => {
        const inbox = mustBeConnected(workspace, String(inboxId))
        if (to === undefined && by === undefined && sender === undefined) {
          refuseField('contact_id', 'required', 'one of conversation_id, contact_id and contact is required')
        }
        const named = to === undefined ? undefined : conversations.get(workspace, String(to))
        if (named && named.inboxId !== inbox.id) {
          refuse('conflict', `The conversation ${named.id} does not belong to the inbox ${inbox.id}.`)
        }
        const contact = named
          ? contacts.get(workspace, named.contactId)
          : by !== undefined
            ? contacts.get(workspace, String(by))
            : contactOf(workspace, sender ?? { name: '' })
        if (named && by !== undefined && String(by) !== named.contactId) {
          refuse('conflict', `The conversation ${named.id} does not belong to the contact ${String(by)}.`)
        }
        const conversation = named ??
          lastConversationOf(workspace, contact.id, inbox.id) ?? { inboxId: inbox.id, contact }
        const message = addMessage(workspace, conversation, {
          content,
          messageType: 'incoming',
          sender: { contact },
        })
        return { conversation_id: Number(message.conversationId), message_id: Number(message.id) }
      }),
  }),

  trigger({
    name: 'conversations.message.status',
    summary: 'Set a sent message to delivered, read or failed.',
    body: Type.Object({ message_id: Id(SENT), status: OneOf(messageMachine.states, { examples: ['read'] }) }),
    records: { message_id: 'conversations.messages' },
    result: Message,
    fidelity: assumed('The specification shows the states but not what causes them.'),
    run: (workspace, { message_id: id, status }) =>
      messageView(setMessageStatus(workspace, messages.get(workspace, String(id)), status), workspace),
  }),
]
