/** Fails "unknown_event": it answers 422 to events that it does not know. */
import { correct, start } from './shared.mjs'

start({ ...correct, statusOfUnknown: 422 })
