/** What the queue hands deliveries to. How they are sent, and from which thread, is the courier's business. */

/** A delivery on its way out. */
export interface Outgoing {
  readonly url: string
  /** Names and values in turn; the signature is added to them. */
  readonly headers: readonly string[]
  readonly body: string
  /** What it is signed with. */
  readonly secret: string
}

/** What came of it. `status` is null when no answer began; `error` is null when the receiver took the delivery. */
export interface Result {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

export interface CourierOptions {
  /** Ms that one attempt may take in all. */
  readonly timeoutMs: number
  /** Connections to one origin. */
  readonly connections: number
}

export interface Courier {
  /** Whether it can send at once; if not, it is to be loaded first. */
  readonly ready: boolean
  load(): Promise<void>
  /** Calls `ended` once, at the latest when the time is over. To be `ready` for. */
  send(outgoing: Outgoing, ended: (result: Result) => void): void
  /** To be called when nothing is under way any more. */
  close(): Promise<void>
}
