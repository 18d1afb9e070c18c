/**
 * What an inbox does by itself when a contact writes: it greets, says that nobody is there, and assigns the conversation.
 * Specification part 3, "Inbox", shows the fields; when they act is assumed, as customary.
 */
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import { startOfDay, wallAt } from '../wallTime.ts'
import type { Workspace } from '../workspace.ts'
import { agentsOnDuty } from './agents.ts'
import { updateConversation, type Conversation } from './conversations.ts'
import { counters } from './counters.ts'
import type { Inbox } from './inboxes.ts'
import { announceMessage, insertMessage, messages } from './messageRecords.ts'
import { messages as table } from './tables.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Business hours: 09:00 to 17:00 from Monday to Friday, on the clocks of the workspace. */
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

const automatic = query((orm) =>
  orm
    .select({ id: table.id })
    .from(table)
    .where(and(ofConversationSince, eq(table.messageType, 'template'), isNull(table.senderId)))
    .limit(1),
)

const ofAgents = query((orm) =>
  orm
    .select({ id: table.id })
    .from(table)
    .where(and(ofConversationSince, eq(table.messageType, 'outgoing'), eq(table.private, false)))
    .limit(1),
)

/** An agent who has just written is there, whatever the hours say. */
const STILL_THERE = 5 * MINUTE

function isAway(workspace: Workspace, { id: conversationId }: Conversation): boolean {
  const now = workspace.now()
  if (isOpen(workspace, now)) return false
  messages.index(workspace, ['conversation'])
  const midnight = Math.floor(wallAt(now, workspace.timezone) / DAY) * DAY
  const today = startOfDay(midnight, workspace.timezone) - 1
  return (
    !ofAgents.first(workspace, { conversationId, since: now - STILL_THERE }) &&
    !automatic.first(workspace, { conversationId, since: today })
  )
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === ''

/** The text that the inbox answers a message with; null for none. `before` is the conversation before that message. */
function replyOf(workspace: Workspace, before: Conversation, inbox: Inbox): string | null {
  const { outOfOfficeMessage, greetingMessage } = inbox
  if (inbox.workingHoursEnabled && !isBlank(outOfOfficeMessage) && isAway(workspace, before)) {
    return outOfOfficeMessage
  }
  const isFirst = before.contactWroteAt === null && before.firstReplyAt === null
  return inbox.greetingEnabled && !isBlank(greetingMessage) && isFirst ? greetingMessage : null
}

/** Answers an incoming message by itself, which is no reply of an agent. Only inside a `write`. */
export function replyAutomatically(workspace: Workspace, before: Conversation, inbox: Inbox): void {
  const content = replyOf(workspace, before, inbox)
  if (content === null) return
  announceMessage(workspace, insertMessage(workspace, before, { content, messageType: 'template' }))
}

/** Whose turn it is: the next agent online after the one who was assigned last. */
function nextAssignee(workspace: Workspace): string | null {
  const online = agentsOnDuty(workspace)
  const counter = counters.find(workspace, 'assignee')
  const last = counter?.last ?? 0
  const next = online.find(({ number }) => number > last) ?? online[0]
  if (!next) return null
  if (counter) counters.update(workspace, counter, { last: next.number })
  else counters.insert(workspace, { id: 'assignee', last: next.number })
  return next.id
}

/** Assigns a conversation that its contact has begun or reopened to an agent. Only inside a `write`. */
export function assignAutomatically(workspace: Workspace, conversation: Conversation, inbox: Inbox): void {
  if (!inbox.enableAutoAssignment || conversation.assigneeId !== null || conversation.status !== 'open')
    return
  const assigneeId = nextAssignee(workspace)
  if (assigneeId !== null) updateConversation(workspace, conversation, { assigneeId }, 'auto-assignment')
}
