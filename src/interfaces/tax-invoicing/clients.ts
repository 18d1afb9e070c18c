/** Clients. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { numberedCollection } from '../../http/lists/collection.ts'
import { Assumed } from '../../http/schemas/schemas.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documented, documentedBut } from '../../state/model/fidelity.ts'
import {
  clients as clientRecords,
  createClient,
  deleteClient,
  updateClient,
} from '../../state/tax-invoicing/masterData/clients.ts'
import { CheckedClient, Client, ClientId, ClientQuery } from './shapes/clients.ts'

const collection = numberedCollection({
  records: clientRecords,
  rendering: Client.rendering(),
  sort: 'created_at',
  meta: pageMeta,
})

const checkedText = CheckedClient.rendering()

const Checked = Assumed(
  'The specification mentions a warning in the response to a create, and does not show the response. It is a client as in the list, with warnings and without an envelope.',
  CheckedClient.item,
)

export const clients: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Clients' })
  const list = at('/clients')
  const item = at('/clients/:client_id', { params: ClientId, record: clientRecords })

  list.get({
    id: 'listClients',
    summary: 'List clients',
    scope: 'catalogs:read',
    fidelity: documentedBut('Assumed: the default order is newest first.'),
    query: ClientQuery,
    answers: { 200: PageOf(Client.item) },
    run({ query, caller }) {
      const { search, regimen_fiscal } = query
      return collection.page(caller, query, { search, regimen_fiscal })
    },
  })

  list.post({
    id: 'createClient',
    summary: 'Create a client',
    description:
      'Returns warnings, but still creates the client, if the registry does not have the tax id, if the tax id is on the list of flagged taxpayers, or if the name, the regime or the postal code contradict the registry. Returns 409 if another client has the same tax id.',
    scope: 'catalogs:read',
    fidelity: documentedBut(
      'Assumed: rfc and nombre are required. A tax id that another client has returns 409, except the generic tax ids. The regime must fit the tax id, and the use must fit the regime. Data that contradict the registry cause a warning.',
    ),
    assumedStatus: 'The specification does not show the status. The simulator returns 201, as for invoices.',
    body: Client.create,
    answers: { 201: Checked },
    refuses: ['conflict'],
    run({ body, workspace }) {
      const { rfc, nombre } = body
      const client = createClient(workspace, { ...Client.parse(workspace, body), rfc, nombre })
      return checkedText.one(workspace, client)
    },
  })

  item.get({
    id: 'getClient',
    summary: 'Get a client',
    fidelity: documented,
    answers: {
      200: Assumed(
        'The specification does not show the response. It is a client as in the list, without an envelope.',
        Client.item,
      ),
    },
    run: ({ params, workspace }) => collection.get(workspace, params.client_id),
  })

  item.patch({
    id: 'updateClient',
    summary: 'Update a client',
    description: 'Updates only the fields in the request body.',
    fidelity: documentedBut('Assumed: null clears a nullable field.'),
    body: Client.update,
    answers: { 200: Checked },
    refuses: ['conflict'],
    run: ({ record: client, body, workspace }) =>
      checkedText.one(workspace, updateClient(workspace, client, Client.parse(workspace, body))),
  })

  item.delete({
    id: 'deleteClient',
    summary: 'Delete a client without invoices',
    fidelity: documentedBut(
      'Assumed: returns 409 if the tax id of the client has an invoice, even a cancelled one.',
    ),
    answers: NO_CONTENT,
    refuses: ['conflict'],
    run: ({ record, workspace }) => {
      deleteClient(workspace, record)
    },
  })
}
