/** Fails "outage": it refuses events older than five minutes, so it refuses the retries after an outage. */
import { correct, start } from './shared.mjs'

start({ ...correct, maxAge: 5 * 60 * 1000 })
