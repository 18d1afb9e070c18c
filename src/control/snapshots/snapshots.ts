/** Operations that read and replace a workspace as JSON. OPERATING.md, "Control plane". */
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, checkFirst, noContent } from '../../http/definition/operation.ts'
import { FreeObject, named } from '../../http/schemas/schemas.ts'
import { LIMITED_AS_A_WHOLE } from '../../state/storage/shapes.ts'
import { sendSnapshot } from './snapshotWriting.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { audit } from '../access/audit.ts'
import { controlOperation } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { restoreSnapshot, SNAPSHOT_FORMAT } from './snapshot.ts'
import { acceptSnapshots } from './snapshotReading.ts'
import { checkSnapshot } from './snapshotShape.ts'
import type { TimeTravel } from '../workspaces/timetravel.ts'

const TAG = 'State'

/** The published schema. The handler validates the sections, with a schema that is built from the tables on first use. */
const PublishedSnapshot = named(
  'Snapshot',
  FreeObject({
    ...LIMITED_AS_A_WHOLE,
    description:
      'The format, settings, users and counters, and a section with the records of each interface.',
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
          summary: 'Get a snapshot of a workspace',
          answers: { 200: PublishedSnapshot },
        }),
      },
      async ({ params }, reply) => sendSnapshot(context, workspaceOf(context, params), reply),
    )
    await app.register(replacement(context, travel))
  }

/** Registered in its own scope, because it has its own body parser. */
const replacement =
  (context: ControlContext, travel: TimeTravel): Resource =>
  (app) => {
    acceptSnapshots(app, null)
    app.put(
      '/workspaces/:id/snapshot',
      {
        preValidation: checkFirst<{ id: string }>((_request, params) => workspaceOf(context, params)),
        schema: { params: WorkspaceId, body: PublishedSnapshot },
        config: controlOperation(TAG, {
          id: 'putSnapshot',
          summary: 'Replace the records of a workspace with a snapshot',
          description: 'Replaces all records or none. Users that the snapshot does not include stay.',
          answers: NO_CONTENT,
        }),
      },
      async (request, reply) => {
        const workspace = workspaceOf(context, request.params)
        const snapshot = await checkSnapshot(context.records, request.body)
        travel.callOff(workspace)
        await restoreSnapshot(context, workspace, snapshot)
        travel.callOff(workspace)
        audit(request, 'snapshot.put', { workspace: workspace.id })
        return noContent(reply)
      },
    )
    return Promise.resolve()
  }
