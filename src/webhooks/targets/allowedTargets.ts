/**
 * The allowed targets of webhooks (docs/decisions/0019). Specification part 2, "Point-of-sale webhook": HTTPS.
 * Checked when a subscription is created, and at each attempt with the resolved addresses, so that a network server
 * can't be used to reach private ones (SSRF).
 */
import type { Database } from '../../state/storage/database/database.ts'
import { refuseField } from '../../state/model/refusal.ts'
import { isLoopback, withoutRootDot } from '../../state/text/hosts.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { isOfThisMachine, nonPublicKind } from './addresses.ts'
import { portOf } from './urls.ts'
import { urlProblem } from '@suite-sim/kit/webhooks/urlProblem'

/** The settings of the policy. */
export interface TargetSettings {
  /** Host names without a port that are allowed over plain HTTP and at any address; "*" means all. */
  readonly httpHosts: readonly string[]
  /** True if other machines can reach this server, directly or through its public URL. */
  readonly isOpen: boolean
  /** The port of the server; null before it listens. */
  readonly ownPort: number | null
  /** The public URL of the server; null if not set. */
  readonly publicUrl: string | null
}

export const WITHIN_THIS_MACHINE: TargetSettings = {
  httpHosts: [],
  isOpen: false,
  ownPort: null,
  publicUrl: null,
}

const ALLOWED_HOSTS = 'hosts in --webhook-http-hosts'

export const LEADS_TO_ITSELF = 'url must not lead to this server itself'

export class TargetPolicy {
  readonly settings: TargetSettings
  readonly #allowsAll: boolean
  readonly #allowedHosts: ReadonlySet<string>
  readonly #public: URL | null

  constructor(settings: TargetSettings) {
    this.settings = settings
    this.#allowsAll = settings.httpHosts.includes('*')
    this.#allowedHosts = new Set(settings.httpHosts.map((name) => name.toLowerCase()))
    this.#public = settings.publicUrl === null ? null : new URL(settings.publicUrl)
  }

  /** Returns why webhooks to a valid URL are not allowed, without resolving its host; null if they are. */
  problemOf(url: URL): string | null {
    const { hostname, protocol } = url
    if (this.#isThisServer(url)) return isReceiver(url) ? null : LEADS_TO_ITSELF
    if (this.#isAllowedHost(hostname)) return null
    const { isOpen } = this.settings
    if (isOpen) {
      const kind = isLoopback(hostname) ? 'a loopback address' : nonPublicKind(hostname)
      if (kind !== null)
        return `url must not lead to ${kind}; to allow it, add ${hostname} to --webhook-http-hosts`
    }
    if (protocol === 'https:' || isLoopback(hostname)) return null
    const hosts = isOpen ? ALLOWED_HOSTS : `loopback hosts and ${ALLOWED_HOSTS}`
    return `url must be an HTTPS URL; plain http is allowed only for ${hosts}, not for ${hostname}`
  }

  /** Checks whether a URL leads to the server itself, except to its receiver. */
  leadsToItself(url: URL): boolean {
    return this.#isThisServer(url) && !isReceiver(url)
  }

  /** Compares with this machine and the public URL. */
  #isThisServer(url: URL): boolean {
    const { hostname } = url
    if (this.isOwnPort(url) && (isLoopback(hostname) || isOfThisMachine(hostname))) return true
    const own = this.#public
    if (own === null || withoutRootDot(own.hostname) !== withoutRootDot(hostname)) return false
    // Behind a proxy, one of the default ports often leads to the other.
    return portOf(own) === portOf(url) || (own.port === '' && url.port === '')
  }

  isOwnPort(url: URL): boolean {
    return this.settings.ownPort !== null && portOf(url) === this.settings.ownPort
  }

  /** Returns why an address of a URL's host must not be connected to; null if it may. */
  addressProblem(url: URL, address: string): string | null {
    if (this.isOwnPort(url) && isOfThisMachine(address)) return isReceiver(url) ? null : LEADS_TO_ITSELF
    if (!this.settings.isOpen || this.#isAllowedHost(url.hostname)) return null
    const kind = nonPublicKind(address)
    return kind === null ? null : `${url.hostname} is at ${kind}; to allow it, add it to --webhook-http-hosts`
  }

  #isAllowedHost(host: string): boolean {
    return this.#allowsAll || this.#allowedHosts.has(host)
  }
}

/** The only path of this server that webhooks can be sent to (`control/webhooks/receiver.ts`). */
export const RECEIVER = '/_sim/receiver'

const isReceiver = ({ pathname }: URL): boolean => pathname === RECEIVER

const createHolder = (): { reach: TargetPolicy } => ({ reach: new TargetPolicy(WITHIN_THIS_MACHINE) })

/** Sets the target policy of a database. */
export function setTargetPolicy(database: Database, reach: TargetPolicy): void {
  database.own(createHolder).reach = reach
}

/** Returns the target policy of a database. */
export const targetPolicyOf = (database: Database): TargetPolicy => database.own(createHolder).reach

/** Refuses a URL that is invalid or not allowed for webhooks. */
export function mustBeAllowedTarget({ database }: Workspace, url: string): void {
  const problem = urlProblem(url) ?? targetPolicyOf(database).problemOf(new URL(url))
  if (problem !== null) refuseField('url', 'not_allowed', problem)
}
