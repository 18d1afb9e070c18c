/**
 * Automatic actions of an inbox when a contact writes: greeting, out-of-office message and assignment. Specification part 3,
 * "Inbox", shows the fields; their effects are assumed, after Chatwoot.
 */
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { startOfDay, wallAt } from '@suite-sim/kit/time/wallTime'
import type { Workspace } from '../workspace/workspace.ts'
import { onlineAgents } from './agents.ts'
import { updateConversation, type Conversation } from './conversations.ts'
import { counters } from './counters.ts'
import type { Inbox } from './inboxes.ts'
import { announceMessage, insertMessage, messages } from './messageRecords.ts'
import { messages as table } from './tables.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Business hours: 09:00 to 17:00 from Monday to Friday, in the time zone of the workspace. */
const OPENS = 9 * HOUR
const CLOSES = 17 * HOUR

function isOpen({ timezone }: Workspace, now: number): boolean {
  const wall = wallAt(now, timezone)
  const weekday = new Date(wall).getUTCDay()
  const time = wall - Math.floor(wall / DAY) * DAY
  return weekday >= 1 && weekday <= 5 && time >= OPENS && time < CLOSES
}

const ofConversationSince = and(
  ofWorkspace(table),
  eq(table.conversationId, sql.placeholder('conversationId')),
  gt(table.createdAt, sql.placeholder('since')),
)

const automaticMessages = query((orm) =>
  orm
    .select({ id: table.id })
    .from(table)
    .where(and(ofConversationSince, eq(table.messageType, 'template'), isNull(table.senderId)))
    .limit(1),
)

const agentMessages = query((orm) =>
  orm
    .select({ id: table.id })
    .from(table)
    .where(and(ofConversationSince, eq(table.messageType, 'outgoing'), eq(table.private, false)))
    .limit(1),
)

/** After a message of an agent, no out-of-office message is sent for this time. */
const AGENT_PRESENCE = 5 * MINUTE

function isAway(workspace: Workspace, conversation: Conversation | undefined): boolean {
  const now = workspace.now()
  if (isOpen(workspace, now)) return false
  if (!conversation) return true
  const { id: conversationId } = conversation
  messages.index(workspace, ['timeInConversation'])
  const midnight = Math.floor(wallAt(now, workspace.timezone) / DAY) * DAY
  const today = startOfDay(midnight, workspace.timezone) - 1
  return (
    !agentMessages.first(workspace, { conversationId, since: now - AGENT_PRESENCE }) &&
    !automaticMessages.first(workspace, { conversationId, since: today })
  )
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === ''

/**
 * Returns the automatic reply to a message that is sent now; null for none. `before` is the conversation before that message;
 * undefined for a new conversation.
 */
export function automaticReply(
  workspace: Workspace,
  before: Conversation | undefined,
  inbox: Inbox,
): string | null {
  const { outOfOfficeMessage, greetingMessage } = inbox
  if (inbox.workingHoursEnabled && !isBlank(outOfOfficeMessage) && isAway(workspace, before)) {
    return outOfOfficeMessage
  }
  const isFirst = !before || (before.contactWroteAt === null && before.firstReplyAt === null)
  return inbox.greetingEnabled && !isBlank(greetingMessage) && isFirst ? greetingMessage : null
}

/** Sends the automatic reply to an incoming message. It does not count as a reply of an agent. Only inside a `write`. */
export function replyAutomatically(workspace: Workspace, before: Conversation, inbox: Inbox): void {
  const content = automaticReply(workspace, before, inbox)
  if (content === null) return
  announceMessage(workspace, insertMessage(workspace, before, { content, messageType: 'template' }))
}

/** Returns the next online agent after the one that was assigned last. */
function nextAssignee(workspace: Workspace): string | null {
  const online = onlineAgents(workspace)
  const counter = counters.find(workspace, 'assignee')
  const last = counter?.last ?? 0
  const next = online.find(({ number }) => number > last) ?? online[0]
  if (!next) return null
  if (counter) counters.update(workspace, counter, { last: next.number })
  else counters.insert(workspace, { id: 'assignee', last: next.number })
  return next.id
}

/** Assigns a conversation that its contact started or reopened. Only inside a `write`. */
export function assignAutomatically(workspace: Workspace, conversation: Conversation, inbox: Inbox): void {
  if (!inbox.enableAutoAssignment || conversation.assigneeId !== null || conversation.status !== 'open')
    return
  const assigneeId = nextAssignee(workspace)
  if (assigneeId !== null) updateConversation(workspace, conversation, { assigneeId }, 'auto-assignment')
}
