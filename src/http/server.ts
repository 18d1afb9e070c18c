/** The HTTP server itself: its limits, and what it says where no interface is in charge. */
import type { IncomingMessage } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { Refusal } from '../state/refusal.ts'
import type { Database } from '../state/database.ts'
import type { Dialect } from './dialect.ts'
import { answerRefusal } from './mount.ts'
import type { Part } from './parts.ts'
import { asRefusal } from './refusals.ts'
import { validatorCompiler } from './validation.ts'

/** A body may not take longer than this to arrive. An answer may: a caller can wait for events. */
const REQUEST_TIMEOUT_MS = 60_000

/** Bodies are larger only where an operation says so. */
const BODY_LIMIT = 1_048_576

/**
 * In the place of the framework's own, which are loaded at each start though nobody uses them: an answer has no schema,
 * and `speak` sets this validator again wherever a dialect is spoken.
 */
const COMPILERS: object = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => () => (answer: unknown) => JSON.stringify(answer),
}

/** Says no to a request that the framework itself has turned down, such as one with a broken address. */
export type TurnedDown = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => void

/** A request with the number that it was given when it came in. */
type Numbered = IncomingMessage & { requestNumber?: string }

/** Makes a server without a socket or routes, which logs what it answers unless it is told to be silent. */
export type MakeServer = (turnDown: TurnedDown, options?: { readonly silent?: boolean }) => FastifyInstance

/** What is made counts its requests together. */
export function serverMaker(logger: FastifyBaseLogger | false): MakeServer {
  let last = 0
  const numberOf = (request: Numbered): string => (request.requestNumber ??= `req-${(++last).toString(36)}`)
  return (turnDown, { silent = false } = {}) =>
    Fastify({
      ...(logger && !silent ? { loggerInstance: logger } : { logger: false }),
      logController: new OneLineForEach(),
      // A logger of its own for each request would only repeat the id that the logged request tells.
      childLoggerFactory: (parent) => parent,
      genReqId: numberOf,
      exposeHeadRoutes: false,
      bodyLimit: BODY_LIMIT,
      requestTimeout: REQUEST_TIMEOUT_MS,
      forceCloseConnections: 'idle',
      schemaController: { compilersFactory: COMPILERS },
      frameworkErrors: (error, request, reply) => {
        turnDown(asRefusal(error, request), request, reply)
      },
    })
}

/**
 * The server that listens: it hands each request to the part whose address it names. Where there is none it says in
 * `dialect` where there are some.
 */
export function createFront(
  makeServer: MakeServer,
  logger: FastifyBaseLogger | false,
  parts: readonly Part[],
  dialect: Dialect,
): FastifyInstance {
  const partAt = ({ url }: FastifyRequest): Part | undefined => parts.find((part) => part.isAt(url))
  const refuse: TurnedDown = (refusal, request, reply) => {
    answerRefusal(dialect, refusal, request, reply)
    if (!logger) return
    if (reply.statusCode >= 500) logger.error({ req: request, err: refusal.cause }, refusal.message)
    else logRequest(logger, request, reply)
  }
  const answer = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void => {
    const part = partAt(request)
    if (!part) refuse(refusal, request, reply)
    else {
      part.answer(request, reply, (error) => {
        refuse(asRefusal(error, request), request, reply)
      })
    }
  }
  // What it hands over is logged by the part.
  const front = makeServer(answer, { silent: true })
  front.addHook('onRequest', (request, reply, done) => {
    const part = partAt(request)
    if (part) part.answer(request, reply, done)
    else done()
  })
  front.addHook('preClose', async () => {
    await Promise.all(parts.map((part) => part.close()))
  })
  front.setErrorHandler((error: Error, request, reply) => {
    refuse(asRefusal(error, request), request, reply)
  })
  front.setNotFoundHandler((request, reply) => {
    const places = parts.map(({ basePaths: [basePath] }) => basePath).join(', ')
    const message = `Nothing is mounted at ${request.url.split('?')[0] ?? ''}; the interfaces are at ${places}.`
    refuse(new Refusal('no_such_path', message), request, reply)
  })
  return front
}

/** One line for each request, at the debug level: at the info level they would cost a quarter of the throughput. */
function logRequest(logger: FastifyBaseLogger, request: FastifyRequest, reply: FastifyReply): void {
  // Not only left to the logger, for to gather the facts takes longer.
  if (logger.level !== 'debug' && logger.level !== 'trace') return
  logger.debug(factsOf(request, reply), 'request')
}

/** The logger's own serializer writes the request, for its address may hold a credential. */
const factsOf = (request: FastifyRequest, reply: FastifyReply) => ({
  req: request,
  status: reply.statusCode,
  durationMs: reply.elapsedTime,
})

class OneLineForEach extends LogController {
  override incomingRequest(): void {
    // Said when it is answered.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) request.log.error({ ...factsOf(request, reply), err: error }, 'request failed')
    else logRequest(request.log, request, reply)
  }
}

/**
 * No answer leaves before everything that it may have seen is on the file. Answers of one turn of the event loop leave
 * together: to wake the one who waits for it costs as much as making a small answer, and only the first has to.
 */
export function holdAnswersUntilCommitted(server: FastifyInstance, database: Database): void {
  server.addHook('onSend', (_request, _reply, payload, done) => {
    if (!database.isAhead) {
      setImmediate(done, null, payload)
      return
    }
    database.whenCommitted((error) => {
      if (error) done(error)
      else done(null, payload)
    })
  })
}
