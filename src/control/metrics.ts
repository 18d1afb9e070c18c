/** Figures for Prometheus. OPERATING.md, "Control plane". What they are made with is loaded when they are first asked for. */
import { Type } from '@sinclair/typebox'
import type { Registry } from 'prom-client'
import type { Resource } from '../http/definition.ts'
import type { ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'

export const metrics =
  (context: ControlContext): Resource =>
  async (app) => {
    let registry: Registry | undefined
    app.get(
      '/metrics',
      {
        config: controlOperation('Server', {
          id: 'getMetrics',
          summary: 'Tell figures of the server in the text format of Prometheus',
          description:
            'Calls, moves and events since the start, what is owed to webhooks and how late it is, the delay of the event loop, memory.',
          answers: { 200: Type.String({ contentMediaType: 'text/plain' }) },
        }),
      },
      async (_request, reply) => {
        if (!registry) {
          const { registryOf } = await import('./figures.ts')
          registry ??= registryOf(context)
        }
        return reply.type(registry.contentType).send(await registry.metrics())
      },
    )
  }
