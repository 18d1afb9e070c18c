/** Fails "lost_answer": the number of the attempt is part of its key, so each retry is new to it. */
import { correct, start } from './shared.mjs'

start({ ...correct, keyOf: (event, headers) => `${event.id} ${headers['x-service-attempt']}` })
