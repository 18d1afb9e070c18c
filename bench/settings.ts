/** The size of a measurement. A quick run checks that all scenarios work; its figures are rough. */

export interface Settings {
  /** Number of measurements of each side, in alternation. */
  readonly rounds: number
  /** Seconds of one measurement. wrk needs whole seconds. */
  readonly seconds: number
  /** Seconds of warm-up of each side before the first round. */
  readonly warmUp: number
  /** Number of pairs of starts. */
  readonly starts: number
  /** Number of products in the database that is read. */
  readonly records: number
  /** Number of measured deliveries in each round, and of those before them that warm up the process. */
  readonly deliveries: number
  readonly deliveriesBefore: number
  /** Number of deliveries that become due at once during reads. */
  readonly storm: number
  /** Number of workspaces created, and of resets, in one measurement. */
  readonly workspaces: number
  readonly resets: number
  /** Number of contacts in the file of one import. */
  readonly imported: number
  /** Whether growth is measured up to a million products, too. */
  readonly million: boolean
}

export const FULL: Settings = {
  rounds: 5,
  seconds: 1,
  warmUp: 1,
  starts: 15,
  records: 100_000,
  deliveries: 30_000,
  deliveriesBefore: 30_000,
  storm: 10_000,
  workspaces: 100,
  resets: 9,
  imported: 50_000,
  million: false,
}

export const QUICK: Settings = {
  rounds: 5,
  seconds: 0.1,
  warmUp: 0.1,
  starts: 3,
  // Still more than the response cache holds; no record repeats before all were read.
  records: 20_000,
  deliveries: 1_000,
  deliveriesBefore: 1_000,
  storm: 1_000,
  workspaces: 20,
  resets: 1,
  imported: 5_000,
  million: false,
}

/** Number of keep-alive connections of every load, each with one request at a time. */
export const CONNECTIONS = 10
