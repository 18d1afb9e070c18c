/** Conversations. Specification part 3, "Conversation", "Conversation status". */
import { and, eq, sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { take } from '../model/machine.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import type { User } from '../workspace/users.ts'
import type { Workspace } from '../workspace/workspace.ts'
import {
  recordActivities,
  AUTOMATIC_STATUS_SENTENCES,
  describeStatusChange,
  describeUpdate,
  type Actor,
} from './activities.ts'
import type { Contact } from './contacts.ts'
import { nextId } from './counters.ts'
import { appendConversationEvent } from './events.ts'
import { inboxes } from './inboxes.ts'
import { hasLabel, spelledAsBefore, uniqueLabels } from './labels.ts'
import { conversationMachine, type ConversationStatus } from './machines.ts'
import { conversations as table, PRIORITIES } from './tables.ts'
import { teams } from './teams.ts'

export type Conversation = typeof table.$inferSelect

/** More than any instant, so that VIP conversations come first when sorted by time. */
const VIP_LEAD = 10 ** 15

/** The same in statements. */
const LEAD = sql.raw(String(VIP_LEAD))

type Priority = (typeof PRIORITIES)[number]

/** Returns a sort key by priority and then by latest activity. Conversations without a priority are last, as in Chatwoot. */
const byPriority = (...fromLast: readonly Priority[]) => {
  const ranks = fromLast.map((priority, index) => `when '${priority}' then ${String(index + 1)}`).join(' ')
  const rank = sql`case ${table.priority} ${sql.raw(ranks)} else 0 end`
  // Half of the lead keeps the largest key a safe integer.
  return sql<number>`(${rank} + 5 * ${table.vip}) * (${LEAD} / 2) + ${table.lastActivityAt}`
}

/** Indexes for the conversations of a team or an agent, which are listed, and unassigned when it is removed. */
const ASSIGNMENT_INDEXES = {
  team: [table.teamId, table.status, table.activityKey],
  assignee: [table.assigneeId, table.status, table.activityKey],
}

export const conversations = record(table, {
  noun: 'conversation',
  normal: ({ labels }) => ({ labels: uniqueLabels(labels) }),
  derived: {
    activityKey: ({ vip, lastActivityAt }: Pick<Conversation, 'vip' | 'lastActivityAt'>) =>
      vip ? lastActivityAt + VIP_LEAD : lastActivityAt,
    activityKeyUp: ({ vip, lastActivityAt }: Pick<Conversation, 'vip' | 'lastActivityAt'>) =>
      vip ? lastActivityAt - VIP_LEAD : lastActivityAt,
    creationKey: ({ vip, createdAt }: Pick<Conversation, 'vip' | 'createdAt'>) =>
      vip ? createdAt + VIP_LEAD : createdAt,
    creationKeyUp: ({ vip, createdAt }: Pick<Conversation, 'vip' | 'createdAt'>) =>
      vip ? createdAt - VIP_LEAD : createdAt,
    wakesAt: ({ status, snoozedUntil }: Pick<Conversation, 'status' | 'snoozedUntil'>) =>
      conversationMachine.moves.wake.from.some((each) => each === status) ? snoozedUntil : null,
  },
  list: numbered({
    sorts: {
      latest: table.activityKey,
      longest: table.activityKeyUp,
      newest: table.creationKey,
      oldest: table.creationKeyUp,
      priority: byPriority(...PRIORITIES),
      priorityUp: byPriority(...PRIORITIES.toReversed()),
      // Those that do not wait are last, the oldest of them first, as in Chatwoot.
      waiting: sql<number>`coalesce(${table.waitingSince}, -${table.createdAt}) + ${table.vip} * ${LEAD}`,
      waitingUp: sql<number>`coalesce(${table.waitingSince}, ${LEAD} / 2 + ${table.createdAt}) - ${table.vip} * ${LEAD}`,
    },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      inbox: (value) => sql`${table.inboxId} = ${value}`,
      team: (value) => sql`${table.teamId} = ${value}`,
      contact: (value) => sql`${table.contactId} = ${value}`,
      assignee: (value) => sql`${table.assigneeId} = ${value}`,
      isAssigned: (value) => sql`(${table.assigneeId} is not null) = ${value}`,
      /** Any of the folded labels in a JSON list. */
      labels: hasLabel,
    },
    indexes: {
      inbox: [table.inboxId, table.status, table.activityKey],
      ...ASSIGNMENT_INDEXES,
      longest: [table.status, table.activityKeyUp],
      newest: [table.status, table.creationKey],
      oldest: [table.status, table.creationKeyUp],
    },
  }),
  indexes: ASSIGNMENT_INDEXES,
  due: {
    at: 'wakesAt',
    when: { status: conversationMachine.moves.wake.from },
    job: 'conversations.conversation.wake',
    run(workspace, conversation) {
      move(workspace, conversation, 'wake', AUTOMATIC_STATUS_SENTENCES.wake)
    },
  },
  snapshot: {
    section: 'conversations',
    name: 'conversations',
    // Deleted inboxes remain as rows, and deleted teams lose their conversations. The assignee may be a deleted user.
    check({ id, inboxId, teamId }, workspace) {
      const refuseUnknown = (reference: string): never =>
        refuse('invalid', `The conversation ${id} refers to ${reference}, which does not exist.`)
      if (!inboxes.head(workspace, inboxId)) refuseUnknown(`the inbox ${inboxId}`)
      if (teamId !== null && !teams.head(workspace, teamId)) refuseUnknown(`the team ${teamId}`)
    },
  },
})

