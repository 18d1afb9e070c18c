/** Customers. Specification part 2, "Integration payments"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
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

const customerText = Customer.rendering()

const OneCustomer = One('customer', Customer.item)

export const customers: Resource = async (app) => {
  const at = routesOf(app, { tag: 'Customers' })
  const list = at('/v1/customers')

  list.get({
    id: 'listCustomers',
    summary: 'List customers',
    fidelity: documentedBut('Assumed: the newest customer comes first.'),
    query: CustomerQuery,
    answers: { 200: ListOf('customers', Customer.item) },
    run({ query: { status, ...page }, workspace }) {
      const data = listData('customers', customerRecords.list, customerText, workspace, page, { status })
      return answer(workspace, 'Customers found', data)
    },
  })

  list.post({
    id: 'createCustomer',
    summary: 'Create a customer without a card',
    fidelity: documentedBut(
      'Assumed: the customer is active. Several customers may have the same e-mail address. Sends no event, because customer.created follows a stored card.',
    ),
    assumedStatus: 'The specification does not show the status; the simulator returns 201, as for links.',
    body: CustomerCreate,
    answers: { 201: OneCustomer },
    run: ({ body, workspace }) => answerOne(workspace, 'Customer created', createCustomer(workspace, body)),
  })

  at('/v1/customers/:id', { params: CustomerId, record: customerRecords }).get({
    id: 'getCustomer',
    summary: 'Get a customer',
    fidelity: documentedBut('Assumed: returns 404 ERR_CUSTOMER_NOT_FOUND for an unknown id.'),
    answers: { 200: OneCustomer },
    run: ({ record, workspace }) => answerOne(workspace, 'Customer found', record),
  })

  at('/v1/customers/:id/vault', { params: CustomerId, record: customerRecords }).post({
    id: 'vaultCustomer',
    summary: 'Attach a stored card to a customer',
    description: 'Stores only the reference of the processor and the display data of the card.',
    fidelity: documentedBut(
      'Assumed: a new card replaces the previous one; fields that are not sent become null. Sends no event.',
    ),
    body: CustomerVault,
    answers: { 200: OneCustomer },
    run({ record, body, workspace }) {
      const card = { ...body, paymentProvider: body.paymentProvider ?? 'processor_a' }
      return answerOne(workspace, 'Customer vaulted', vaultCustomer(workspace, record.id, card))
    },
  })
}

const answerOne = (workspace: Workspace, message: string, customer: CustomerRow): string =>
  answer(workspace, message, `{"customer":${customerText.one(workspace, customer)}}`)
