/** Clients. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst, NO_CONTENT, noContent, operationsOf } from '../../http/definition/operation.ts'
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
  rendering: Client.rendering(clientRecords),
  sort: 'created_at',
  meta: pageMeta,
})

const checkedText = CheckedClient.rendering(clientRecords)

const Checked = Assumed(
  'The specification mentions a warning in the response to a create, and does not show the response. It is a client as in the list, with warnings and without an envelope.',
  CheckedClient.item,
)

const clientOperation = operationsOf({ tag: 'Clients' })

export const clients: Resource = async (app) => {
  app.get(
    '/clients',
    {
      schema: { querystring: ClientQuery },
      config: clientOperation({
        id: 'listClients',
        summary: 'List clients',
        scope: 'catalogs:read',
        fidelity: documentedBut('Assumed: the default order is newest first.'),
        answers: { 200: PageOf(Client.item) },
      }),
    },
    ({ query, caller }) => {
      const { search, regimen_fiscal } = query
      return collection.page(caller, query, { search, regimen_fiscal })
    },
  )

  app.post(
    '/clients',
    {
      schema: { body: Client.create },
      config: clientOperation({
        id: 'createClient',
        summary: 'Create a client',
        description:
          'Returns warnings, but still creates the client, if the registry does not have the tax id, if the tax id is on the list of flagged taxpayers, or if the name, the regime or the postal code contradict the registry. Returns 409 if another client has the same tax id.',
        scope: 'catalogs:read',
        fidelity: documentedBut(
          'Assumed: rfc and nombre are required. A tax id that another client has returns 409, except the generic tax ids. The regime must fit the tax id, and the use must fit the regime. Data that contradict the registry cause a warning.',
        ),
        assumedStatus:
          'The specification does not show the status. The simulator returns 201, as for invoices.',
        answers: { 201: Checked },
        refuses: ['conflict'],
      }),
    },
    ({ body, workspace }, reply) => {
      const { rfc, nombre } = body
      const client = createClient(workspace, { ...Client.parse(workspace, body), rfc, nombre })
      reply.code(201)
      return checkedText.one(workspace, client)
    },
  )

  app.get(
    '/clients/:client_id',
    {
      schema: { params: ClientId },
      config: clientOperation({
        id: 'getClient',
        summary: 'Get a client',
        fidelity: documented,
        answers: {
          200: Assumed(
            'The specification does not show the response. It is a client as in the list, without an envelope.',
            Client.item,
          ),
        },
      }),
    },
    ({ params, workspace }) => collection.get(workspace, params.client_id),
  )

  app.patch(
    '/clients/:client_id',
    {
      preValidation: mustExist,
      schema: { params: ClientId, body: Client.update },
      config: clientOperation({
        id: 'updateClient',
        summary: 'Update a client',
        description: 'Updates only the fields in the request body.',
        fidelity: documentedBut('Assumed: null clears a nullable field.'),
        answers: { 200: Checked },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const client = clientRecords.get(workspace, params.client_id)
      return checkedText.one(workspace, updateClient(workspace, client, Client.parse(workspace, body)))
    },
  )

  app.delete(
    '/clients/:client_id',
    {
      schema: { params: ClientId },
      config: clientOperation({
        id: 'deleteClient',
        summary: 'Delete a client without invoices',
        fidelity: documentedBut(
          'Assumed: returns 409 if the tax id of the client has an invoice, even a cancelled one.',
        ),
        answers: NO_CONTENT,
        refuses: ['conflict'],
      }),
    },
    ({ params, workspace }, reply) => {
      deleteClient(workspace, clientRecords.get(workspace, params.client_id))
      return noContent(reply)
    },
  )
}

/** Checks that the client exists before the body is validated, so that 404 comes before 422. */
const mustExist = checkFirst<{ client_id: string }>(({ workspace }, params) =>
  clientRecords.getHead(workspace, params.client_id),
)