export interface NewConversation {
  readonly inboxId: string
  readonly contact: Contact
  readonly status?: ConversationStatus
  readonly assigneeId?: string | null
  readonly teamId?: string | null
  readonly snoozedUntil?: number | null
  readonly customAttributes?: Conversation['customAttributes']
  readonly additionalAttributes?: Conversation['additionalAttributes']
}

/** Inserts a conversation without its event, which comes after the first message. Only inside a `write`. */
export function insertConversation(workspace: Workspace, fields: NewConversation): Conversation {
  const { inboxId, contact, status = 'open', snoozedUntil = null } = fields
  const now = workspace.now()
  return conversations.insert(workspace, {
    id: nextId(workspace, 'conversation', (id) => conversations.find(workspace, id) !== undefined),
    inboxId,
    contactId: contact.id,
    status,
    vip: false,
    labels: [],
    customAttributes: fields.customAttributes ?? {},
    additionalAttributes: fields.additionalAttributes ?? {},
    assigneeId: fields.assigneeId ?? null,
    teamId: fields.teamId ?? null,
    unreadCount: 0,
    snoozedUntil: status === 'snoozed' ? snoozedUntil : null,
    lastActivityAt: now,
    createdAt: now,
    updatedAt: now,
  })
}

/** Announces a new conversation, with its first message if it has one. */
export const announceConversation = (workspace: Workspace, conversation: Conversation): void => {
  appendConversationEvent(workspace, 'conversation_created', conversation.id, { conversation })
}

/** Creates a conversation without a message. */
export const createConversation = (workspace: Workspace, fields: NewConversation): Conversation =>
  workspace.write(() => {
    const conversation = insertConversation(workspace, fields)
    announceConversation(workspace, conversation)
    return conversation
  })

export type ConversationChanges = Partial<
  Pick<Conversation, 'priority' | 'vip' | 'labels' | 'assigneeId' | 'teamId'>
>

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Updates the given fields and records each change as an activity. Does nothing if no value changes. A label that the
 * account has with another case keeps that spelling.
 */
