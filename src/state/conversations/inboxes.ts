/** Inboxes: connected channels. Specification part 3, "Inbox". */
import { asc, isNull, and, sql } from 'drizzle-orm'
import type { recordKey, withTimes } from '../storage/columns.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { nextId } from './counters.ts'
import { appendConversationEvent } from './events.ts'
import { inboxes as table } from './tables.ts'
import { isChange } from '../storage/unchanged.ts'

export type Inbox = typeof table.$inferSelect

/** The fields of an inbox that a request may have. */
export type InboxFields = Partial<
  Omit<Inbox, keyof typeof recordKey | keyof typeof withTimes | 'channelType' | 'disconnectedAt'>
>

/** The most inboxes of an account. One response lists all of them. */
export const MAX_INBOXES = 1000

export const inboxes = record(table, {
  noun: 'inbox',
  limit: { count: MAX_INBOXES, called: 'inboxes', counted: isNull(table.disconnectedAt) },
  snapshot: {
    section: 'conversations',
    name: 'inboxes',
  },
})

const connected = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), isNull(table.disconnectedAt)))
    .orderBy(asc(sql`rowid`)),
)

/** Returns the connected inboxes. */
export const inboxesOf = (workspace: Workspace): Inbox[] => connected.all(workspace)

/** Returns the connected inbox with this id. Refuses a disconnected one as not found. */
export function connectedInbox(workspace: Workspace, id: string): Inbox {
  const inbox = inboxes.get(workspace, id)
  return inbox.disconnectedAt === null ? inbox : inboxes.noSuch(id)
}

/** Checks if the inbox is a connected web widget with a page on this server. */
export const isWidget = ({ channelType, disconnectedAt }: Inbox): boolean =>
  channelType === 'Channel::WebWidget' && disconnectedAt === null

/** Returns the inbox with this id. Refuses a disconnected one as a conflict. */
export function mustBeConnected(workspace: Workspace, id: string): Inbox {
  const inbox = inboxes.get(workspace, id)
  if (inbox.disconnectedAt !== null) {
    refuse('conflict', `The inbox ${inbox.name} is disconnected. It cannot send or receive messages.`, {
      assumed: 'It says that no messages can be sent after a deletion, but not how a call is refused.',
    })
  }
  return inbox
}

export const createInbox = (
  workspace: Workspace,
  fields: InboxFields & Pick<Inbox, 'name' | 'channelType'>,
): Inbox =>
  workspace.write(() => {
    const now = workspace.now()
    const inbox = inboxes.insert(workspace, {
      greetingEnabled: false,
      enableAutoAssignment: true,
      workingHoursEnabled: false,
      ...fields,
      id: nextId(workspace, 'inbox', (id) => inboxes.find(workspace, id) !== undefined),
      createdAt: now,
      updatedAt: now,
    })
    appendConversationEvent(workspace, 'inbox_created', inbox.id, { inbox })
    return inbox
  })

export const updateInbox = (workspace: Workspace, before: Inbox, fields: InboxFields): Inbox =>
  !isChange(before, fields)
    ? before
    : workspace.write(() => {
        const inbox = inboxes.update(workspace, before, { ...fields, updatedAt: workspace.now() })
        appendConversationEvent(workspace, 'inbox_updated', inbox.id, { inbox })
        return inbox
      })

/** Disconnects an inbox. Its conversations remain. */
export const disconnectInbox = (workspace: Workspace, before: Inbox): void => {
  workspace.write(() => {
    const now = workspace.now()
    const inbox = inboxes.update(workspace, before, { disconnectedAt: now, updatedAt: now })
    appendConversationEvent(workspace, 'inbox_updated', inbox.id, { inbox })
  })
}
