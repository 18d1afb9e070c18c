/** Limits for a server under attack. */

import { calibratedMs } from '../support/holds.mjs'

/**
 * The maximum block of the event loop in ms: 100 on an idle core, as for single inputs (test/support/loopDelay.ts).
 */
export const MAX_BLOCK_MS = Math.max(100, 10 * calibratedMs())

/**
 * Limits of resident memory in MB, at most and at the end. A hundred thousand requests leave the server at 400 to 640
 * MB between garbage collections, without further growth.
 */
export const MEMORY = { most: 900, settled: 700 }
