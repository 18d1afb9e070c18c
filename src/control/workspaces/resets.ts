/** Resets one workspace or the whole server. OPERATING.md, "Control plane". */
import type { FastifyRequest } from 'fastify'
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { unmatchedCalls } from '../../http/server/logging/unmatchedCalls.ts'
import { removeFaults } from '../../state/faults/faults.ts'
import { refuse } from '../../state/model/refusal.ts'
import { notify } from '../../state/timeline/longPoll.ts'
import { fillWithBaseline, replaceRecords } from '../../state/storage/records/replaceRecords.ts'
import { audit } from '../access/audit.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
import { openFixture } from '../snapshots/builtIn/fixtures.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { endWaits } from './removal.ts'

const NOT_ALLOWED =
  'This server does not allow POST /_sim/reset, which deletes the workspaces of everyone. Reset one workspace with POST /_sim/workspaces/{id}/reset, or start the server with --allow-reset (SIM_ALLOW_RESET=on). It is off by default if other machines can reach the server.'

export const resets: ControlResource = async (app, context, { travel }) => {
  const { workspaces, records } = context
  let lastReset = Promise.resolve()

  const deleteAll = async (): Promise<void> => {
    const { database } = workspaces
    const fixture = context.startFixture()
    const removeAll = (): void => {
      for (const workspace of workspaces.removeAll()) endWaits(workspace)
    }
    if (fixture) await openFixture(context, fixture, removeAll)
    else database.write(removeAll)
    unmatchedCalls(database).clear()
    records.scopes(database).sweep()
  }

  const resetAll = (request: FastifyRequest): Promise<void> =>
    context.duringReset(async () => {
      await deleteAll()
      // Before the files of --init run: if one fails, everything is deleted all the same.
      audit(request, 'server.reset')
    })

  const at = controlRoutesOf(app, 'State')

  at('/workspaces/:id/reset', { params: WorkspaceId }).post({
    id: 'resetWorkspace',
    summary: 'Reset a workspace',
    description:
      'Restores the records, settings and clock that the workspace was created with. Its id, keys and users stay.',
    answers: NO_CONTENT,
    async run(request) {
      const workspace = request.target
      // `request.workspace`, which counts uses, is not set for a reset.
      workspace.lifetime.touch()
      travel.callOff(workspace)
      removeFaults(workspace)
      // A reset of few changes in place takes a fraction of the time of a copy, but blocks others.
      if (records.isLarge(workspace)) {
        await replaceRecords(context, workspace, fillWithBaseline(context, workspace.baselineScope), () => {
          records.restoreOthers(workspace)
          workspace.restoreSettings()
        })
        travel.callOff(workspace)
      } else {
        workspace.write(() => {
          records.reset(workspace)
          workspace.restoreSettings()
        })
      }
      notify(workspace, 'deliveries')
      notify(workspace, 'emails')
      notify(workspace, 'held')
      audit(request, 'workspace.reset', { workspace: workspace.id })
    },
  })

  at('/reset').post({
    id: 'resetServer',
    summary: 'Reset the whole server',
    description:
      'Deletes all workspaces and creates the workspace of the start fixture again, with its key. Then runs the files of --init again. A server that other machines can reach allows it only with --allow-reset.',
    answers: NO_CONTENT,
    async run(request) {
      if (!context.allowsReset()) refuse('forbidden', NOT_ALLOWED)
      // One after another: the files of --init would find what those of another reset have created.
      const next = (): Promise<void> => resetAll(request)
      lastReset = lastReset.then(next, next)
      await lastReset
    },
  })
}
