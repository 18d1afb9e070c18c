/**
 * What can be done to contacts. Specification part 1, "CRM records", "CRM": what follows a deletion, and that a
 * duplicate is a conflict, is shown; that two contacts with one e-mail address are duplicates is assumed.
 */
import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { addColumns } from '../columns.ts'
import { statement } from '../database.ts'
import { numberedList } from '../listing.ts'
import { refuse } from '../refusal.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { appendCrmEvent } from './events.ts'
import { contactVerticalChanged } from './verticals.ts'
import { contacts, deals, segments } from './tables.ts'

export type Contact = typeof contacts.$inferSelect
export type Segment = typeof segments.$inferSelect

/** The fields of a contact that a caller may send. */
type SentField = 'name' | 'email' | 'phone' | 'company' | 'position' | 'vertical' | 'tags' | 'customFields'

export type ContactFields = { readonly [Field in SentField]?: Contact[Field] }
export type NewContact = ContactFields & Pick<Contact, 'name'>

export const contactRows = rows(contacts)

/** Contacts in every order and with every filter of GET /contacts; `segment_id` becomes the filters it stands for. */
export const listContacts = numberedList({
  table: contacts,
  sorts: { created_at: contacts.createdAt, updated_at: contacts.updatedAt, name: contacts.nameKey },
  filters: {
    search: (value) => searched(value),
    tag: (value) => tagged(value),
    vertical: (value) => sql`${contacts.vertical} = ${value}`,
    segment_search: (value) => searched(value),
    segment_tag: (value) => tagged(value),
    segment_vertical: (value) => sql`${contacts.vertical} = ${value}`,
  },
  indexes: {
    updated_at: [contacts.updatedAt],
    name: [contacts.nameKey],
    vertical: [contacts.vertical, contacts.createdAt],
    segment_vertical: [contacts.vertical, contacts.createdAt],
  },
})

const searched = (value: SQL): SQL => sql`instr(${contacts.searchKey}, ${value}) > 0`
const tagged = (value: SQL): SQL => sql`instr(${contacts.tagKey}, ${value}) > 0`

const segmentRows = rows(segments)

/** The filters of `GET /contacts` that a segment stands for; undefined when there is no such segment. */
export function segmentFilters(workspace: Workspace, id: string) {
  const segment = segmentRows.find(workspace, id)
  if (!segment) return undefined
  const { search, tag, vertical } = segment.filters
  return {
    segment_search: search?.toLowerCase(),
    segment_tag: tag === undefined ? undefined : tagKey([tag]),
    segment_vertical: vertical,
  }
}

export const noContact = (id: string): never => refuse('not_found', `There is no contact ${id}.`)

/** The contact, or a refusal. */
export const findContact = (workspace: Workspace, id: string): Contact =>
  contactRows.find(workspace, id) ?? noContact(id)

const findByEmailKey = statement((orm) =>
  orm
    .select()
    .from(contacts)
    .where(
      and(
        eq(contacts.workspace, sql.placeholder('workspace')),
        eq(contacts.emailKey, sql.placeholder('emailKey')),
      ),
    )
    // Any other order would have SQLite walk through all contacts in that order.
    .orderBy(asc(sql`rowid`))
    .limit(1)
    .prepare(),
)

/** The contact with this address, compared without case; the first where an import has made several. */
export const contactWithEmail = (workspace: Workspace, email: string): Contact | undefined =>
  findByEmailKey(workspace.database).get({ workspace: workspace.number, emailKey: emailKey(email) })

/** Refuses an address that another contact has. */
function mustBeUnique(workspace: Workspace, contact: Pick<Contact, 'id' | 'email'>): void {
  const other = contact.email === null ? undefined : contactWithEmail(workspace, contact.email)
  if (other === undefined || other.id === contact.id) return
  refuse('conflict', `The contact ${other.id} has the e-mail address ${String(contact.email)} already.`, {
    facts: { existing_id: other.id },
  })
}

/** Adds a contact; refuses one whose e-mail address another has. */
export function createContact(workspace: Workspace, fields: NewContact): Contact {
  return workspace.write(() => {
    if (fields.email) mustBeUnique(workspace, { id: '', email: fields.email })
    return addContact(workspace, fields)
  })
}

