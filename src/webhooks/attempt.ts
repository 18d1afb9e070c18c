/** One attempt to hand a delivery over, from when the transport is given it until what came of it is on the file. */
import type { Backlog, InFlight } from './backlog.ts'
import type { OwedDelivery } from './deliveries.ts'
import type { Outgoing, Result, Sending, Transport } from './sending/index.ts'

/** The body is not kept: hundreds are in flight. */
export class Attempt implements InFlight {
  readonly backlog: Backlog
  readonly sequence: number
  readonly id: string
  readonly interface: string
  readonly event: string
  readonly record: string | null
  readonly subscription: string
  readonly characters: number
  /** When it was given away, on the workspace's clock. */
  readonly at: number
  /** Whether its origin had been silent before. */
  readonly toSilent: boolean
  readonly #over: () => void
  #sending: Sending | null = null

  /** `over` is called when it is in flight no more. */
  constructor(backlog: Backlog, sequence: number, owed: OwedDelivery, at: number, over: () => void) {
    this.backlog = backlog
    this.sequence = sequence
    this.id = owed.id
    this.interface = owed.interface
    this.event = owed.event
    this.record = owed.record
    this.subscription = owed.subscription
    this.characters = owed.body.length
    this.at = at
    this.toSilent = backlog.origin.silent
    this.#over = over
  }

  go(
    transport: Pick<Transport, 'send'>,
    outgoing: Outgoing,
    ended: (attempt: Attempt, result: Result | null) => void,
  ): void {
    this.#sending = transport.send(outgoing, (result) => {
      ended(this, result)
    })
  }

  cancel(): boolean {
    return this.#sending?.cancel() ?? false
  }

  over(): void {
    this.#over()
  }
}
