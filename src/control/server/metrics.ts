/** Serves Prometheus metrics. Loads `prom-client` on the first scrape. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Registry } from 'prom-client'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'

export const metrics: ControlResource = async (app, context) => {
  let registry: Registry | undefined
  const at = controlRoutesOf(app, 'Server')

  at('/metrics').get({
    id: 'getMetrics',
    summary: 'Get Prometheus metrics',
    description:
      'Returns calls, transitions and events since the start, pending deliveries and their lag, event loop delay and memory, in the Prometheus text format.',
    answers: { 200: Type.String({ contentMediaType: 'text/plain' }) },
    async run(_request, reply) {
      if (!registry) {
        const { createRegistry } = await import('./metricsRegistry.ts')
        registry ??= createRegistry(context)
      }
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  })
}
