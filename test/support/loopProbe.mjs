/**
 * Runs inside a tested server (`process.ts`) and reports the longest block of its event loop since the last request.
 */
import process from 'node:process'
import { Holds } from './holds.mjs'

const holds = new Holds()

process.on('message', () => {
  // Includes a block that has not ended yet.
  setTimeout(() => process.send?.({ longestHoldMs: holds.take() }), 20)
})
// The channel must not keep the server alive.
process.channel?.unref()
