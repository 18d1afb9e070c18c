/** Watches the event loop of this thread, which has to be the main one. */
export declare class Holds {
  /** The longest since the last call, in ms. */
  take(): number
  stop(): void
}

/** The ms that a fixed piece of work takes now, about 10 on a quiet core. */
export declare function calibratedMs(): number
