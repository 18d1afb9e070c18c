/** Whether the server is up. Open to everybody, for load balancers and containers ask without a token. */
import type { Resource } from '../http/definition.ts'
import { monotonicNow } from '../state/clock.ts'
import type { ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'
import { Health } from './schemas.ts'

export const health =
  ({ version, startedAt }: ControlContext): Resource =>
  async (app) => {
    app.get(
      '/health',
      {
        config: controlOperation('Server', {
          id: 'getHealth',
          summary: 'Tell that the server is up',
          open: true,
          answers: { 200: Health },
        }),
      },
      () => ({
        status: 'ok',
        version,
        uptimeSeconds: Math.floor((monotonicNow() - startedAt) / 1000),
      }),
    )
  }
