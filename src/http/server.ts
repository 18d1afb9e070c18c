/** The HTTP server itself: its limits, and what it says where no interface is in charge. */
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
import { asRefusal } from './refusals.ts'
import { validatorCompiler } from './validation.ts'
import { answerWithPage } from './webPages.ts'

/** Where a dialect is spoken: every path below `basePath`. */
export interface Territory {
  readonly basePath: string
  readonly dialect: Dialect
  /** Pages for people, where their refusals are pages too. */
  readonly pages?: { readonly basePath: string }
}

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

/**
 * A server without routes. A request that the framework itself turns down (a broken address) is answered in the words
 * of the interface it was meant for.
 */
export function createServer(
  logger: FastifyBaseLogger | false,
  territories: readonly Territory[],
  fallback: Dialect,
): FastifyInstance {
  const dialectOf = (url: string): Dialect =>
    territories.find(({ basePath }) => isBelow(url, basePath))?.dialect ?? fallback
  const pagesAt = (url: string): string | undefined =>
    territories.find(({ pages }) => pages && isBelow(url, pages.basePath))?.pages?.basePath

  const server = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new OneLineForEach(),
    // A logger of its own for each request would only repeat the id that the logged request tells.
    childLoggerFactory: (parent) => parent,
    exposeHeadRoutes: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: COMPILERS },
    frameworkErrors: (error, request, reply) => {
      const refusal = asRefusal(error, request)
      const pages = pagesAt(request.url)
      if (pages === undefined) answerRefusal(dialectOf(request.url), refusal, request, reply)
      else answerWithPage(refusal, request, reply, pages)
    },
  })

  server.setErrorHandler((error: Error, request, reply) => {
    answerRefusal(fallback, asRefusal(error, request), request, reply)
  })
  server.setNotFoundHandler((request, reply) => {
    const places = territories.map(({ basePath }) => basePath).join(', ')
    const message = `Nothing is mounted at ${request.url.split('?')[0] ?? ''}; the interfaces are at ${places}.`
    answerRefusal(fallback, new Refusal('no_such_path', message), request, reply)
  })
  return server
}

const isBelow = (url: string, basePath: string): boolean =>
  url.startsWith(basePath) && /^([/?]|$)/.test(url.slice(basePath.length))

const isDebugging = ({ level }: FastifyBaseLogger): boolean => level === 'debug' || level === 'trace'

/** One line for each request, at the debug level: at the info level they would cost a quarter of the throughput. */
class OneLineForEach extends LogController {
  override incomingRequest(): void {
    // Said when it is answered.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    // Not only left to the logger, for to gather the facts takes longer.
    if (!error && !isDebugging(request.log)) return
    // The logger's own serializer writes the request, for its address may hold a credential.
    const facts = { req: request, status: reply.statusCode, durationMs: reply.elapsedTime }
    if (error) request.log.error({ ...facts, err: error }, 'request failed')
    else request.log.debug(facts, 'request')
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
