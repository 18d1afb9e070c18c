/** Fails "lost_answer": if a write gets no answer, it repeats the write without a look at what was done. */
import { correct, start } from './shared.mjs'

await start({ ...correct, isUnclear: (answer) => answer.status >= 500 || answer.isTimeout })
