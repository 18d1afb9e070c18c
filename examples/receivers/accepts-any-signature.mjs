/** Fails "wrong_signature": it accepts any signature header. */
import { correct, start } from './shared.mjs'

start({ ...correct, isSigned: (_body, headers) => headers['x-service-signature'] !== undefined })
