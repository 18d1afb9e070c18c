/**
 * Decides who may call the control plane. With an admin token, every call except health must carry it. Without one, only
 * this machine may call: the guard refuses other host names (DNS rebinding, proxies) and other origins (cross-site
 * requests). It always refuses webhook deliveries, because a subscription URL must not control the server.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Hook } from '../../http/definition/definition.ts'
import { Refusal } from '../../state/model/refusal.ts'
import { isDelivery } from '../../webhooks/profiles/headers.ts'
import { isLoopback } from '../../webhooks/targets/urls.ts'
import type { ControlContext } from '../shared/context.ts'
import { WrongTokens } from './wrongTokens.ts'

export function guard(context: Pick<ControlContext, 'adminToken'>): Hook {
  const wrongTokens = new WrongTokens()
  return (request, _reply, done) => {
    const { operation, isOpen, isShell } = request.routeOptions.config
    if (operation?.open === true || isOpen === true || (isShell === true && isBrowser(request))) {
      done()
      return
    }
    const token = context.adminToken()
    done(
      (token === null ? checkLocal(request) : checkToken(request, token, wrongTokens)) ??
        (isDelivery(request.headers) ? new Refusal('forbidden', NO_WEBHOOKS) : undefined),
    )
  }
}

/** True if the client accepts HTML. Browsers do; other clients do so only if configured. */
const isBrowser = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html')

const NO_WEBHOOKS =
  'The control plane does not accept webhook deliveries. This request has the headers of one.'

function checkToken(request: FastifyRequest, token: string, wrongTokens: WrongTokens): Refusal | undefined {
  const headers = { 'www-authenticate': 'Bearer' }
  const [, received] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (received === undefined) {
    return new Refusal(
      'credential_missing',
      'The control plane requires the header "Authorization: Bearer TOKEN".',
      {
        headers,
      },
    )
  }
  // The right token always passes: clients behind one proxy share an address, and one may poll with an old token.
  if (isEqual(received, token)) return undefined
  const seconds = wrongTokens.secondsLeft(request.ip)
  if (seconds > 0) {
    const message = `This address sent too many wrong tokens. Try again in ${String(seconds)} s.`
    return new Refusal('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
  }
  wrongTokens.record(request.ip)
  return new Refusal(
    'credential_unknown',
    'The admin token is wrong. Use the value of --admin-token, or the token that the server printed at its start.',
    { headers },
  )
}

/** Compares digests in constant time, so that timing reveals neither the content nor the length of the token. */
const isEqual = (received: string, token: string): boolean => timingSafeEqual(digest(received), digest(token))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function checkLocal(request: FastifyRequest): Refusal | undefined {
  const { host = '', origin } = request.headers
  if (!isLocal(hostOf(`http://${host}`))) {
    return new Refusal(
      'forbidden',
      `The control plane refuses the host name ${host}. To use it, start the server with --admin-token.`,
    )
  }
  if (origin !== undefined && !isLocal(hostOf(origin))) {
    return new Refusal('forbidden', `The control plane refuses requests from pages of ${origin}.`)
  }
  return undefined
}

/** True if the host name itself means this machine. A name that only resolves to it does not count. */
const isLocal = (host: string | null): boolean => host !== null && isLoopback(host)

/** Returns the host name of a URL without the port; null if it is not a URL. */
const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname : null)
