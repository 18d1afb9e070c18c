/** Responds with an error in the format of the interface. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import type { ReadingChooser } from '../../state/model/reading.ts'
import { type Refusal, withWireNames } from '../../state/model/refusal.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { LoadedInterface, RouteSchemas } from '../definition/definition.ts'
import type { Dialect } from '../definition/dialect.ts'
import { asRefusal, isFailure, isUnreadBody } from '../definition/refusals.ts'
import { JSON_TYPE } from '../server/json.ts'
import type { FrameworkErrorHandler } from '../server/server.ts'
import { setRequestId } from '../server/logging/requestId.ts'
import { keepConnection } from '../uploads/draining.ts'
import { sendErrorPage } from '../webPages/webPages.ts'
import { callerOf } from './credentials.ts'
import { addHints } from '../server/logging/hints.ts'
import { journalIdOf } from './journal.ts'
import { refusalHints } from './refusalHints.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/** Responds to an error of any step. `unknownPath` responds if the path is unknown, even if the body is invalid. */
export const errorHandler =
  (dialect: Dialect, unknownPath: Answer) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<unknown> | undefined => {
    databaseHealthOf(request.server.workspaces.database).report(error)
    keepConnection(request, reply)
    if (isUnreadBody(error, request)) return Promise.resolve(unknownPath(request, reply))
    sendRefusal(dialect, asRefusal(error, request, dialect.misshapenBody), request, reply)
    return undefined
  }

/** Responds to requests that the framework could not parse, with a page or in the format of the interface. */
export const frameworkErrorHandler =
  ({
    dialect,
    pagesPath,
    framedPagesPath,
  }: Pick<LoadedInterface, 'dialect' | 'pagesPath' | 'framedPagesPath'>): FrameworkErrorHandler =>
  (error, request, reply) => {
    const refusal = asRefusal(error, request)
    // No hook runs for these requests.
    setRequestId(request, reply)
    const basePath = [pagesPath, framedPagesPath].find(
      (path) => path !== undefined && request.url.startsWith(path),
    )
    if (basePath !== undefined) {
      sendErrorPage(refusal, request, reply, basePath)
    } else {
      sendRefusal(dialect, refusal, request, reply)
    }
  }

/** Sends a refusal. */
export function sendRefusal(
  dialect: Dialect,
  thrown: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = withWireNames(thrown, dialect.nameOf)
  const { status: usual, code, reading } = dialect.refusals[refusal.reason]
  // The workspace is unknown if the key is.
  const { workspace } = request as { workspace?: Workspace }
  const place: ReadingChooser = workspace ?? request.server.workspaces
  const status = reading ? Number(place.reading(reading)) : usual
  const { config, schema } = request.routeOptions
  const called = {
    dialect,
    operation: config.operation,
    part: (name: 'body' | 'query') => ({
      schema: (schema as RouteSchemas | undefined)?.[name === 'body' ? 'body' : 'querystring'],
      value: request[name],
      shown: request.server.documentedRequests.of(request, name),
    }),
    place,
    hasWorkspace: workspace !== undefined,
  }
  addHints(request, refusalHints(called, refusal, status))
  request.refused = { reason: refusal.reason, message: refusal.message }
  if (isFailure(refusal, status)) {
    const facts = { req: request, journal: journalIdOf(request), err: refusal.cause ?? refusal }
    request.log.error(facts, refusal.message)
  }
  if (refusal.info.headers) void reply.headers(refusal.info.headers)
  if (status === 401 && dialect.credential.kind === 'bearer') void reply.header('www-authenticate', 'Bearer')
  void reply
    .code(status)
    .type(JSON_TYPE)
    .send(
      JSON.stringify(
        dialect.body({
          reason: refusal.reason,
          status,
          code,
          message: refusal.message,
          details: refusal.info.details,
          facts: refusal.info.facts,
          usedBy: refusal.info.usedBy,
          at: timeOf(dialect, status, request),
        }),
      ),
    )
}

/** Returns the time of the caller's workspace; the machine's time if the caller is unknown. */
function timeOf(dialect: Dialect, status: number, request: FastifyRequest): number {
  const { workspace } = request as { workspace?: Workspace }
  if (workspace) return workspace.now()
  // After a 5xx, looking up the caller might fail again.
  const caller = status < 500 ? callerOf(dialect, request, request.server.workspaces) : undefined
  return caller?.workspace.now() ?? systemNow()
}
