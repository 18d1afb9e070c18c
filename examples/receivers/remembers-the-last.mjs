/** Fails "lost_answer": it remembers only the last event, and another one arrives before the retry. */
import { correct, start } from './shared.mjs'

start({
  ...correct,
  remember(key, state) {
    state.remembered = new Set([key])
  },
})
