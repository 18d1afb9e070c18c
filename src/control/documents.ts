/** The published OpenAPI documents, each with this server as its `servers`. OPERATING.md, "Control plane". */
import type { FastifyRequest } from 'fastify'
import type { Resource } from '../http/definition.ts'
import { JSON_TYPE } from '../http/json.ts'
import { FreeObject } from '../http/schemas.ts'
import { INTERFACE_NAMES } from '../state/interfaceNames.ts'
import { refuse } from '../state/refusal.ts'
import type { ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'
import { DocumentName } from './schemas.ts'

const TAG = 'Documentation'

export const documents =
  (context: ControlContext): Resource =>
  async (app) => {
    const texts = new Texts()
    const originOf = (request: FastifyRequest): string =>
      context.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? `${request.protocol}://${request.host}`

    app.get(
      '/openapi/:interface.json',
      {
        schema: { params: DocumentName },
        config: controlOperation(TAG, {
          id: 'getOpenapiOfInterface',
          summary: 'Get the OpenAPI 3.1 document of an interface',
          answers: { 200: FreeObject() },
        }),
      },
      async (request, reply) => {
        const { interface: name } = request.params
        const bytes = await texts.of(name, originOf(request), () => context.documents.one(name, ORIGIN))
        return reply.type(JSON_TYPE).send(bytes ?? refuse('not_found', missing(name)))
      },
    )

    app.get(
      '/openapi.json',
      {
        config: controlOperation(TAG, {
          id: 'getOpenapi',
          summary: 'Get the OpenAPI 3.1 document of all interfaces',
          answers: { 200: FreeObject() },
        }),
      },
      async (request, reply) => {
        const bytes = await texts.of(WHOLE, originOf(request), () => context.documents.whole(ORIGIN))
        return reply.type(JSON_TYPE).send(bytes ?? refuse('not_found', missing(WHOLE)))
      },
    )
  }

/** The name under which the document of all interfaces is kept; no interface has it. */
const WHOLE = '*'

/** Stands in the documents that are kept for where the server is reached. */
const ORIGIN = 'https://origin.invalid'

/** A document as it was written when it was first asked for, and as it was sent last. */
interface Kept {
  readonly text: string
  last: { readonly origin: string; readonly bytes: Buffer } | null
}

/**
 * The documents do not change while the server runs, but for the place where it is reached; to write one takes too long
 * to do it for every call.
 */
class Texts {
  readonly #kept = new Map<string, Promise<Kept | null>>()

  /** The bytes of a document; null, and nothing is kept, where there is no such document. */
  async of(name: string, origin: string, write: () => Promise<object | null>): Promise<Buffer | null> {
    let written = this.#kept.get(name)
    if (!written) this.#kept.set(name, (written = keep(write)))
    try {
      const kept = await written
      if (kept) return bytesFor(kept, origin)
    } catch (error) {
      this.#kept.delete(name)
      throw error
    }
    this.#kept.delete(name)
    return null
  }
}

async function keep(write: () => Promise<object | null>): Promise<Kept | null> {
  const document = await write()
  return document && { text: JSON.stringify(document), last: null }
}

function bytesFor(kept: Kept, origin: string): Buffer {
  if (kept.last?.origin === origin) return kept.last.bytes
  const bytes = Buffer.from(kept.text.replaceAll(ORIGIN, () => JSON.stringify(origin).slice(1, -1)))
  kept.last = { origin, bytes }
  return bytes
}

const missing = (name: string): string =>
  `There is no interface ${name}; there are ${INTERFACE_NAMES.join(', ')}.`
