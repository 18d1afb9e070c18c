/**
 * Where webhooks may lead. Specification part 2, "Point-of-sale webhook": HTTPS. Plain http is let through for this
 * machine, so that a local receiver works, and for the hosts that `--webhook-http-hosts` names. On a server that other
 * machines can reach, whoever has a key could make it knock at doors that only it can reach: there, loopback, private and
 * all other addresses that are none of the internet's are for named hosts only. And none leads to the server itself.
 *
 * Asked when a subscription is made, by what its URL tells, and again at each attempt, by the addresses that its host has
 * then (`sending/httpTransport.ts`): what is connected to is what was looked at.
 */
import type { Database } from '../state/database.ts'
import { refuseField } from '../state/refusal.ts'
import type { Workspace } from '../state/workspace.ts'
import { isOfThisMachine, notPublic } from './addresses.ts'
import { isLoopback, portOf, urlProblem } from './urls.ts'

/** As it is set. */
export interface TargetSettings {
  /** Host names without a port that may be reached by plain http and at whatever address; "*" is all. */
  readonly httpHosts: readonly string[]
  /** Whether other machines can reach this server. */
  readonly isOpen: boolean
  /** Where it listens; null before. */
  readonly ownPort: number | null
  /** Where it is reached from outside; null where nobody said so. */
  readonly publicUrl: string | null
}

export const WITHIN_THIS_MACHINE: TargetSettings = {
  httpHosts: [],
  isOpen: false,
  ownPort: null,
  publicUrl: null,
}

const NAMED = 'hosts named by --webhook-http-hosts'

export const LEADS_TO_ITSELF = 'url must not lead to this server itself'

export class TargetPolicy {
  readonly settings: TargetSettings
  readonly #namesAll: boolean
  readonly #named: ReadonlySet<string>
  readonly #public: URL | null

  constructor(settings: TargetSettings) {
    this.settings = settings
    this.#namesAll = settings.httpHosts.includes('*')
    this.#named = new Set(settings.httpHosts.map((name) => name.toLowerCase()))
    this.#public = settings.publicUrl === null ? null : new URL(settings.publicUrl)
  }

  /** Why webhooks may not be sent to a URL, as far as it tells by itself; null when they may. `url` is a valid one. */
  problemOf(url: URL): string | null {
    const { hostname, protocol } = url
    if (this.#isHere(url)) return isReceiver(url) ? null : LEADS_TO_ITSELF
    if (this.#isNamed(hostname)) return null
    const { isOpen } = this.settings
    if (isOpen) {
      const kind = isLoopback(hostname) ? 'a loopback address' : notPublic(hostname)
      if (kind !== null) return `url must not lead to ${kind}; these are for ${NAMED}, not for ${hostname}`
    }
    if (protocol === 'https:' || isLoopback(hostname)) return null
    const who = isOpen ? NAMED : 'loopback hosts and those named by --webhook-http-hosts'
    return `url must be an HTTPS URL; plain http is for ${who}, not for ${hostname}`
  }

  /** Whether a URL names the server itself, and not what of it takes webhooks. */
  leadsToItself(url: URL): boolean {
    return this.#isHere(url) && !isReceiver(url)
  }

  /** At this machine or by its public URL. */
  #isHere(url: URL): boolean {
    const { hostname } = url
    if (this.isOwnPort(url) && (isLoopback(hostname) || isOfThisMachine(hostname))) return true
    const own = this.#public
    if (own === null || bare(own.hostname) !== bare(hostname)) return false
    // Of a server behind a proxy the one port often leads to the other.
    return portOf(own) === portOf(url) || (own.port === '' && url.port === '')
  }

  isOwnPort(url: URL): boolean {
    return this.settings.ownPort !== null && portOf(url) === this.settings.ownPort
  }

  /** Why an address that the host of a URL has right now may not be connected to; null when it may. */
  addressProblem(url: URL, address: string): string | null {
    if (this.isOwnPort(url) && isOfThisMachine(address)) return isReceiver(url) ? null : LEADS_TO_ITSELF
    if (!this.settings.isOpen || this.#isNamed(url.hostname)) return null
    const kind = notPublic(address)
    return kind === null ? null : `${url.hostname} is at ${kind}; these are for ${NAMED}`
  }

  #isNamed(host: string): boolean {
    return this.#namesAll || this.#named.has(host)
  }
}

/** What of the server itself webhooks may be sent to: it takes them and does nothing (`control/receiver.ts`). */
export const RECEIVER = '/_sim/receiver'

const isReceiver = ({ pathname }: URL): boolean => pathname === RECEIVER

/** The name without the dot of the root. */
const bare = (host: string): string => host.replace(/\.$/, '')

const within = (): { reach: TargetPolicy } => ({ reach: new TargetPolicy(WITHIN_THIS_MACHINE) })

/** Says where the webhooks of a database may lead from now on. */
export function setTargetPolicy(database: Database, reach: TargetPolicy): void {
  database.own(within).reach = reach
}

/** Where the webhooks of a database may lead. */
export const targetPolicyOf = (database: Database): TargetPolicy => database.own(within).reach

/** Refuses a URL that webhooks can't be sent to, or may not from here. */
export function mustBeAllowedTarget({ database }: Workspace, url: string): void {
  const problem = urlProblem(url) ?? targetPolicyOf(database).problemOf(new URL(url))
  if (problem !== null) refuseField('url', 'not_allowed', problem)
}
