/**
 * What can be done to contacts. Specification part 1, "CRM records", "CRM": what follows a deletion, and that a
 * duplicate is a conflict, is shown; that two contacts with one e-mail address are duplicates is assumed.
 */
import { Type } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import { numbered, type Lookup } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import { folded, searchedWithPhones } from '../searching.ts'
import { email, filled, freeObject, oneOf, text } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { crmActivities, ofContact } from './activityRecords.ts'
import { deals as dealRecords } from './dealRecords.ts'
import { appendCrmEvent } from './events.ts'
import { contactVerticalChanged } from './verticals.ts'
import {
  contacts as table,
  crmActivities as activityTable,
  deals,
  segments as segmentTable,
  VERTICALS,
  type SegmentFilters,
} from './tables.ts'

export type Contact = typeof table.$inferSelect
export type Segment = typeof segmentTable.$inferSelect

/** The fields of a contact that a caller may send. */
type SentField = 'name' | 'email' | 'phone' | 'company' | 'position' | 'vertical' | 'tags' | 'customFields'

export type ContactFields = { readonly [Field in SentField]?: Contact[Field] }
export type NewContact = ContactFields & Pick<Contact, 'name'>

const emailKey = (address: string): string => address.toLowerCase()

/** Stands between tags; no tag may hold it. */
const SEPARATOR = '\n'

/** The tags between separators: what `tag_key` holds, and for one tag what is looked for in it. */
const tagKey = (tags: readonly string[]): string =>
  tags.length === 0 ? '' : SEPARATOR + tags.join(SEPARATOR) + SEPARATOR

const searched = searchedWithPhones(table.searchKey)
const tagged: Lookup = {
  forms: [(tag) => tagKey([tag])],
  where: (value) => sql`instr(${table.tagKey}, ${value}) > 0`,
}

const tagShape = () => Type.String({ minLength: 1, maxLength: 50, pattern: '^[^\\S\\n]*\\S[^\\n]*$' })

/** Contacts in every order and with every filter of GET /contacts; `segment_id` becomes the filters it stands for. */
export const contacts = record(table, {
  noun: 'contact',
  // A tag that is named twice counts once.
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
  snapshot: {
    section: 'crm',
    name: 'contacts',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({
      name: text(200),
      email: email(),
      phone: Type.String({ maxLength: 40 }),
      company: Type.String({ maxLength: 200 }),
      position: Type.String({ maxLength: 200 }),
      tags: Type.Array(tagShape(), { maxItems: 50 }),
      customFields: freeObject(),
    }),
  },
})

/** Saved sets of filters; no call makes them, so a trigger or a snapshot does. */
export const segments = record(segmentTable, {
  noun: 'segment',
  snapshot: {
    section: 'crm',
    name: 'segments',
    instants: ['createdAt'],
    shapes: () => ({
      name: text(200),
      filters: Type.Object(
        {
          search: Type.Optional(filled()),
          tag: Type.Optional(tagShape()),
          vertical: Type.Optional(oneOf(VERTICALS)),
        },
        { additionalProperties: false },
      ),
    }),
  },
})

export interface NewSegment {
  /** Of a segment that is there: it is defined anew. */
  readonly id?: string
  readonly name: string
  readonly filters: SegmentFilters
}

/** Makes a segment, or defines the one with this id anew. */
export const defineSegment = (workspace: Workspace, { id, ...fields }: NewSegment): Segment =>
  workspace.write(() => {
    const there = id === undefined ? undefined : segments.find(workspace, id)
    if (there) return segments.update(workspace, there, fields)
    return segments.insert(workspace, {
      ...fields,
      id: id ?? workspace.ids.prefixed('seg_'),
      createdAt: workspace.now(),
    })
  })

/** The filters of `GET /contacts` that a segment stands for; undefined when there is no such segment. */
export function segmentFilters(workspace: Workspace, id: string) {
  const segment = segments.find(workspace, id)
  if (!segment) return undefined
  const { search, tag, vertical } = segment.filters
  return { segment_search: search, segment_tag: tag, segment_vertical: vertical }
}

const byEmailKey = contacts.by('emailKey')

/** The contact with this address, compared without case; the first where an import has made several. */
export const contactWithEmail = (workspace: Workspace, address: string): Contact | undefined =>
  byEmailKey.find(workspace, emailKey(address))

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
  const contact = contacts.insert(workspace, {
    email: null,
    phone: null,
    company: null,
    position: null,
    vertical: null,
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
 * Changes the fields that were sent; nothing at all when none was. An address that another contact has is refused
 * only when it is a new one, so that what an import has doubled can still be edited.
 */
export function updateContact(workspace: Workspace, contact: Contact, fields: ContactFields): Contact {
  if (Object.keys(fields).length === 0) return contact
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

/** Deals that go with a contact in one write. */
const MAX_AT_ONCE = 100

/** The first of them, in the order in which they were made. */
const dealsOfContact = query((orm) =>
  orm
    .select({ id: deals.id, name: deals.name })
    .from(deals)
    .where(and(ofWorkspace(deals), eq(deals.contactId, sql.placeholder('contactId'))))
    .orderBy(asc(sql`rowid`))
    .limit(MAX_AT_ONCE + 1),
)

/** Its activities and those of its deals, likewise. */
const activitiesOfContact = query((orm) =>
  orm
    .select({ id: activityTable.id, subject: activityTable.subject })
    .from(activityTable)
    .where(and(ofWorkspace(activityTable), ofContact(sql`${sql.placeholder('contactId')}`)))
    .orderBy(asc(sql`rowid`))
    .limit(MAX_AT_ONCE + 1),
)

/**
 * For good, and with it go its activities (notes are activities) and its deals with theirs. Where these are very many, they
 * go first, in slices, while all who come to the workspace wait: then it resolves when all are gone. Null says that they
 * are already.
 */
export const deleteContact = (workspace: Workspace, contact: Contact): Promise<void> | null =>
  workspace.workInSlices(removal(workspace, contact))

function* removal(workspace: Workspace, contact: Contact): Generator<void, void> {
  const deletedAt = workspace.now()
  for (;;) {
    const activities = activitiesOfContact.all(workspace, { contactId: contact.id })
    // A deal takes its activities along, so they go before it.
    const gone =
      activities.length > MAX_AT_ONCE ? [] : dealsOfContact.all(workspace, { contactId: contact.id })
    const areLast = activities.length <= MAX_AT_ONCE && gone.length <= MAX_AT_ONCE
    workspace.write(() => {
      if (areLast) {
        contacts.remove(workspace, contact.id)
        appendCrmEvent(workspace, 'contact.deleted', contact.id, { contact, deletedAt })
      }
      for (const activity of activities.slice(0, MAX_AT_ONCE)) {
        if (!areLast) crmActivities.remove(workspace, activity.id)
        appendCrmEvent(workspace, 'activity.deleted', activity.id, { activity, deletedAt })
      }
      for (const deal of gone.slice(0, MAX_AT_ONCE)) {
        if (!areLast) dealRecords.remove(workspace, deal.id)
        appendCrmEvent(workspace, 'deal.deleted', deal.id, { deal, deletedAt })
      }
    })
    if (areLast) return
    yield
  }
}
