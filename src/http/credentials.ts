/** Which key a request carries, and whose it is: told before anybody judges whether it may be used here. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../state/keys.ts'
import { Refusal } from '../state/refusal.ts'
import type { Workspaces } from '../state/workspaces.ts'
import type { InterfaceDefinition } from './definition.ts'
import type { Credential, Dialect } from './dialect.ts'
import { isSecret, namesCredential } from './redaction.ts'

type Headers = Pick<FastifyRequest, 'headers'>

/** The header that carries the key. */
export const headerOf = (credential: Exclude<Credential, { readonly kind: 'open' }>): string =>
  credential.kind === 'header' ? credential.header : 'authorization'

/** What the request says in that header; undefined where it says nothing, or nobody has to. */
export function sentIn(credential: Credential, { headers }: Headers): string | undefined {
  if (credential.kind === 'open') return undefined
  const sent = headers[headerOf(credential).toLowerCase()]
  return typeof sent === 'string' && sent !== '' ? sent : undefined
}

/** The key; undefined where there is none in the form that the dialect asks for. */
export function keyOf({ credential }: Pick<Dialect, 'credential'>, request: Headers): string | undefined {
  const sent = sentIn(credential, request)
  return credential.kind === 'bearer' ? /^Bearer +(\S+)$/i.exec(sent ?? '')?.[1] : sent
}

/** Whose key it is, be it expired or meant for other interfaces; undefined where nobody knows it. */
export function callerOf(
  dialect: Pick<Dialect, 'credential'>,
  request: Headers,
  workspaces: Workspaces,
): Caller | undefined {
  const key = keyOf(dialect, request)
  return key === undefined ? undefined : workspaces.caller(key)
}

/** What an interface reads a key from: "Authorization: Bearer KEY". */
const expected = (credential: Exclude<Credential, { readonly kind: 'open' }>): string =>
  credential.kind === 'header' ? `${credential.header}: KEY` : 'Authorization: Bearer KEY'

/** How headers are written whose names carry more than a first capital letter. */
const WRITTEN: Readonly<Record<string, string>> = {
  authorization: 'Authorization',
  'x-api-key': 'X-API-Key',
  'x-invoicing-token': 'X-INVOICING-TOKEN',
}

/** Names that one message lists at most, and characters of each. */
const MAX_NAMES = 5
const LONGEST_NAME = 60

/** Where a request has credentials, never what they are: "X-API-Key", "Authorization: Basic". */
function carriersIn({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): string[] {
  const inHeaders = Object.keys(headers).filter((name) => isSecret(name) && !name.endsWith('cookie'))
  const inQuery = [...new URLSearchParams(url.split('?', 2)[1]).keys()].filter(namesCredential)
  return [
    ...inHeaders.map((name) =>
      name === 'authorization' ? schemeIn(headers.authorization ?? '') : (WRITTEN[name] ?? name),
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

/** Why no key was found: what is read here, and what the request has instead. */
export function missingCredential(
  credential: Exclude<Credential, { readonly kind: 'open' }>,
  request: Pick<FastifyRequest, 'headers' | 'url'>,
): string {
  const reads = `This interface reads ${expected(credential)}`
  const sent = carriersIn(request)
  const instead = sent.length === 0 ? '' : `; the request has ${sent.join(' and ')}`
  return sentIn(credential, request) === undefined
    ? `The request has no ${headerOf(credential)} header. ${reads}${instead}.`
    : `The Authorization header must read "Bearer KEY". ${reads}${instead}.`
}

/** Whose key the request carries, if it may be used for this interface; else a refusal. */
export function identify(
  { name, dialect: { credential } }: Pick<InterfaceDefinition, 'name' | 'dialect'>,
  request: FastifyRequest,
  workspaces: Workspaces,
): Caller {
  const key = keyOf({ credential }, request)
  if (credential.kind === 'open' || key === undefined) {
    throw new Refusal(
      'credential_missing',
      credential.kind === 'open' ? 'The request has no key.' : missingCredential(credential, request),
    )
  }
  const caller = workspaces.caller(key)
  if (!caller) throw new Refusal('credential_unknown', 'The key is not known.')
  if (caller.expiresAt !== null && caller.expiresAt <= caller.workspace.now()) {
    throw new Refusal('credential_expired', 'The key has expired.')
  }
  if (caller.interfaces && !caller.interfaces.has(name)) {
    throw new Refusal('forbidden', `The key does not serve the ${name} interface.`)
  }
  return caller
}
