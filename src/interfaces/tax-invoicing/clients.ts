/** Clients. Specification part 2, "Tax invoicing"; routes in the order of operations.tsv. */
import type { Static } from '@sinclair/typebox'
import type { Resource } from '../../http/definition.ts'
import { fieldRendering } from '../../http/fields.ts'
import { before, NO_CONTENT, noContent, operationsOf } from '../../http/operation.ts'
import { numberedPage } from '../../http/pages.ts'
import { everyCallerIn } from '../../http/responseCache.ts'
import { pageMeta, PageOf } from '../../http/wireShapes.ts'
import { documentedBut } from '../../state/fidelity.ts'
import {
  clients as clientRecords,
  createClient,
  deleteClient,
  updateClient,
  type Client as ClientRow,
  type ClientFields,
} from '../../state/tax-invoicing/clients.ts'
import { warningsOf } from '../../state/tax-invoicing/clientWarnings.ts'
import { clients as clientTable } from '../../state/tax-invoicing/tables.ts'
import type { Workspace } from '../../state/workspace.ts'
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
        fidelity: documentedBut('Assumed: the newest first unless asked otherwise.'),
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
          'A tax id that the registry does not know, or that is on the list of flagged taxpayers, is taken with a warning, and so are a name, a regime and a postal code that contradict the registry.',
        scope: 'catalogs:read',
        fidelity: documentedBut(
          'Assumed: rfc and nombre are required; the client is answered bare with its warnings; a tax id that another client has is a conflict, but for the generic ones; the regime has to be for such a tax id, and the use for the regime; the warnings on what contradicts the registry.',
        ),
        answers: { 201: CheckedClient },
        refuses: ['conflict'],
      }),
    },
    ({ body, workspace }, reply) => {
      const { rfc, nombre } = body
      const client = createClient(workspace, { ...fromWire(body), rfc, nombre: nombre.trim() })
      reply.code(201)
      return checked(workspace, client)
    },
  )

  app.get(
    '/clients/:client_id',
    {
      schema: { params: ClientId },
      config: clientOperation({
        id: 'getClient',
        summary: 'Get a client',
        fidelity: documentedBut('Assumed: any key may read it.'),
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
        description: 'Only the fields that are sent change.',
        fidelity: documentedBut(
          'Assumed: the body; any key may change it; null clears a field that may be null; the answer has warnings as that of a new client.',
        ),
        answers: { 200: CheckedClient },
        refuses: ['conflict'],
      }),
    },
    ({ params, body, workspace }) => {
      const client = clientRecords.get(workspace, params.client_id)
      return checked(workspace, updateClient(workspace, client, fromWire(body)))
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
          'Assumed: any key may; refused with 409 while there is an invoice to its tax id, cancelled ones included.',
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

/** That the client exists is asked before the body is judged. */
const mustExist = before<{ client_id: string }>(({ workspace }, params) =>
  clientRecords.getHead(workspace, params.client_id),
)

/** A client as JSON text, with its warnings at the end. */
const checked = (workspace: Workspace, client: ClientRow): string =>
  `${clientText.one(workspace, client).slice(0, -1)},"warnings":${JSON.stringify(warningsOf(workspace, client))}}`

/** The fields as the state calls them; those that were not sent stay out. */
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
