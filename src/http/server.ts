/** The HTTP server itself: its limits, its log, and who answers a request. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Database } from '../state/database.ts'
import { ClientErrors } from './clientErrors.ts'
import type { Connections } from './connections.ts'
import type { Part } from './parts.ts'
import { takeUpgrades } from './upgrades.ts'

/** A body may not take longer than this to arrive. An answer may: a caller can wait for events. */
const REQUEST_TIMEOUT_MS = 60_000

/** The head of a request may not take longer than this, and how often that is looked after. */
const HEADERS_TIMEOUT_MS = 20_000
const CHECKING_INTERVAL_MS = 5000

/** Bodies are larger only where an operation says so. */
const BODY_LIMIT = 1_048_576

/** In the place of the framework's own, which are loaded at each start though nobody uses them (see `speak`). */
const COMPILERS: object = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (answer: unknown) => JSON.stringify(answer),
}

/** Answers a request that the framework itself has turned down, such as one with a broken address. */
export type TurnDown = (error: Error, request: FastifyRequest, reply: FastifyReply) => void

/** A request with the number that it was given when it came in. */
type Numbered = IncomingMessage & { requestNumber?: string }

/** Makes a server without a socket or routes, which logs what it answers unless it is told to be silent. */
export type MakeServer = (turnDown: TurnDown, options?: ServerOptions) => FastifyInstance

export interface ServerOptions {
  readonly silent?: boolean
  /** Answers what Node's parser has turned down; for a server with a socket. */
  readonly clientErrorHandler?: ClientErrors['answer']
}

/** What is made counts its requests together. */
export function serverMaker(
  logger: FastifyBaseLogger | false,
  trustedProxies: readonly string[] = [],
): MakeServer {
  let last = 0
  const numberOf = (request: Numbered): string => (request.requestNumber ??= `req-${(++last).toString(36)}`)
  return (turnDown, { silent = false, clientErrorHandler } = {}) =>
    Fastify({
      ...(logger && !silent ? { loggerInstance: logger } : { logger: false }),
      logController: new OneLineForEach(),
      // A logger of its own for each request would only repeat the id that the logged request tells.
      childLoggerFactory: (parent) => parent,
      genReqId: numberOf,
      exposeHeadRoutes: false,
      // Whoever else says for whom it asks is not believed.
      trustProxy: trustedProxies.length > 0 && [...trustedProxies],
      bodyLimit: BODY_LIMIT,
      requestTimeout: REQUEST_TIMEOUT_MS,
      http: {
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CHECKING_INTERVAL_MS,
        // Node would answer a request without one with no words at all; `unreadable` has some.
        requireHostHeader: false,
      },
      forceCloseConnections: 'idle',
      // What comes in while the server stops is answered as ever; the answer ends its connection.
      return503OnClosing: false,
      schemaController: { compilersFactory: COMPILERS },
      frameworkErrors: turnDown,
      ...(clientErrorHandler && { clientErrorHandler }),
    })
}

/**
 * The server that listens. It has no routes: it hands each request to the part whose address it names, or else to
 * `fallback`, which says where there are some.
 */
export function createFront(
  makeServer: MakeServer,
  logger: FastifyBaseLogger | false,
  parts: readonly Part[],
  fallback: Part,
  connections: Connections,
  mayCall: CrossOrigin | null = null,
  reached: (request: FastifyRequest, answer: () => void) => void = (_request, answer) => {
    answer()
  },
): FastifyInstance {
  const broken = (error: Error, request: object): void => {
    if (logger) logger.error({ req: request, err: error }, 'a part of the server could not be put together')
  }
  const handOver = (request: FastifyRequest, reply: FastifyReply): void => {
    const part = parts.find((candidate) => candidate.isAt(request.url)) ?? fallback
    part.answer(request, reply, (error) => {
      broken(error, request)
      void reply.code(500).send({ error: { code: 'internal_error', message: 'The log says why.' } })
    })
  }
  const clientErrors = new ClientErrors(parts, fallback)
  // What it hands over is logged by the part.
  const front = makeServer(
    (_error, request, reply) => {
      handOver(request, reply)
    },
    { silent: true, clientErrorHandler: clientErrors.answer },
  )
  clientErrors.watch(front.server)
  takeUpgrades(front.server, parts, broken)
  connections.of(front)
  front.addHook('onRequest', (request, reply) => {
    if (mayCall && letIn(mayCall, request.raw, reply.raw)) {
      reply.hijack()
      reply.raw.writeHead(204).end()
      return
    }
    reached(request, () => {
      handOver(request, reply)
    })
  })
  front.addHook('preClose', async () => {
    await Promise.all(parts.map((part) => part.close()))
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
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (!database.isAhead) {
      setImmediate(done, null, payload)
      return
    }
    database.whenCommitted((error) => {
      // An answer that says that nothing was changed holds all the more if nothing was committed.
      if (error && reply.statusCode < 500) done(error)
      else done(null, payload)
    })
  })
}

// ---------------------------------------------------------------- other origins

/*
 * Calls of browser apps from other origins (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol): those that are named
 * may call the interfaces, with whatever headers and methods these take. The control plane is for programs and this
 * machine, and is never among what they may call.
 */

/** Says whether an origin may call. */
export type CrossOrigin = (origin: string) => boolean

export const crossOrigin = (origins: readonly string[]): CrossOrigin =>
  origins.includes('*') ? () => true : (origin) => origins.includes(origin)

interface Asking {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Seconds for which a browser need not ask again. */
const MAX_AGE = '600'

/** Puts onto the answer what lets the app read it; true when the call only asks, and is answered with that. */
export function letIn(
  mayCall: CrossOrigin,
  { method, url = '', headers }: Asking,
  answer: ServerResponse,
): boolean {
  if (/^\/_sim(?:[/?]|$)/.test(url)) return false
  answer.appendHeader('vary', 'Origin')
  const { origin } = headers
  if (origin === undefined || !mayCall(origin)) return false
  answer.setHeader('access-control-allow-origin', origin)
  answer.setHeader('access-control-expose-headers', '*')
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false
  answer.setHeader('access-control-allow-methods', METHODS)
  const asked = headers['access-control-request-headers']
  if (asked !== undefined) answer.setHeader('access-control-allow-headers', asked)
  answer.setHeader('access-control-max-age', MAX_AGE)
  return true
}
