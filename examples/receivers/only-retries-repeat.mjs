/** Fails "duplicates": it believes that only a retry can repeat a delivery. */
import { correct, start } from './shared.mjs'

start({
  ...correct,
  isRepeated: (key, headers, state) =>
    Number(headers['x-service-attempt']) > 1 && correct.isRepeated(key, headers, state),
})
