/** Which key a request carries, and whose it is: told before anybody judges whether it may be used here. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../state/keys.ts'
import type { Workspaces } from '../state/workspaces.ts'
import type { Credential, Dialect } from './dialect.ts'

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
