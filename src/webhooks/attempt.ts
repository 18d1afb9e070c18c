/** One attempt to send a delivery, from its start until the database has its result. */
import type { Backlog, InFlight } from './backlog.ts'
import type { DueDelivery } from './deliveries.ts'
import type { Outgoing, Result, Transport } from './sending/index.ts'

/** The body is not kept: hundreds are in flight. */
export class Attempt implements InFlight {
  readonly backlog: Backlog
  readonly sequence: number
  readonly id: string
  readonly interface: string
  readonly event: string
  readonly record: string | null
  readonly subscription: string
  /** When it was sent, on the workspace's clock. */
  readonly at: number
  /** Whether its origin had been silent before. */
  readonly toSilent: boolean
  readonly #over: () => void

  /** `over` is called when it is in flight no more. */
  constructor(backlog: Backlog, sequence: number, owed: DueDelivery, at: number, over: () => void) {
    this.backlog = backlog
    this.sequence = sequence
    this.id = owed.id
    this.interface = owed.interface
    this.event = owed.event
    this.record = owed.record
    this.subscription = owed.subscription
    this.at = at
    this.toSilent = backlog.origin.silent
    this.#over = over
  }

  go(transport: Transport, outgoing: Outgoing, ended: (attempt: Attempt, result: Result) => void): void {
    transport.send(outgoing, (result) => {
      ended(this, result)
    })
  }

  over(): void {
    this.#over()
  }
}
