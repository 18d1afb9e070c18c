/**
 * Calls that Chatwoot clients make but the specification does not show, with the call to use instead. The 404 response names it.
 */
import type { AbsentCall } from '../../http/definition/dialect.ts'

const OF = '/accounts/{account_id}'
const CONVERSATION = `${OF}/conversations/{id}`
const CONTACT = `${OF}/contacts/{id}`

const UPDATE = `PATCH ${CONVERSATION}`
const MEMBERS = `every agent is a member of every inbox: GET ${OF}/agents lists them`
const TEAMS = `teams have no members; GET ${OF}/teams lists teams, GET ${OF}/agents lists agents`
const LABELS = `a label needs no record: ${UPDATE} sets labels, GET ${OF}/conversations?label= filters by one`
const ATTRIBUTES = `an attribute needs no definition: send custom_attributes with POST ${OF}/contacts or POST ${OF}/conversations`
const SUBSCRIBE = 'webhooks are subscriptions of the control plane: POST /_sim/workspaces/{id}/subscriptions'
const FILTERS = `filters are not stored: POST ${OF}/conversations/filter or POST ${OF}/contacts/filter`
const UNREAD = `unread_count is 0 after an outgoing message: POST ${CONVERSATION}/messages`
const RESOLVE = `to set a conversation aside, call POST ${CONVERSATION}/toggle_status`
const SEARCH = `GET ${OF}/conversations/search?q= and GET ${OF}/contacts/search?q= search`
const INBOX = `GET ${OF}/inboxes/{id} returns the settings of an inbox`
const NOTE = `a note is a message with "private": true: POST ${CONVERSATION}/messages`
const MESSAGES = `messages cannot be changed or deleted; GET ${CONVERSATION}/messages lists them`
const CONTACTS = `GET ${CONTACT} returns the contact with its contact_inboxes`
const COUNTS = `counts are in data.meta of GET ${OF}/conversations`

const absent = (instead: string, ...paths: readonly string[]): AbsentCall[] =>
  paths.map((path) => ({ path, instead }))

export const absentCalls: readonly AbsentCall[] = [
  ...absent(LABELS, `${CONVERSATION}/labels`, `${OF}/labels`, `${OF}/labels/{label_id}`, `${CONTACT}/labels`),
  ...absent(`GET ${OF}/agents lists the users of the account`, '/profile'),
  ...absent(`GET /_sim/workspaces shows the account of a workspace`, OF, '/accounts'),
  ...absent(MEMBERS, `${OF}/inbox_members`, `${OF}/inbox_members/{inbox_id}`, `${OF}/assignable_agents`),
  ...absent(MEMBERS, `${OF}/inboxes/{id}/assignable_agents`),
  ...absent(TEAMS, `${OF}/teams/{id}/team_members`),
  ...absent(ATTRIBUTES, `${OF}/custom_attribute_definitions`, `${OF}/custom_attribute_definitions/{id}`),
  ...absent(ATTRIBUTES, `${CONVERSATION}/custom_attributes`),
  ...absent(SUBSCRIBE, `${OF}/webhooks`, `${OF}/webhooks/{webhook_id}`),
  ...absent(SUBSCRIBE, `${OF}/automation_rules`, `${OF}/agent_bots`, `${OF}/integrations/hooks`),
  ...absent(FILTERS, `${OF}/custom_filters`, `${OF}/custom_filters/{filter_id}`),
  ...absent(UNREAD, `${CONVERSATION}/update_last_seen`, `${CONVERSATION}/unread`),
  ...absent(RESOLVE, `${CONVERSATION}/mute`, `${CONVERSATION}/unmute`, `${OF}/bulk_actions`),
  ...absent(
    'typing is not shown to the other side; POST .../messages sends a message',
    `${CONVERSATION}/toggle_typing_status`,
  ),
  ...absent(
    `POST ${CONVERSATION}/assignments assigns it to one agent and one team`,
    `${CONVERSATION}/participants`,
  ),
  ...absent(`GET ${CONVERSATION}/messages has the attachments`, `${CONVERSATION}/attachments`),
  ...absent(`GET ${CONVERSATION}/messages has the whole conversation`, `${CONVERSATION}/transcript`),
  ...absent(MESSAGES, `${CONVERSATION}/messages/{message_id}`, `${CONVERSATION}/messages/{message_id}/retry`),
  ...absent(SEARCH, `${OF}/search`, `${OF}/search/{kind}`),
  ...absent(INBOX, `${OF}/inboxes/{id}/agent_bot`, `${OF}/inboxes/{id}/set_agent_bot`),
  ...absent(INBOX, `${OF}/inboxes/{id}/campaigns`, `${OF}/inboxes/{id}/avatar`),
  ...absent(`POST ${OF}/conversations/filter finds them by contact_id`, `${CONTACT}/conversations`),
  ...absent(CONTACTS, `${CONTACT}/contact_inboxes`, `${CONTACT}/contactable_inboxes`),
  ...absent(NOTE, `${CONTACT}/notes`, `${OF}/canned_responses`, `${OF}/canned_responses/{response_id}`),
  ...absent(
    `PATCH ${CONTACT} and DELETE ${CONTACT} change and remove a contact`,
    `${OF}/actions/contact_merge`,
  ),
  ...absent(COUNTS, `${OF}/reports`, `${OF}/reports/{kind}`, `${OF}/notifications`),
]
