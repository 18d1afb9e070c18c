/**
 * Calls that Chatwoot clients make but the specification does not show, with the call to use instead. The 404 response names it.
 */
import type { AbsentCall } from '../../http/definition/dialect.ts'

const OF = '/accounts/{account_id}'
const CONVERSATION = `${OF}/conversations/{id}`
const CONTACT = `${OF}/contacts/{id}`

const UPDATE = `PATCH ${CONVERSATION}`
const WRITE = `POST ${CONVERSATION}/messages`
const MEMBERS = `every agent is a member of every inbox: GET ${OF}/agents lists them`
const TEAMS = `teams have no members; GET ${OF}/teams lists teams, GET ${OF}/agents lists agents`
const LABELS = `a label needs no record: ${UPDATE} sets labels, GET ${OF}/conversations?label= filters by one`
const CONTACT_LABELS = `contacts have no labels; custom_attributes of PATCH ${CONTACT} can mark a contact`
const ATTRIBUTES = `an attribute needs no definition: send custom_attributes with POST ${OF}/contacts or POST ${OF}/conversations`
const CREATED_WITH = `custom_attributes of a conversation are set when it is created: POST ${OF}/conversations`
const REMOVED = `PATCH ${CONTACT} sets custom_attributes; a value can be replaced by null, but not removed`
const SUBSCRIBE = 'webhooks are subscriptions of the control plane: POST /_sim/workspaces/{id}/subscriptions'
const AUTOMATE = `no rules, macros or bots exist; an inbox greets and assigns by its settings (PATCH ${OF}/inboxes/{id}), and a program with a webhook can do the rest: POST /_sim/workspaces/{id}/subscriptions`
const FILTERS = `filters are not stored: POST ${OF}/conversations/filter or POST ${OF}/contacts/filter`
const UNREAD = `unread_count is 0 after an outgoing message: ${WRITE}`
const RESOLVE = `to set a conversation aside, call POST ${CONVERSATION}/toggle_status`
const ONE_BY_ONE = `change conversations one by one: ${UPDATE}, POST ${CONVERSATION}/toggle_status or POST ${CONVERSATION}/assignments`
const TYPING = `typing is not shown to the other side; ${WRITE} sends a message`
const ASSIGN = `POST ${CONVERSATION}/assignments assigns it to one agent and one team`
const SEARCH = `GET ${OF}/conversations/search?q= and GET ${OF}/contacts/search?q= search`
const BOT = `an inbox has no bot; a program with a webhook can answer by ${WRITE}`
const INBOX = `an inbox has neither campaigns nor an avatar; GET ${OF}/inboxes/{id} returns its settings`
const HOURS = `business hours are fixed; PATCH ${OF}/inboxes/{id} with working_hours_enabled turns their message on`
const NOTE = `a note is a message with "private": true: ${WRITE}`
const CANNED = `the specification has no canned responses: keep the texts in your program and send one with ${WRITE}`
const CAMPAIGNS = `the specification has no campaigns: POST ${OF}/conversations with message.content writes to a contact`
const MESSAGES = `messages cannot be changed or deleted; GET ${CONVERSATION}/messages lists them`
const RESEND = `a message is not sent again; ${WRITE} sends a new one`
const FILES = `files are sent with their message, as attachments[] of a form: ${WRITE}`
const CONTACTS = `GET ${CONTACT} returns the contact with its contact_inboxes, GET ${OF}/inboxes lists the inboxes`
const ACTIVE = `who is online is not tracked; GET ${OF}/contacts?sort=-last_activity_at lists the latest contacts first`
const MERGE = `PATCH ${CONTACT} and DELETE ${CONTACT} change and remove a contact`
const INVITE = `POST ${OF}/agents invites one agent`
const COUNTS = `counts are in data.meta of GET ${OF}/conversations, which takes the same filters`
const REPORTS = `no reports exist; counts are in data.meta of GET ${OF}/conversations`
const NOTIFICATIONS =
  'notifications are not stored; the WebSocket /chat/cable and subscriptions (POST /_sim/workspaces/{id}/subscriptions) send changes'

const absent = (instead: string, ...paths: readonly string[]): AbsentCall[] =>
  paths.map((path) => ({ path, instead }))

