/** Invoices, which are authorized immediately. */
import { NAME, type Scenarios } from '../scenario.ts'

const BODY = {
  branchId: '0000',
  // A final consumer, so that no taxpayer gets an invoice.
  client: { taxReceiverType: '02', taxName: NAME, email: 'suite-sim-{run}@example.com' },
  items: [{ description: NAME, qty: 2, price: 10.25, taxes: [{ code: '00' }] }],
  payments: [{ type: '02', amount: 20.5 }],
}

export const liteInvoicingScenarios: Scenarios = {
  interface: 'lite-invoicing',
  scenarios: [
    {
      resource: 'invoices',
      needsAllow: 'No call deletes an invoice, but it is canceled.',
      sideEffect: 'The invoice is authorized by the tax authority. Use a test environment.',
      steps: [
        {
          operation: 'issueInvoice',
          confirms: 'stamp',
          body: BODY,
          save: { invoice: 'result.id' },
          creates: { id: 'invoice', undo: null, find: null },
          ignored: ['.result.id', '.result.number', '.result.cufe', '.result.documentUrl'],
        },
        {
          operation: 'issueInvoice',
          confirms: 'stamp',
          body: { ...BODY, payments: [{ type: '02', amount: 20 }] },
          refused: 400,
        },
        {
          operation: 'cancelInvoice',
          confirms: 'stamp',
          body: { id: '{invoice}', reason: 'An invoice of suite-sim verify' },
          moves: 'lite-invoicing.invoice cancel',
        },
        {
          operation: 'cancelInvoice',
          confirms: 'stamp',
          body: { id: '{invoice}', reason: 'An invoice of suite-sim verify' },
          refused: 409,
        },
      ],
    },
  ],
  uncovered: {},
}
