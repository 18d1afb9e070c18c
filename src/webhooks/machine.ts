/** The life of a webhook delivery. The specification promises a retry and shows no schedule (parts 1 and 2). */
import { assumed } from '../state/fidelity.ts'
import { machine } from '../state/machine.ts'

export const deliveryMachine = machine({
  name: 'webhooks.delivery',
  title: 'Delivery',
  states: ['pending', 'delivered', 'dead'],
  initial: ['pending'],
  moves: {
    succeed: {
      from: ['pending'],
      to: 'delivered',
      by: 'an attempt that the receiver answers with 2xx',
      fidelity: assumed('"The subscriber should answer 2xx quickly": only 2xx counts as delivered.'),
    },
    give_up: {
      from: ['pending'],
      to: 'dead',
      by: 'the last attempt of the schedule, a 410 of the receiver, or the end of the subscription',
      fidelity: assumed(
        'Retry count and schedule are not shown; after eight attempts, or at once where the receiver is gone, the delivery is kept as dead.',
      ),
    },
    send_again: {
      from: ['delivered', 'dead'],
      to: 'pending',
      settledIn: ['pending'],
      by: 'POST /_sim/workspaces/{id}/deliveries/{deliveryId}/redeliver',
      fidelity: assumed('The suite shows no way to send again; the control plane offers one.'),
    },
  },
})