/** Returns the paths of a list and of one record in it. */
const listAndRecord = (path: string): [string, string] => [path, `${path}/{record_id}`]

export const absentCalls: readonly AbsentCall[] = [
  ...absent(LABELS, `${CONVERSATION}/labels`, ...listAndRecord(`${OF}/labels`)),
  ...absent(CONTACT_LABELS, `${CONTACT}/labels`),
  ...absent(`GET ${OF}/agents lists the users of the account`, '/profile', '/profile/availability'),
  ...absent(`GET /_sim/workspaces shows the account of a workspace`, OF, '/accounts'),
  ...absent(MEMBERS, ...listAndRecord(`${OF}/inbox_members`), `${OF}/assignable_agents`),
  ...absent(MEMBERS, `${OF}/inboxes/{id}/assignable_agents`),
  ...absent(TEAMS, `${OF}/teams/{id}/team_members`),
  ...absent(ATTRIBUTES, ...listAndRecord(`${OF}/custom_attribute_definitions`)),
  ...absent(CREATED_WITH, `${CONVERSATION}/custom_attributes`),
  ...absent(REMOVED, `${CONTACT}/destroy_custom_attributes`),
  ...absent(SUBSCRIBE, ...listAndRecord(`${OF}/webhooks`), ...listAndRecord(`${OF}/integrations/hooks`)),
  ...absent(SUBSCRIBE, `${OF}/integrations/apps`),
  ...absent(AUTOMATE, ...listAndRecord(`${OF}/automation_rules`), ...listAndRecord(`${OF}/macros`)),
  ...absent(AUTOMATE, ...listAndRecord(`${OF}/agent_bots`)),
  ...absent(FILTERS, ...listAndRecord(`${OF}/custom_filters`)),
  ...absent(UNREAD, `${CONVERSATION}/update_last_seen`, `${CONVERSATION}/unread`),
  ...absent(RESOLVE, `${CONVERSATION}/mute`, `${CONVERSATION}/unmute`),
  ...absent(ONE_BY_ONE, `${OF}/bulk_actions`),
  ...absent(TYPING, `${CONVERSATION}/toggle_typing_status`),
  ...absent(ASSIGN, `${CONVERSATION}/participants`),
  ...absent(`GET ${CONVERSATION}/messages has the attachments`, `${CONVERSATION}/attachments`),
  ...absent(`GET ${CONVERSATION}/messages has the whole conversation`, `${CONVERSATION}/transcript`),
  ...absent(MESSAGES, `${CONVERSATION}/messages/{message_id}`),
  ...absent(RESEND, `${CONVERSATION}/messages/{message_id}/retry`),
  ...absent(FILES, `${CONVERSATION}/direct_uploads`, `${OF}/upload`),
  ...absent(SEARCH, `${OF}/search`, `${OF}/search/{kind}`),
  ...absent(BOT, `${OF}/inboxes/{id}/agent_bot`, `${OF}/inboxes/{id}/set_agent_bot`),
  ...absent(INBOX, `${OF}/inboxes/{id}/campaigns`, `${OF}/inboxes/{id}/avatar`),
  ...absent(HOURS, `${OF}/working_hours/{id}`),
  ...absent(CAMPAIGNS, ...listAndRecord(`${OF}/campaigns`)),
  ...absent(`POST ${OF}/conversations/filter finds them by contact_id`, `${CONTACT}/conversations`),
  ...absent(CONTACTS, `${CONTACT}/contact_inboxes`, `${CONTACT}/contactable_inboxes`),
  ...absent(NOTE, ...listAndRecord(`${CONTACT}/notes`)),
  ...absent(CANNED, ...listAndRecord(`${OF}/canned_responses`)),
  ...absent(ACTIVE, `${OF}/contacts/active`),
  ...absent(MERGE, `${OF}/actions/contact_merge`),
  ...absent(INVITE, `${OF}/agents/bulk_create`),
  ...absent(COUNTS, `${OF}/conversations/meta`),
  ...absent(REPORTS, `${OF}/reports`, `${OF}/reports/{kind}`),
  ...absent(NOTIFICATIONS, `${OF}/notifications`, `${OF}/notifications/{kind}`),
]
