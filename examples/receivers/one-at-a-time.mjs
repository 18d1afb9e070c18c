/** Fails "burst": it takes 50 ms for each delivery, one after the other, and answers 500 if twenty others wait. */
import { correct, start } from './shared.mjs'

const DURATION_MS = 50
const MAX_WAITING = 20
const waiting = []

function next() {
  const receive = waiting[0]
  setTimeout(() => {
    waiting.shift()
    receive()
    if (waiting.length > 0) next()
  }, DURATION_MS)
}

start({
  ...correct,
  schedule(receive, refuse) {
    if (waiting.length > MAX_WAITING) {
      refuse(500)
      return
    }
    waiting.push(receive)
    if (waiting.length === 1) next()
  },
})
