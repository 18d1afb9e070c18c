/** What a server that is attacked must keep to. */

/** Ms that anything may hold up the event loop; test/support/loopDelay.ts asks the same of single inputs. */
export const LONGEST_HOLD_MS = 250

/** MB of resident memory that the server may take while it is attacked, and that it may keep. */
export const MEMORY = { most: 700, settled: 450 }
