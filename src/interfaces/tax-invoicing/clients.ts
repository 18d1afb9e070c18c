/** Clients. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { fieldRendering } from '../../http/shapes/fields.ts'
import { checkFirst, NO_CONTENT, noContent, operationsOf } from '../../http/definition/operation.ts'
import { numberedPage } from '../../http/lists/pages.ts'
import { everyCallerIn } from '../../http/lists/responseCache.ts'
import { pageMeta, PageOf } from '../../http/schemas/wireShapes.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import {
  clients as clientRecords,
  createClient,
  deleteClient,
  updateClient,
  type Client as ClientRow,
  type ClientFields,
} from '../../state/tax-invoicing/masterData/clients.ts'
import { warningsOf } from '../../state/tax-invoicing/masterData/clientWarnings.ts'
import { clients as clientTable } from '../../state/tax-invoicing/tables.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { clientFields } from './recordFields.ts'
import {
  CheckedClient,
  Client,
  ClientCreate,
  ClientId,
  ClientQuery,
  ClientUpdate,
} from './schemas/clients.ts'

const clientText = fieldRendering(clientTable, clientRecords, clientFields)

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
        answers: { 200: PageOf(Client) },
      }),
    },
    ({ query, workspace }) => {
      const { page, per_page: perPage, sort_by: sort, sort_order: order, ...filters } = query
      return numberedPage(
        'tax clients',
        clientRecords.list,
        clientText,
        everyCallerIn(workspace),
        { page, perPage, sort, order },
        filters,
        pageMeta,
      )
    },
  )

  app.post(
    '/clients',
    {
      schema: { body: ClientCreate },
      config: clientOperation({
        id: 'createClient',
        summary: 'Create a client',
        description:
          'Returns warnings, but still creates the client, if the registry does not have the tax id, if the tax id is on the list of flagged taxpayers, or if the name, the regime or the postal code contradict the registry. Returns 409 if another client has the same tax id.',
        scope: 'catalogs:read',
        fidelity: documentedBut(
          'Assumed: rfc and nombre are required. The response is the client itself with its warnings. A tax id that another client has returns 409, except the generic tax ids. The regime must fit the tax id, and the use must fit the regime. Data that contradict the registry cause a warning.',
        ),
        answers: { 201: CheckedClient },
        refuses: ['conflict'],
      }),
    },
    ({ body, workspace }, reply) => {
      const { rfc, nombre } = body
      const client = createClient(workspace, { ...fromWire(body), rfc, nombre: nombre.trim() })
      reply.code(201)
      return clientWithWarnings(workspace, client)
    },
  )

  app.get(
    '/clients/:client_id',
    {
      schema: { params: ClientId },
      config: clientOperation({
        id: 'getClient',
        summary: 'Get a client',
        fidelity: documentedBut('Assumed: the call needs no scope.'),
        answers: { 200: Client },
      }),
    },
    ({ params, workspace }) =>
      clientText.find(workspace, params.client_id) ?? clientRecords.noSuch(params.client_id),
  )

  app.patch(
    '/clients/:client_id',
    {
      preValidation: mustExist,
      schema: { params: ClientId, body: ClientUpdate },
      config: clientOperation({
        id: 'updateClient',
        summary: 'Update a client',
        description: 'Updates only the fields in the request body.',
        fidelity: documentedBut(
          'Assumed: the request body. The call needs no scope. null clears a nullable field. The response has warnings, like the response to a create.',
        ),
        answers: { 200: CheckedClient },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const client = clientRecords.get(workspace, params.client_id)
      return clientWithWarnings(workspace, updateClient(workspace, client, fromWire(body)))
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
          'Assumed: the call needs no scope. It returns 409 if the tax id of the client has an invoice, even a cancelled one.',
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

/** Serializes a client as JSON, with its warnings as the last property. */
const clientWithWarnings = (workspace: Workspace, client: ClientRow): string =>
  `${clientText.one(workspace, client).slice(0, -1)},"warnings":${JSON.stringify(warningsOf(workspace, client))}}`

/** Maps the wire fields to the names of the state. Leaves out fields that are missing from the body. */
function fromWire(sent: Static<typeof ClientUpdate>): ClientFields {
  const { rfc, nombre, email, telefono } = sent
  return {
    ...(rfc !== undefined && { rfc }),
    ...(nombre !== undefined && { nombre: nombre.trim() }),
    ...(email !== undefined && { email }),
    ...(telefono !== undefined && { telefono }),
    ...(sent.regimen_fiscal !== undefined && { regimenFiscal: sent.regimen_fiscal }),
    ...(sent.domicilio_fiscal !== undefined && { domicilioFiscal: sent.domicilio_fiscal }),
    ...(sent.uso_cfdi_default !== undefined && { usoCfdiDefault: sent.uso_cfdi_default }),
  }
}
