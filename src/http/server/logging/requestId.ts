/**
 * The X-Request-Id of each answer: that of the caller, or else the id of the call in the journal of its workspace, or else the
 * number of the request in the log. It connects the logs of a client with the journal and the log of the server.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** True if a later step records it in a journal. */
    isJournalled?: true
    /** Its id in a journal, once it is recorded: "req_12", or "unm_3" if it belongs to no workspace. */
    recordedAs?: string
  }
}

export const REQUEST_ID = 'x-request-id'

/** Visible characters, so that it fits into a header and a line of a log. */
const SENT = /^[\x21-\x7e]{1,128}$/

/** Returns the X-Request-Id of the caller; undefined if it has none that can be echoed. */
export function sentRequestId({ [REQUEST_ID]: sent }: IncomingHttpHeaders): string | undefined {
  return typeof sent === 'string' && SENT.test(sent) ? sent : undefined
}

/** Returns the X-Request-Id of the answer. */
export const requestIdOf = ({ headers, id, recordedAs }: FastifyRequest): string =>
  sentRequestId(headers) ?? recordedAs ?? id

/** Sets the header, unless the answer has one, such as that of a fault. */
export function setRequestId(request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.hasHeader(REQUEST_ID)) void reply.header(REQUEST_ID, requestIdOf(request))
}

/** Sets the header of the answers to requests that no later step records. */
export const addRequestId: onSendHookHandler = (request, reply, payload, done) => {
  if (request.isJournalled !== true) setRequestId(request, reply)
  done(null, payload)
}
