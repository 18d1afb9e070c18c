/** Customers and links for cards. */
import { NAME, type Scenarios } from '../scenario.ts'

const CUSTOMER = { id: '{customer}' }
const LINK = { hashUrl: '{link}' }

/** The project of the key. */
const PROJECT = ['.data.customer.projectId', '.data.customers[].projectId']

export const integrationPaymentsScenarios: Scenarios = {
  interface: 'integration-payments',
  scenarios: [
    {
      resource: 'customers',
      needsAllow: 'No call deletes a customer.',
      steps: [
        {
          operation: 'createCustomer',
          body: { name: NAME, email: 'suite-sim-{run}@example.com', phone: '+507 6000 0000' },
          save: { customer: 'data.customer.id' },
          creates: { id: 'customer', undo: null, find: { operation: 'listCustomers' } },
          ignored: PROJECT,
        },
        { operation: 'getCustomer', path: CUSTOMER, ignored: PROJECT },
        { operation: 'listCustomers', query: { lim: '100' }, rows: '{customer}', ignored: PROJECT },
        { operation: 'createCustomer', body: { name: NAME, email: 'no address' }, refused: 400 },
        {
          operation: 'vaultCustomer',
          path: CUSTOMER,
          body: { customerVaultId: 'vault_{run}', cardLast4: '4242', cardExp: '1229' },
          ignored: PROJECT,
        },
        {
          operation: 'vaultCustomer',
          path: CUSTOMER,
          body: { customerVaultId: 'vault_{run}', cardLast4: '42' },
          refused: 400,
        },
      ],
    },
    {
      resource: 'collection-links',
      needsAllow: 'No call deletes a link, but it is cancelled.',
      sideEffect: 'A cancelled link stays, and so does its customer.',
      steps: [
        {
          operation: 'createCollectionLink',
          body: {
            customer: { name: NAME, email: 'suite-sim-{run}@example.com' },
            isTest: true,
            metadata: { run: '{run}' },
          },
          save: { link: 'data.hashUrl' },
          creates: {
            id: 'link',
            undo: { operation: 'cancelPaymentLink', path: LINK, done: [400, 409] },
            find: { operation: 'listPaymentLinks', query: { search: '{run}' }, id: 'hashUrl' },
          },
        },
        { operation: 'listPaymentLinks', query: { search: '{run}' }, rows: '{link}' },
        {
          operation: 'createCollectionLink',
          body: { customer: { name: NAME, email: 'no address' } },
          refused: 400,
        },
        { operation: 'cancelPaymentLink', path: LINK, moves: 'integration-payments.link cancel' },
        { operation: 'cancelPaymentLink', path: LINK, refused: 400 },
      ],
    },
  ],
  uncovered: { createPaymentLink: 'it needs a product, and no call creates one' },
}
