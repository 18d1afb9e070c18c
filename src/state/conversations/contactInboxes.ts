/** Queries for data that belongs to contacts. */
import { and, asc, sql } from 'drizzle-orm'
import { isAmong, ofWorkspace, queryOfEach } from '../storage/queries/query.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { inboxes as inboxRecords, type Inbox } from './inboxes.ts'
import { conversations } from './tables.ts'

const inboxesOfEach = queryOfEach('contactId', (orm) =>
  orm
    .select({ contactId: conversations.contactId, inboxId: conversations.inboxId })
    .from(conversations)
    .where(and(ofWorkspace(conversations), isAmong(conversations.contactId)))
    .groupBy(conversations.contactId, conversations.inboxId)
    .orderBy(asc(sql`min(${conversations}.rowid)`)),
)

/** Returns the inboxes in which each of these contacts has conversations. */
export function inboxesOfContacts(
  workspace: Workspace,
  contactIds: readonly string[],
): Map<string, readonly Inbox[]> {
  const found = inboxesOfEach.ofEach(workspace, contactIds)
  const inboxIds = [...found.values()].flatMap((all) => all.map(({ inboxId }) => inboxId))
  const inboxes = inboxRecords.byId(workspace, inboxIds)
  return new Map(
    [...found].map(([id, all]) => [id, all.flatMap(({ inboxId }) => inboxes.get(inboxId) ?? [])]),
  )
}
