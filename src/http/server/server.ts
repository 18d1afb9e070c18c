/** The HTTP server: its limits, its log, and the part that responds to a request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onSendHookHandler,
} from 'fastify'
import type { Database } from '../../state/storage/database/database.ts'
import { LONGEST_PARAMETER } from '@suite-sim/kit/text/parseUrl'
import { ClientErrors } from './clientErrors.ts'
import type { Connections } from './connections.ts'
import type { Part } from './parts.ts'
import { REQUEST_ID, requestIdOf } from './logging/requestId.ts'
import { RequestChecks } from './requestChecks.ts'
import type { Tls } from './tls.ts'
import { handleUpgrades } from './upgrades.ts'

/** Maximum ms until a body has arrived. Responses have no limit, because a caller can wait for events. */
const REQUEST_TIMEOUT_MS = 60_000

/** Maximum ms until the head of a request has arrived, and the interval of that check. */
const HEADERS_TIMEOUT_MS = 20_000
const CHECKING_INTERVAL_MS = 5000

/** Options of Node's server. */
const HTTP = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: CHECKING_INTERVAL_MS,
  // Node would respond without a body; `RequestChecks` gives an error.
  requireHostHeader: false,
}

/** Maximum bytes of a body, unless an operation has another limit. */
const BODY_LIMIT = 1_048_576

/** Replaces the framework's compilers, which would be loaded at each start but are never used (see `speak`). */
const COMPILERS: object = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (answer: unknown) => JSON.stringify(answer),
}

/** Responds to a request that the framework itself has refused, such as one with an invalid URL. */
export type FrameworkErrorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) => void

/** A request with its number. */
type Numbered = IncomingMessage & { requestNumber?: string }

/** Creates a server without a socket or routes. It logs its responses unless it is silent. */
type CreateServer = (turnDown: FrameworkErrorHandler, options?: ServerOptions) => FastifyInstance

export interface ServerFactory extends CreateServer {
  /** Returns the id of a request that could not be parsed. */
  readonly nextId: () => string
}

export interface ServerOptions {
  readonly silent?: boolean
  /** Responds to requests that Node's parser has refused; for a server with a socket. */
  readonly clientErrorHandler?: ClientErrors['answer']
  /** Makes it an HTTPS server. */
  readonly tls?: Tls | null
}

/** Returns a function that creates servers, which share the numbering of their requests. */
export function createServerFactory(
  logger: FastifyBaseLogger | false,
  trustedProxies: readonly string[] = [],
): ServerFactory {
  let last = 0
  const nextId = (): string => `req-${(++last).toString(36)}`
  const numberOf = (request: Numbered): string => (request.requestNumber ??= nextId())
  const createServer: CreateServer = (turnDown, { silent = false, clientErrorHandler, tls = null } = {}) =>
    Fastify({
      ...(logger && !silent ? { loggerInstance: logger } : { logger: false }),
      logController: new RequestLog(),
      // A child logger per request would only repeat the id of the logged request.
      childLoggerFactory: (parent) => parent,
      genReqId: numberOf,
      // HEAD answers wherever GET does.
      exposeHeadRoutes: true,
      // X-Forwarded-For of other addresses is ignored.
      trustProxy: trustedProxies.length > 0 && [...trustedProxies],
      bodyLimit: BODY_LIMIT,
      routerOptions: { maxParamLength: LONGEST_PARAMETER },
      requestTimeout: REQUEST_TIMEOUT_MS,
      ...(tls
        ? { https: { ...HTTP, ...tls.options, handshakeTimeout: HEADERS_TIMEOUT_MS } }
        : { http: HTTP }),
      forceCloseConnections: 'idle',
      // Requests that arrive during a stop are processed; their responses close the connection.
      return503OnClosing: false,
      schemaController: { compilersFactory: COMPILERS },
      frameworkErrors: turnDown,
      ...(clientErrorHandler && { clientErrorHandler }),
    })
  return Object.assign(createServer, { nextId })
}

/**
 * Creates the server that listens. It has no routes: it passes each request to the part that owns its path,
 * or else to `fallback`, which suggests a path.
 */
