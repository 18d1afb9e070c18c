/** The states of a webhook delivery. The specification promises retries without a schedule (parts 1 and 2). */
import { attemptsOf, type Scheduled } from '../profiles/schedule.ts'
import { assumed } from '../../state/model/fidelity.ts'
import { machine } from '../../state/model/machine.ts'

const BY_EVENTS =
  'a delivery follows an event: subscribe with POST /_sim/workspaces/{id}/subscriptions, let the event happen or send a sample with POST /_sim/workspaces/{id}/deliveries, and let faults decide about its attempts'

/** Returns the machine. Its labels name the attempts of interfaces with a schedule of their own. */
export const deliveryMachineOf = (interfaces: readonly Scheduled[]) =>
  machine({
    name: 'webhooks.delivery',
    title: 'Delivery',
    states: ['pending', 'delivered', 'dead'],
    initial: ['pending'],
    reach: { made: {}, unreached: { pending: BY_EVENTS, delivered: BY_EVENTS, dead: BY_EVENTS } },
    moves: {
      succeed: {
        can: 'succeed',
        from: ['pending'],
        to: 'delivered',
        by: 'an attempt to which the receiver responds with 2xx',
        fidelity: assumed('"The subscriber should answer 2xx quickly": only 2xx counts as delivered.'),
      },
      give_up: {
        from: ['pending'],
        to: 'dead',
        by: 'the last attempt of the schedule, a 410 of the receiver, or the end of the subscription',
        fidelity: assumed(
          `The specification shows no retry count or schedule. After ${attemptsOf(interfaces)}, or immediately after a 410, the delivery is dead.`,
        ),
      },
      send_again: {
        from: ['delivered', 'dead'],
        to: 'pending',
        settledIn: ['pending'],
        by: 'POST /_sim/workspaces/{id}/deliveries/{deliveryId}/redeliver, or .../deliveries/redeliver',
        fidelity: assumed('The specification shows no redelivery; the control plane adds it.'),
      },
    },
  })

export const deliveryMachine = deliveryMachineOf([])
