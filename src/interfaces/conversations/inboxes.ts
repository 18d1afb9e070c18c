/** Inboxes. Specification part 3, "Inbox"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { unpaged } from '../../http/definition/paging.ts'
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
import { onlineAgents } from '../../state/conversations/agents.ts'
import { addHint } from '../../state/timeline/causes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { refuseField } from '../../state/model/refusal.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { NO_STATUS } from './operations.ts'
import { AccountParams, IdParams } from './shapes/common.ts'
import { CHANNELS, DeletedInbox, Inbox, InboxList, NewInbox, OneInbox } from './shapes/people.ts'

/** An inbox of the demo workspace that no other record refers to. */
const STORE_APP = 4

const mustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  connectedInbox(workspace, id),
)

/** Maps the fields of a request body to those of the state. */
const fieldsOf = (
  workspace: Workspace,
  body: { readonly channel?: { readonly website_url?: string } },
): InboxFields => ({
  ...Inbox.parse(workspace, body),
  ...(body.channel?.website_url !== undefined && { websiteUrl: body.channel.website_url }),
})

/** The automatic replies and assignments of an inbox. */
const AUTOMATION =
  'The inbox answers the first message of a contact in a conversation with greeting_message. Outside 09:00 to 17:00 from Monday to Friday, in the time zone of the workspace, it answers with out_of_office_message instead, once a day, unless an agent wrote in the last five minutes. These answers are templates without a sender and do not count as replies. When a contact starts or reopens a conversation, online agents are assigned in turn; every agent is a member of every inbox. Users whose role and availability were never set are skipped, and conversations created by a call are not assigned'

/** Adds hints for settings of an inbox that have no effect. */
function hintAtSettings(workspace: Workspace, inbox: InboxRow): void {
  const hintAtEmpty = (isEnabled: boolean, text: string | null, setting: string, field: string): void => {
    if (isEnabled && (text === null || text.trim() === '')) {
      addHint('nothing_to_send', `${setting} has no effect while ${field} is empty. Set ${field}.`)
    }
  }
  hintAtEmpty(inbox.greetingEnabled, inbox.greetingMessage, 'greeting_enabled', 'greeting_message')
  hintAtEmpty(
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
  if (inbox.enableAutoAssignment && onlineAgents(workspace).length === 0) {
    addHint(
      'nobody_on_duty',
      'enable_auto_assignment has no effect until an agent is online. Set one online with PATCH /accounts/{account_id}/agents/{id}.',
    )
  }
}

export const inboxes: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Inboxes', assumedStatus: NO_STATUS })
  const list = at(`${ACCOUNT}/inboxes`, { params: AccountParams, before: inAccount() })
  const item = at(`${ACCOUNT}/inboxes/:id`, { params: IdParams(STORE_APP), before: mustExist })

  list.get({
    id: 'listInboxes',
    summary: 'List inboxes',
    fidelity: documentedBut(
      `Assumed: returns all inboxes, the oldest first. An account has at most ${String(MAX_INBOXES)} inboxes.`,
    ),
    answers: { 200: InboxList },
    paging: unpaged('One response has all inboxes.'),
    run: ({ workspace }) => ({ payload: Inbox.views(inboxesOf(workspace), workspace) }),
  })

  item.get({
    id: 'getInbox',
    summary: 'Get an inbox',
    fidelity: documentedBut('Assumed: returns 404 for a deleted inbox.'),
    answers: { 200: OneInbox },
    run: ({ params, workspace }) => Inbox.view(connectedInbox(workspace, params.id), workspace),
  })

  list.post({
    id: 'createInbox',
    summary: 'Create an inbox',
    fidelity: documentedBut(`Assumed: a web widget requires website_url, a URL or a domain. ${AUTOMATION}.`),
    body: NewInbox.create,
    answers: { 200: OneInbox },
    run({ body, workspace }) {
      const { name, channel } = body
      if (channel.type === 'web_widget' && !channel.website_url) {
        refuseField('channel.website_url', 'required', "Website url can't be blank")
      }
      const inbox = createInbox(workspace, {
        ...fieldsOf(workspace, body),
        name,
        channelType: CHANNELS[channel.type],
      })
      hintAtSettings(workspace, inbox)
      return Inbox.view(inbox, workspace)
    },
  })

  item.patch({
    id: 'updateInbox',
    summary: 'Update an inbox',
    fidelity: documentedBut(
      'Assumed: of channel, only website_url can be changed. An update that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Inbox.update,
    answers: { 200: OneInbox },
    run({ params, body, workspace }) {
      const inbox = updateInbox(workspace, connectedInbox(workspace, params.id), fieldsOf(workspace, body))
      hintAtSettings(workspace, inbox)
      return Inbox.view(inbox, workspace)
    },
  })

  item.delete({
    id: 'deleteInbox',
    summary: 'Delete an inbox',
    description:
      'Disconnects the channel. Its conversations remain, but no messages can be sent or received.',
    fidelity: documented,
    answers: { 200: DeletedInbox },
    run({ params, workspace }) {
      disconnectInbox(workspace, connectedInbox(workspace, params.id))
      return { message: 'Your inbox deletion request will be processed in some time.' }
    },
  })
}
