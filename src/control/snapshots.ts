/** What a workspace is and holds, as JSON. OPERATING.md, "Control plane". */
import type { Resource } from '../http/definition.ts'
import { NO_CONTENT, before, noContent } from '../http/operation.ts'
import { FreeObject, named } from '../http/schemas.ts'
import { workspaceOf, type ControlContext } from './context.ts'
import { controlOperation } from './dialect.ts'
import { WorkspaceId } from './schemas.ts'
import { restoreSnapshot, SNAPSHOT_FORMAT, SNAPSHOT_LIMIT, takeSnapshot } from './snapshot.ts'
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
      ({ params }) => takeSnapshot(context.records, workspaceOf(context, params)),
    )

    app.put(
      '/workspaces/:id/snapshot',
      {
        preValidation: before<{ id: string }>((_request, params) => workspaceOf(context, params)),
        bodyLimit: SNAPSHOT_LIMIT,
        schema: { params: WorkspaceId, body: PublishedSnapshot },
        config: controlOperation(TAG, {
          id: 'putSnapshot',
          summary: "Replace a workspace's records by those of a snapshot",
          description: 'All or nothing. Users of the workspace that the snapshot does not name stay.',
          answers: NO_CONTENT,
        }),
      },
      ({ params, body }, reply) => {
        const workspace = workspaceOf(context, params)
        const snapshot = checkedSnapshot(context.records, body)
        travel.callOff(workspace)
        restoreSnapshot(context.records, workspace, snapshot)
        return noContent(reply)
      },
    )
  }
