/** The published OpenAPI documents, each with this server as its `servers`. OPERATING.md, "Control plane". */
import type { FastifyRequest } from 'fastify'
import type { Resource } from '../http/definition.ts'
import { FreeObject } from '../http/schemas.ts'
import { refuse } from '../state/refusal.ts'
import type { ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'
import { DocumentName, INTERFACE_NAMES } from './schemas.ts'

const TAG = 'Documentation'

export const documents =
  (context: ControlContext): Resource =>
  async (app) => {
    const originOf = (request: FastifyRequest): string =>
      context.publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`

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
      async (request) => {
        const { interface: name } = request.params
        const document = await context.documents.one(name, originOf(request))
        return document ?? refuse('not_found', missing(name))
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
      (request) => context.documents.whole(originOf(request)),
    )
  }

const missing = (name: string): string =>
  (INTERFACE_NAMES as readonly string[]).includes(name)
    ? `The ${name} interface is not built yet.`
    : `There is no interface ${name}; there are ${INTERFACE_NAMES.join(', ')}.`
