/** Health checks. They need no token, because load balancers and container platforms call them without one. */
import type { FastifyContextConfig } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { monotonicNow } from '../../state/model/clock.ts'
import { refuse } from '../../state/model/refusal.ts'
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlOperation } from '../shared/dialect.ts'
import { Health } from '../shared/schemas.ts'

export const health =
  ({ version, startedAt, workspaces, webhooks }: ControlContext): Resource =>
  async (app) => {
    const ok = () => ({
      status: 'ok' as const,
      version,
      uptimeSeconds: Math.floor((monotonicNow() - startedAt) / 1000),
    })

    // Probes of load balancers send HEAD, too.
    const add = (path: string, config: FastifyContextConfig, handler: () => ReturnType<typeof ok>): void => {
      app.get(path, { config }, handler)
      app.head(path, { config }, handler)
    }

    add(
      '/health/live',
      controlOperation('Server', {
        id: 'getLiveness',
        summary: 'Check that the process is alive',
        description:
          'Responds with 200 even if the database or the deliveries fail. Use it as a liveness probe.',
        open: true,
        answers: { 200: Health },
      }),
      ok,
    )

    add(
      '/health',
      controlOperation('Server', {
        id: 'getHealth',
        summary: 'Check that the server is ready for use',
        description:
          'Responds with 503 and the reason while the database cannot be used (full disk, damaged file) or webhook deliveries make no progress.',
        open: true,
        answers: { 200: Health },
      }),
      () => {
        const error = databaseHealthOf(workspaces.database).currentError()
        if (error !== null) refuse('unavailable', `The database cannot be used: ${error}.`)
        const { stuckForMs } = webhooks
        if (stuckForMs > 0) {
          const seconds = Math.round(stuckForMs / 1000)
          refuse(
            'unavailable',
            `Webhook deliveries make no progress: no attempt has ended for ${String(seconds)} s.`,
          )
        }
        return ok()
      },
    )
  }
