/** Conversations. Specification part 3, "Conversation", "Conversation status". */
import { Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { numbered } from '../listing.ts'
import { take } from '../machine.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import { freeObject, texts, whole } from '../shapes.ts'
import type { User } from '../users.ts'
import type { Workspace } from '../workspace.ts'
import { recordActivities, SENTENCES, sentenceOfStatus, sentencesOfUpdate, type Actor } from './activities.ts'
import type { Contact } from './contacts.ts'
import { ID_PATTERN, nextId } from './counters.ts'
import { appendConversationEvent } from './events.ts'
import { inboxes } from './inboxes.ts'
import { LONGEST_LABEL, MAX_LABELS } from './limits.ts'
import { conversationMachine, type ConversationStatus } from './machines.ts'
import { conversations as table } from './tables.ts'
import { teams } from './teams.ts'

export type Conversation = typeof table.$inferSelect

/** Later than any moment, so that those of VIPs come before all others when the latest come first. */
const VIP_LEAD = 10 ** 15

/** Of a person's or a team's, which are listed, and taken from them when they go. */
const HELD = {
  team: [table.teamId, table.status, table.activityKey],
  assignee: [table.assigneeId, table.status, table.activityKey],
}

export const conversations = record(table, {
  noun: 'conversation',
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
      status === 'snoozed' ? snoozedUntil : null,
  },
  list: numbered({
    sorts: {
      latest: table.activityKey,
      longest: table.activityKeyUp,
      newest: table.creationKey,
      oldest: table.creationKeyUp,
    },
    filters: {
      status: (value) => sql`${table.status} = ${value}`,
      inbox: (value) => sql`${table.inboxId} = ${value}`,
      team: (value) => sql`${table.teamId} = ${value}`,
      contact: (value) => sql`${table.contactId} = ${value}`,
      assignee: (value) => sql`${table.assigneeId} = ${value}`,
      isAssigned: (value) => sql`(${table.assigneeId} is not null) = ${value}`,
      /** Any of those in a list as JSON, which are folded; what SQLite folds as well is not handed to the program. */
      labels: (value) =>
        sql`exists (select 1 from json_each(${table.labels}) where case when value glob '*[^ -~]*' then fold(value) else lower(value) end in (select value from json_each(${value})))`,
    },
    indexes: {
      inbox: [table.inboxId, table.status, table.activityKey],
      ...HELD,
      longest: [table.status, table.activityKeyUp],
      newest: [table.status, table.creationKey],
      oldest: [table.status, table.creationKeyUp],
    },
  }),
  indexes: HELD,
  due: {
    at: 'wakesAt',
    when: {},
    job: 'conversations.conversation.wake',
    run(workspace, conversation) {
      move(workspace, conversation, 'wake', SENTENCES.wake)
    },
  },
  snapshot: {
    section: 'conversations',
    name: 'conversations',
    instants: [
      'snoozedUntil',
      'lastActivityAt',
      'contactWroteAt',
      'firstReplyAt',
      'waitingSince',
      'createdAt',
      'updatedAt',
    ],
    shapes: () => ({
      id: Type.String({ pattern: ID_PATTERN }),
      labels: texts(MAX_LABELS, LONGEST_LABEL),
      customAttributes: freeObject(),
      additionalAttributes: freeObject(),
      unreadCount: whole(0),
    }),
    // Inboxes stay when they are deleted, and teams are left by what they have. An agent may be a user who has gone.
    check({ id, inboxId, teamId }, workspace) {
      const misses = (what: string): never =>
        refuse('invalid', `The conversation ${id} names ${what} that there is not.`)
      if (!inboxes.head(workspace, inboxId)) misses(`an inbox ${inboxId}`)
      if (teamId !== null && !teams.head(workspace, teamId)) misses(`a team ${teamId}`)
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

export const createConversation = (workspace: Workspace, fields: NewConversation): Conversation =>
  workspace.write(() => {
    const { inboxId, contact, status = 'open', snoozedUntil = null } = fields
    const now = workspace.now()
    const conversation = conversations.insert(workspace, {
      id: nextId(workspace, 'conversation', (id) => conversations.find(workspace, id) !== undefined),
      inboxId,
      contactId: contact.id,
      status,
      priority: null,
      vip: false,
      labels: [],
      customAttributes: fields.customAttributes ?? {},
      additionalAttributes: fields.additionalAttributes ?? {},
      assigneeId: fields.assigneeId ?? null,
      teamId: fields.teamId ?? null,
      unreadCount: 0,
      snoozedUntil: status === 'snoozed' ? snoozedUntil : null,
      lastActivityAt: now,
      contactWroteAt: null,
      firstReplyAt: null,
      waitingSince: null,
      createdAt: now,
      updatedAt: now,
    })
    appendConversationEvent(workspace, 'conversation_created', conversation.id, { conversation })
    return conversation
  })

export type ConversationChanges = Partial<
  Pick<Conversation, 'priority' | 'vip' | 'labels' | 'assigneeId' | 'teamId'>
>

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Changes what was sent, and records each change as an activity; nothing at all where that is what it has. */
export function updateConversation(
  workspace: Workspace,
  before: Conversation,
  changes: ConversationChanges,
  by: Actor,
): Conversation {
  const differs = Object.entries(changes).some(
    ([name, value]) => !isSame(value, before[name as keyof ConversationChanges]),
  )
  if (!differs) return before
  return workspace.write(() => {
    const conversation = conversations.update(workspace, before, { ...changes, updatedAt: workspace.now() })
    appendConversationEvent(workspace, 'conversation_updated', conversation.id, { conversation })
    recordActivities(workspace, conversation, sentencesOfUpdate(workspace, before, conversation, by))
    return conversation
  })
}

const MOVE_TO = { open: 'open', resolved: 'resolve', pending: 'pend', snoozed: 'snooze' } as const

/** Sets the status; snoozed for good unless it is said until when. */
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
    move(workspace, before, MOVE_TO[status], sentenceOfStatus(status, by), snoozedUntil),
  )
}

/** The contact has written: what was laid aside is open again. Only inside a `write`. */
export const reopened = (workspace: Workspace, conversation: Conversation): Conversation =>
  conversation.status === 'resolved' || conversation.status === 'snoozed'
    ? move(workspace, conversation, 'reopen', SENTENCES.reopen)
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

/** The last conversation of a contact in an inbox. */
export const lastOfContact = (
  workspace: Workspace,
  contactId: string,
  inboxId: string,
): Conversation | undefined => ofContact.first(workspace, { contactId, inboxId })

/** Conversations that are taken from somebody in one write, each of which is told of. */
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

/** Assigns what an agent or a team has to nobody, some at a time; then `after` is done. Null says that it is already. */
export function unassign(
  workspace: Workspace,
  whose: { readonly agent: string } | { readonly team: string },
  by: User,
  after: () => void,
): Promise<void> | null {
  const isAgent = 'agent' in whose
  conversations.index(workspace, [isAgent ? 'assignee' : 'team'])
  const some = (): Conversation[] =>
    isAgent ? someOfAgent.all(workspace, { id: whose.agent }) : someOfTeam.all(workspace, { id: whose.team })
  return workspace.writeInSlices(() => {
    const found = some()
    for (const each of found) {
      updateConversation(workspace, each, isAgent ? { assigneeId: null } : { teamId: null }, by)
    }
    if (found.length === AT_ONCE) return false
    after()
    return true
  })
}