export function updateConversation(
  workspace: Workspace,
  before: Conversation,
  { labels, ...fields }: ConversationChanges,
  by: Actor,
): Conversation {
  const changes = {
    ...fields,
    ...(labels && { labels: spelledAsBefore(labels, before.labels) }),
  }
  const changed = Object.entries(changes).flatMap(([name, value]) =>
    isSame(value, before[name as keyof ConversationChanges]) ? [] : [name],
  )
  if (changed.length === 0) return before
  return workspace.write(() => {
    const conversation = conversations.update(workspace, before, { ...changes, updatedAt: workspace.now() })
    appendConversationEvent(workspace, 'conversation_updated', conversation.id, { conversation, changed })
    recordActivities(workspace, conversation, describeUpdate(workspace, before, conversation, by))
    return conversation
  })
}

const MOVE_TO = { open: 'open', resolved: 'resolve', pending: 'pend', snoozed: 'snooze' } as const

/** Sets the status. A snoozed conversation without snoozedUntil has no end of its snooze. */
export const setStatus = (
  workspace: Workspace,
  before: Conversation,
  status: ConversationStatus,
  by: User,
  snoozedUntil: number | null = null,
): Conversation => {
  if (before.status === status && (status !== 'snoozed' || before.snoozedUntil === snoozedUntil))
    return before
  return workspace.write(() =>
    move(workspace, before, MOVE_TO[status], describeStatusChange(status, by), snoozedUntil),
  )
}

/** Reopens a resolved or snoozed conversation after a message of the contact. Only inside a `write`. */
export const reopenAfterMessage = (workspace: Workspace, conversation: Conversation): Conversation =>
  conversationMachine.moves.reopen.from.some((each) => each === conversation.status)
    ? move(workspace, conversation, 'reopen', AUTOMATIC_STATUS_SENTENCES.reopen)
    : conversation

function move(
  workspace: Workspace,
  before: Conversation,
  name: keyof typeof conversationMachine.moves,
  sentence: string,
  snoozedUntil: number | null = null,
): Conversation {
  const { state, event } = take(conversationMachine, before.status, name)
  const conversation = conversations.update(workspace, before, {
    status: state,
    snoozedUntil: state === 'snoozed' ? snoozedUntil : null,
    updatedAt: workspace.now(),
    ...(state === 'resolved' && { waitingSince: null }),
  })
  appendConversationEvent(workspace, event, conversation.id, { conversation })
  recordActivities(workspace, conversation, [sentence])
  return conversation
}

const ofContact = query((orm) =>
  orm
    .select()
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.contactId, sql.placeholder('contactId')),
        eq(table.inboxId, sql.placeholder('inboxId')),
      ),
    )
    .orderBy(sql`rowid desc`)
    .limit(1),
)

/** Returns the last conversation of a contact in an inbox. */
export const lastConversationOf = (
  workspace: Workspace,
  contactId: string,
  inboxId: string,
): Conversation | undefined => ofContact.first(workspace, { contactId, inboxId })

/** The number of conversations to unassign in one write. Each one emits events. */
const AT_ONCE = 25

const someWith = (column: typeof table.assigneeId | typeof table.teamId) =>
  query((orm) =>
    orm
      .select()
      .from(table)
      .where(and(ofWorkspace(table), eq(column, sql.placeholder('id'))))
      .limit(AT_ONCE),
  )

const someOfAgent = someWith(table.assigneeId)
const someOfTeam = someWith(table.teamId)

/** Unassigns the conversations of an agent or a team in slices, then calls `after`. Returns null if it finished at once. */
export function unassign(
  workspace: Workspace,
  assignee: { readonly agent: string } | { readonly team: string },
  by: User,
  after: () => void,
): Promise<void> | null {
  const isAgent = 'agent' in assignee
  conversations.index(workspace, [isAgent ? 'assignee' : 'team'])
  const nextSlice = (): Conversation[] =>
    isAgent
      ? someOfAgent.all(workspace, { id: assignee.agent })
      : someOfTeam.all(workspace, { id: assignee.team })
  return workspace.writeInSlices(() => {
    const found = nextSlice()
    for (const each of found) {
      updateConversation(workspace, each, isAgent ? { assigneeId: null } : { teamId: null }, by)
    }
    if (found.length === AT_ONCE) return false
    after()
    return true
  })
}
