/**
 * Who may steer. With a token every call but health shows it, and browsers are given pages that ask for it. Without one
 * the server listens to this machine alone, and then only a browser that has another site open could be made to call: its
 * requests name that site as their origin, or reach us under that site's host name (DNS rebinding), and are refused. So is
 * what comes under the name of a public URL: a proxy stands before it, and who calls nobody knows. And no webhook steers,
 * whoever has pointed it here.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Hook } from '../http/definition.ts'
import { Refusal } from '../state/refusal.ts'
import { isDelivery } from '../webhooks/headers.ts'
import { isLoopback } from '../webhooks/urls.ts'
import type { ControlContext } from './context.ts'
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
      (token === null ? strangeness(request) : tokenProblem(request, token, wrongTokens)) ??
        (isDelivery(request.headers) ? new Refusal('forbidden', NO_WEBHOOKS) : undefined),
    )
  }
}

/** One that somebody has sent to a page; programs ask for no HTML unless they are told to. */
const isBrowser = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html')

const NO_WEBHOOKS = 'The control plane takes no webhooks; this request carries the headers of one.'

function tokenProblem(request: FastifyRequest, token: string, wrongTokens: WrongTokens): Refusal | undefined {
  const headers = { 'www-authenticate': 'Bearer' }
  const [, sent] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (sent === undefined) {
    return new Refusal('credential_missing', 'The control plane needs "Authorization: Bearer TOKEN".', {
      headers,
    })
  }
  // The right token always passes: people behind one proxy share an address, and one of them may poll with an old token.
  if (isSame(sent, token)) return undefined
  const seconds = wrongTokens.secondsLeft(request.ip)
  if (seconds > 0) {
    const message = `Too many wrong tokens came from this address; try again in ${String(seconds)} s.`
    return new Refusal('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
  }
  wrongTokens.note(request.ip)
  return new Refusal('credential_unknown', 'The token is not the one of this server.', { headers })
}

/** In a time that tells nothing of how much is right, nor of the length. */
const isSame = (sent: string, token: string): boolean => timingSafeEqual(digest(sent), digest(token))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function strangeness(request: FastifyRequest): Refusal | undefined {
  const { host = '', origin } = request.headers
  if (!isOurs(hostOf(`http://${host}`))) {
    return new Refusal(
      'forbidden',
      `The control plane does not answer to the host name ${host}; start with --admin-token.`,
    )
  }
  if (origin !== undefined && !isOurs(hostOf(origin))) {
    return new Refusal('forbidden', `The control plane does not answer to pages of ${origin}.`)
  }
  return undefined
}

/** Whether a host name is one of this machine, and not only leads to it. */
const isOurs = (host: string | null): boolean => host !== null && isLoopback(host)

/** The host name of a URL without its port; null for what is no URL. */
const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).hostname : null)
