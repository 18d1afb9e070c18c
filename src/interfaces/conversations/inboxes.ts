/** Inboxes. Specification part 3, "Inbox"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { operationsOf } from '../../http/operation.ts'
import { unpaged } from '../../http/paging.ts'
import {
  connectedInbox,
  createInbox,
  disconnectInbox,
  inboxesOf,
  MAX_INBOXES,
  updateInbox,
  type Inbox as InboxRow,
  type InboxFields,
} from '../../state/conversations/inboxes.ts'
import { agentsOnDuty } from '../../state/conversations/agents.ts'
import { addHint } from '../../state/causes.ts'
import type { Workspace } from '../../state/workspace.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { refuseField } from '../../state/refusal.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { AccountParams, IdParams } from './schemas/common.ts'
import { CHANNELS, Inbox, InboxCreate, InboxList, InboxUpdate, Said } from './schemas/people.ts'
import { inboxView } from './views.ts'

/** An inbox of the demo workspace that nothing else names. */
const STORE_APP = 4

const inboxOperation = operationsOf({ tag: 'Inboxes' })

const mustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  connectedInbox(workspace, id),
)

interface SentFields {
  readonly name?: string
  readonly greeting_enabled?: boolean
  readonly greeting_message?: string | null
  readonly enable_auto_assignment?: boolean
  readonly out_of_office_message?: string | null
  readonly working_hours_enabled?: boolean
  readonly channel?: { readonly website_url?: string }
}

/** What was sent, by the names of the state. */
const fieldsOf = (sent: SentFields): InboxFields => ({
  ...(sent.name !== undefined && { name: sent.name }),
  ...(sent.greeting_enabled !== undefined && { greetingEnabled: sent.greeting_enabled }),
  ...(sent.greeting_message !== undefined && { greetingMessage: sent.greeting_message }),
  ...(sent.enable_auto_assignment !== undefined && { enableAutoAssignment: sent.enable_auto_assignment }),
  ...(sent.out_of_office_message !== undefined && { outOfOfficeMessage: sent.out_of_office_message }),
  ...(sent.working_hours_enabled !== undefined && { workingHoursEnabled: sent.working_hours_enabled }),
  ...(sent.channel?.website_url !== undefined && { websiteUrl: sent.channel.website_url }),
})

/** What an inbox does by itself; its hours are not among the fields. */
const AUTOMATION =
  'the first message of a contact in a conversation is answered with greeting_message; one outside 09:00 to 17:00 from Monday to Friday, on the clocks of the workspace, with out_of_office_message instead, once a day and unless an agent wrote in the last five minutes; what a contact begins or reopens is assigned in turn to the agents who are online, each a member of every inbox, but for users whose role and availability nobody has set, and what a call creates is not; these answers are templates without a sender and no replies'

/** Says what keeps the settings of an inbox from doing anything. */
function hintAtSettings(workspace: Workspace, inbox: InboxRow): void {
  const missing = (on: boolean, text: string | null, switched: string, field: string): void => {
    if (on && (text === null || text.trim() === '')) {
      addHint('nothing_to_send', `${switched} does nothing while ${field} is empty.`)
    }
  }
  missing(inbox.greetingEnabled, inbox.greetingMessage, 'greeting_enabled', 'greeting_message')
  missing(
    inbox.workingHoursEnabled,
    inbox.outOfOfficeMessage,
    'working_hours_enabled',
    'out_of_office_message',
  )
  if (!inbox.workingHoursEnabled && inbox.outOfOfficeMessage !== null) {
    addHint('nothing_to_send', 'out_of_office_message is sent only while working_hours_enabled is true.')
  }
  if (!inbox.greetingEnabled && inbox.greetingMessage !== null) {
    addHint('nothing_to_send', 'greeting_message is sent only while greeting_enabled is true.')
  }
  if (inbox.enableAutoAssignment && agentsOnDuty(workspace).length === 0) {
    addHint(
      'nobody_on_duty',
      'enable_auto_assignment assigns nothing until PATCH /accounts/{account_id}/agents/{id} sets an agent online.',
    )
  }
}

export const inboxes: Resource = async (app) => {
  app.get(
    `${ACCOUNT}/inboxes`,
    {
      preValidation: inAccount(),
      schema: { params: AccountParams },
      config: inboxOperation({
        id: 'listInboxes',
        summary: 'List inboxes',
        fidelity: documentedBut(
          `Assumed: the first made comes first; all of them, of which there may be ${String(MAX_INBOXES)}.`,
        ),
        answers: { 200: InboxList },
        paging: unpaged('All of them are one answer.'),
      }),
    },
    ({ workspace }) => ({ payload: inboxesOf(workspace).map((inbox) => inboxView(inbox, workspace)) }),
  )

  app.get(
    `${ACCOUNT}/inboxes/:id`,
    {
      preValidation: mustExist,
      schema: { params: IdParams(STORE_APP) },
      config: inboxOperation({
        id: 'getInbox',
        summary: 'Get an inbox',
        fidelity: documentedBut('Assumed: it is answered bare; one that was deleted is not found.'),
        answers: { 200: Inbox },
      }),
    },
    ({ params, workspace }) => inboxView(connectedInbox(workspace, params.id), workspace),
  )

  app.post(
    `${ACCOUNT}/inboxes`,
    {
      preValidation: inAccount(),
      schema: { params: AccountParams, body: InboxCreate },
      config: inboxOperation({
        id: 'createInbox',
        summary: 'Create an inbox',
        fidelity: documentedBut(
          `Assumed: a web widget needs a website_url, which is a URL or a domain; the answer is the inbox; ${AUTOMATION}.`,
        ),
        answers: { 200: Inbox },
      }),
    },
    ({ body, workspace }) => {
      const { name, channel } = body
      if (channel.type === 'web_widget' && !channel.website_url) {
        refuseField('channel.website_url', 'required', "Website url can't be blank")
      }
      const inbox = createInbox(workspace, {
        ...fieldsOf(body),
        name,
        channelType: CHANNELS[channel.type],
      })
      hintAtSettings(workspace, inbox)
      return inboxView(inbox, workspace)
    },
  )

  app.patch(
    `${ACCOUNT}/inboxes/:id`,
    {
      preValidation: mustExist,
      schema: { params: IdParams(STORE_APP), body: InboxUpdate },
      config: inboxOperation({
        id: 'updateInbox',
        summary: 'Update an inbox',
        fidelity: documentedBut(
          'Assumed: channel, of which only website_url can be changed; the answer is the inbox; an update without a field changes nothing.',
        ),
        answers: { 200: Inbox },
      }),
    },
    ({ params, body, workspace }) => {
      const inbox = updateInbox(workspace, connectedInbox(workspace, params.id), fieldsOf(body))
      hintAtSettings(workspace, inbox)
      return inboxView(inbox, workspace)
    },
  )

  app.delete(
    `${ACCOUNT}/inboxes/:id`,
    {
      preValidation: mustExist,
      schema: { params: IdParams(STORE_APP) },
      config: inboxOperation({
        id: 'deleteInbox',
        summary: 'Delete an inbox',
        description: 'Disconnects the channel: conversations are kept, and nothing can be sent or received.',
        fidelity: documentedBut('The answer is not shown.'),
        answers: { 200: Said },
      }),
    },
    ({ params, workspace }) => {
      disconnectInbox(workspace, connectedInbox(workspace, params.id))
      return { message: 'Your inbox deletion request will be processed in some time.' }
    },
  )
}
