/**
 * Parts of the server that are put together when they are first asked for, each with routes, schemas and words of its
 * own: nothing of what an interface says and takes is evaluated at a start.
 *
 * A part is a server without a socket: the one that listens hands it the requests for its addresses as they come in.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Cable } from './cable/server.ts'
import type { Published } from './definition.ts'

/** A part that has been put together. */
export interface Opened extends Published {
  /** Has routes, and no socket. */
  readonly server: FastifyInstance
  /** What it tells those who listen, where it has that. */
  readonly cable?: Cable
}

/** Where stored files are loaded from. */
export const FILES_PATH = '/files'

/** How a request is meant, where clients write it in another way than the specification. */
export type Reading = (method: string, url: string) => { readonly method: string; readonly url: string }

export class Part {
  /** "/pay/v1", and where its pages for people are. */
  readonly basePaths: readonly [string, ...string[]]
  readonly #putTogether: () => Promise<Opened>
  readonly #reads: Reading | undefined
  readonly #cablePath: string | undefined
  #server: FastifyInstance | null = null
  #opening: Promise<Opened> | null = null
  #isClosed = false

  /**
   * Answers at and below `basePaths`, and takes WebSockets at `cablePath`; `putTogether` is called once, unless it fails.
   */
  constructor(
    basePaths: readonly [string, ...string[]],
    putTogether: () => Promise<Opened>,
    {
      reads,
      cablePath,
    }: { readonly reads?: Reading | undefined; readonly cablePath?: string | undefined } = {},
  ) {
    this.basePaths = basePaths
    this.#reads = reads
    this.#putTogether = putTogether
    this.#cablePath = cablePath
  }

  /** Whether this is the address of its cable. */
  hasCableAt(url: string): boolean {
    return this.#cablePath !== undefined && url.split('?', 1)[0] === this.#cablePath
  }

  /** Its cable; puts the part together where nobody has asked for it yet. */
  async cable(): Promise<Cable> {
    const { cable, definition } = await this.open()
    if (!cable) throw new Error(`${definition.name} names the path of a cable and has no channels`)
    return cable
  }

  isAt(url: string): boolean {
    return this.basePaths.some(
      (basePath) => url.startsWith(basePath) && /^([/?]|$)/.test(url.slice(basePath.length)),
    )
  }

  /** Puts the part together where nobody has asked for it yet. */
  open(): Promise<Opened> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<Opened> {
    const opened = await this.#putTogether()
    await opened.server.ready()
    this.#server = opened.server
    // It was first asked for while the server stops: nobody is to wait in it.
    if (this.#isClosed) await closeAll(opened)
    return opened
  }

  /** Has the part answer; `failed` is told when it can't be put together, and the answer is then still to be given. */
  answer(request: FastifyRequest, reply: FastifyReply, failed: (error: Error) => void): void {
    const route = (server: FastifyInstance): void => {
      reply.hijack()
      const { raw } = request
      if (this.#reads) Object.assign(raw, this.#reads(raw.method ?? '', raw.url ?? ''))
      server.routing(raw, reply.raw)
    }
    if (this.#server) route(this.#server)
    else {
      this.open().then(({ server }) => {
        route(server)
      }, failed)
    }
  }

  /** Lets go whoever waits in it. What is being answered is answered to the end. */
  async close(): Promise<void> {
    this.#isClosed = true
    const opened = await this.#opening?.catch(() => null)
    if (opened) await closeAll(opened)
  }
}

async function closeAll({ server, cable }: Opened): Promise<void> {
  await Promise.all([server.close(), cable?.close()])
}
