/**
 * Parts of the server, each with its own routes and schemas. A part is built on first use, so that a start
 * evaluates no interface. It is a server without a socket: the listening server passes it the requests for
 * its paths.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Cable } from '../cable/server.ts'
import type { InterfaceDefinition, Published } from '../definition/definition.ts'

/** A part that was built. */
export interface OpenedPart extends Published {
  /** Has routes, but no socket. */
  readonly server: FastifyInstance
  /** Its WebSocket endpoint, if it has one. */
  readonly cable?: Cable
}

/** The base path of stored files. */
export const FILES_PATH = '/files'

/** Returns the area of the part that has the URL; "other" if no part has it, such as "/" and unknown paths. */
export function areaAt(parts: readonly Part[], url: string): string {
  for (const part of parts) {
    const area = part.areaAt(url)
    if (area !== null) return area
  }
  return 'other'
}

/** The paths of a part, and how it parses its requests. */
type Served = Pick<
  InterfaceDefinition,
  'name' | 'basePath' | 'pagesPath' | 'framedPagesPath' | 'cablePath' | 'webSocketPath' | 'parsing'
>

export class Part {
  readonly #served: Served
  readonly #build: () => Promise<OpenedPart>
  #server: FastifyInstance | null = null
  #opening: Promise<OpenedPart> | null = null
  #isClosed = false

  /**
   * Serves the base paths and the paths below them, and WebSockets at the cable path. `build` is called once,
   * unless it fails.
   */
  constructor(served: Served, build: () => Promise<OpenedPart>) {
    this.#served = served
    this.#build = build
  }

  /** Checks whether this is the address of its cable. */
  hasCableAt(url: string): boolean {
    const { cablePath } = this.#served
    return cablePath !== undefined && url.split('?', 1)[0] === cablePath
  }

  /** Checks whether this is the address of a route that takes WebSockets. */
  hasWebSocketAt(url: string): boolean {
    return this.#served.webSocketPath?.test(url.split('?', 1)[0] ?? '') === true
  }

  /** Returns its cable; builds the part on first use. */
  async cable(): Promise<Cable> {
    const { cable, definition } = await this.open()
    if (!cable) throw new Error(`${definition.name} has a cable path but no channels`)
    return cable
  }

  isAt(url: string): boolean {
    return this.areaAt(url) !== null
  }

  /** Returns the area of this part that has the URL: its name, or "pages" for its hosted pages; else null. */
  areaAt(url: string): string | null {
    const { name, basePath, pagesPath, framedPagesPath } = this.#served
    // Pages can be below the base path.
    if (isBelow(pagesPath, url) || isBelow(framedPagesPath, url)) return 'pages'
    return isBelow(basePath, url) ? name : null
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
      const { parsing } = this.#served
      if (parsing) Object.assign(raw, parsing(raw.method ?? '', raw.url ?? ''))
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

function isBelow(path: string | undefined, url: string): boolean {
  if (path === undefined || !url.startsWith(path)) return false
  const next = url[path.length]
  return next === undefined || next === '/' || next === '?'
}

async function closeAll({ server, cable }: OpenedPart): Promise<void> {
  await Promise.all([server.close(), cable?.close()])
}
