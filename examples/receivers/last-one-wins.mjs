/** Fails "reordering": the event that arrives last overwrites the record, also if it is older. */
import { correct, recordOf, start } from './shared.mjs'

start({
  ...correct,
  store(event, current) {
    current.set(recordOf(event), event)
    return 200
  },
})
