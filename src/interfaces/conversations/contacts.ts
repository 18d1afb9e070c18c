/** Contacts. Specification part 3, "Contact"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { partOfList } from '../../http/definition/paging.ts'
import {
  contacts as contactRecords,
  createContact,
  updateContact,
  type Contact as ContactRow,
} from '../../state/conversations/contacts.ts'
import { removeContactInSlices } from '../../state/conversations/messages.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { contactKeys } from './filterKeys.ts'
import type { FilterCondition } from './filters.ts'
import { NO_STATUS } from './operations.ts'
import { selectByConditions } from './selectRecords.ts'
import { AccountParams, IdParams } from './shapes/common.ts'
import { ContactFilter, ContactQuery, ContactSearch, ContactUpdate } from './shapes/contactRequests.ts'
import {
  Contact,
  ContactPage,
  CreatedContact,
  FoundContacts,
  NewContact,
  OneContact,
  PlainContact,
} from './shapes/contacts.ts'
import { FilterQuery } from './shapes/conversations.ts'

/** Contacts on a page (assumed). */
const PER_PAGE = 15

/** A contact of the demo workspace that no other record refers to. */
const VISITOR = 7

const mustExist = inAccount<{ account_id: string; id: string }>(({ workspace }, { id }) =>
  contactRecords.getHead(workspace, id),
)

type Sort = 'name' | 'email' | 'phone_number' | 'last_activity_at' | 'created_at'

/** Returns a page of the contacts that contain the search text, or of all contacts without one. */
function page(
  workspace: Workspace,
  { sort, page: number, search }: { readonly sort: string; readonly page: number; readonly search?: string },
  withInboxes: boolean,
) {
  const { heads, total } = contactRecords.list(workspace, {
    sort: sort.replace('-', '') as Sort,
    order: sort.startsWith('-') ? 'desc' : 'asc',
    limit: PER_PAGE,
    offset: (number - 1) * PER_PAGE,
    filters: { search },
  })
  return {
    meta: { count: total, current_page: number },
    payload: (withInboxes ? Contact : PlainContact).views(contactRecords.ofPage(workspace, heads), workspace),
  }
}

const shown = (workspace: Workspace, contact: ContactRow) => Contact.view(contact, workspace)

const ALL = partOfList('A page has 15 contacts. No parameter changes this.')

export const contacts: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Contacts', assumedStatus: NO_STATUS })
  const list = at(`${ACCOUNT}/contacts`, { params: AccountParams, before: inAccount() })
  const item = at(`${ACCOUNT}/contacts/:id`, { params: IdParams(VISITOR), before: mustExist })

  list.get({
    id: 'listContacts',
    summary: 'List contacts',
    fidelity: documentedBut(
      'Assumed: 15 contacts per page, sorted by name by default. contact_inboxes is included unless include_contact_inboxes is false. A contact is online for five minutes after it has written.',
    ),
    query: ContactQuery,
    answers: { 200: ContactPage },
    paging: ALL,
    run({ query, workspace }) {
      const { page: number = 1, sort = 'name', include_contact_inboxes: withInboxes = true } = query
      return page(workspace, { sort, page: number }, withInboxes)
    },
  })

  at(`${ACCOUNT}/contacts/search`, { params: AccountParams }).get({
    id: 'searchContacts',
    summary: 'Search contacts',
    fidelity: documentedBut(
      'Assumed: q is required. The search ignores case and accents, and compares phone numbers by their digits. It also searches identifiers. 15 contacts per page, sorted by name.',
    ),
    query: ContactSearch,
    before: inAccount(),
    answers: { 200: FoundContacts },
    paging: ALL,
    run({ query, workspace }) {
      const { q, page: number = 1 } = query
      return page(workspace, { sort: 'name', page: number, search: q.trim() }, true)
    },
  })

  list.post({
    id: 'createContact',
    summary: 'Create a contact',
    fidelity: documentedBut(
      'Assumed: no field is required. E-mail address, phone number and identifier are unique; an empty one is null.',
    ),
    body: NewContact.create,
    answers: { 200: CreatedContact },
    run: ({ body, workspace }) => ({
      payload: {
        contact: shown(workspace, createContact(workspace, NewContact.parse(workspace, body))),
        contact_inbox: {},
      },
    }),
  })

  item.get({
    id: 'getContact',
    summary: 'Get a contact',
    fidelity: documented,
    answers: { 200: OneContact },
    run: ({ params, workspace }) => ({ payload: shown(workspace, contactRecords.get(workspace, params.id)) }),
  })

  item.patch({
    id: 'updateContact',
    summary: 'Update a contact',
    fidelity: documentedBut(
      'Assumed: attributes are merged with the existing ones, at most 100 in total. An empty e-mail address, phone number or identifier is null.',
    ),
    body: ContactUpdate,
    answers: { 200: OneContact },
    run({ params, body, workspace }) {
      const contact = updateContact(
        workspace,
        contactRecords.get(workspace, params.id),
        Contact.parse(workspace, body),
      )
      return { payload: shown(workspace, contact) }
    },
  })

  item.delete({
    id: 'deleteContact',
    summary: 'Delete a contact',
    description: 'Permanently deletes the contact with its conversations and messages.',
    fidelity: documentedBut('The specification does not show the response; the simulator returns no body.'),
    answers: { 200: null },
    async run({ params, workspace }) {
      await workspace.longWork.inSlices(
        removeContactInSlices(workspace, contactRecords.get(workspace, params.id)),
      )
    },
  })

  at(`${ACCOUNT}/contacts/filter`, { params: AccountParams }).post({
    id: 'filterContacts',
    summary: 'Filter contacts by conditions',
    addsData: false,
    fidelity: documentedBut(
      'Assumed: the keys are name, email, phone_number, identifier, city, country_code, created_at, last_activity_at and custom attributes. Phone numbers are compared by their digits, as in the search. A custom attribute that no contact has is treated as missing. Custom attributes have no type: is_greater_than and is_less_than compare numbers if the value is a number, else dates. query_operator joins conditions, AND before OR. A date is a day in the time zone of the workspace: is_greater_than means after that day, and is_less_than before it; days_before counts days before today. 15 contacts per page, the oldest first.',
    ),
    query: FilterQuery,
    body: ContactFilter,
    before: inAccount(),
    answers: { 200: FoundContacts },
    paging: ALL,
    async run({ body, query, workspace }) {
      const { page: number = 1 } = query
      const found = await filterContacts(workspace, body.payload, ({ id }) => id)
      const start = (number - 1) * PER_PAGE
      // A contact may have been deleted during the search.
      const onPage = contactRecords.findAll(workspace, found.slice(start, start + PER_PAGE))
      return {
        meta: { count: found.length, current_page: number },
        payload: Contact.views(onPage, workspace),
      }
    },
  })
}

/** Returns the result of `keep` for all contacts that meet the conditions, the oldest first. */
export const filterContacts = <Kept>(
  workspace: Workspace,
  conditions: readonly FilterCondition[],
  keep: (contact: ContactRow) => Kept,
): Promise<Kept[]> =>
  selectByConditions(() => contactRecords.walk(workspace), conditions, contactKeys, workspace, keep)
