/** Watches the event loop of this thread, which must be the main thread. */
export declare class Holds {
  /** The longest block since the last call, in ms. */
  take(): number
  stop(): void
}

/** The ms that a fixed piece of work takes now, about 10 on an idle core. */
export declare function calibratedMs(): number
