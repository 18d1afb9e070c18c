/** Operations that read and replace a workspace as JSON. OPERATING.md, "Control plane". */
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { FreeObject, named } from '../../http/schemas/schemas.ts'
import { LIMITED_AS_A_WHOLE } from '../../state/storage/shapes.ts'
import { sendSnapshot } from './snapshotWriting.ts'
import { audit } from '../access/audit.ts'
import { controlRoutesOf, workspaceMustExist, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { restoreSnapshot, SNAPSHOT_FORMAT } from './snapshot.ts'
import { acceptSnapshots } from './snapshotReading.ts'
import { checkSnapshot } from './snapshotShape.ts'

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

export const snapshots: ControlResource = async (app, context, tools) => {
  controlRoutesOf(app, 'State')('/workspaces/:id/snapshot', { params: WorkspaceId }).get({
    id: 'getSnapshot',
    summary: 'Get a snapshot of a workspace',
    answers: { 200: PublishedSnapshot },
    run: async ({ target }, reply) => sendSnapshot(context, target, reply),
  })
  await app.register((scope) => replacement(scope, context, tools))
}

/** Registered in its own scope, because it has its own body parser. */
const replacement: ControlResource = async (app, context, { travel }) => {
  acceptSnapshots(app, null)
  controlRoutesOf(app, 'State')('/workspaces/:id/snapshot', { params: WorkspaceId }).put({
    id: 'putSnapshot',
    summary: 'Replace the records of a workspace with a snapshot',
    description: 'Replaces all records or none. Users that the snapshot does not include stay.',
    body: PublishedSnapshot,
    before: workspaceMustExist,
    answers: NO_CONTENT,
    async run(request) {
      const workspace = request.target
      const snapshot = await checkSnapshot(context.records, request.body)
      travel.callOff(workspace)
      await restoreSnapshot(context, workspace, snapshot)
      travel.callOff(workspace)
      audit(request, 'snapshot.put', { workspace: workspace.id })
    },
  })
}
