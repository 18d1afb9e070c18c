/**
 * The lifecycle of a request: every step, from top to bottom. The server that listens has passed the request to the
 * part that owns its path (`server/server.ts`, `createFront`). Fastify runs the kinds of steps in this order: onRequest,
 * parsing, preValidation, validation, preHandler, handler, onSend; and the steps of one kind in the order in which they
 * are added, those of the whole server before those of a scope.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Registry } from '../../state/workspace/registry.ts'
import type { LoadedInterface, MountedRoute } from '../definition/definition.ts'
import type { Dialect } from '../definition/dialect.ts'
import { addsData } from '../definition/operation.ts'
import { unreadable } from '../definition/refusals.ts'
import { withCache } from '../lists/responseCache.ts'
import { validatorCompiler } from '../schemas/validation.ts'
import { mustHaveRoom, runDueJobs, waitInQueue } from '../server/dueJobs.ts'
import { parseJsonBody } from '../server/json.ts'
import { headRefusal } from '../server/requestChecks.ts'
import { addRequestId } from '../server/logging/requestId.ts'
import { endTurn, recordCallStep } from '../server/recording.ts'
import { holdResponsesUntilCommitted } from '../server/server.ts'
import { decodeBody } from '../uploads/contentEncoding.ts'
import { authenticate } from './authenticate.ts'
import { hintEarlyRetry } from '../faults/retries.ts'
import { finishFaults, injectFault } from './faults.ts'
import { beCause, callRecorder, hasEffects, recordCall, recordUnmatchedCall, stepSource } from './journal.ts'
import { limitRates } from './rateLimits.ts'
import { errorHandler } from './sendRefusal.ts'
import { countUses } from './uses.ts'
import { fallbackHandler, unknownPathHandler } from './unknownPaths.ts'

/** Adds the steps of all requests to a part of the server, also to its pages. */
export function addServerSteps(
  server: FastifyInstance,
  definition: LoadedInterface,
  { workspaces, rateLimits }: { readonly workspaces: Registry; readonly rateLimits: boolean },
): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-content-type-options', 'nosniff')
    done(headRefusal(request.raw))
  })
  // Sees all routes that are added later, and counts a call after its key was checked and before its body is read.
  if (rateLimits) limitRates(server, workspaces)
  // First, so that the step of a recording is committed with the changes of its call.
  server.addHook('onSend', endTurn(stepSource(definition, workspaces)))
  // Before the journal: a call whose changes were lost is recorded with its 500.
  server.addHook('onSend', holdResponsesUntilCommitted(workspaces.database))
  countUses(server)
  server.addHook('preParsing', decodeBody)
  if (definition.dialect.credential.kind === 'open') {
    server.addHook('onSend', recordUnmatchedCall(definition, workspaces.database))
  }
  server.addHook('onSend', addRequestId)
}

/** Returns the function that records the step of a call whose connection a fault cuts. */
export function cutCall(definition: LoadedInterface, workspaces: Registry) {
  const source = stepSource(definition, workspaces)
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    recordCallStep(source, request, reply, null, 0)
}

/** Adds the steps of requests outside the base path of the part; the server that listens passes the control plane some. */
export function addFallback(server: FastifyInstance, definition: LoadedInterface): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
  const unknownPath = fallbackHandler(definition)
  server.setErrorHandler(errorHandler(definition.dialect, unknownPath))
  server.setNotFoundHandler(unknownPath)
}

const hasEmptyParameter = ({ params }: FastifyRequest): boolean =>
  Object.values(params as Readonly<Record<string, string>>).includes('')

/** Refuses calls that add data to a full workspace, before the body is read. */
const checkQuota =
  (dialect: Dialect): onRequestHookHandler =>
  (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation && addsData({ operation, method: request.method }, dialect)) mustHaveRoom(request, done)
    else done()
  }

/** Adds the steps of calls of operations to the scope of an interface. */
export function addCallSteps(
  scope: FastifyInstance,
  definition: LoadedInterface,
  workspaces: Registry,
  routes: readonly MountedRoute[],
): void {
  const { dialect, guard, findWorkspace, strictness, turns } = definition
  const hasKeys = dialect.credential.kind !== 'open'
  const record = callRecorder(definition, workspaces)

  // First, because all other steps read the address.
  scope.addHook('onRequest', (request, _reply, done) => {
    if (hasKeys) request.isJournalled = true
    done(unreadable(request))
  })
  // Before the body is read: a caller without a key cannot make the server read a body.
  if (hasKeys) scope.addHook('onRequest', authenticate(definition, workspaces, routes))
  if (guard) scope.addHook('onRequest', guard)
  const unknownPath = unknownPathHandler(scope.prefix, dialect, routes)
  // The router takes "/contacts/" for "/contacts/{id}" with an empty id.
  scope.addHook('onRequest', (request, reply, done) => {
    if (hasEmptyParameter(request)) Promise.resolve(unknownPath(request, reply)).catch(done)
    else done()
  })
  if (findWorkspace) scope.addHook('onRequest', findWorkspace)
  // When the workspace is known, and before any step reads its records.
  scope.addHook('onRequest', runDueJobs)
  scope.addHook('onRequest', checkQuota(dialect))

  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)

  // After the body was read, so that a test sees it in the journal; before validation, because a fault hits every call.
  if (hasKeys)
    scope.addHook('preValidation', injectFault(definition, record, cutCall(definition, workspaces)))
  // Before validation, which drops what this step refuses.
  if (strictness) scope.addHook('preValidation', strictness)
  if (turns) scope.addHook('preValidation', turns)
  scope.setValidatorCompiler(validatorCompiler)

  // Last before the handler, because long work may have started while the body arrived.
  scope.addHook('preHandler', waitInQueue)
  if (hasKeys) {
    scope.addHook('preHandler', beCause)
    scope.addHook('onRoute', (route) => {
      if (!hasEffects(route.method, route.config)) route.handler = withCache(route.handler)
    })
    // After the commit: see `addServerSteps`.
    scope.addHook('onSend', hintEarlyRetry)
    scope.addHook('onSend', recordCall(record))
    // Last: the journal has the answer that a fault keeps from the caller.
    scope.addHook('onSend', finishFaults(definition))
  }

  scope.setErrorHandler(errorHandler(dialect, unknownPath))
  scope.setNotFoundHandler(unknownPath)
}
