/** Contacts, inboxes, conversations with messages, agents and teams. */
import { NAME, type Scenarios } from '../scenario.ts'

const CONTACT = { id: '{contact}' }
const INBOX = { id: '{inbox}' }
const CONVERSATION = { id: '{conversation}' }
const AGENT = { id: '{agent}' }
const TEAM = { id: '{team}' }

const MAKE_CONTACT = {
  operation: 'createContact',
  body: {
    name: NAME,
    email: 'suite-sim-{run}@example.com',
    identifier: 'suite-sim-{run}',
    custom_attributes: { plan: 'none' },
  },
  save: { contact: 'payload.contact.id' },
  creates: {
    id: 'contact',
    undo: { operation: 'deleteContact', path: CONTACT },
    find: { operation: 'searchContacts', query: { q: '{run}' } },
  },
} as const

const MAKE_INBOX = {
  operation: 'createInbox',
  // Such an inbox has no visitors, and no agent is assigned.
  body: { name: NAME, channel: { type: 'api' }, enable_auto_assignment: false },
  save: { inbox: 'id' },
  creates: {
    id: 'inbox',
    undo: { operation: 'deleteInbox', path: INBOX },
    find: { operation: 'listInboxes' },
  },
} as const

export const conversationsScenarios: Scenarios = {
  interface: 'conversations',
  scenarios: [
    {
      resource: 'contacts',
      steps: [
        MAKE_CONTACT,
        { operation: 'getContact', path: CONTACT },
        { operation: 'searchContacts', query: { q: '{run}' }, rows: '{contact}' },
        {
          operation: 'filterContacts',
          body: {
            payload: [
              {
                attribute_key: 'email',
                filter_operator: 'equal_to',
                values: ['suite-sim-{run}@example.com'],
              },
            ],
          },
          rows: '{contact}',
          rowsAt: ['payload'],
        },
        { operation: 'updateContact', path: CONTACT, body: { name: `${NAME} changed` } },
        { operation: 'updateContact', path: CONTACT, body: { email: 'no address' }, refused: 422 },
        {
          operation: 'createContact',
          body: { name: NAME, email: 'suite-sim-{run}@example.com' },
          refused: 422,
        },
        { operation: 'deleteContact', path: CONTACT },
        { operation: 'getContact', path: CONTACT, refused: 404 },
      ],
    },
    {
      resource: 'inboxes',
      steps: [
        MAKE_INBOX,
        { operation: 'getInbox', path: INBOX },
        { operation: 'listInboxes', rows: '{inbox}' },
        {
          operation: 'updateInbox',
          path: INBOX,
          body: { greeting_enabled: true, greeting_message: 'Hello' },
        },
        { operation: 'updateInbox', path: INBOX, body: { name: '' }, refused: 422 },
        { operation: 'createInbox', body: { name: NAME, channel: { type: 'pigeon' } }, refused: 422 },
        { operation: 'deleteInbox', path: INBOX },
        { operation: 'getInbox', path: INBOX, refused: 404 },
      ],
    },
    {
      resource: 'conversations',
      needsAllow: 'No call deletes a conversation.',
      steps: [
        MAKE_CONTACT,
        MAKE_INBOX,
        {
          operation: 'createConversation',
          body: {
            inbox_id: '{inbox}',
            contact_id: '{contact}',
            status: 'open',
            custom_attributes: { run: '{run}' },
          },
          save: { conversation: 'id' },
          creates: { id: 'conversation', undo: null, find: null },
        },
        // It shows who writes, whose name later messages contain.
        {
          operation: 'createMessage',
          path: { conversation_id: '{conversation}' },
          body: { content: 'A note of suite-sim verify', private: true },
        },
        { operation: 'getConversation', path: CONVERSATION },
        { operation: 'listConversations', query: { inbox_id: '{inbox}' }, rows: '{conversation}' },
        {
          operation: 'filterConversations',
          body: {
            payload: [{ attribute_key: 'inbox_id', filter_operator: 'equal_to', values: ['{inbox}'] }],
          },
          rows: '{conversation}',
          rowsAt: ['data', 'payload'],
        },
        {
          operation: 'createConversation',
          body: { inbox_id: 999_999_999, contact_id: '{contact}', custom_attributes: { run: '{run}' } },
          refused: 404,
        },
        { operation: 'updateConversation', path: CONVERSATION, body: { labels: ['suite-sim'] } },
        { operation: 'togglePriority', path: CONVERSATION, body: { priority: 'high' } },
        { operation: 'togglePriority', path: CONVERSATION, body: { priority: 'whenever' }, refused: 422 },
        { operation: 'toggleVip', path: CONVERSATION, body: { vip: true } },
        { operation: 'assignConversation', path: CONVERSATION, body: { assignee_id: 0 } },
        {
          operation: 'createMessage',
          path: { conversation_id: '{conversation}' },
          confirms: 'send',
          body: { content: 'A message of suite-sim verify', message_type: 'outgoing' },
        },
        { operation: 'listMessages', path: { conversation_id: '{conversation}' } },
        {
          operation: 'toggleStatus',
          path: CONVERSATION,
          body: { status: 'pending' },
          moves: 'conversations.conversation pend',
        },
        {
          operation: 'toggleStatus',
          path: CONVERSATION,
          body: { status: 'snoozed', snoozed_until: 1_924_992_000 },
          moves: 'conversations.conversation snooze',
        },
        {
          operation: 'toggleStatus',
          path: CONVERSATION,
          body: { status: 'open' },
          moves: 'conversations.conversation open',
        },
        { operation: 'toggleStatus', path: CONVERSATION, body: { status: 'lost' }, refused: 422 },
        {
          operation: 'toggleStatus',
          path: CONVERSATION,
          body: { status: 'resolved' },
          moves: 'conversations.conversation resolve',
        },
      ],
    },
    {
      resource: 'agents',
      sideEffect: 'The service sends an invitation to the agent.',
      steps: [
        {
          operation: 'inviteAgent',
          confirms: 'send',
          body: { name: NAME, email: 'suite-sim-agent-{run}@example.com', role: 'agent' },
          save: { agent: 'id' },
          creates: {
            id: 'agent',
            undo: { operation: 'deleteAgent', path: AGENT },
            find: { operation: 'listAgents' },
          },
        },
        { operation: 'listAgents', rows: '{agent}' },
        { operation: 'updateAgent', path: AGENT, body: { availability: 'busy' } },
        { operation: 'updateAgent', path: AGENT, body: { role: 'owner' }, refused: 422 },
        { operation: 'deleteAgent', path: AGENT },
        { operation: 'deleteAgent', path: AGENT, refused: 404 },
      ],
    },
    {
      resource: 'teams',
      steps: [
        {
          operation: 'createTeam',
          body: { name: 'suite-sim-{run}', description: 'A team of suite-sim verify' },
          save: { team: 'id' },
          creates: {
            id: 'team',
            undo: { operation: 'deleteTeam', path: TEAM },
            find: { operation: 'listTeams' },
          },
        },
        { operation: 'getTeam', path: TEAM },
        { operation: 'listTeams', rows: '{team}' },
        { operation: 'updateTeam', path: TEAM, body: { description: null } },
        { operation: 'updateTeam', path: TEAM, body: { name: '' }, refused: 422 },
        { operation: 'deleteTeam', path: TEAM },
        { operation: 'getTeam', path: TEAM, refused: 404 },
      ],
    },
  ],
  uncovered: {
    importContacts: 'an import creates contacts whose ids no answer shows',
    exportContacts: 'it sends a file with personal data to the person of the key',
  },
}
