/**
 * Decides who may call the control plane. With an admin token, every call except health must carry a token. Without one,
 * only this machine may call: the guard refuses other host names (DNS rebinding, proxies) and other origins (cross-site
 * requests). A control token opens one workspace, with or without an admin token. The guard always refuses webhook
 * deliveries, because a subscription URL must not control the server.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Hook } from '../../http/definition/definition.ts'
import { Refusal } from '../../state/model/refusal.ts'
import { isLoopback } from '../../state/text/hosts.ts'
import { keyPrefix, shardOfKeyHint } from '../../state/workspace/shard.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { isDelivery } from '@suite-sim/kit/webhooks/headers'
import type { ControlContext } from '../shared/context.ts'
import { ADMIN, setAccess } from './access.ts'
import { WrongTokens } from './wrongTokens.ts'

type GuardContext = Pick<ControlContext, 'adminToken' | 'metrics' | 'workspaces'>

export function guard(context: GuardContext): Hook {
  const wrongTokens = new WrongTokens()
  return (request, _reply, done) => {
    const { operation, isOpen } = request.routeOptions.config
    if (isOpen === true || (operation?.isShell === true && isBrowser(request))) {
      done()
      return
    }
    if (operation?.open === true) {
      done(isLink(request) ? undefined : checkSite(request))
      return
    }
    done(
      checkSite(request) ??
        checkCaller(context, request, wrongTokens) ??
        (isDelivery(request.headers) ? new Refusal('forbidden', NO_WEBHOOKS) : undefined),
    )
  }
}

/** True if the client accepts HTML. Browsers do; other clients do so only if configured. */
const isBrowser = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html')

/** True if a person follows a link. A form that a page sends is a navigation as well. */
const isLink = ({ method, headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD')

const NO_WEBHOOKS =
  'The control plane does not accept webhook deliveries. This request has the headers of one.'

const HEADERS = { 'www-authenticate': 'Bearer' }

/**
 * Refuses calls that a page of another site makes without CORS, such as the loading of a picture: browsers send no Origin
 * with them, but this header.
 */
function checkSite({ headers }: FastifyRequest): Refusal | undefined {
  if (headers['sec-fetch-site'] !== 'cross-site') return undefined
  return new Refusal('foreign', 'The control plane takes no calls from pages of other sites.')
}

function checkCaller(
  { adminToken, metrics, workspaces }: GuardContext,
  request: FastifyRequest,
  wrongTokens: WrongTokens,
): Refusal | undefined {
  const isMetrics = request.routeOptions.config.operation?.id === 'getMetrics'
  if (isMetrics && metrics.arePublic) return undefined
  const admin = adminToken()
  const [, received] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  // The right token always passes: clients behind one proxy share an address, and one may poll with an old token.
  if (received !== undefined && admin !== null && isEqual(received, admin)) {
    setAccess(request, ADMIN)
    return undefined
  }
  if (received !== undefined && metrics.token !== null && isEqual(received, metrics.token)) {
    return isMetrics ? undefined : new Refusal('forbidden', 'The metrics token opens only GET /_sim/metrics.')
  }
  const isControl = received?.startsWith(keyPrefix('simctl', null)) === true
  const workspace = isControl ? workspaces.byControlToken(received) : undefined
  if (workspace) {
    setAccess(request, { token: 'control', workspace })
    return (admin === null ? checkLocal(request) : undefined) ?? confine(request, workspace)
  }
  if (admin === null && !isControl) return checkLocal(request)
  if (received === undefined) return missingToken()
  const message = isControl ? unknownControlToken(received, workspaces.shard) : WRONG_TOKEN
  return wrongToken(request, message, wrongTokens)
}

const missingToken = (): Refusal =>
  new Refusal('credential_missing', 'The control plane requires the header "Authorization: Bearer TOKEN".', {
    headers: HEADERS,
  })

const WRONG_TOKEN =
  'The admin token is wrong. Use the value of --admin-token, or the token that the server printed at its start.'

const unknownControlToken = (token: string, shard: string | null): string =>
  `The control token is unknown.${
    shardOfKeyHint(token, shard) || ' Its workspace was deleted, or it belongs to another server.'
  }`

function wrongToken(request: FastifyRequest, reason: string, wrongTokens: WrongTokens): Refusal {
  const seconds = wrongTokens.secondsLeft(request.ip)
  if (seconds > 0) {
    const message = `This address sent too many wrong tokens. Try again in ${String(seconds)} s.`
    return new Refusal('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
  }
  wrongTokens.record(request.ip)
  return new Refusal('credential_unknown', reason, { headers: HEADERS })
}

/** Refuses calls outside the workspace of a control token. Unknown paths pass, because they get a 404. */
function confine({ routeOptions, params, is404 }: FastifyRequest, workspace: Workspace): Refusal | undefined {
  const { url = '', config } = routeOptions
  if (is404 || config.operation?.isShared === true) return undefined
  const own = `/_sim/workspaces/${workspace.id}`
  if (OF_A_WORKSPACE.test(url)) {
    if ((params as { readonly id: string }).id === workspace.id) return undefined
    return new Refusal('forbidden', `This control token opens only the workspace ${workspace.id}.`)
  }
  const instead = /^\/_sim\/keys(?:\/|$)/.test(url) ? ` Keys of its workspace are at ${own}/keys.` : ''
  return new Refusal(
    'forbidden',
    `This call concerns the whole server. The control token opens only ${own} and the calls below it.${instead}`,
  )
}

const OF_A_WORKSPACE = /^\/_sim\/workspaces\/:id(?:\/|$)/

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
