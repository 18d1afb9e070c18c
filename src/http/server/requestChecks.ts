/**
 * Checks of the head of a request, before the part that owns its path sees it: its target, its Host and its Origin. The
 * part answers a request that was refused here, in the format of its interface (`headRefusal`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../state/model/refusal.ts'
import { hostOfAuthority, isAddress, isLoopback, withoutRootDot } from '../../state/text/hosts.ts'

export interface RequestRules {
  readonly publicUrl: string | null
  /** Host names that the server answers to besides those that mean this machine; "*" is all. */
  readonly allowedHosts: readonly string[]
  /** Origins of browser apps that may call the interfaces; "*" is all. */
  readonly cors: readonly string[]
  /** Returns whether host names are checked: a shared server has names that it does not know. */
  readonly checksHosts: () => boolean
}

const NO_RULES: RequestRules = { publicUrl: null, allowedHosts: [], cors: [], checksHosts: () => false }

const refusals = new WeakMap<IncomingMessage, Refusal>()

/** Returns why the head of a request was refused. */
export const headRefusal = (request: IncomingMessage): Refusal | undefined => refusals.get(request)

export class RequestChecks {
  readonly #rules: RequestRules
  readonly #hosts: ReadonlySet<string>
  /** Ends of host names: ".example.com" allows all names below it. */
  readonly #domains: readonly string[]
  readonly #publicOrigin: string | null
  /** Most clients repeat their Host. */
  #lastAllowed: string | undefined