/** Adds a contact whatever its address is. Only inside a `write`. */
export function addContact(workspace: Workspace, fields: NewContact): Contact {
  const now = workspace.now()
  const contact = deriveContact(workspace, {
    email: null,
    phone: null,
    company: null,
    position: null,
    vertical: null,
    tags: [],
    customFields: {},
    ...fields,
    workspace: workspace.number,
    id: workspace.ids.prefixed('con_'),
    createdAt: now,
    updatedAt: now,
  })
  contactRows.insert(workspace.database, contact)
  appendCrmEvent(workspace, 'contact.created', { contact: contactFacts(contact) })
  return contact
}

/**
 * Changes the fields that were sent; nothing at all when none was. An address that another contact has is refused
 * only when it is a new one, so that what an import has doubled can still be edited.
 */
export function updateContact(workspace: Workspace, contact: Contact, fields: ContactFields): Contact {
  if (Object.keys(fields).length === 0) return contact
  return workspace.write(() => {
    const updated = deriveContact(workspace, { ...contact, ...fields, updatedAt: workspace.now() })
    if (updated.emailKey !== contact.emailKey) mustBeUnique(workspace, updated)
    contactRows.update(workspace.database, updated)
    contactVerticalChanged(workspace, contact, updated)
    appendCrmEvent(workspace, 'contact.updated', { contact: contactFacts(updated) })
    return updated
  })
}

const dealsOfContact = statement((orm) =>
  orm
    .select({ id: deals.id, name: deals.name })
    .from(deals)
    .where(
      and(
        eq(deals.workspace, sql.placeholder('workspace')),
        eq(deals.contactId, sql.placeholder('contactId')),
      ),
    )
    .orderBy(asc(deals.createdAt), asc(sql`rowid`))
    .prepare(),
)

/** For good, and with it go its activities (notes are activities) and its deals with theirs. */
export function deleteContact(workspace: Workspace, contact: Contact): void {
  workspace.write(() => {
    const scope = { workspace: workspace.number, contactId: contact.id }
    const gone = dealsOfContact(workspace.database).all(scope)
    contactRows.remove(workspace, contact.id)
    const deletedAt = iso(workspace.now())
    appendCrmEvent(workspace, 'contact.deleted', {
      contact: { id: contact.id, name: contact.name, email: contact.email, deleted_at: deletedAt },
    })
    for (const deal of gone) {
      appendCrmEvent(workspace, 'deal.deleted', { deal: { ...deal, deleted_at: deletedAt } })
    }
  })
}

export type DerivedOfContact = 'emailKey' | 'nameKey' | 'searchKey' | 'tagKey' | 'revision'

/** The contact with the columns that follow from the others; a tag that is named twice counts once. */
export function deriveContact(workspace: Workspace, contact: Omit<Contact, DerivedOfContact>): Contact {
  const { name, email, phone } = contact
  const tags = [...new Set(contact.tags)]
  return addColumns(contact, {
    tags,
    emailKey: email === null ? null : emailKey(email),
    nameKey: name.toLowerCase(),
    searchKey: [name, email, phone]
      .filter((text) => text !== null)
      .join('\n')
      .toLowerCase(),
    tagKey: tagKey(tags),
    revision: workspace.database.nextRevision(),
  })
}

const emailKey = (email: string): string => email.toLowerCase()

/** Stands between tags; no tag may hold it. */
const SEPARATOR = '\n'

/** The tags between separators: what `tag_key` holds, and for one tag what is looked for in it. */
export const tagKey = (tags: readonly string[]): string =>
  tags.length === 0 ? '' : SEPARATOR + tags.join(SEPARATOR) + SEPARATOR

/** The contact as events and automations show it. */
export const contactFacts = (contact: Contact) => ({
  id: contact.id,
  name: contact.name,
  email: contact.email,
  phone: contact.phone,
  company: contact.company,
  position: contact.position,
  vertical: contact.vertical,
  tags: [...contact.tags],
  custom_fields: contact.customFields,
  created_at: iso(contact.createdAt),
  updated_at: iso(contact.updatedAt),
})
