/** The states of conversations and messages. Specification part 3, "Conversation status", "Message status", shows no transitions. */
import { assumed, documentedBut } from '../model/fidelity.ts'
import { machine } from '../model/machine.ts'
import { callStep, triggerStep, inState } from '../model/ways.ts'

const TOGGLE = 'POST /accounts/{account_id}/conversations/{id}/toggle_status'

const anyFollows = documentedBut(
  'The specification does not show which transitions toggle_status allows; the simulator allows all. Setting the current status changes nothing.',
)

const reopens = assumed('A resolved or snoozed conversation is reopened when its contact writes.')

const ACCOUNT = '/accounts/{workspace.accountId}'
const inbox = callStep(`POST ${ACCOUNT}/inboxes`, { name: 'Shop', channel: { type: 'api' } })
const contact = callStep(`POST ${ACCOUNT}/contacts`, { name: 'Marta Lasso' })

const conversation = (status: string) =>
  callStep(
    `POST ${ACCOUNT}/conversations`,
    { inbox_id: '{inbox.id}', contact_id: '{contact.payload.contact.id}', status },
    { needs: { inbox, contact } },
  )

export const conversationMachine = machine({
  name: 'conversations.conversation',
  title: 'Conversation',
  states: ['open', 'resolved', 'pending', 'snoozed'],
  initial: ['open', 'resolved', 'pending', 'snoozed'],
  reach: {
    made: {
      open: conversation('open'),
      resolved: conversation('resolved'),
      pending: conversation('pending'),
      snoozed: conversation('snoozed'),
    },
    get: `GET ${ACCOUNT}/conversations/{conversation.id}`,
  },
  moves: {
    open: {
      from: ['resolved', 'pending', 'snoozed'],
      to: 'open',
      settledIn: ['open'],
      by: TOGGLE,
      emits: 'conversation_status_changed',
      fidelity: anyFollows,
    },
    resolve: {
      from: ['open', 'pending', 'snoozed'],
      to: 'resolved',
      settledIn: ['resolved'],
      by: TOGGLE,
      emits: 'conversation_status_changed',
      fidelity: anyFollows,
    },
    pend: {
      can: 'become pending',
      from: ['open', 'resolved', 'snoozed'],
      to: 'pending',
      settledIn: ['pending'],
      by: TOGGLE,
      emits: 'conversation_status_changed',
      fidelity: anyFollows,
    },
    snooze: {
      from: ['open', 'resolved', 'pending'],
      to: 'snoozed',
      settledIn: ['snoozed'],
      by: TOGGLE,
      emits: 'conversation_status_changed',
      fidelity: anyFollows,
    },
    reopen: {
      from: ['resolved', 'snoozed'],
      to: 'open',
      by: 'a message of the contact: the trigger conversations.message.receive, or the page of the widget',
      emits: 'conversation_status_changed',
      fidelity: reopens,
    },
    wake: {
      can: 'wake',
      from: ['snoozed'],
      to: 'open',
      by: 'the clock, at snoozed_until',
      emits: 'conversation_status_changed',
      fidelity: assumed('A conversation that is snoozed until a time is reopened at that time.'),
    },
  },
})

export type ConversationStatus = (typeof conversationMachine.states)[number]

const STATUS_TRIGGER = 'the trigger conversations.message.status'
const setTo = (status: string) =>
  triggerStep('conversations.message.status', { message_id: '{message.id}', status })

const onlyStates = assumed('The specification shows the states but not the transitions.')

export const messageMachine = machine({
  name: 'conversations.message',
  title: 'Message',
  states: ['sent', 'delivered', 'read', 'failed'],
  initial: ['sent', 'delivered', 'failed'],
  reach: {
    made: {
      sent: callStep(
        `POST ${ACCOUNT}/conversations/{conversation.id}/messages`,
        { content: 'Your desk is on its way.' },
        { needs: { conversation: inState(conversationMachine, 'open') } },
      ),
    },
  },
  moves: {
    deliver: {
      from: ['sent'],
      to: 'delivered',
      settledIn: ['delivered'],
      by: STATUS_TRIGGER,
      way: setTo('delivered'),
      emits: 'message_updated',
      fidelity: onlyStates,
    },
    read: {
      from: ['sent', 'delivered'],
      to: 'read',
      settledIn: ['read'],
      by: STATUS_TRIGGER,
      way: setTo('read'),
      emits: 'message_updated',
      fidelity: onlyStates,
    },
    fail: {
      can: 'fail',
      from: ['sent'],
      to: 'failed',
      settledIn: ['failed'],
      by: STATUS_TRIGGER,
      way: setTo('failed'),
      emits: 'message_updated',
      fidelity: onlyStates,
    },
    resend: {
      from: ['failed'],
      to: 'sent',
      settledIn: ['sent'],
      by: STATUS_TRIGGER,
      emits: 'message_updated',
      fidelity: onlyStates,
    },
  },
})

export type MessageStatus = (typeof messageMachine.states)[number]

export const conversationMachines = [conversationMachine, messageMachine]
