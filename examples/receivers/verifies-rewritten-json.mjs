/** Fails "other_bytes": it verifies JSON that it has written anew, instead of the bytes of the body. */
import { correct, start } from './shared.mjs'

const rewritten = (body) => {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}

start({ ...correct, isSigned: (body, headers, secret) => correct.isSigned(rewritten(body), headers, secret) })
