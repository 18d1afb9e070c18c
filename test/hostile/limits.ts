/** What a server that is attacked must keep to. */

import { calibratedMs } from '../support/holds.mjs'

/** Ms that anything may hold up the event loop: 100 on a quiet core, as for single inputs (test/support/loopDelay.ts). */
export const LONGEST_HOLD_MS = Math.max(100, 10 * calibratedMs())

/**
 * MB of resident memory that the server may take while it is attacked, and that it may keep: a hundred thousand requests leave
 * it at 400 to 640, wherever between two collections of garbage it is looked at, and do not raise it from then on.
 */
export const MEMORY = { most: 900, settled: 700 }
