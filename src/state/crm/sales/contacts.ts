/**
 * Creates, updates and deletes contacts. Specification part 1, "CRM records", "CRM", shows what a deletion includes
 * and that a duplicate is a conflict; the rule for duplicates (same e-mail address) is assumed.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { numbered, type LookupFilter } from '../../storage/queries/listing.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import type { recordKey, withTimes } from '../../storage/columns.ts'
import { record } from '../../storage/records/record.ts'
import { refuse } from '../../model/refusal.ts'
import { emailKey } from '../../text/emailAddresses.ts'
import { folded, searchedWithPhones } from '../../storage/queries/searchColumns.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { crmActivities, ofContact } from './activityRecords.ts'
import { deals as dealRecords } from './dealRecords.ts'
import { appendCrmEvent } from '../events.ts'
import { contactVerticalChanged } from './verticals.ts'
import {
  contacts as table,
  crmActivities as activityTable,
  deals,
  segments as segmentTable,
} from '../tables.ts'

export type Contact = typeof table.$inferSelect
export type Segment = typeof segmentTable.$inferSelect

/** The fields of a contact that a request may have. */
export type ContactFields = Partial<
  Omit<
    Contact,
    keyof typeof recordKey | keyof typeof withTimes | 'emailKey' | 'nameKey' | 'searchKey' | 'tagKey'
  >
>
export type NewContact = ContactFields & Pick<Contact, 'name'>

/** Separates tags; no tag contains it. */
const SEPARATOR = '\n'

/** Returns the tags between separators, for `tag_key` and, with one tag, for a search in it. */
const tagKey = (tags: readonly string[]): string =>
  tags.length === 0 ? '' : SEPARATOR + tags.join(SEPARATOR) + SEPARATOR

const searched = searchedWithPhones(table.searchKey)
const tagged: LookupFilter = {
  forms: [(tag) => tagKey([tag])],
  where: (value) => sql`instr(${table.tagKey}, ${value}) > 0`,
}

/** Contacts with every order and filter of GET /contacts; a `segment_id` becomes its filters. */
export const contacts = record(table, {
  noun: 'contact',
  // Removes duplicate tags.
  normal: ({ tags }) => ({ tags: [...new Set(tags)] }),
  derived: {
    emailKey: ({ email: address }) => (address === null ? null : emailKey(address)),
    nameKey: folded(({ name }) => [name]),
    searchKey: folded(
      ({ name, email: address }) => [name, address],
      ({ phone }) => phone,
    ),
    tagKey: ({ tags }) => tagKey(tags),
  },
  list: numbered({
    sorts: { created_at: table.createdAt, updated_at: table.updatedAt, name: table.nameKey },
    filters: {
      search: searched,
      tag: tagged,
      vertical: (value) => sql`${table.vertical} = ${value}`,
      segment_search: searched,
      segment_tag: tagged,
      segment_vertical: (value) => sql`${table.vertical} = ${value}`,
    },
    indexes: {
      updated_at: [table.updatedAt],
      name: [table.nameKey],
      vertical: [table.vertical, table.createdAt],
      segment_vertical: [table.vertical, table.createdAt],
    },
  }),
  snapshot: { section: 'crm', name: 'contacts' },
})

/** Saved sets of filters. No call creates them; a trigger or a snapshot does. */
export const segments = record(segmentTable, {
  noun: 'segment',
  snapshot: { section: 'crm', name: 'segments' },
})

/** An existing segment with the id is replaced. */
export type NewSegment = Omit<Segment, keyof typeof recordKey | 'createdAt'> & Partial<Pick<Segment, 'id'>>

/** Creates a segment, or replaces the one with this id. */
export const defineSegment = (workspace: Workspace, { id, ...fields }: NewSegment): Segment =>
  workspace.write(() => {
    const existing = id === undefined ? undefined : segments.find(workspace, id)
    if (existing) return segments.update(workspace, existing, fields)
    return segments.insert(workspace, {
      ...fields,
      id: id ?? workspace.ids.prefixed('seg_'),
      createdAt: workspace.now(),
    })
  })

/** Returns the filters of a segment for `GET /contacts`; undefined if no such segment exists. */
export function segmentFilters(workspace: Workspace, id: string) {
  const segment = segments.find(workspace, id)
  if (!segment) return undefined
  const { search, tag, vertical } = segment.filters
  return { segment_search: search, segment_tag: tag, segment_vertical: vertical }
}

const byEmailKey = contacts.by('emailKey')

/** Returns the contact with this address in any spelling; the first one if an import created several. */
export const contactWithEmail = (workspace: Workspace, address: string): Contact | undefined =>
  byEmailKey.find(workspace, emailKey(address))