export function createFront(
  makeServer: ServerFactory,
  logger: FastifyBaseLogger | false,
  parts: readonly Part[],
  fallback: Part,
  connections: Connections,
  checks = new RequestChecks(),
  reached: (request: FastifyRequest, answer: () => void) => void = (_request, answer) => {
    answer()
  },
  tls: Tls | null = null,
  shard: string | null = null,
): FastifyInstance {
  const reportBrokenPart = (error: Error, request: object): void => {
    if (logger) logger.error({ req: request, err: error }, 'could not build a part of the server')
  }
  const passToPart = (request: FastifyRequest, reply: FastifyReply): void => {
    const part = parts.find((candidate) => candidate.isAt(request.url)) ?? fallback
    part.answer(request, reply, (error) => {
      reportBrokenPart(error, request)
      void reply
        .code(500)
        .header(REQUEST_ID, requestIdOf(request))
        .send({ error: { code: 'internal_error', message: 'See the log of the simulator.' } })
    })
  }
  const clientErrors = new ClientErrors(parts, fallback, makeServer.nextId)
  // The part logs its requests.
  const front = makeServer(
    (_error, request, reply) => {
      passToPart(request, reply)
    },
    { silent: true, clientErrorHandler: clientErrors.answer, tls },
  )
  tls?.protect(front.server, HEADERS_TIMEOUT_MS)
  clientErrors.watch(front.server)
  handleUpgrades(front.server, [...parts, fallback], checks, reportBrokenPart)
  // First, because all other steps read the address.
  front.addHook('onRequest', ({ raw }, _reply, done) => {
    checks.check(raw)
    done()
  })
  connections.of(front)
  front.addHook('onRequest', (request, reply) => {
    if (shard !== null) nameShard(shard, request.raw, reply.raw)
    if (checks.setCorsHeaders(request.raw, reply.raw)) {
      reply.hijack()
      reply.raw.writeHead(204, { [REQUEST_ID]: requestIdOf(request) }).end()
      return
    }
    reached(request, () => {
      passToPart(request, reply)
    })
  })
  front.addHook('preClose', async () => {
    await Promise.all(parts.map((part) => part.close()))
  })
  return front
}

/**
 * Logs one line per request at the debug level. At the info level, the lines would cost a quarter of the
 * throughput.
 */
function logRequest(logger: FastifyBaseLogger, request: FastifyRequest, reply: FastifyReply): void {
  // Checked here because collecting the facts takes longer than the logger's own check.
  if (logger.level !== 'debug' && logger.level !== 'trace') return
  logger.debug(logFactsOf(request, reply), 'request')
}

/** The logger's serializer writes the request, because its URL may contain a credential. */
const logFactsOf = (request: FastifyRequest, reply: FastifyReply) => ({
  req: request,
  status: reply.statusCode,
  durationMs: reply.elapsedTime,
  ...(request.recordedAs !== undefined && { journal: request.recordedAs }),
})

class RequestLog extends LogController {
  override incomingRequest(): void {
    // `requestCompleted` logs it.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) request.log.error({ ...logFactsOf(request, reply), err: error }, 'request failed')
    else logRequest(request.log, request, reply)
  }
}

/**
 * Returns the hook that holds back each response until the data it may have read are committed. Responses of one turn
 * of the event loop leave together, because each wake-up costs as much as building a small response.
 */
export const holdResponsesUntilCommitted =
  (database: Database): onSendHookHandler =>
  (_request, reply, payload, done) => {
    if (!database.hasUncommittedWrites) {
      setImmediate(done, null, payload)
      return
    }
    database.whenCommitted((error) => {
      // A 5xx response that says that nothing was changed stays true without a commit.
      if (error && reply.statusCode < 500) done(error)
      else done(null, payload)
    })
  }

// ---------------------------------------------------------------- shards

/**
 * Names the server in the response, and removes its own name (`?shard=s1`) from the query of a call of the control plane. A
 * proxy chooses the server by it.
 */
function nameShard(shard: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('x-sim-shard', shard)
  const { url = '' } = request
  if (url.startsWith('/_sim/') && url.includes('shard=')) request.url = withoutShard(url, shard)
}

function withoutShard(url: string, shard: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const rest = query.split('&').filter((parameter) => parameter !== `shard=${shard}`)
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`
}
