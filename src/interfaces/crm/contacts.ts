/** Contacts. Specification part 1, "CRM"; routes in the order of operations.tsv. */
import { fieldRendering } from '../../http/fields.ts'
import type { Resource } from '../../http/definition.ts'
import { NO_CONTENT, before, noContent, operationsOf } from '../../http/operation.ts'
import { filteredText } from '../../http/namedRecords.ts'
import { numberedPage } from '../../http/pages.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import {
  contacts as contactRecords,
  createContact,
  deleteContact,
  segmentFilters,
  updateContact,
} from '../../state/crm/contacts.ts'
import { contacts as contactTable } from '../../state/crm/tables.ts'
import { documented, documentedBut } from '../../state/fidelity.ts'
import { refuseField } from '../../state/refusal.ts'
import type { Workspace } from '../../state/workspace.ts'
import { fromWire } from './contactFields.ts'
import { Contact, ContactCreate, ContactId, ContactQuery, ContactUpdate } from './schemas/contacts.ts'
import { contactFields } from './views.ts'

const contactText = fieldRendering(contactTable, contactRecords, contactFields)

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
          'Assumed: the newest first unless asked otherwise; names sort and search compares without case and accents (N finds Ñ), and a search of three digits or more finds a phone by them, however they are grouped; a tag is compared exactly; a segment is a saved set of filters, and one that does not exist is refused.',
        ),
        names: { tag: filteredText('tag', contactRecords, 'tag') },
        answers: { 200: PageOf(Contact) },
      }),
    },
    ({ query, workspace }) => {
      const { search, tag, segment_id, vertical, page, per_page: perPage } = query
      const filters = {
        search,
        tag,
        vertical,
        ...(segment_id !== undefined && filtersOf(workspace, segment_id)),
      }
      const where = { page, perPage, sort: query.sort_by, order: query.sort_dir }
      return numberedPage(
        'crm contacts',
        contactRecords.list,
        contactText,
        everyCallerIn(workspace),
        where,
        filters,
        pageMeta,
      )
    },
  )

  app.post(
    '/contacts',
    {
      schema: { body: ContactCreate },
      config: contactOperation({
        id: 'createContact',
        summary: 'Create a contact',
        scope: 'crm:write',
        fidelity: documentedBut(
          'That a duplicate is a conflict is shown. Assumed: name is required; two contacts with one e-mail address, compared without case, are duplicates; the refusal names the contact that is there in existing_id.',
        ),
        answers: { 201: Contact },
        refuses: ['conflict'],
      }),
    },
    ({ body, workspace }, reply) => {
      const contact = createContact(workspace, fromWire(body))
      reply.code(201)
      return contactText.one(workspace, contact)
    },
  )

  app.get(
    '/contacts/:contact_id',
    {
      schema: { params: ContactId },
      config: contactOperation({
        id: 'getContact',
        summary: 'Get a contact',
        fidelity: documentedBut('Assumed: any key may read it, and it is answered bare, as a deal is.'),
        answers: { 200: Contact },
      }),
    },
    ({ params, workspace }) =>
      contactText.find(workspace, params.contact_id) ?? contactRecords.noSuch(params.contact_id),
  )

  app.patch(
    '/contacts/:contact_id',
    {
      preValidation: mustExist,
      schema: { params: ContactId, body: ContactUpdate },
      config: contactOperation({
        id: 'updateContact',
        summary: 'Update a contact',
        description: 'Only the fields that are sent change.',
        fidelity: documentedBut(
          'Assumed: the body; any key may change it; null clears a field that may be null, tags and custom_fields are replaced as a whole, and an update without a field changes nothing.',
        ),
        answers: { 200: Contact },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const contact = contactRecords.get(workspace, params.contact_id)
      return contactText.one(workspace, updateContact(workspace, contact, fromWire(body)))
    },
  )

  app.delete(
    '/contacts/:contact_id',
    {
      schema: { params: ContactId },
      config: contactOperation({
        id: 'deleteContact',
        summary: 'Delete a contact',
        description: 'For good, together with its activities, notes and deals.',
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

/** That the contact exists is asked before the body is judged. */
const mustExist = before<{ contact_id: string }>(({ workspace }, params) =>
  contactRecords.get(workspace, params.contact_id),
)

const filtersOf = (workspace: Workspace, segmentId: string) =>
  segmentFilters(workspace, segmentId) ??
  refuseField('segment_id', 'unknown', `There is no segment ${segmentId}.`)
