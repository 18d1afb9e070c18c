/** Runs inside the tested server and reports its heap after a garbage collection, when it is asked for its memory. */
import process from 'node:process'

process.on('message', (message) => {
  if (message !== 'memory') return
  globalThis.gc?.()
  process.send?.({ heapBytes: process.memoryUsage().heapUsed })
})
