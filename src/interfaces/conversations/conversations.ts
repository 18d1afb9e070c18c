/** Conversations. Specification part 3, "Conversation", "Conversation status"; routes in the order of operations.tsv. */
import { Type, type Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { usedText } from '../../http/lifecycle/namedRecords.ts'
import { allowMissingBody } from '../../http/definition/operation.ts'
import { partOfList } from '../../http/definition/paging.ts'
import { agentWithNumber, agentOfUser } from '../../state/conversations/agents.ts'
import { contacts } from '../../state/conversations/contacts.ts'
import {
  conversations as conversationRecords,
  createConversation,
  setStatus,
  updateConversation,
} from '../../state/conversations/conversations.ts'
import { connectedInbox, inboxes } from '../../state/conversations/inboxes.ts'
import { addMessage } from '../../state/conversations/messages.ts'
import { PRIORITIES } from '../../state/conversations/tables.ts'
import { teams } from '../../state/conversations/teams.ts'
import { fold } from '@suite-sim/kit/text/collation'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import type { User } from '../../state/workspace/users.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { CONVERSATIONS, WITH_CONVERSATIONS } from './operations.ts'
import { typeWith } from './messages.ts'
import { AccountParams, IdParams, nameOf, secondsOrNull } from './shapes/common.ts'
import {
  AssignmentBody,
  ConversationCreate,
  ConversationPage,
  ConversationQuery,
  ConversationUpdate,
  OneConversation,
  PriorityBody,
  StatusBody,
  STATUSES,
  ToggledStatus,
  VipBody,
} from './shapes/conversations.ts'
import { Assigned } from './shapes/assigned.ts'
import { Team } from './shapes/people.ts'
import { agentView, conversationView, conversationViews } from './views.ts'

/** Conversations on a page (assumed). */
export const PER_PAGE = 25

const mustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  conversationRecords.getHead(workspace, id),
)

export const PAGES = partOfList('A page has 25 conversations. No parameter changes this.')

type Query = Static<typeof ConversationQuery>

const SORTS = {
  latest: { sort: 'latest', order: 'desc' },
  last_activity_at_desc: { sort: 'latest', order: 'desc' },
  last_activity_at_asc: { sort: 'longest', order: 'asc' },
  created_at_desc: { sort: 'newest', order: 'desc' },
  created_at_asc: { sort: 'oldest', order: 'asc' },
  priority_desc: { sort: 'priority', order: 'desc' },
  priority_asc: { sort: 'priorityUp', order: 'desc' },
  waiting_since_desc: { sort: 'waiting', order: 'desc' },
  waiting_since_asc: { sort: 'waitingUp', order: 'asc' },
} as const

const text = (id: number | undefined): string | undefined => (id === undefined ? undefined : String(id))

/** Returns the labels of the query as JSON; undefined for none. */
function labelsOf({ label, labels = [], 'labels[]': several = [] }: Query): string | undefined {
  const names = [label ?? [], labels, several].flat()
  return names.length === 0 ? undefined : JSON.stringify(names.map(fold))
}

/** Returns a page with the counts for each assignee type, regardless of the assignee filter. */
function listed(workspace: Workspace, user: User, query: Query): string {
  const { status = 'open', assignee_type: whose = 'all', page = 1, sort_by: by = 'latest' } = query
  const { id: me } = agentOfUser(workspace, user.id)
  const common = {
    status: status === 'all' ? undefined : status,
    inbox: text(query.inbox_id),
    team: text(query.team_id),
    labels: labelsOf(query),
  }
  const of = {
    mine: { assignee: me },
    me: { assignee: me },
    assigned: { isAssigned: 1 },
    unassigned: { isAssigned: 0 },
    all: {},
  }
  const read = (filters: object, limit: number, offset: number) =>
    conversationRecords.list(workspace, { ...SORTS[by], limit, offset, filters: { ...common, ...filters } })
  const count = (filters: object): number => read(filters, 0, 0).total
  const { heads } = read(of[whose], PER_PAGE, (page - 1) * PER_PAGE)
  const rows = conversationRecords.ofPage(workspace, heads)
  return JSON.stringify({
    data: {
      meta: {
        mine_count: count(of.mine),
        assigned_count: count(of.assigned),
        unassigned_count: count(of.unassigned),
        all_count: count(of.all),
      },
      payload: conversationViews(rows, workspace),
    },
  } satisfies Static<typeof ConversationPage>)
}

