/** One attempt of a delivery, from its start until its result is stored. */
import { traceIdOf } from '../../state/timeline/trace.ts'
import type { Backlog, InFlight } from '../backlogs/backlog.ts'
import type { DueDelivery } from '../deliveries/dueDeliveries.ts'
import type { Outgoing, Transport } from '../sending/index.ts'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'

/** Has no body, because hundreds of attempts are in flight. */
export class Attempt implements InFlight {
  readonly backlog: Backlog
  readonly sequence: number
  readonly id: string
  readonly interface: string
  readonly event: string
  readonly record: string | null
  readonly subscription: string
  /** The trace id of the call that caused the event. */
  readonly traceId: string | null
  /** When it was sent, on the workspace's clock. */
  readonly at: number
  /** True if the origin did not respond before. */
  readonly toSilent: boolean
  readonly #over: () => void

  /** `onOver` is called when the attempt is no longer in flight. */
  constructor(backlog: Backlog, sequence: number, delivery: DueDelivery, at: number, onOver: () => void) {
    this.backlog = backlog
    this.sequence = sequence
    this.id = delivery.id
    this.interface = delivery.interface
    this.event = delivery.event
    this.record = delivery.record
    this.subscription = delivery.subscription
    this.traceId = delivery.trace && traceIdOf(delivery.trace)
    this.at = at
    this.toSilent = backlog.origin.silent
    this.#over = onOver
  }

  go(
    transport: Transport,
    outgoing: Outgoing,
    ended: (attempt: Attempt, result: AttemptResult) => void,
  ): void {
    transport.send(outgoing, (result) => {
      ended(this, result)
    })
  }

  over(): void {
    this.#over()
  }
}
