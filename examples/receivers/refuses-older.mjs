/** Fails "reordering": it answers 409 to an event that is older than the last one of its record. */
import { correct, recordOf, start, timeOf } from './shared.mjs'

start({
  ...correct,
  store(event, current) {
    const known = current.get(recordOf(event))
    return known && timeOf(event) < timeOf(known) ? 409 : correct.store(event, current)
  },
})
