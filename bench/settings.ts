/** How much is measured. A quick run tells whether everything still runs; its figures are rough. */

export interface Settings {
  /** Times that each side has its turn, in alternation. */
  readonly rounds: number
  /** How long one turn of a load takes. */
  readonly seconds: number
  /** How long each side is warmed up before the first round. */
  readonly warmUp: number
  /** Pairs of starts. */
  readonly starts: number
  /** Products in the database that is read. */
  readonly records: number
  /** Deliveries that are owed at the start of each round. */
  readonly deliveries: number
  /** Workspaces made, and resets done, in one turn. */
  readonly workspaces: number
  readonly resets: number
}

export const FULL: Settings = {
  // Short turns, so that whatever else the machine does is spread over both sides.
  rounds: 9,
  seconds: 0.6,
  warmUp: 1,
  starts: 15,
  records: 100_000,
  deliveries: 30_000,
  workspaces: 100,
  resets: 30,
}

export const QUICK: Settings = {
  rounds: 5,
  seconds: 0.2,
  warmUp: 0.2,
  starts: 5,
  // As many as ever: with fewer, memory would hold most of what is read.
  records: 100_000,
  deliveries: 5_000,
  workspaces: 30,
  resets: 10,
}

/** Keep-alive connections of every load, each with one request at a time. */
export const CONNECTIONS = 10
