/** The reading of payments. */
import { reading } from '../model/reading.ts'

export const refundEvent = reading({
  name: 'payments.refund_event',
  title: 'When a transaction becomes refunded and payment.refunded is sent',
  section: 'part 2, "Payments v1" of states, "Events"',
  default: 'completed',
  alternatives: {
    completed: 'When the refund is completed.',
    requested: 'When the refund is requested, while it is still processing.',
  },
})
