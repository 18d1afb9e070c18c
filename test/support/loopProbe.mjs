/** Runs inside a server that is tested (`process.ts`): tells how long its event loop was held up since it was asked last. */
import process from 'node:process'
import { Holds } from './holds.mjs'

const holds = new Holds()

process.on('message', () => {
  // Let a hold that is not over yet be counted.
  setTimeout(() => process.send?.({ longestHoldMs: holds.take() }), 20)
})
// The server is to end as if nobody listened.
process.channel?.unref()
