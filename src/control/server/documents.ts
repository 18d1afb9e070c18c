/** Serves the OpenAPI documents with this server in `servers`. OPERATING.md, "Control plane". */
import type { FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../../http/server/json.ts'
import { FreeObject } from '../../http/schemas/schemas.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { refuse } from '../../state/model/refusal.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { DocumentName } from '../shared/schemas.ts'

export const documents: ControlResource = async (app, context) => {
  const cache = new DocumentCache()
  const originOf = (request: FastifyRequest): string =>
    context.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? `${request.protocol}://${request.host}`

  const at = controlRoutesOf(app, 'Documentation')

  at('/openapi/:interface.json', { params: DocumentName }).get({
    id: 'getOpenapiOfInterface',
    isShared: true,
    summary: 'Get the OpenAPI 3.1 document of an interface',
    answers: { 200: FreeObject() },
    async run(request, reply) {
      const { interface: name } = request.params
      const bytes = await cache.of(name, originOf(request), () => context.documents.one(name, ORIGIN))
      return reply.type(JSON_TYPE).send(bytes ?? refuse('not_found', missingMessage(name)))
    },
  })

  at('/openapi.json').get({
    id: 'getOpenapi',
    isShared: true,
    summary: 'Get the OpenAPI 3.1 document of all interfaces',
    answers: { 200: FreeObject() },
    async run(request, reply) {
      const bytes = await cache.of(WHOLE, originOf(request), () => context.documents.whole(ORIGIN))
      return reply.type(JSON_TYPE).send(bytes ?? refuse('not_found', missingMessage(WHOLE)))
    },
  })
}

/** Cache key of the document of all interfaces. No interface has this name. */
const WHOLE = '*'

/** Placeholder for the origin of the server in cached documents. */
const ORIGIN = 'https://origin.invalid'

/** A serialized document, and its bytes for the origin that was last requested. */
interface CachedDocument {
  readonly text: string
  last: { readonly origin: string; readonly bytes: Buffer } | null
}

/** Caches serialized documents, because generating one is slow. Only the origin in them differs between requests. */
class DocumentCache {
  readonly #cached = new Map<string, Promise<CachedDocument | null>>()

  /** Returns the bytes of a document. If no such document exists, returns null and caches nothing. */
  async of(name: string, origin: string, write: () => Promise<object | null>): Promise<Buffer | null> {
    let pending = this.#cached.get(name)
    if (!pending) this.#cached.set(name, (pending = serialize(write)))
    try {
      const cached = await pending
      if (cached) return bytesFor(cached, origin)
    } catch (error) {
      this.#cached.delete(name)
      throw error
    }
    this.#cached.delete(name)
    return null
  }
}

async function serialize(write: () => Promise<object | null>): Promise<CachedDocument | null> {
  const document = await write()
  return document && { text: JSON.stringify(document), last: null }
}

function bytesFor(cached: CachedDocument, origin: string): Buffer {
  if (cached.last?.origin === origin) return cached.last.bytes
  const bytes = Buffer.from(cached.text.replaceAll(ORIGIN, () => JSON.stringify(origin).slice(1, -1)))
  cached.last = { origin, bytes }
  return bytes
}

const missingMessage = (name: string): string =>
  `There is no interface ${name}. The interfaces are ${INTERFACE_NAMES.join(', ')}.`
