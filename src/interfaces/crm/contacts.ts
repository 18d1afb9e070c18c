/** Contacts. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent, operationsOf } from '../../http/definition/operation.ts'
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
  rendering: Contact.rendering(contactRecords),
  sort: 'created_at',
  meta: pageMeta,
})

const contactOperation = operationsOf({ tag: 'Contacts' })

export const contacts: Resource = async (app) => {
  app.get(
    '/contacts',
    {
      schema: { querystring: ContactQuery },
      config: contactOperation({
        id: 'listContacts',
        summary: 'List contacts',
        scope: 'crm:read',
        fidelity: documentedBut(
          'Assumed: the newest contacts come first by default. Sorting and searching ignore case and accents (N finds Ñ). A search with three or more digits also finds phone numbers, however they are grouped. tag must match exactly. A segment is a saved set of filters. Returns 422 when segment_id does not exist.',
        ),
        names: { tag: filteredText('tag', contactRecords, 'tag') },
        answers: { 200: PageOf(Contact.item) },
      }),
    },
    ({ query: { search, tag, segment_id, vertical, sort_dir, ...query }, caller, workspace }) =>
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
  )

  app.post(
    '/contacts',
    {
      schema: { body: Contact.create },
      config: contactOperation({
        id: 'createContact',
        summary: 'Create a contact',
        scope: 'crm:write',
        fidelity: documentedBut(
          'The specification shows a conflict for duplicates. Assumed: name is required. Two contacts with the same e-mail address, ignoring case, are duplicates. The response then has the id of the existing contact in existing_id.',
        ),
        answers: { 201: AssumedRecord(Contact.item) },
        refuses: ['conflict'],
      }),
    },
    ({ body, workspace }, reply) => {
      const contact = createContact(workspace, { ...Contact.parse(workspace, body), name: body.name })
      reply.code(201)
      return collection.text(workspace, contact)
    },
  )

  app.get(
    '/contacts/:contact_id',
    {
      schema: { params: ContactId },
      config: contactOperation({
        id: 'getContact',
        summary: 'Get a contact',
        fidelity: documented,
        answers: { 200: AssumedRecord(Contact.item) },
      }),
    },
    ({ params, workspace }) => collection.get(workspace, params.contact_id),
  )

  app.patch(
    '/contacts/:contact_id',
    {
      preValidation: mustExist,
      schema: { params: ContactId, body: Contact.update },
      config: contactOperation({
        id: 'updateContact',
        summary: 'Update a contact',
        description: 'Changes only the fields in the request body.',
        fidelity: documentedBut(
          'Assumed: null clears a nullable field. tags and custom_fields are replaced as a whole. A request that changes nothing keeps the time of the last change and sends no event.',
        ),
        answers: { 200: AssumedRecord(Contact.item) },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const contact = contactRecords.get(workspace, params.contact_id)
      return collection.text(workspace, updateContact(workspace, contact, Contact.parse(workspace, body)))
    },
  )

  app.delete(
    '/contacts/:contact_id',
    {
      schema: { params: ContactId },
      config: contactOperation({
        id: 'deleteContact',
        summary: 'Delete a contact',
        description: 'Permanently deletes the contact with its activities, notes and deals.',
        scope: 'crm:delete',
        fidelity: documented,
        answers: NO_CONTENT,
      }),
    },
    async ({ params, workspace }, reply) => {
      await deleteContact(workspace, contactRecords.get(workspace, params.contact_id))
      return noContent(reply)
    },
  )
}

/** Refuses an unknown contact before the body is validated. */
const mustExist = checkFirst<{ contact_id: string }>(({ workspace }, params) =>
  contactRecords.get(workspace, params.contact_id),
)

const filtersOf = (workspace: Workspace, segmentId: string) =>
  segmentFilters(workspace, segmentId) ??
  refuseField('segment_id', 'unknown', `There is no segment ${segmentId}.`)
