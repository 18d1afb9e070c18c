/** Contacts. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { filteredText } from '../../http/lifecycle/namedRecords.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import {
  contacts as contactRecords,
  createContact,
  deleteContact,
  segmentFilters,
  updateContact,
} from '../../state/crm/sales/contacts.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import { refuseField } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { AssumedRecord } from './shapes/common.ts'
import { Contact, ContactId, ContactQuery } from './shapes/contacts.ts'

const collection = numberedCollection({
  records: contactRecords,
  rendering: Contact.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

export const contacts: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Contacts' })
  const list = at('/contacts')
  const item = at('/contacts/:contact_id', { params: ContactId, record: contactRecords })

  list.get({
    id: 'listContacts',
    summary: 'List contacts',
    scope: 'crm:read',
    fidelity: documentedBut(
      'Assumed: the newest contacts come first by default. Sorting and searching ignore case and accents (N finds Ñ). A search with three or more digits also finds phone numbers, however they are grouped. tag must match exactly. A segment is a saved set of filters. Returns 422 when segment_id does not exist.',
    ),
    names: { tag: filteredText('tag', contactRecords, 'tag') },
    query: ContactQuery,
    answers: { 200: PageOf(Contact.item) },
    run: ({ query: { search, tag, segment_id, vertical, sort_dir, ...query }, caller, workspace }) =>
      collection.page(
        caller,
        { ...query, sort_order: sort_dir },
        {
          search,
          tag,
          vertical,
          ...(segment_id !== undefined && filtersOf(workspace, segment_id)),
        },
      ),
  })

  list.post({
    id: 'createContact',
    summary: 'Create a contact',
    scope: 'crm:write',
    fidelity: documentedBut(
      'The specification shows a conflict for duplicates. Assumed: name is required. Two contacts with the same e-mail address, ignoring case, are duplicates. The response then has the id of the existing contact in existing_id.',
    ),
    body: Contact.create,
    answers: { 201: AssumedRecord(Contact.item) },
    refuses: ['conflict'],
    run({ body, workspace }) {
      const contact = createContact(workspace, { ...Contact.parse(workspace, body), name: body.name })
      return collection.text(workspace, contact)
    },
  })

  item.get({
    id: 'getContact',
    summary: 'Get a contact',
    fidelity: documented,
    answers: { 200: AssumedRecord(Contact.item) },
    run: ({ params, workspace }) => collection.get(workspace, params.contact_id),
  })

  item.patch({
    id: 'updateContact',
    summary: 'Update a contact',
    description: 'Changes only the fields in the request body.',
    fidelity: documentedBut(
      'Assumed: null clears a nullable field. tags and custom_fields are replaced as a whole. A request that changes nothing keeps the time of the last change and sends no event.',
    ),
    body: Contact.update,
    answers: { 200: AssumedRecord(Contact.item) },
    refuses: ['conflict'],
    run: ({ record: contact, body, workspace }) =>
      collection.text(workspace, updateContact(workspace, contact, Contact.parse(workspace, body))),
  })

  item.delete({
    id: 'deleteContact',
    summary: 'Delete a contact',
    description: 'Permanently deletes the contact with its activities, notes and deals.',
    scope: 'crm:delete',
    fidelity: documented,
    answers: NO_CONTENT,
    async run({ record, workspace }) {
      await deleteContact(workspace, record)
    },
  })
}

const filtersOf = (workspace: Workspace, segmentId: string) =>
  segmentFilters(workspace, segmentId) ??
  refuseField('segment_id', 'unknown', `There is no segment ${segmentId}.`)
