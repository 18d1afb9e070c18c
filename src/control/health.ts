/** Whether the server is up. Open to everybody, for load balancers and containers ask without a token. */
import type { Resource } from '../http/definition.ts'
import { monotonicNow } from '../state/clock.ts'
import { refuse } from '../state/refusal.ts'
import { databaseHealthOf } from '../state/databaseHealth.ts'
import type { ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'
import { Health } from './schemas.ts'

export const health =
  ({ version, startedAt, workspaces, webhooks }: ControlContext): Resource =>
  async (app) => {
    const alive = () => ({
      status: 'ok' as const,
      version,
      uptimeSeconds: Math.floor((monotonicNow() - startedAt) / 1000),
    })

    app.get(
      '/health/live',
      {
        config: controlOperation('Server', {
          id: 'getLiveness',
          summary: 'Tell that the process is alive',
          description: 'Whatever is wrong with it: who restarts what does not answer asks here.',
          open: true,
          answers: { 200: Health },
        }),
      },
      alive,
    )

    app.get(
      '/health',
      {
        config: controlOperation('Server', {
          id: 'getHealth',
          summary: 'Tell that the server can be used',
          description:
            'Answers 503, and says why, while the database can not be used (the disk is full, or the file is damaged) or no webhook is sent although some are under way.',
          open: true,
          answers: { 200: Health },
        }),
      },
      () => {
        const trouble = databaseHealthOf(workspaces.database).currentError()
        if (trouble !== null) refuse('unavailable', `The database can not be used: ${trouble}.`)
        const { stuckForMs } = webhooks
        if (stuckForMs > 0) {
          const seconds = Math.round(stuckForMs / 1000)
          refuse('unavailable', `No webhook is sent: for ${String(seconds)} s no attempt has ended.`)
        }
        return alive()
      },
    )
  }
