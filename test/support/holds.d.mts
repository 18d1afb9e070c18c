/** Watches the event loop of this thread, which has to be the main one. */
export declare class Holds {
  /** The longest since this was asked last, in ms. */
  take(): number
  stop(): void
}
