/**
 * What is said of an operation beside its schemas: the id and summary that are published, the scope it needs, how
 * true it is to the specification. Kept in the route's `config`, where the auth hook and the OpenAPI read it.
 */
import type { TSchema } from '@sinclair/typebox'
import type { FastifyContextConfig, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Fidelity } from '../state/fidelity.ts'
import type { Reason } from '../state/refusal.ts'
import type { Modules, Plan } from '../state/tables.ts'
import type { Caller } from '../state/keys.ts'
import type { Workspace } from '../state/workspace.ts'
import type { NamedRecords } from './namedRecords.ts'
import type { Paging } from './paging.ts'
import type { RateLimit } from './rateLimits.ts'
import { wordsOf } from './words.ts'

export interface Operation {
  /** "listProducts" */
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** The group it is shown under. */
  readonly tag: string
  /** What the key must be allowed; several must all be. */
  readonly scope?: string | readonly string[]
  /** A narrower scope that lets the call through as well, and that the handler honours. */
  readonly orScope?: string
  /** The module that the workspace must have switched on. */
  readonly module?: keyof Modules
  /** What the plan of the workspace must include. */
  readonly plan?: keyof Plan
  readonly fidelity: Fidelity
  /**
   * What it answers with, by status; null is an answer without a body. The handlers build exactly this and the tests
   * check each answer against it, so the server does not serialize by it a second time.
   */
  readonly answers: Readonly<Record<number, TSchema | null>>
  /** Media types of files that a caller may ask for in the place of a JSON answer with 200. */
  readonly files?: readonly string[]
  /** Reasons to refuse beyond those that follow from its schemas and scope. */
  readonly refuses?: readonly Reason[]
  /** How often it may be called, alone or with the operations that share the limit. */
  readonly limit?: RateLimit
  /** How its list goes on, where that is not as the dialect says, or why what holds several records has no pages. */
  readonly paging?: Paging
  /** The parameters of its query that name other records, for hints about names that no record has. */
  readonly names?: NamedRecords
  /** Needs no credential. */
  readonly open?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** How often a page may be sent, for pages are no operations. */
    pageLimit?: RateLimit
    /** Needs no credential, and is no operation: what a page of the control plane is shown by. */
    isOpen?: boolean
    /** A page without anything of anybody in it: browsers, which have no token before it asks for one, need none. */
    isShell?: boolean
  }
  interface FastifyRequest {
    /** Who calls; set by the auth hook of an interface before anything else looks at the request. */
    caller: Caller
    /** The caller's workspace. */
    workspace: Workspace
  }
}

/** The `config` of a route. */
export const operation = (described: Operation): FastifyContextConfig => ({ operation: described })

/** The same for the routes of a resource, with what they have in common: `operationsOf({ tag: 'Products' })`. */
export const operationsOf =
  <const Common extends Partial<Operation> & Pick<Operation, 'tag'>>(common: Common) =>
  (described: Omit<Operation, keyof Common>): FastifyContextConfig =>
    operation({ ...common, ...described } as Operation)

/** The answers of an operation that says nothing when it is done; its handler ends with `noContent(reply)`. */
export const NO_CONTENT = { 204: null } as const

export const noContent = (reply: FastifyReply): FastifyReply =>
  reply.code(204).removeHeader('content-type').send()

export const scopesOf = (operation: Operation): readonly string[] =>
  operation.scope === undefined
    ? []
    : typeof operation.scope === 'string'
      ? [operation.scope]
      : operation.scope

/**
 * Asks something before the body is validated, so that a missing record is told before a broken body is:
 * `preValidation: before(({ workspace }, { id }) => findProduct(workspace, id))`.
 */
export const before =
  // The type parameter names the shape of the path's parameters, which only the caller knows.
  <Params>(ask: (request: FastifyRequest, params: Params) => unknown): preValidationHookHandler =>
    (request, _reply, done) => {
      try {
        ask(request, request.params as Params)
        done()
      } catch (error) {
        done(error as Error)
      }
    }

/** Takes what came once as a list of one, where it may come several times: a form and an address can't tell the two apart. */
export const oneIsAList =
  (part: 'body' | 'query', name: string): preValidationHookHandler =>
  (request, _reply, done) => {
    const sent = request[part] as Record<string, unknown> | null | undefined
    if (typeof sent?.[name] === 'string') sent[name] = [sent[name]]
    done()
  }

/** Takes the texts of a form's field as a list of words: `tags=a,b` is what `tags[]=a` and `tags[]=b` are. */
export const wordsAreAList =
  (name: string): preValidationHookHandler =>
  (request, _reply, done) => {
    const body = request.body as Record<string, unknown> | null | undefined
    const sent = body?.[name]
    const texts: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
    if (body && texts.every((text) => typeof text === 'string')) body[name] = texts.flatMap(wordsOf)
    done()
  }

/** Lets a call come without a body where every field of it may be left out. */
export const bodyMayBeLeftOut: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {}
  done()
}
