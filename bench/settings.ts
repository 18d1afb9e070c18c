/** How much is measured. A quick run tells whether everything still runs; its figures are rough. */

export interface Settings {
  /** Times that each side has its turn, in alternation. */
  readonly rounds: number
  /** How long one turn of a load takes. wrk is used where these are whole seconds. */
  readonly seconds: number
  /** How long each side is warmed up before the first round. */
  readonly warmUp: number
  /** Pairs of starts. */
  readonly starts: number
  /** Products in the database that is read. */
  readonly records: number
  /** Deliveries that are measured in each round, and those that warm the process up before them. */
  readonly deliveries: number
  readonly deliveriesBefore: number
  /** Deliveries that fall due at once while others read. */
  readonly storm: number
  /** Workspaces made, and resets done, in one turn. */
  readonly workspaces: number
  readonly resets: number
  /** Contacts in the file of one import. */
  readonly imported: number
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
}

export const QUICK: Settings = {
  rounds: 5,
  seconds: 0.1,
  warmUp: 0.1,
  starts: 3,
  // Still more than the simulator remembers, read in an order in which nothing comes again before all else has.
  records: 20_000,
  deliveries: 1_000,
  deliveriesBefore: 1_000,
  storm: 1_000,
  workspaces: 20,
  resets: 1,
  imported: 5_000,
}

/** Keep-alive connections of every load, each with one request at a time. */
export const CONNECTIONS = 10
