/**
 * Metadata of an operation in addition to its schemas: id, summary, scope, fidelity. It is in the route's
 * `config`, where the auth hook and the OpenAPI documents read it.
 */
import type { TSchema } from '@sinclair/typebox'
import type { FastifyContextConfig, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Fidelity } from '../../state/model/fidelity.ts'
import type { Reading, ReadingCondition } from '../../state/model/reading.ts'
import type { Reason } from '../../state/model/refusal.ts'
import type { Modules, Plan } from '../../state/storage/tables.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { NamedRecords } from '../lifecycle/namedRecords.ts'
import type { Dialect } from './dialect.ts'
import type { Paging } from './paging.ts'
import type { RateLimit } from '../lifecycle/rateLimits.ts'
import { wordsOf } from './words.ts'

export interface Operation {
  /** "listProducts" */
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** The group of the operation in the documents. */
  readonly tag: string
  /** The scopes that the key must have, all of them. */
  readonly scope?: string | readonly string[]
  /** A narrower scope that also allows the call, and that the handler applies. */
  readonly orScope?: string
  /** The module that must be active in the workspace. */
  readonly module?: keyof Modules
  /** The reading under which the module must be active; under all readings if left out. */
  readonly moduleIf?: ReadingCondition
  /** The readings that decide about its answer, in addition to those of scopes, modules and refusals. */
  readonly readings?: readonly Reading[]
  /** What the plan of the workspace must include. */
  readonly plan?: keyof Plan
  readonly fidelity: Fidelity
  /** Why the status of its success is assumed; the specification shows the others. */
  readonly assumedStatus?: string
  /** Statuses of its errors that the specification shows in addition to those of the dialect. */
  readonly documentedStatuses?: readonly number[]
  /**
   * The schemas of the responses by status; null is a response without a body. The handlers build exactly
   * these shapes, and tests check each response, so the server does not serialize by schema.
   */
  readonly answers: Readonly<Record<number, TSchema | null>>
  /** Media types of files that a caller can request instead of JSON with 200. */
  readonly files?: readonly string[]
  /** Reasons to refuse in addition to those that follow from its schemas and scope. */
  readonly refuses?: readonly Reason[]
  /** The rate limit, which operations can share. */
  readonly limit?: RateLimit
  /**
   * The paging of its list if it differs from the dialect's, or why a response with several records has no
   * pages.
   */
  readonly paging?: Paging
  /** The order of its list, if callers cannot choose another one. */
  readonly order?: ListOrder
  /** The query parameters that name other records, for hints about names that no record has. */
  readonly names?: NamedRecords
  /** Of a GET: its handler gives hints. That of any other method can always do so. */
  readonly givesHints?: boolean
  /** Needs no credential. */
  readonly open?: boolean
  /** Shows nothing of a workspace, so that the control token of any workspace opens it; of the control plane only. */
  readonly isShared?: boolean
  /** A page without any data, which needs no token, because a browser has none before the page asks for it. */
  readonly isShell?: boolean
  /** Whether a full workspace refuses the call; see `addsData`. */
  readonly addsData?: boolean
  /** Changes what its documents say about its responses; of an extension only. */
  readonly describe?: (responses: Responses, document: Described) => Responses
}

/** The order of a list, by a field of its records. */
export interface ListOrder {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** The published responses of an operation by status, or those that operations share by name. */
export type Responses = Record<string, Record<string, unknown>>

/** The document of an operation. */
interface Described {
  readonly responses: Responses
  readonly schemas: { publish(schema: object): Record<string, unknown> }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** The rate limit of a page, because pages are no operations. */
    pageLimit?: RateLimit
    /** True for assets of a page of the control plane: they are no operations and need no credential. */
    isOpen?: boolean
  }
  interface FastifyRequest {
    /** The caller; set by the interface's auth hook, the first hook of a request. */
    caller: Caller
    /** The caller's workspace. */
    workspace: Workspace
  }
}

/** Returns the `config` of a route. */
export const operation = (definition: Operation): FastifyContextConfig => ({ operation: definition })

/** The responses of an operation without a response body. */
export const NO_CONTENT = { 204: null } as const

/** Sends no body; for a handler that sets its status itself. */
export const noContent = (reply: FastifyReply): FastifyReply =>
  reply.code(204).removeHeader('content-type').send()

export const scopesOf = (operation: Operation): readonly string[] =>
  operation.scope === undefined
    ? []
    : typeof operation.scope === 'string'
      ? [operation.scope]
      : operation.scope

/**
 * True if a full workspace refuses the call. By default, that is every call of an interface that can add records: none
 * with a read scope, and no GET or DELETE, so that a user can free space.
 */
export function addsData(
  { operation, method }: { readonly operation: Operation; readonly method: string },
  { credential }: Pick<Dialect, 'credential'>,
): boolean {
  if (operation.addsData !== undefined || credential.kind === 'open') return operation.addsData ?? false
  const scopes = scopesOf(operation)
  const isRead = scopes.length > 0 && scopes.every((scope) => scope.endsWith(':read'))
  return !isRead && !['GET', 'HEAD', 'DELETE'].includes(method)
}

/**
 * Runs a check before the body is validated, so that a missing record is reported before an invalid body:
 * `preValidation: before(({ workspace }, { id }) => findProduct(workspace, id))`.
 */
export const checkFirst =
  // The type parameter names the shape of the path's parameters, which only the caller knows.
  <Params>(run: (request: FastifyRequest, params: Params) => unknown): preValidationHookHandler =>
    (request, _reply, done) => {
      try {
        run(request, request.params as Params)
        done()
      } catch (error) {
        done(error as Error)
      }
    }

/** Splits the texts of a form field into words: `tags=a,b` is the same as `tags[]=a` and `tags[]=b`. */
export const splitWordList =
  (name: string): preValidationHookHandler =>
  (request, _reply, done) => {
    const body = request.body as Record<string, unknown> | null | undefined
    const sent = body?.[name]
    const texts: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
    if (body && texts.every((text) => typeof text === 'string')) body[name] = texts.flatMap(wordsOf)
    done()
  }

/** Allows a call without a body if all fields of the body are optional. */
export const allowMissingBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {}
  done()
}
