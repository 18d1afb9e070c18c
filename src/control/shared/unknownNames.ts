/**
 * Refuses unknown query parameters, and bodies of calls that accept none. Otherwise a misspelled filter would return
 * everything, and a misspelled `wait` would not wait. OPERATING.md, "Control plane".
 */
import type { FastifyRequest } from 'fastify'
import { MAX_PROBLEMS } from '../../http/schemas/boundedKeywords.ts'
import type { Hook } from '../../http/definition/definition.ts'
import { Refusal, type FieldProblem } from '../../state/model/refusal.ts'
import { usualName } from './usualNames.ts'

/** The maximum number of characters of an unknown name in a message. */
const LONGEST_NAME = 100

export const refuseUnknownNames: Hook = (request, _reply, done) => {
  done(acceptsAnything(request) ? undefined : (unknownParameters(request) ?? unexpectedBody(request)))
}

/** True for files and pages, whose links may carry parameters of other tools, and for the webhook receiver. */
const acceptsAnything = ({ is404, method, routeOptions: { config } }: FastifyRequest): boolean =>
  is404 ||
  config.isOpen === true ||
  config.operation?.isShell === true ||
  (config.operation?.open === true && method === 'POST')

function unknownParameters({ query, routeOptions, server }: FastifyRequest): Refusal | undefined {
  const { querystring } = (routeOptions.schema ?? {}) as { querystring?: { properties?: object } }
  const known = Object.keys(querystring?.properties ?? {})
  const details = Object.keys(query as object)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_PROBLEMS)
    .map((name) =>
      name === 'shard' && server.workspaces.shard !== null
        ? otherShard(server.workspaces.shard)
        : unknownName(name, 'query parameter', known),
    )
  return refusalOf('invalid_query', details)
}

/** Returns a refusal if the operation accepts no body and has one. */
function unexpectedBody({ body, method, routeOptions }: FastifyRequest): Refusal | undefined {
  const { schema, config } = routeOptions
  const acceptsBody = config.operation === undefined || schema?.body !== undefined
  if (acceptsBody || method === 'GET' || body === undefined || body === null) return undefined
  const names = typeof body === 'object' ? Object.keys(body) : ['the body']
  return refusalOf(
    'invalid',
    names.slice(0, MAX_PROBLEMS).map((name) => unknownName(name, 'field', [])),
  )
}

/** The server has already removed its own name (`nameShard`). */
const otherShard = (own: string): FieldProblem => ({
  field: 'shard',
  code: 'invalid',
  message: `shard must be ${own}, because this call reached shard ${own}; the proxy in front of the servers has no such shard`,
})

function unknownName(name: string, kind: string, known: readonly string[]): FieldProblem {
  const nearest = usualName(name, known)
  const advice =
    nearest === null
      ? `this call accepts ${known.length === 0 ? 'none' : known.join(', ')}`
      : `did you mean ${nearest}?`
  const field = name.slice(0, LONGEST_NAME)
  return { field, code: 'unknown', message: `${field} is not a known ${kind}; ${advice}` }
}

const refusalOf = (
  reason: 'invalid' | 'invalid_query',
  details: readonly FieldProblem[],
): Refusal | undefined =>
  details.length === 0
    ? undefined
    : new Refusal(reason, details.map(({ message }) => message).join('; '), { details })