  constructor(rules: RequestRules = NO_RULES) {
    const { publicUrl, allowedHosts } = rules
    const own = publicUrl === null ? null : new URL(publicUrl)
    this.#rules = rules
    this.#publicOrigin = own?.origin ?? null
    this.#domains = allowedHosts.filter((name) => name.startsWith('.')).map((name) => name.toLowerCase())
    this.#hosts = new Set(
      [...allowedHosts, ...(own ? [own.hostname] : [])].map((name) => withoutRootDot(name.toLowerCase())),
    )
  }

  /** Checks a request, and gives its target the usual form, a path. */
  check(request: IncomingMessage): void {
    if (refusals.has(request)) return
    const refusal =
      hostHeaderProblem(request) ??
      normalizeTarget(request) ??
      this.#hostProblem(request) ??
      this.#preflightProblem(request)
    if (refusal) refusals.set(request, refusal)
  }

  /** Checks a request for a WebSocket, which browsers send from pages of any origin. */
  checkWebSocket(request: IncomingMessage): void {
    this.check(request)
    const { origin } = request.headers
    if (origin === undefined || refusals.has(request) || this.#mayConnect(origin, request)) return
    const message = `The WebSocket is refused to pages of ${shown(origin)}. To allow it, start the server with --cors ${shown(origin)}.`
    refusals.set(request, new Refusal('foreign', message))
  }

  /** Sets the CORS headers. Returns true for a preflight, which then needs only a response. */
  setCorsHeaders(request: IncomingMessage, answer: ServerResponse): boolean {
    const { url = '', headers } = request
    if (this.#rules.cors.length === 0 || isControl(url)) return false
    answer.appendHeader('vary', 'Origin')
    const { origin } = headers
    if (origin === undefined || !this.#mayCall(origin)) return false
    answer.setHeader('access-control-allow-origin', origin)
    answer.setHeader('access-control-expose-headers', '*')
    if (!isPreflight(request) || refusals.has(request)) return false
    answer.setHeader('access-control-allow-methods', METHODS)
    const requestedHeaders = headers['access-control-request-headers']
    if (requestedHeaders !== undefined) answer.setHeader('access-control-allow-headers', requestedHeaders)
    answer.setHeader('access-control-max-age', MAX_AGE)
    return true
  }

  #mayCall(origin: string): boolean {
    const { cors } = this.#rules
    return cors.includes('*') || cors.includes(origin)
  }

  #hostProblem({ headers: { host = '' } }: IncomingMessage): Refusal | undefined {
    if (host === this.#lastAllowed || !this.#rules.checksHosts()) return undefined
    // An old client without a Host is no browser.
    if (host === '' || this.#isAllowedHost(host)) {
      this.#lastAllowed = host
      return undefined
    }
    const name = hostOfAuthority(host)
    if (name === null) return new Refusal('malformed', `The Host header ${shown(host)} is no host name.`)
    return new Refusal(
      'foreign',
      `The host name ${name} is refused, because pages of other sites could use it to call this server (DNS rebinding). To allow it, start the server with --allowed-hosts ${name}.`,
    )
  }

  #isAllowedHost(host: string): boolean {
    const name = withoutRootDot(hostOfAuthority(host) ?? '')
    return (
      name !== '' &&
      (this.#hosts.has('*') ||
        isLoopback(name) ||
        isAddress(name) ||
        !name.includes('.') ||
        this.#hosts.has(name) ||
        this.#domains.some((domain) => name.endsWith(domain)))
    )
  }

  #mayConnect(origin: string, { headers: { host = '' } }: IncomingMessage): boolean {
    if (this.#mayCall(origin) || origin === this.#publicOrigin) return true
    if (!URL.canParse(origin)) return false
    const page = new URL(origin)
    // The server's own pages, such as the chat widget, under a name that no other site can take.
    const isOwn = sameHost(page, host) && this.#isAllowedHost(host)
    return isOwn || isLoopback(page.hostname)
  }

  /** Without this refusal, a preflight would get an answer that says nothing about origins. */
  #preflightProblem(request: IncomingMessage): Refusal | undefined {
    if (!isPreflight(request)) return undefined
    const { url = '', headers } = request
    const origin = headers.origin ?? ''
    if (isControl(url)) {
      return new Refusal(
        'foreign',
        `The control plane takes no calls from pages of other origins, such as ${shown(origin)}. --cors opens the interfaces alone.`,
      )
    }
    if (this.#mayCall(origin)) return undefined
    return new Refusal(
      'foreign',
      `Pages of ${shown(origin)} may not call the interfaces (CORS). To allow it, start the server with --cors ${shown(origin)}.`,
    )
  }
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Seconds that a browser caches the result of a preflight. */
const MAX_AGE = '600'

/** The control plane never allows cross-origin calls. */
const isControl = (url: string): boolean => /^\/_sim(?:[/?]|$)/.test(url)

/** https://fetch.spec.whatwg.org/#cors-preflight-request */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

const sameHost = ({ protocol, host }: URL, authority: string): boolean =>
  URL.canParse(`${protocol}//${authority}`) && new URL(`${protocol}//${authority}`).host === host

/** Maximum characters of a header in a message. */
const MAX_SHOWN = 100

const shown = (header: string): string => header.slice(0, MAX_SHOWN)

/** RFC 9112, 3.2: a request has one Host; only HTTP/1.0 allows none. */
function hostHeaderProblem({ rawHeaders, httpVersion, headers }: IncomingMessage): Refusal | undefined {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) return new Refusal('malformed', 'The request has several Host headers.')
  if (headers.host === undefined && httpVersion === '1.1') {
    return new Refusal('malformed', 'The request has no Host header.')
  }
  return undefined
}

/**
 * Gives a target in absolute form, as proxies send it, the form of a path; its authority replaces the Host (RFC 9112,
 * 3.2.2).
 */
function normalizeTarget(request: IncomingMessage): Refusal | undefined {
  const { url = '', rawHeaders } = request
  if (url.startsWith('/')) return undefined
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]*)(|[/?#].*)$/i.exec(url) ?? []
  if (authority === '') return undefined
  request.url = path.startsWith('/') ? path : `/${path}`
  if (hostOfAuthority(authority) === null) {
    return new Refusal('malformed', 'The target of the request has no valid host name.')
  }
  request.headers.host = authority
  const index = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (index >= 0) rawHeaders[index + 1] = authority
  return undefined
}
