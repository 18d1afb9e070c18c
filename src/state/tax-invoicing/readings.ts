/** The reading of tax invoicing. */
import { reading } from '../model/reading.ts'

export const cancellationExempt = reading({
  name: 'tax-invoicing.cancellation_exempt',
  title: 'Which invoices are cancelled without the acceptance of their recipient',
  section: 'part 2, "Tax invoice cancellation": under 1,000 in MXN',
  default: 'threshold',
  alternatives: {
    threshold: 'Invoices of less than 1,000 pesos, payment receipts and transfers.',
    authority:
      'Also those that rule 2.7.1.35 of the authority names: up to 1,000 pesos, credit notes, and invoices to XAXX010101000 and XEXX010101000.',
  },
})
