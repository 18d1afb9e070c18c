/** What a workspace is and holds, as JSON. OPERATING.md, "Control plane". */
import type { Resource } from '../http/definition.ts'
import { NO_CONTENT, before, noContent } from '../http/operation.ts'
import { FreeObject, named } from '../http/schemas.ts'
import { LIMITED_ELSEWHERE } from '../state/shapes.ts'
import { snapshotOf } from './snapshotWriting.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'
import { WorkspaceId } from './schemas.ts'
import { restoreSnapshot, SNAPSHOT_FORMAT } from './snapshot.ts'
import { takeSnapshots } from './snapshotReading.ts'
import { checkedSnapshot } from './snapshotShape.ts'
import type { TimeTravel } from './timetravel.ts'

const TAG = 'State'

/**
 * As it is published. What the sections hold is checked in the handler, against a schema that is made from the
 * tables when it is first needed.
 */
const PublishedSnapshot = named(
  'Snapshot',
  FreeObject({
    ...LIMITED_ELSEWHERE,
    description:
      'The format, settings, users and counters, then a section for each interface with its records.',
    examples: [{ format: SNAPSHOT_FORMAT }],
  }),
)

export const snapshots =
  (context: ControlContext, travel: TimeTravel): Resource =>
  async (app) => {
    app.get(
      '/workspaces/:id/snapshot',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'getSnapshot',
          summary: 'Take a snapshot of a workspace',
          answers: { 200: PublishedSnapshot },
        }),
      },
      async ({ params }, reply) => snapshotOf(context, workspaceOf(context, params), reply),
    )
    await app.register(replacement(context, travel))
  }

/** Apart from the other, for it reads its body in its own way. */
const replacement =
  (context: ControlContext, travel: TimeTravel): Resource =>
  (app) => {
    takeSnapshots(app, null)
    app.put(
      '/workspaces/:id/snapshot',
      {
        preValidation: before<{ id: string }>((_request, params) => workspaceOf(context, params)),
        schema: { params: WorkspaceId, body: PublishedSnapshot },
        config: controlOperation(TAG, {
          id: 'putSnapshot',
          summary: "Replace a workspace's records by those of a snapshot",
          description: 'All or nothing. Users of the workspace that the snapshot does not name stay.',
          answers: NO_CONTENT,
        }),
      },
      async ({ params, body }, reply) => {
        const workspace = workspaceOf(context, params)
        const snapshot = await checkedSnapshot(context.records, body)
        travel.callOff(workspace)
        await restoreSnapshot(context, workspace, snapshot)
        travel.callOff(workspace)
        return noContent(reply)
      },
    )
    return Promise.resolve()
  }
