/** Contacts. Specification part 3, "Contact". */
import { numbered } from '../storage/queries/listing.ts'
import { record } from '../storage/records/record.ts'
import { refuse } from '../model/refusal.ts'
import { emailKey } from '../text/emailAddresses.ts'
import { folded, searchedWithPhones } from '../storage/queries/searchColumns.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { nextId } from './counters.ts'
import { appendConversationEvent } from './events.ts'
import { contacts as table } from './tables.ts'
import { isChange } from '../storage/unchanged.ts'

export type Contact = typeof table.$inferSelect

export type ContactFields = Partial<
  Pick<Contact, 'name' | 'email' | 'phoneNumber' | 'identifier' | 'customAttributes' | 'additionalAttributes'>
>

export const contacts = record(table, {
  noun: 'contact',
  derived: {
    nameKey: folded<Contact>(({ name }) => [name]),
    emailKey: ({ email: address }: Pick<Contact, 'email'>) => (address === null ? '' : emailKey(address)),
    phoneKey: ({ phoneNumber }: Pick<Contact, 'phoneNumber'>) => phoneNumber ?? '',
    activityKey: ({ lastActivityAt }: Pick<Contact, 'lastActivityAt'>) => lastActivityAt ?? 0,
    searchKey: folded<Contact>(
      ({ name, email: address, identifier }) => [name, address, identifier],
      ({ phoneNumber }) => phoneNumber,
    ),
  },
  list: numbered({
    sorts: {
      created_at: table.createdAt,
      name: table.nameKey,
      email: table.emailKey,
      phone_number: table.phoneKey,
      last_activity_at: table.activityKey,
    },
    filters: { search: searchedWithPhones(table.searchKey) },
    indexes: { name: [table.nameKey], last_activity_at: [table.activityKey] },
  }),
  snapshot: {
    section: 'conversations',
    name: 'contacts',
  },
})

const byEmail = contacts.by('emailKey')
const byPhone = contacts.by('phoneKey')
const byIdentifier = contacts.by('identifier')

export const contactWithEmail = (workspace: Workspace, address: string): Contact | undefined =>
  byEmail.find(workspace, emailKey(address))

export const contactWithPhone = (workspace: Workspace, phone: string): Contact | undefined =>
  byPhone.find(workspace, phone)

export const contactWithIdentifier = (workspace: Workspace, identifier: string): Contact | undefined =>
  byIdentifier.find(workspace, identifier)

/** Refuses an e-mail address, phone number or identifier of another contact. */
function mustBeUnique(workspace: Workspace, fields: ContactFields, ownId?: string): void {
  const refuseIfTaken = (field: string, label: string, other: Contact | undefined): void => {
    if (!other || other.id === ownId) return
    const message = `${label} has already been taken`
    refuse('invalid', message, { details: [{ field, code: 'taken', message }] })
  }
  const { email: address, phoneNumber, identifier } = fields
  if (address) refuseIfTaken('email', 'Email', contactWithEmail(workspace, address))
  if (phoneNumber) refuseIfTaken('phone_number', 'Phone number', contactWithPhone(workspace, phoneNumber))
  if (identifier) refuseIfTaken('identifier', 'Identifier', contactWithIdentifier(workspace, identifier))
}

/** The most attributes of a contact, a conversation or a message. */
export const MAX_ATTRIBUTES = 100

/** The largest attributes in characters as JSON. */
export const LARGEST_ATTRIBUTES = 65_536

/** Refuses too many or too large attributes. */
export function mustFitAttributes(
  field: string,
  label: string,
  attributes: Contact['customAttributes'],
): void {
  const refuseOver = (limit: string): never => {
    const message = `${label} must have at most ${limit}`
    refuse('invalid', message, { details: [{ field, code: 'too_many', message }] })
  }
  if (Object.keys(attributes).length > MAX_ATTRIBUTES) refuseOver(`${String(MAX_ATTRIBUTES)} fields`)
  if (JSON.stringify(attributes).length > LARGEST_ATTRIBUTES) {
    refuseOver(`${String(LARGEST_ATTRIBUTES)} characters as JSON`)
  }
}

function mustFit({ customAttributes, additionalAttributes }: ContactFields): void {
  if (customAttributes) mustFitAttributes('custom_attributes', 'Custom attributes', customAttributes)
  if (additionalAttributes) {
    mustFitAttributes('additional_attributes', 'Additional attributes', additionalAttributes)
  }
}

/** Returns the fields with null for an empty text of a key, because the keys of two contacts must differ. */
const withoutEmptyKeys = (fields: ContactFields): ContactFields => ({
  ...fields,
  ...(fields.email === '' && { email: null }),
  ...(fields.phoneNumber === '' && { phoneNumber: null }),
  ...(fields.identifier === '' && { identifier: null }),
})

export const createContact = (workspace: Workspace, sent: ContactFields): Contact =>
  workspace.write(() => {
    const fields = withoutEmptyKeys(sent)
    mustBeUnique(workspace, fields)
    mustFit(fields)
    const now = workspace.now()
    const contact = contacts.insert(workspace, {
      name: '',
      customAttributes: {},
      additionalAttributes: {},
      ...fields,
      id: nextId(workspace, 'contact', (id) => contacts.find(workspace, id) !== undefined),
      createdAt: now,
      updatedAt: now,
    })
    appendConversationEvent(workspace, 'contact_created', contact.id, { contact })
    return contact
  })

/** Updates a contact. Merges the given attributes with the existing ones. */
export const updateContact = (workspace: Workspace, before: Contact, sent: ContactFields): Contact =>
  Object.keys(sent).length === 0
    ? before
    : workspace.write(() => {
        const fields = withoutEmptyKeys(sent)
        mustBeUnique(workspace, fields, before.id)
        const { customAttributes, additionalAttributes } = fields
        const merged = {
          ...fields,
          ...(customAttributes && {
            customAttributes: { ...before.customAttributes, ...customAttributes },
          }),
          ...(additionalAttributes && {
            additionalAttributes: { ...before.additionalAttributes, ...additionalAttributes },
          }),
        }
        mustFit(merged)
        if (!isChange(before, merged)) return before
        const contact = contacts.update(workspace, before, { ...merged, updatedAt: workspace.now() })
        appendConversationEvent(workspace, 'contact_updated', contact.id, { contact })
        return contact
      })

/** Records activity of a contact. Only inside a `write`. */
export const recordContactActivity = (workspace: Workspace, contact: Contact): Contact =>
  contacts.update(workspace, contact, { lastActivityAt: workspace.now() })
