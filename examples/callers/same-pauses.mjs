/** Fails "server_errors": its pauses do not grow. */
import { correct, start } from './shared.mjs'

const PAUSE_MS = 500

await start({
  ...correct,
  pauseMs: (answer, attempt) => (answer.status === 429 ? correct.pauseMs(answer, attempt) : PAUSE_MS),
})
