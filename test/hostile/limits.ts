/** What a server that is attacked must keep to. */

/** Ms that anything may hold up the event loop; test/support/loopDelay.ts asks the same of single inputs. */
export const LONGEST_HOLD_MS = 100

/**
 * MB of resident memory that the server may take while it is attacked, and that it may keep: a hundred thousand requests leave
 * it at 400 to 640, wherever between two collections of garbage it is looked at, and do not raise it from then on.
 */
export const MEMORY = { most: 900, settled: 700 }
