/**
 * Bare Fastify with a fixed response at each route; it parses bodies, without credential, query or state.
 * `uploadsTo` is a file for uploaded forms, written unchanged.
 */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import Fastify from 'fastify'
import { answerQuestions } from '../answering.ts'

export interface FixedAnswer {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The route in Fastify's syntax, with `:id`. */
  readonly route: string
  readonly status: number
  readonly body: unknown
}

export interface BareQuestion {
  readonly answers: readonly FixedAnswer[]
  readonly uploadsTo?: string
}

/** Its URL. */
export type BareAnswer = string

answerQuestions<BareQuestion, BareAnswer>(({ answers, uploadsTo }) => {
  const app = Fastify({ logger: false })
  for (const { method, route, status, body } of answers) {
    app.route({
      method,
      url: route,
      handler: async (_request, reply) => {
        reply.code(status)
        return body
      },
    })
  }
  if (uploadsTo !== undefined) {
    app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
      pipeline(payload, createWriteStream(uploadsTo)).then(() => {
        done(null, {})
      }, done)
    })
    app.post('/*', async () => ({}))
  }
  return app.listen({ host: '127.0.0.1', port: 0 })
})