/** Throws a conflict if another contact has the address. */
function mustBeUnique(workspace: Workspace, contact: Pick<Contact, 'id' | 'email'>): void {
  const other = contact.email === null ? undefined : contactWithEmail(workspace, contact.email)
  if (other === undefined || other.id === contact.id) return
  refuse('conflict', `email must be unique; the contact ${other.id} already has ${String(contact.email)}.`, {
    facts: { existing_id: other.id },
  })
}

/** Creates a contact. Throws a conflict if another contact has its e-mail address. */
export function createContact(workspace: Workspace, fields: NewContact): Contact {
  return workspace.write(() => {
    if (fields.email) mustBeUnique(workspace, { id: '', email: fields.email })
    return addContact(workspace, fields)
  })
}

/** Creates a contact without checking its address. Only inside a `write`. */
export function addContact(workspace: Workspace, fields: NewContact): Contact {
  const now = workspace.now()
  const contact = contacts.insert(workspace, {
    tags: [],
    customFields: {},
    ...fields,
    id: workspace.ids.prefixed('con_'),
    createdAt: now,
    updatedAt: now,
  })
  appendCrmEvent(workspace, 'contact.created', contact.id, { contact })
  return contact
}

/**
 * Updates the given fields; without a change, does nothing. An address of another contact is refused only if it is
 * new, so that duplicates from an import can still be edited.
 */
export function updateContact(workspace: Workspace, contact: Contact, fields: ContactFields): Contact {
  if (!contacts.isChange(contact, fields)) return contact
  return workspace.write(() => {
    const { email: address } = fields
    if (address && emailKey(address) !== contact.emailKey) {
      mustBeUnique(workspace, { id: contact.id, email: address })
    }
    const updated = contacts.update(workspace, contact, { ...fields, updatedAt: workspace.now() })
    contactVerticalChanged(workspace, contact, updated)
    appendCrmEvent(workspace, 'contact.updated', contact.id, { contact: updated })
    return updated
  })
}

/** The maximum number of deals and activities that one write deletes with a contact. */
const MAX_AT_ONCE = 100

/** Selects the oldest deals of a contact. */
const dealsOfContact = query((orm) =>
  orm
    .select({ id: deals.id, name: deals.name })
    .from(deals)
    .where(and(ofWorkspace(deals), eq(deals.contactId, sql.placeholder('contactId'))))
    .orderBy(asc(sql`rowid`))
    .limit(MAX_AT_ONCE + 1),
)

/** Selects the oldest activities of a contact and of its deals. */
const activitiesOfContact = query((orm) =>
  orm
    .select({ id: activityTable.id, subject: activityTable.subject })
    .from(activityTable)
    .where(and(ofWorkspace(activityTable), ofContact(sql`${sql.placeholder('contactId')}`)))
    .orderBy(asc(sql`rowid`))
    .limit(MAX_AT_ONCE + 1),
)

/**
 * Deletes a contact with its activities (notes are activities) and deals. If these are very many, it deletes them
 * first in slices, and requests to the workspace wait until the promise resolves. Returns null if the deletion is
 * already complete.
 */
export const deleteContact = (workspace: Workspace, contact: Contact): Promise<void> | null =>
  workspace.longWork.inSlices(removal(workspace, contact))

function* removal(workspace: Workspace, contact: Contact): Generator<void, void> {
  const deletedAt = workspace.now()
  for (;;) {
    const activities = activitiesOfContact.all(workspace, { contactId: contact.id })
    // Deleting a deal also deletes its activities, so these are deleted first.
    const dealsToDelete =
      activities.length > MAX_AT_ONCE ? [] : dealsOfContact.all(workspace, { contactId: contact.id })
    const isLastWrite = activities.length <= MAX_AT_ONCE && dealsToDelete.length <= MAX_AT_ONCE
    workspace.write(() => {
      if (isLastWrite) {
        contacts.remove(workspace, contact.id)
        appendCrmEvent(workspace, 'contact.deleted', contact.id, { contact, deletedAt })
      }
      for (const activity of activities.slice(0, MAX_AT_ONCE)) {
        if (!isLastWrite) crmActivities.remove(workspace, activity.id)
        appendCrmEvent(workspace, 'activity.deleted', activity.id, { activity, deletedAt })
      }
      for (const deal of dealsToDelete.slice(0, MAX_AT_ONCE)) {
        if (!isLastWrite) dealRecords.remove(workspace, deal.id)
        appendCrmEvent(workspace, 'deal.deleted', deal.id, { deal, deletedAt })
      }
    })
    if (isLastWrite) return
    yield
  }
}
