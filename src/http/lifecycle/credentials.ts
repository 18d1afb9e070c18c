/** Finds the key of a request and its owner, before any check whether the key may be used here. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../state/workspace/keys.ts'
import { Refusal } from '../../state/model/refusal.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import { shardOfKeyHint } from '../../state/workspace/shard.ts'
import type { LoadedInterface } from '../definition/definition.ts'
import type { Credential, Dialect } from '../definition/dialect.ts'
import { isCredentialName } from '@suite-sim/kit/calls/redaction'

type Headers = Pick<FastifyRequest, 'headers'>

/** Returns the name of the header that contains the key. */
export const headerOf = (credential: Exclude<Credential, { readonly kind: 'open' }>): string =>
  credential.kind === 'header' ? credential.header : 'authorization'

/** Returns the value of that header; undefined if the request has none or the dialect requires none. */
export function headerValue(credential: Credential, { headers }: Headers): string | undefined {
  if (credential.kind === 'open') return undefined
  const sent = headers[headerOf(credential).toLowerCase()]
  return typeof sent === 'string' && sent !== '' ? sent : undefined
}

/** Returns the key; undefined if the header does not have the form that the dialect requires. */
export function keyOf({ credential }: Pick<Dialect, 'credential'>, request: Headers): string | undefined {
  const sent = headerValue(credential, request)
  return credential.kind === 'bearer' ? /^Bearer +(\S+)$/i.exec(sent ?? '')?.[1] : sent
}

/**
 * Returns the owner of the key, even if it is expired or for other interfaces; undefined if the key is
 * unknown.
 */
export function callerOf(
  dialect: Pick<Dialect, 'credential'>,
  request: Headers,
  workspaces: Registry,
): Caller | undefined {
  const key = keyOf(dialect, request)
  return key === undefined ? undefined : workspaces.keys.caller(key)
}

/** Returns the header that an interface reads: "Authorization: Bearer KEY". */
const expectedHeader = (credential: Exclude<Credential, { readonly kind: 'open' }>): string =>
  credential.kind === 'header' ? `${credential.header}: KEY` : 'Authorization: Bearer KEY'

/** Display names of headers with capital letters inside words. */
const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  authorization: 'Authorization',
  'x-api-key': 'X-API-Key',
  'x-invoicing-token': 'X-INVOICING-TOKEN',
}

/** Maximum number of names in one message, and of characters of each. */
const MAX_NAMES = 5
const LONGEST_NAME = 60

/**
 * Lists the places where a request has credentials, without their values: "X-API-Key", "Authorization:
 * Basic".
 */
function carriersIn({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): string[] {
  const inHeaders = Object.keys(headers).filter((name) => isCredentialName(name) && !name.endsWith('cookie'))
  const inQuery = [...new URLSearchParams(url.split('?', 2)[1]).keys()].filter(isCredentialName)
  return [
    ...inHeaders.map((name) =>
      name === 'authorization' ? schemeIn(headers.authorization ?? '') : (DISPLAY_NAMES[name] ?? name),
    ),
    ...inQuery.map((name) => `the query parameter ${name}`),
  ]
    .map((carrier) => carrier.slice(0, LONGEST_NAME))
    .slice(0, MAX_NAMES)
}

function schemeIn(authorization: string): string {
  const [, scheme] = /^(Bearer|Basic|Digest|Token|ApiKey)(?: |$)/i.exec(authorization) ?? []
  return scheme === undefined ? 'Authorization without Bearer' : `Authorization: ${scheme}`
}

const DROPPED =
  'Some proxies drop headers with underscores; nginx keeps them with "underscores_in_headers on;" in its server block.'

/** Returns why no key was found: the header that is expected, and the credentials that the request has. */
export function missingCredential(
  credential: Exclude<Credential, { readonly kind: 'open' }>,
  request: Pick<FastifyRequest, 'headers' | 'url'>,
): string {
  const reads = `This interface reads ${expectedHeader(credential)}`
  const sent = carriersIn(request)
  const instead = sent.length === 0 ? '' : `; the request has ${sent.join(' and ')}`
  // A request with another credential was not changed by a proxy.
  const advice = sent.length === 0 && headerOf(credential).includes('_') ? ` ${DROPPED}` : ''
  return headerValue(credential, request) === undefined
    ? `The request has no ${headerOf(credential)} header. ${reads}${instead}.${advice}`
    : `The Authorization header must read "Bearer KEY". ${reads}${instead}.`
}

/** Returns why no workspace was found: the header that is expected, and what its value looks like. */
function unknownCredential(
  credential: Exclude<Credential, { readonly kind: 'open' }>,
  request: Pick<FastifyRequest, 'headers'>,
  shard: string | null,
): string {
  const name = headerOf(credential)
  const hasScheme = credential.kind === 'header' && /^Bearer /i.test(headerValue(credential, request) ?? '')
  const sent = hasScheme
    ? `${name} starts with Bearer; send the key alone`
    : `the request has ${credential.kind === 'bearer' ? 'a Bearer token' : `a value of ${name}`} that no workspace has`
  const other = shardOfKeyHint(keyOf({ credential }, request) ?? '', shard)
  return `The key is unknown. This interface reads ${expectedHeader(credential)}; ${sent}.${other}`
}

/** Returns the owner of the key if it may be used for this interface; else throws a refusal. */
export function identify(
  { name, dialect: { credential } }: Pick<LoadedInterface, 'name' | 'dialect'>,
  request: FastifyRequest,
  workspaces: Registry,
): Caller {
  const key = keyOf({ credential }, request)
  if (credential.kind === 'open' || key === undefined) {
    throw new Refusal(
      'credential_missing',
      credential.kind === 'open' ? 'The request has no key.' : missingCredential(credential, request),
    )
  }
  const caller = workspaces.keys.caller(key)
  if (!caller)
    throw new Refusal('credential_unknown', unknownCredential(credential, request, workspaces.shard))
  if (caller.expiresAt !== null && caller.expiresAt <= caller.workspace.now()) {
    throw new Refusal('credential_expired', 'The key has expired.')
  }
  if (caller.interfaces && !caller.interfaces.has(name)) {
    throw new Refusal('forbidden', `The key does not serve the ${name} interface.`)
  }
  return caller
}