const priorityOf = (sent: string | number | null) => (sent === null ? null : nameOf(PRIORITIES, sent))

/** Returns the instant at which the clock reopens a conversation; null without one. */
function futureOf(workspace: Workspace, sent: number | null = null): number | null {
  if (sent === null) return null
  if (sent * 1000 <= workspace.now()) {
    refuseField('snoozed_until', 'in_the_past', 'Snoozed until must be in the future')
  }
  return sent * 1000
}

const labels = usedText(
  'label',
  (workspace, label) =>
    conversationRecords.list(workspace, {
      ...SORTS.latest,
      limit: 1,
      offset: 0,
      filters: { labels: labelsOf({ label }) },
    }).total,
)

const COUNTS = 'The counts ignore the assignee filter.'

export const conversations: Resource = async (app) => {
  const at = routesOf(app, WITH_CONVERSATIONS)
  const atPlain = routesOf(app, CONVERSATIONS)
  const list = at(`${ACCOUNT}/conversations`, { params: AccountParams, before: inAccount() })
  const item = at(`${ACCOUNT}/conversations/:id`, { params: IdParams(), before: mustExist })

  list.get({
    id: 'listConversations',
    summary: 'List conversations',
    description: 'VIP conversations come first in every sort order.',
    fidelity: documentedBut(
      `Assumed: returns open conversations unless a status is given, 25 per page, by latest activity. Conversations without a priority, or whose contact does not wait, come last in the order by it. Labels are compared without case and accents. ${COUNTS}`,
    ),
    names: { inbox_id: inboxes, team_id: teams, label: labels, labels, 'labels[]': labels },
    query: ConversationQuery,
    answers: { 200: ConversationPage },
    paging: PAGES,
    run: ({ query, workspace, caller }) => listed(workspace, caller.user, query),
  })

  list.post({
    id: 'createConversation',
    summary: 'Create a conversation',
    fidelity: documentedBut(
      'Assumed: inbox_id and contact_id are required and must exist. The status defaults to open. message is the first outgoing message; with template_params it is a template.',
    ),
    body: ConversationCreate,
    answers: { 200: OneConversation },
    run({ body, workspace, caller }) {
      const inbox = connectedInbox(workspace, String(body.inbox_id))
      const contact = contacts.get(workspace, String(body.contact_id))
      const { status, message, assignee_id: agentId = null, team_id: teamId = null } = body
      const snoozedUntil = futureOf(workspace, body.snoozed_until)
      const assignee = agentId === null ? null : agentWithNumber(workspace, agentId)
      if (assignee === undefined) refuseField('assignee_id', 'unknown', 'Assignee must be an agent')
      if (teamId !== null && !teams.find(workspace, String(teamId))) {
        refuseField('team_id', 'unknown', 'Team must exist')
      }
      const conversation = workspace.write(() => {
        const fields = {
          inboxId: inbox.id,
          contact,
          ...(status !== undefined && { status: nameOf(STATUSES, status) }),
          assigneeId: assignee?.id ?? null,
          teamId: teamId === null ? null : String(teamId),
          snoozedUntil,
          ...(body.custom_attributes && { customAttributes: body.custom_attributes }),
          ...(body.additional_attributes && { additionalAttributes: body.additional_attributes }),
        }
        if (!message) return createConversation(workspace, fields)
        const { conversationId } = addMessage(workspace, fields, {
          content: message.content,
          ...typeWith(message.template_params),
          sender: { user: caller.user },
        })
        return conversationRecords.get(workspace, conversationId)
      })
      return conversationView(conversation, workspace)
    },
  })

  item.get({
    id: 'getConversation',
    summary: 'Get a conversation',
    fidelity: documented,
    answers: { 200: OneConversation },
    run: ({ params, workspace }) =>
      JSON.stringify(conversationView(conversationRecords.get(workspace, params.id), workspace)),
  })

  item.patch({
    id: 'updateConversation',
    summary: 'Update a conversation',
    fidelity: documentedBut(
      'Assumed: labels replaces all labels. Labels that differ only by case are one label, in the spelling that the conversation already has, or else in the first one. An activity message records each change, including assignments, statuses, priorities and VIP changes. It does not change last_activity_at, unread_count or waiting_since.',
    ),
    body: ConversationUpdate,
    answers: { 200: OneConversation },
    run({ params, body, workspace, caller }) {
      const { priority, vip, labels } = body
      const changes = {
        ...(priority !== undefined && { priority: priorityOf(priority) }),
        ...(vip !== undefined && { vip }),
        ...(labels !== undefined && { labels }),
      }
      const before = conversationRecords.get(workspace, params.id)
      const conversation = updateConversation(workspace, before, changes, caller.user)
      return conversationView(conversation, workspace)
    },
  })

  atPlain(`${ACCOUNT}/conversations/:id/toggle_status`, { params: IdParams() }).post({
    id: 'toggleStatus',
    summary: 'Set the status of a conversation',
    fidelity: documentedBut(
      'Assumed: an activity message records the change. Without a status, an open conversation is resolved and any other is opened. At snoozed_until, the clock reopens the conversation.',
    ),
    body: Type.Optional(StatusBody),
    before: [mustExist, allowMissingBody],
    answers: { 200: ToggledStatus },
    run({ params, body, workspace, caller }) {
      const before = conversationRecords.get(workspace, params.id)
      const { status: sent } = body
      const snoozedUntil = futureOf(workspace, body.snoozed_until)
      const status =
        sent === undefined ? (before.status === 'open' ? 'resolved' : 'open') : nameOf(STATUSES, sent)
      const changed = setStatus(workspace, before, status, caller.user, snoozedUntil)
      return {
        meta: {},
        payload: {
          success: true,
          conversation_id: Number(changed.id),
          current_status: changed.status,
          snoozed_until: secondsOrNull(changed.snoozedUntil),
        },
      }
    },
  })

  atPlain(`${ACCOUNT}/conversations/:id/toggle_priority`, { params: IdParams() }).post({
    id: 'togglePriority',
    summary: 'Set the priority of a conversation',
    fidelity: documentedBut('The specification does not show the response; the simulator returns no body.'),
    body: PriorityBody,
    before: mustExist,
    answers: { 200: null },
    run({ params, body, workspace, caller }) {
      const priority = priorityOf(body.priority)
      updateConversation(workspace, conversationRecords.get(workspace, params.id), { priority }, caller.user)
    },
  })

  at(`${ACCOUNT}/conversations/:id/toggle_vip`, { params: IdParams() }).post({
    id: 'toggleVip',
    summary: 'Pin a conversation to the top, or unpin it',
    fidelity: documented,
    body: VipBody,
    before: mustExist,
    answers: { 200: OneConversation },
    run({ params, body, workspace, caller }) {
      const before = conversationRecords.get(workspace, params.id)
      const changed = updateConversation(workspace, before, { vip: body.vip }, caller.user)
      return conversationView(changed, workspace)
    },
  })

  atPlain(`${ACCOUNT}/conversations/:id/assignments`, { params: IdParams() }).post({
    id: 'assignConversation',
    summary: 'Assign a conversation to an agent or a team',
    fidelity: documentedBut(
      'Assumed: if both are sent, assignee_id is applied and team_id is ignored. null and 0 remove the assignment. Returns 404 for an unknown agent or team.',
    ),
    body: AssignmentBody,
    before: mustExist,
    answers: { 200: Assigned },
    run({ params, body, workspace, caller }) {
      const before = conversationRecords.get(workspace, params.id)
      const { assignee_id: agentId, team_id: teamId } = body
      if (agentId !== undefined) {
        const agent = agentId ? agentWithNumber(workspace, agentId) : null
        if (agent === undefined) refuse('not_found', `There is no agent ${String(agentId)}.`)
        updateConversation(workspace, before, { assigneeId: agent?.id ?? null }, caller.user)
        return agent ? agentView(agent, workspace) : null
      }
      if (teamId === undefined) refuseField('assignee_id', 'required', 'assignee_id or team_id is required')
      const team = teamId ? teams.get(workspace, String(teamId)) : null
      updateConversation(workspace, before, { teamId: team?.id ?? null }, caller.user)
      return team ? Team.view(team, workspace) : null
    },
  })
}
