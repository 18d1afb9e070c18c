/** Queries for data that belongs to contacts. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { inboxes as inboxRecords, type Inbox } from './inboxes.ts'
import { conversations } from './tables.ts'

const inboxIds = query((orm) =>
  orm
    .select({ inboxId: conversations.inboxId })
    .from(conversations)
    .where(and(ofWorkspace(conversations), eq(conversations.contactId, sql.placeholder('contactId'))))
    .groupBy(conversations.inboxId)
    .orderBy(asc(sql`min(${conversations}.rowid)`)),
)

/** Returns the inboxes in which a contact has conversations. */
export const inboxesOfContact = (workspace: Workspace, contactId: string): Inbox[] =>
  inboxIds.all(workspace, { contactId }).map(({ inboxId }) => inboxRecords.get(workspace, inboxId))
