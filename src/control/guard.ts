/**
 * Who may steer. With a token every call but health shows it. Without one the server listens to this machine alone,
 * and then only a browser that has another site open could be made to call: its requests name that site as their
 * origin, or reach us under that site's host name (DNS rebinding), and are refused.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Hook } from '../http/definition.ts'
import { Refusal } from '../state/refusal.ts'
import { isLoopback } from '../webhooks/urls.ts'
import type { ControlContext } from './context.ts'

export function guard(context: Pick<ControlContext, 'adminToken' | 'publicUrl'>): Hook {
  const ownHost = context.publicUrl === null ? null : hostOf(context.publicUrl)
  const isOurs = (host: string | null): boolean => host !== null && (host === ownHost || isLoopback(host))

  return (request, _reply, done) => {
    if (request.routeOptions.config.operation?.open) {
      done()
      return
    }
    const token = context.adminToken()
    done(token === null ? strangeness(request, isOurs) : tokenProblem(request, token))
  }
}

function tokenProblem(request: FastifyRequest, token: string): Refusal | undefined {
  const headers = { 'www-authenticate': 'Bearer' }
  const [, sent] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (sent === undefined) {
    return new Refusal('credential_missing', 'The control plane needs "Authorization: Bearer TOKEN".', {
      headers,
    })
  }
  if (isSame(sent, token)) return undefined
  return new Refusal('credential_unknown', 'The token is not the one of this server.', { headers })
}

/** In a time that tells nothing of how much is right, nor of the length. */
const isSame = (sent: string, token: string): boolean => timingSafeEqual(digest(sent), digest(token))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function strangeness(request: FastifyRequest, isOurs: (host: string | null) => boolean): Refusal | undefined {
  const { host = '', origin } = request.headers
  if (!isOurs(hostOf(`http://${host}`))) {
    return new Refusal(
      'forbidden',
      `The control plane does not answer to the host name ${host}; start with --admin-token, or name it with --public-url.`,
    )
  }
  if (origin !== undefined && !isOurs(hostOf(origin))) {
    return new Refusal('forbidden', `The control plane does not answer to pages of ${origin}.`)
  }
  return undefined
}

/** The host name of a URL without its port; null for what is no URL. */
const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname : null)
