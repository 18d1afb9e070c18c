/** Fails "stale": it does not compare the time of an event with its clock. */
import { correct, start } from './shared.mjs'

start({ ...correct, maxAge: Infinity })
