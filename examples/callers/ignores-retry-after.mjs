/** Fails "waits": it repeats a call with a 429 as soon as one with a 503, without a look at Retry-After. */
import { correct, start } from './shared.mjs'

await start({ ...correct, pauseMs: (_answer, attempt) => correct.pauseMs({}, attempt) })
