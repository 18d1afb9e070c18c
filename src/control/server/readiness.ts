/** Whether the server is ready for use: for the readiness checks and the metrics. */
import { databaseHealthOf } from '../../state/storage/database/databaseHealth.ts'
import type { ControlContext } from '../shared/context.ts'

const PHASES = {
  starting: 'The server is starting: the files of --init still run.',
  stopping: 'The server is stopping.',
} as const

/** Returns why the server is not ready for use; null if it is. */
export function unavailableBecause({
  phase,
  workspaces,
  webhooks,
}: Pick<ControlContext, 'phase' | 'workspaces' | 'webhooks'>): string | null {
  const current = phase()
  if (current !== 'running') return PHASES[current]
  const error = databaseHealthOf(workspaces.database).currentError()
  if (error !== null) return `The database cannot be used: ${error}.`
  const { stuckForMs } = webhooks
  if (stuckForMs === 0) return null
  const seconds = String(Math.round(stuckForMs / 1000))
  return `Webhook deliveries make no progress: no attempt has ended for ${seconds} s.`
}
