/** Fails "expired_key": it repeats a call with a 401 until the key works again. */
import { correct, start } from './shared.mjs'

await start({
  ...correct,
  maxAttempts: Infinity,
  mayRepeat: (answer, attempt) => answer.status === 401 || (attempt < 4 && correct.mayRepeat(answer)),
  pauseMs: (answer, attempt) => (answer.status === 401 ? 20 : correct.pauseMs(answer, attempt)),
})
