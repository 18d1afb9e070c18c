/** Fails "slow": it waits two seconds for an answer, and then repeats the write without a look at what was done. */
import { correct, start } from './shared.mjs'

await start({
  ...correct,
  timeoutMs: 2000,
  isUnclear: (answer) => !answer.isTimeout && correct.isUnclear(answer),
})
