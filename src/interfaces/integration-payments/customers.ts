/** Customers. Specification part 2, "Integration payments"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { checkFirst, operationsOf } from '../../http/definition/operation.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import {
  createCustomer,
  customers as customerRecords,
  vaultCustomer,
  type Customer as CustomerRow,
} from '../../state/integration-payments/customers.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { answer, listData, ListOf, One } from './envelope.ts'
import { Customer, CustomerCreate, CustomerId, CustomerQuery, CustomerVault } from './shapes/customers.ts'

const customerText = Customer.rendering(customerRecords)

const customerOperation = operationsOf({ tag: 'Customers' })

const OneCustomer = One('customer', Customer.item)

export const customers: Resource = async (app) => {
  app.get(
    '/v1/customers',
    {
      schema: { querystring: CustomerQuery },
      config: customerOperation({
        id: 'listCustomers',
        summary: 'List customers',
        fidelity: documentedBut('Assumed: the newest customer comes first.'),
        answers: { 200: ListOf('customers', Customer.item) },
      }),
    },
    ({ query: { status, ...page }, workspace }) => {
      const data = listData('customers', customerRecords.list, customerText, workspace, page, { status })
      return answer(workspace, 'Customers found', data)
    },
  )

  app.post(
    '/v1/customers',
    {
      schema: { body: CustomerCreate },
      config: customerOperation({
        id: 'createCustomer',
        summary: 'Create a customer without a card',
        fidelity: documentedBut(
          'Assumed: the customer is active. Several customers may have the same e-mail address. Sends no event, because customer.created follows a stored card.',
        ),
        assumedStatus: 'The specification does not show the status; the simulator returns 201, as for links.',
        answers: { 201: OneCustomer },
      }),
    },
    ({ body, workspace }, reply) => {
      reply.code(201)
      return answerOne(workspace, 'Customer created', createCustomer(workspace, body))
    },
  )

  app.get(
    '/v1/customers/:id',
    {
      schema: { params: CustomerId },
      config: customerOperation({
        id: 'getCustomer',
        summary: 'Get a customer',
        fidelity: documentedBut('Assumed: returns 404 ERR_CUSTOMER_NOT_FOUND for an unknown id.'),
        answers: { 200: OneCustomer },
      }),
    },
    ({ params, workspace }) =>
      answerOne(workspace, 'Customer found', customerRecords.get(workspace, params.id)),
  )

  app.post(
    '/v1/customers/:id/vault',
    {
      preValidation: checkFirst<{ id: string }>(({ workspace }, { id }) =>
        customerRecords.get(workspace, id),
      ),
      schema: { params: CustomerId, body: CustomerVault },
      config: customerOperation({
        id: 'vaultCustomer',
        summary: 'Attach a stored card to a customer',
        description: 'Stores only the reference of the processor and the display data of the card.',
        fidelity: documentedBut(
          'Assumed: a new card replaces the previous one; fields that are not sent become null. Sends no event.',
        ),
        answers: { 200: OneCustomer },
      }),
    },
    ({ params, body, workspace }) => {
      const card = { ...body, paymentProvider: body.paymentProvider ?? 'processor_a' }
      return answerOne(workspace, 'Customer vaulted', vaultCustomer(workspace, params.id, card))
    },
  )
}

const answerOne = (workspace: Workspace, message: string, customer: CustomerRow): string =>
  answer(workspace, message, `{"customer":${customerText.one(workspace, customer)}}`)
