/** The filter and the search of conversations. Specification part 3, "Conversations"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { agentOfUser } from '../../state/conversations/agents.ts'
import {
  conversations as conversationRecords,
  type Conversation as ConversationRow,
} from '../../state/conversations/conversations.ts'
import { findConversationsWithText } from '../../state/conversations/messages.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import type { User } from '../../state/workspace/users.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { WITH_CONVERSATIONS } from './operations.ts'
import { PAGES, PER_PAGE } from './conversations.ts'
import { conversationKeys } from './filterKeys.ts'
import { selectByConditions } from './selectRecords.ts'
import { AccountParams } from './shapes/common.ts'
import { ConversationFilter, FilterQuery, FoundConversations, SearchQuery } from './shapes/conversations.ts'
import { conversationViews } from './views.ts'

/** The fields for sorting and counting. A search may find all conversations of an account, so it keeps no more of them. */
type Found = Pick<ConversationRow, 'id' | 'activityKey' | 'assigneeId'>

/** Returns a page of the found conversations, VIPs first, then by latest activity, with the counts for each assignee type. */
function pageOfFound(workspace: Workspace, user: User, all: readonly Found[], page: number) {
  const start = (page - 1) * PER_PAGE
  const inOrder = all.toSorted(
    (one, other) => other.activityKey - one.activityKey || Number(other.id) - Number(one.id),
  )
  const { id: me } = agentOfUser(workspace, user.id)
  const assigned = all.filter(({ assigneeId }) => assigneeId !== null)
  return {
    data: {
      meta: {
        mine_count: assigned.filter(({ assigneeId }) => assigneeId === me).length,
        assigned_count: assigned.length,
        unassigned_count: all.length - assigned.length,
        all_count: all.length,
      },
      // A conversation may have been deleted during the search.
      payload: conversationViews(
        conversationRecords.findAll(
          workspace,
          inOrder.slice(start, start + PER_PAGE).map(({ id }) => id),
        ),
        workspace,
      ),
    },
  }
}

/** The most conversations that a text search finds. */
const MAX_FOUND = 1000

export const conversationSearches: Resource = async (app) => {
  const at = routesOf(app, WITH_CONVERSATIONS)

  at(`${ACCOUNT}/conversations/filter`, { params: AccountParams }).post({
    id: 'filterConversations',
    summary: 'Filter conversations by conditions',
    addsData: false,
    fidelity: documentedBut(
      'Assumed: the keys are status, priority, assignee_id, inbox_id, team_id, contact_id, display_id, labels, vip, created_at, last_activity_at, the customary additional_attributes, and custom attributes. A custom attribute that no conversation has is treated as missing. Custom attributes have no type: is_greater_than and is_less_than compare numbers if the value is a number, else dates. Labels are compared without case and accents, as in the list. query_operator joins conditions, AND before OR. A date is a day in the time zone of the workspace: is_greater_than means after that day, and is_less_than before it; days_before counts days before today.',
    ),
    query: FilterQuery,
    body: ConversationFilter,
    before: inAccount(),
    answers: { 200: FoundConversations },
    paging: PAGES,
    async run({ body, query, workspace, caller }) {
      const all = await selectByConditions<ConversationRow, Found>(
        () => conversationRecords.walk(workspace),
        body.payload,
        conversationKeys(workspace),
        workspace,
        ({ id, activityKey, assigneeId }) => ({ id, activityKey, assigneeId }),
      )
      return pageOfFound(workspace, caller.user, all, query.page ?? 1)
    },
  })

  at(`${ACCOUNT}/conversations/search`, { params: AccountParams }).get({
    id: 'searchConversations',
    summary: 'Search conversations by the text of their messages',
    fidelity: documentedBut(
      `Assumed: q is required. The search covers incoming and outgoing messages of conversations in every status, and ignores case and accents. It finds at most ${String(MAX_FOUND)} conversations.`,
    ),
    query: SearchQuery,
    before: inAccount(),
    answers: { 200: FoundConversations },
    paging: PAGES,
    async run({ query, workspace, caller }) {
      const { q, page = 1 } = query
      const ids = await findConversationsWithText(workspace, q.trim(), MAX_FOUND)
      // A conversation may have been deleted during the search.
      const all = conversationRecords.findAll(workspace, ids)
      return pageOfFound(workspace, caller.user, all, page)
    },
  })
}
