/** Fails "wrong_signature": it checks that there is a signature, but not which one. */
import { correct, start } from './shared.mjs'

start({ ...correct, isSigned: (_body, headers) => headers['x-service-signature'] !== undefined })
