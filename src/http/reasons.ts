/**
 * Which refusals an operation can meet, and how the published documents word them. Most follow from its schemas, its
 * scope and its method; `refuses` names the rest.
 */
import type { Reason } from '../state/refusal.ts'
import type { Dialect, Spoken } from './dialect.ts'
import type { InterfaceDefinition, MountedRoute } from './definition.ts'
import { scopesOf, type Operation } from './operation.ts'

interface Words {
  /** When it happens. */
  readonly when: string
  /** What such an answer may say. */
  readonly example: string
}

const WORDS: Readonly<Record<Reason, Words>> = {
  malformed: {
    when: 'The request cannot be read.',
    example: 'The body is not valid JSON: Unexpected end of JSON input',
  },
  invalid: { when: 'A field breaks a rule.', example: 'name is required' },
  invalid_query: {
    when: 'A parameter of the query breaks a rule.',
    example: 'Query: page must be at least 1',
  },
  invalid_cursor: {
    when: 'The cursor was not issued for this query.',
    example: 'The cursor is not one that this query answered with.',
  },
  too_large: {
    when: 'The body is larger than this operation takes.',
    example: 'The body is larger than this operation takes.',
  },
  unsupported_media_type: {
    when: 'The body has a content type that is not read here.',
    example: 'The content type text/plain is not read here; send application/json.',
  },
  credential_missing: { when: 'No key was sent.', example: 'The request has no key.' },
  credential_unknown: { when: 'The key is not known.', example: 'The key is not known.' },
  credential_expired: { when: 'The key has expired.', example: 'The key has expired.' },
  forbidden: {
    when: 'The key lacks a permission, or does not serve this interface.',
    example: 'The key lacks the permission for this operation.',
  },
  not_enabled: {
    when: 'The workspace does not have the module or the plan.',
    example: 'The module is not active in this workspace.',
  },
  not_found: { when: 'There is no such record.', example: 'There is no record with this id.' },
  no_such_path: { when: 'No operation has this path.', example: 'There is no operation at this path.' },
  method_not_allowed: {
    when: 'The path has no operation with this method.',
    example: 'PUT is not possible here; GET is.',
  },
  wrong_state: {
    when: 'The state of the record does not allow it.',
    example: 'The state of the record does not allow it.',
  },
  conflict: { when: 'Another record stands in the way.', example: 'Another record stands in the way.' },
  rate_limited: { when: 'Too many calls in too short a time.', example: 'Too many calls; try again later.' },
  unavailable: {
    when: 'The server is stopping, or cannot keep the change.',
    example: 'The change could not be kept; nothing was changed.',
  },
  internal: { when: 'The simulator failed.', example: 'The simulator failed; its log says why.' },
}

/** When a refusal for this reason happens. */
export const whenRefused = (reason: Reason): string => WORDS[reason].when

const EXAMPLE_DETAILS: Partial<Record<Reason, readonly { field: string; code: string }[]>> = {
  invalid: [{ field: 'name', code: 'required' }],
  invalid_query: [{ field: 'page', code: 'too_small' }],
}

const EXAMPLE_TIME = Date.UTC(2026, 0, 31, 9, 30)

/** The body of such a refusal, made by the dialect itself. */
export function refusalExample(dialect: Dialect, reason: Reason): object {
  const message = WORDS[reason].example
  const spoken: Spoken = {
    ...dialect.refusals[reason],
    reason,
    message,
    details: EXAMPLE_DETAILS[reason]?.map((problem) => ({ ...problem, message })),
    facts: undefined,
    at: EXAMPLE_TIME,
  }
  return dialect.body(spoken)
}

/** The reasons for which the operation may refuse, in the order in which they are asked after. */
export function reasonsOf(route: MountedRoute, dialect: Dialect): Reason[] {
  const { operation, schema, method, path } = route
  const reasons = new Set<Reason>(['malformed'])
  const say = (condition: boolean, ...more: Reason[]): void => {
    if (condition) for (const reason of more) reasons.add(reason)
  }
  say(Boolean(schema.body ?? schema.params), 'invalid')
  say(Boolean(schema.querystring), 'invalid_query')
  say('cursor' in queryProperties(route), 'invalid_cursor')
  const asksForKey = !operation.open && dialect.credential.kind !== 'open'
  say(asksForKey, 'credential_missing', 'credential_unknown', 'credential_expired', 'forbidden')
  say((operation.module ?? operation.plan) !== undefined, 'not_enabled')
  say(path.includes('{'), 'not_found')
  // A body is read wherever the method may have one, whether or not the operation has a use for it.
  say(method !== 'GET', 'too_large', 'unsupported_media_type')
  say(operation.limit !== undefined, 'rate_limited')
  say(true, ...(operation.refuses ?? []), 'internal', 'unavailable')
  return [...reasons]
}

/** The properties of the route's query string by name. */
export function queryProperties(route: MountedRoute): Readonly<Record<string, object>> {
  const { properties = {} }: { properties?: Record<string, object> } = route.schema.querystring ?? {}
  return properties
}

/** What the caller has to have, in words: "Needs the permission `products:read`." */
export function permissionWords(operation: Operation, { dialect, guard }: InterfaceDefinition): string {
  const scopes = scopesOf(operation).map((scope) => `\`${scope}\``)
  if (operation.open) return 'Open to everybody.'
  if (dialect.credential.kind === 'open') {
    return guard ? 'Needs the token, where the server was started with one.' : 'Open to everybody.'
  }
  if (scopes.length === 0) return 'Any key that serves the interface may call it.'
  const alternative = operation.orScope === undefined ? '' : `, or \`${operation.orScope}\` instead`
  return `Needs the permission ${scopes.join(' and ')}${alternative}.`
}
