/** Fails "client_errors": it also repeats what the suite has refused as wrong. */
import { correct, start } from './shared.mjs'

await start({ ...correct, mayRepeat: (answer) => answer.status === 422 || correct.mayRepeat(answer) })
