/** The addresses at which clients reach the server. The links in responses and messages start with them. */
import { networkInterfaces } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomToken } from '../state/storage/database/ids.ts'
import type { Registry } from '../state/workspace/registry.ts'
import type { Webhooks } from '../webhooks/queue.ts'
import { hostInUrl, isLoopback, portOf } from '../webhooks/targets/urls.ts'

/**
 * Returns a random admin token for a server that other machines can reach, directly or through its public
 * URL; else null.
 */
export const madeUpToken = ({ host, publicUrl }: { host: string; publicUrl?: string }): string | null =>
  publicUrl !== undefined || !isLoopback(hostInUrl(host)) ? randomToken() : null

/**
 * A host name or address with an optional port, as in a Host header. Excludes characters that could redirect
 * a link.
 */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/

export class Addresses {
  /** The URL that was set, without slashes at its end. */
  readonly publicUrl: string | null
  readonly #workspaces: Registry
  #followsHost = false
  #isOpen = false

  /** Without a public URL, links start with the address on which the server listens or at which a request reached it. */
  constructor(publicUrl: string | null, workspaces: Registry) {
    this.publicUrl = publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null
    this.#workspaces = workspaces
    if (this.publicUrl !== null) workspaces.publicUrl.configure(this.publicUrl)
  }

  /** True unless other machines can reach the server, directly or through its public URL. */
  get isLocal(): boolean {
    return !this.#isOpen && this.publicUrl === null
  }

  /** Answers a request with links to the address at which it reached the server. */
  reached(request: FastifyRequest, answer: () => void): void {
    // A server on a network has several names; only the request tells which one reaches it.
    if (this.#followsHost && HOST.test(request.host)) {
      this.#workspaces.publicUrl.during(`${request.protocol}://${request.host}`, answer)
    } else answer()
  }

  /** Starts to listen; returns the URL. */
  async listen(
    server: FastifyInstance,
    webhooks: Webhooks,
    target: { readonly host: string; readonly port: number },
  ): Promise<string> {
    const isOpen = !isLoopback(hostInUrl(target.host))
    this.#isOpen = isOpen
    this.#followsHost = isOpen && this.publicUrl === null
    // Set before pending deliveries are sent, and again when the chosen port is known.
    webhooks.listensAt({ isOpen, ownPort: target.port === 0 ? null : target.port })
    const address = await server.listen(target)
    webhooks.listensAt({ isOpen, ownPort: portOf(new URL(address)) })
    if (this.publicUrl === null) {
      this.#workspaces.publicUrl.configure(isOpen ? externalAddress(address) : address)
    }
    return address
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
