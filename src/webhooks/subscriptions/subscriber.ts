/** The part of an active subscription that the outbox needs. */
export interface Subscriber {
  readonly id: string
  readonly url: string
  readonly origin: string
  /** null means all. */
  readonly events: ReadonlySet<string> | null
}
