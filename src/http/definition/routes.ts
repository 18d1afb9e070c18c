/**
 * The routes of a resource. `const item = at('/products/:id', { params, record })` says once what all methods of a path
 * share, and `item.get({ id: 'getProduct', … })` adds an operation.
 */
import type { Static, TSchema, TUnknown } from '@sinclair/typebox'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  preValidationHookHandler,
} from 'fastify'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { checkFirst, operation, type Operation } from './operation.ts'

/** Checks or changes a request before it is validated. */
type Hooks = preValidationHookHandler | readonly preValidationHookHandler[]

/** Returns the record with an id, or throws the refusal for an unknown id. */
type Finder<Row> = (request: FastifyRequest, id: string) => Row

interface Records<Row> {
  readonly get: (workspace: Workspace, id: string) => Row
  readonly getHead?: (workspace: Workspace, id: string) => unknown
}

interface PathOptions<Params extends TSchema, Row> {
  readonly params?: Params
  /** Finds the record that the last parameter names. An unknown one is refused before an invalid body. */
  readonly record?: Records<Row> | Finder<Row>
  /** Runs before anything is validated. */
  readonly before?: Hooks
}

type RouteRequest<Params, Query, Body, Row> = FastifyRequest<{
  Params: Params
  Querystring: Query
  Body: Body
}> & {
  /** The record that the path names, read when it is asked for. */
  readonly record: Row
}

/** What all operations of a resource can share. */
type Shared = 'tag' | 'fidelity'

/** An operation, what it takes, and what runs. */
interface RouteOptions<Params extends TSchema, Row, Query extends TSchema, Body extends TSchema> extends Omit<
  Operation,
  Shared
> {
  readonly query?: Query
  readonly body?: Body
  /** Runs after the check of the record, before anything is validated. */
  readonly before?: Hooks
  /** Returns the body of the answer. It sets the status only if `answers` has several. */
  readonly run: (
    request: RouteRequest<Static<Params>, Static<Query>, Static<Body>, Row>,
    reply: FastifyReply,
  ) => unknown
}

type Route<Given extends Shared, Params extends TSchema, Row> = <
  Query extends TSchema = TUnknown,
  Body extends TSchema = TUnknown,
>(
  options: RouteOptions<Params, Row, Query, Body> & Omit<Pick<Operation, Shared>, Given>,
) => void

type Methods<Given extends Shared, Params extends TSchema, Row> = Readonly<
  Record<'get' | 'post' | 'put' | 'patch' | 'delete', Route<Given, Params, Row>>
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Finds the record that the path names. */
    readonly find?: (request: FastifyRequest) => unknown
  }
}

/** Returns a function that adds routes. `common` is what all operations of the resource share, with what is `Given`. */
export function routesOf<Given extends Shared = 'tag'>(
  app: FastifyInstance,
  common: Partial<Operation> & Pick<Operation, NoInfer<Given>>,
) {
  if (!app.hasRequestDecorator('record')) app.decorateRequest('record', { getter: recordOf })
  return <Params extends TSchema = TUnknown, Row = undefined>(
    path: string,
    { params, record, before: first = [] }: PathOptions<Params, Row> = {},
  ): Methods<Given, Params, Row> => {
    const lookup = record && lookupOf(path, record)
    const add =
      (method: keyof Methods<Given, Params, Row>): Route<Given, Params, Row> =>
      ({ query, body, before = [], run, answers, ...words }) => {
        const preValidation = [
          ...[first].flat(),
          ...(lookup && body ? [checkFirst(lookup.check)] : []),
          ...[before].flat(),
        ]
        app[method](
          path,
          {
            schema: {
              ...(params && { params }),
              ...(query && { querystring: query }),
              ...(body && { body }),
            } satisfies FastifySchema,
            ...(preValidation.length > 0 && { preValidation }),
            config: {
              ...operation({ ...common, ...words, answers } as Operation),
              ...(lookup && { find: lookup.get }),
            },
          },
          answering(answers, run as Handler),
        )
      }
    return {
      get: add('get'),
      post: add('post'),
      put: add('put'),
      patch: add('patch'),
      delete: add('delete'),
    }
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/** Sets the status of an operation with one answer, and sends the one without a body. */
function answering(answers: Operation['answers'], run: Handler): Handler {
  const [status, ...others] = Object.keys(answers).map(Number)
  if (status === undefined || others.length > 0) return run
  const finish = (reply: FastifyReply, body: unknown): unknown =>
    answers[status] === null ? reply.removeHeader('content-type').send() : body
  return (request, reply) => {
    const body = run(request, reply.code(status))
    return body instanceof Promise ? body.then((each) => finish(reply, each)) : finish(reply, body)
  }
}

/** How a route finds its record, and checks that it exists. */
interface Lookup {
  readonly get: (request: FastifyRequest) => unknown
  readonly check: (request: FastifyRequest) => unknown
}

function lookupOf(path: string, record: Records<unknown> | Finder<unknown>): Lookup {
  const [name = ''] = /^\w*/.exec(path.slice(path.lastIndexOf(':') + 1)) ?? []
  const idOf = ({ params }: FastifyRequest): string => (params as Record<string, string>)[name] ?? ''
  if (typeof record === 'function') {
    const get = (request: FastifyRequest): unknown => record(request, idOf(request))
    return { get, check: get }
  }
  const { get, getHead = get } = record
  return {
    get: (request) => get(request.workspace, idOf(request)),
    check: (request) => getHead(request.workspace, idOf(request)),
  }
}

function recordOf(this: FastifyRequest): unknown {
  return this.routeOptions.config.find?.(this)
}
