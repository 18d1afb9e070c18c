/**
 * Parts of the server, each with its own routes and schemas. A part is built on first use, so that a start
 * evaluates no interface. It is a server without a socket: the listening server passes it the requests for
 * its paths.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Cable } from '../cable/server.ts'
import type { Published } from '../definition/definition.ts'

/** A part that was built. */
export interface OpenedPart extends Published {
  /** Has routes, but no socket. */
  readonly server: FastifyInstance
  /** Its WebSocket endpoint, if it has one. */
  readonly cable?: Cable
}

/** The base path of stored files. */
export const FILES_PATH = '/files'

/** Rewrites a request that clients send in another form than the specification. */
export type RequestRewriter = (
  method: string,
  url: string,
) => { readonly method: string; readonly url: string }

export class Part {
  /** "/pay/v1", and the base paths of its pages. */
  readonly basePaths: readonly [string, ...string[]]
  readonly #build: () => Promise<OpenedPart>
  readonly #reads: RequestRewriter | undefined
  readonly #cablePath: string | undefined
  #server: FastifyInstance | null = null
  #opening: Promise<OpenedPart> | null = null
  #isClosed = false

  /**
   * Serves `basePaths` and the paths below them, and WebSockets at `cablePath`. `build` is called once,
   * unless it fails.
   */
  constructor(
    basePaths: readonly [string, ...string[]],
    build: () => Promise<OpenedPart>,
    {
      reads,
      cablePath,
    }: { readonly reads?: RequestRewriter | undefined; readonly cablePath?: string | undefined } = {},
  ) {
    this.basePaths = basePaths
    this.#reads = reads
    this.#build = build
    this.#cablePath = cablePath
  }

  /** Checks whether this is the address of its cable. */
  hasCableAt(url: string): boolean {
    return this.#cablePath !== undefined && url.split('?', 1)[0] === this.#cablePath
  }

  /** Returns its cable; builds the part on first use. */
  async cable(): Promise<Cable> {
    const { cable, definition } = await this.open()
    if (!cable) throw new Error(`${definition.name} has a cable path but no channels`)
    return cable
  }

  isAt(url: string): boolean {
    return this.basePaths.some(
      (basePath) => url.startsWith(basePath) && /^([/?]|$)/.test(url.slice(basePath.length)),
    )
  }

  /** Builds the part on first use. */
  open(): Promise<OpenedPart> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<OpenedPart> {
    const opened = await this.#build()
    await opened.server.ready()
    this.#server = opened.server
    // First used during a stop: nothing may keep waiting in it.
    if (this.#isClosed) await closeAll(opened)
    return opened
  }

  /**
   * Passes the request to the part. `failed` gets the error if the part can't be built; then the caller must
   * respond.
   */
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

  /** Ends waiting requests; responses in progress are finished. */
  async close(): Promise<void> {
    this.#isClosed = true
    const opened = await this.#opening?.catch(() => null)
    if (opened) await closeAll(opened)
  }
}

async function closeAll({ server, cable }: OpenedPart): Promise<void> {
  await Promise.all([server.close(), cable?.close()])
}
