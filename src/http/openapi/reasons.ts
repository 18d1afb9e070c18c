/**
 * The refusals that an operation can return, and their text in the published documents. Most follow from its
 * schemas, its scope and its method; `refuses` names the rest.
 */
import type { Reason } from '../../state/model/refusal.ts'
import type { Dialect, RefusalFacts } from '../definition/dialect.ts'
import type { LoadedInterface, MountedRoute } from '../definition/definition.ts'
import { addsData, scopesOf, type Operation } from '../definition/operation.ts'

interface Words {
  /** When it happens. */
  readonly when: string
  /** An example message. */
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
    example: 'The cursor was not issued for this query.',
  },
  too_large: {
    when: 'The body is larger than this operation accepts.',
    example: 'The body is larger than this operation accepts.',
  },
  full: {
    when: 'Less than a 64th of the bytes of the workspace (--max-workspace-bytes) is left.',
    example:
      'The workspace is full: it has 1056964800 bytes. Its limit is 1073741824 bytes, and it is full from 1056964609 bytes on.',
  },
  unsupported_media_type: {
    when: 'The content type of the body is not supported.',
    example: 'The content type text/plain is not supported here; send application/json.',
  },
  credential_missing: { when: 'No key was sent.', example: 'The request has no key.' },
  credential_unknown: { when: 'The key is unknown.', example: 'The key is unknown.' },
  credential_expired: { when: 'The key has expired.', example: 'The key has expired.' },
  forbidden: {
    when: 'The key lacks a permission, or does not serve this interface.',
    example: 'The key lacks the permission for this operation.',
  },
  foreign: {
    when: 'The host name of the request, or the site of the page that sent it, may not call.',
    example: 'The host name rebind.test is refused.',
  },
  not_enabled: {
    when: 'The workspace does not have the module or the plan.',
    example: 'The module is not active in this workspace.',
  },
  not_found: { when: 'The record does not exist.', example: 'There is no record with this id.' },
  no_such_path: { when: 'No operation has this path.', example: 'There is no operation at this path.' },
  method_not_allowed: {
    when: 'The path has no operation with this method.',
    example: 'PUT is not possible here; GET is.',
  },
  wrong_state: {
    when: 'The state of the record does not allow it.',
    example: 'The state of the record does not allow it.',
  },
  conflict: { when: 'Another record conflicts with it.', example: 'Another record conflicts with it.' },
  no_way: {
    when: 'No way leads to the state.',
    example: 'No way leads a record of payments.refunds to paid; the nearest state is failed.',
  },
  rate_limited: { when: 'Too many calls in a short time.', example: 'Too many calls; try again later.' },
  unavailable: {
    when: 'The server is stopping, or cannot save the change.',
    example: 'The change could not be saved; nothing was changed.',
  },
  internal: { when: 'The simulator failed.', example: 'The simulator failed; see its log.' },
}

/** Returns when a refusal with this reason happens. */
export const whenRefused = (reason: Reason): string => WORDS[reason].when

const EXAMPLE_DETAILS: Partial<Record<Reason, readonly { field: string; code: string }[]>> = {
  invalid: [{ field: 'name', code: 'required' }],
  invalid_query: [{ field: 'page', code: 'too_small' }],
}

const EXAMPLE_TIME = Date.UTC(2026, 0, 31, 9, 30)

/** Returns an example error body, created by the dialect. */
export function refusalExample(dialect: Dialect, reason: Reason): object {
  const message = WORDS[reason].example
  const spoken: RefusalFacts = {
    ...dialect.refusals[reason],
    reason,
    message,
    details: EXAMPLE_DETAILS[reason]?.map((problem) => ({ ...problem, message })),
    facts: undefined,
    at: EXAMPLE_TIME,
  }
  return dialect.body(spoken)
}

/** Returns the reasons for which the operation can refuse, in the order of the checks. */
export function reasonsOf(route: MountedRoute, dialect: Dialect): Reason[] {
  const { operation, schema, method, path } = route
  const reasons = new Set<Reason>(['malformed'])
  const addIf = (condition: boolean, ...more: Reason[]): void => {
    if (condition) for (const reason of more) reasons.add(reason)
  }
  addIf(Boolean(schema.body ?? schema.params), 'invalid')
  addIf(Boolean(schema.querystring), 'invalid_query')
  addIf('cursor' in queryProperties(route), 'invalid_cursor')
  const needsKey = !operation.open && dialect.credential.kind !== 'open'
  addIf(needsKey, 'credential_missing', 'credential_unknown', 'credential_expired', 'forbidden')
  addIf((operation.module ?? operation.plan) !== undefined, 'not_enabled')
  addIf(path.includes('{'), 'not_found')
  // A body is parsed for every method that allows one, even if the operation ignores it.
  addIf(method !== 'GET', 'too_large', 'unsupported_media_type')
  addIf(addsData({ operation, method }, dialect), 'full')
  addIf(operation.limit !== undefined, 'rate_limited')
  addIf(true, ...(operation.refuses ?? []))
  // The guard of the control plane.
  const isGuarded = !operation.open && dialect.credential.kind === 'open'
  addIf(isGuarded, 'credential_missing', 'credential_unknown', 'forbidden', 'rate_limited')
  addIf(true, 'internal', 'unavailable')
  return [...reasons]
}

/** Returns the properties of the route's query string by name. */
export function queryProperties(route: MountedRoute): Readonly<Record<string, object>> {
  const { properties = {} }: { properties?: Record<string, object> } = route.schema.querystring ?? {}
  return properties
}

/** Returns the required permission as a sentence: "Needs the permission `products:read`." */
export function permissionWords(
  operation: Operation,
  { dialect, guard }: LoadedInterface,
  ofArea?: string,
): string {
  const scopes = scopesOf(operation).map((scope) => `\`${scope}\``)
  if (operation.open) return 'Needs no credential.'
  if (dialect.credential.kind === 'open') {
    return guard ? 'Needs the token if the server was started with one.' : 'Needs no credential.'
  }
  if (ofArea !== undefined) {
    return `Needs the permission \`${ofArea}\`, that of the same area, because the specification lists none (reading \`scopes.unlisted\`: area).`
  }
  if (scopes.length === 0) return 'Any key that serves the interface may call it.'
  const alternative = operation.orScope === undefined ? '' : `, or \`${operation.orScope}\` instead`
  return `Needs the permission ${scopes.join(' and ')}${alternative}.`
}
