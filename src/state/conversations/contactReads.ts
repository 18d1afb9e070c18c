/** Contacts, and what else is shown of them. */
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../query.ts'
import type { Workspace } from '../workspace.ts'
import type { Contact } from './contacts.ts'
import { inboxes as inboxRecords, type Inbox } from './inboxes.ts'
import { contacts, conversations } from './tables.ts'

const inboxIds = query((orm) =>
  orm
    .select({ inboxId: conversations.inboxId })
    .from(conversations)
    .where(and(ofWorkspace(conversations), eq(conversations.contactId, sql.placeholder('contactId'))))
    .groupBy(conversations.inboxId)
    .orderBy(asc(sql`min(${conversations}.rowid)`)),
)

/** The inboxes in which a contact has conversations. */
export const inboxesOfContact = (workspace: Workspace, contactId: string): Inbox[] =>
  inboxIds.all(workspace, { contactId }).map(({ inboxId }) => inboxRecords.get(workspace, inboxId))

const someAfter = query((orm) =>
  orm
    .select({ contact: contacts, place: sql<number>`rowid` })
    .from(contacts)
    .where(and(ofWorkspace(contacts), gt(sql`rowid`, sql.placeholder('place'))))
    .orderBy(asc(sql`rowid`))
    .limit(500),
)

/** All contacts in the order of their age, some at a time. */
export function* allContacts(workspace: Workspace): Generator<readonly Contact[], void> {
  for (let place = 0; ;) {
    const some = someAfter.all(workspace, { place })
    const last = some.at(-1)
    if (!last) return
    yield some.map(({ contact }) => contact)
    place = last.place
  }
}
