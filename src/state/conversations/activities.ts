/**
 * Activity messages, which record changes of a conversation. Specification part 3, "Message": activity 2. Their occasions
 * and texts are assumed, after Chatwoot.
 */
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { agentOfUser, agentWithId } from './agents.ts'
import type { ConversationStatus } from './machines.ts'
import { announceMessage, insertMessage } from './messageRecords.ts'
import type { conversations } from './tables.ts'
import { teams } from './teams.ts'

type Conversation = typeof conversations.$inferSelect

/** The user or automation that changes a conversation. */
export type Actor = User | 'auto-assignment'

const nameOf = (by: Actor): string => (by === 'auto-assignment' ? by : by.name)

/** Writes one activity message for each sentence. Only inside a `write`. */
export function recordActivities(
  workspace: Workspace,
  conversation: Conversation,
  sentences: readonly string[],
): void {
  for (const content of sentences) {
    announceMessage(workspace, insertMessage(workspace, conversation, { content, messageType: 'activity' }))
  }
}

/** Returns one sentence for each changed field of a conversation. */
export function describeUpdate(
  workspace: Workspace,
  before: Conversation,
  after: Conversation,
  by: Actor,
): string[] {
  const name = nameOf(by)
  const sentences: string[] = []
  if (after.assigneeId !== before.assigneeId) sentences.push(assignment(workspace, after.assigneeId, by))
  if (after.teamId !== before.teamId) {
    const team = teams.find(workspace, after.teamId ?? before.teamId ?? '')?.name ?? 'its team'
    sentences.push(
      after.teamId === null ? `Unassigned from ${team} by ${name}` : `Assigned to ${team} by ${name}`,
    )
  }
  if (after.priority !== before.priority) sentences.push(priority(before.priority, after.priority, name))
  if (after.vip !== before.vip) {
    sentences.push(
      after.vip
        ? `${name} marked the conversation as VIP`
        : `${name} removed the VIP mark of the conversation`,
    )
  }
  const added = after.labels.filter((label) => !before.labels.includes(label))
  const removed = before.labels.filter((label) => !after.labels.includes(label))
  if (added.length > 0) sentences.push(`${name} added ${added.join(', ')}`)
  if (removed.length > 0) sentences.push(`${name} removed ${removed.join(', ')}`)
  return sentences
}

function assignment(workspace: Workspace, assigneeId: string | null, by: Actor): string {
  if (assigneeId === null) return `Conversation unassigned by ${nameOf(by)}`
  const isSelf = by !== 'auto-assignment' && agentOfUser(workspace, by.id).id === assigneeId
  return isSelf
    ? `${nameOf(by)} self-assigned this conversation`
    : `Assigned to ${agentWithId(workspace, assigneeId)?.name ?? 'an agent'} by ${nameOf(by)}`
}

function priority(before: string | null, after: string | null, name: string): string {
  if (after === null) return `${name} removed the priority`
  return before === null
    ? `${name} set the priority to ${after}`
    : `${name} changed the priority from ${before} to ${after}`
}

const STATUS_WORDS: Readonly<Record<ConversationStatus, string>> = {
  open: 'reopened',
  resolved: 'marked resolved',
  pending: 'marked as pending',
  snoozed: 'snoozed',
}

/** Returns the sentence for a status change by a user. */
export const describeStatusChange = (status: ConversationStatus, by: User): string =>
  `Conversation was ${STATUS_WORDS[status]} by ${by.name}`

/** The sentences for automatic status changes. */
export const AUTOMATIC_STATUS_SENTENCES = {
  reopen: 'System reopened the conversation due to a new incoming message.',
  wake: 'System reopened the conversation because its snooze is over.',
}
