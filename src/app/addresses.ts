/**
 * The addresses at which clients reach the server. The links in responses and messages start with them, and they decide
 * whether other machines can reach it.
 */
import { networkInterfaces } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomToken } from '@suite-sim/kit/random'
import { hostInUrl, isAuthority, isLoopback } from '../state/text/hosts.ts'
import type { Registry } from '../state/workspace/registry.ts'
import type { Webhooks } from '../webhooks/queue.ts'
import { portOf } from '../webhooks/targets/urls.ts'

interface Reach {
  /** The address on which the server listens. */
  readonly host: string
  readonly publicUrl?: string | null | undefined
}

/** Checks whether other machines can reach the server, directly or through its public URL. */
const isShared = ({ host, publicUrl }: Reach): boolean =>
  typeof publicUrl === 'string' || !isLoopback(hostInUrl(host))

/**
 * Checks whether the browsers of this machine are the expected ones, so that a foreign host name in a request is a trick
 * (DNS rebinding): the server listens on loopback, or its public URL is a loopback one, as in a container on a laptop.
 */
const isForThisMachine = ({ host, publicUrl }: Reach): boolean =>
  isLoopback(hostInUrl(host)) || (typeof publicUrl === 'string' && isLoopback(new URL(publicUrl).hostname))

/** Returns a random admin token for a server that is shared; else null. */
export const madeUpToken = (reach: Reach): string | null => (isShared(reach) ? randomToken() : null)

const LOOPBACK = '127.0.0.1'

export class Addresses {
  /** The URL that was set, without slashes at its end. */
  readonly publicUrl: string | null
  readonly #workspaces: Registry
  #host = LOOPBACK

  /** Without a public URL, links start with the address on which the server listens or at which a request reached it. */
  constructor(publicUrl: string | null, workspaces: Registry) {
    this.publicUrl = publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null
    this.#workspaces = workspaces
    if (this.publicUrl !== null) workspaces.publicUrl.configure(this.publicUrl)
  }

  /** True if other machines can reach the server, directly or through its public URL. */
  get isShared(): boolean {
    return isShared({ host: this.#host, publicUrl: this.publicUrl })
  }

  /** True if requests may only have host names that mean this machine, or that were allowed. */
  get checksHosts(): boolean {
    return isForThisMachine({ host: this.#host, publicUrl: this.publicUrl })
  }

  /** Answers a request with links to the address at which it reached the server. */
  reached(request: FastifyRequest, answer: () => void): void {
    // A server on a network has several names; only the request tells which one reaches it.
    if (this.publicUrl === null && this.#isOnNetwork && isAuthority(request.host)) {
      this.#workspaces.publicUrl.during(`${request.protocol}://${request.host}`, answer)
    } else answer()
  }

  /** Starts to listen; returns the URL. */
  async listen(
    server: FastifyInstance,
    webhooks: Webhooks,
    target: { readonly host: string; readonly port: number },
  ): Promise<string> {
    this.#host = target.host
    const isOpen = this.isShared
    // Set before pending deliveries are sent, and again when the chosen port is known.
    webhooks.listensAt({ isOpen, ownPort: target.port === 0 ? null : target.port })
    const address = await server.listen(target)
    webhooks.listensAt({ isOpen, ownPort: portOf(new URL(address)) })
    if (this.publicUrl === null) {
      this.#workspaces.publicUrl.configure(this.#isOnNetwork ? externalAddress(address) : address)
    }
    return address
  }

  get #isOnNetwork(): boolean {
    return !isLoopback(hostInUrl(this.#host))
  }
}

/**
 * Returns the address for links that are created without a request, such as an invitation sent by a job: this
 * machine's network address, if the server listens on every address.
 */
function externalAddress(address: string): string {
  const url = new URL(address)
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const external = addresses.find(({ internal, family }) => !internal && family === 'IPv4')
  if (external && isLoopback(url.hostname)) url.hostname = external.address
  return url.origin
}
