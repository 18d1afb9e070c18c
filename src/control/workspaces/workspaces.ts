/** Operations on workspaces and their users. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, allowMissingBody, noContent } from '../../http/definition/operation.ts'
import { notify, TOPICS } from '../../state/timeline/longPoll.ts'
import type { Workspace as WorkspaceState } from '../../state/workspace/workspace.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { controlOperation } from '../shared/dialect.ts'
import {
  CreatedWorkspace,
  User,
  UserCreate,
  Workspace,
  WorkspaceChange,
  WorkspaceCreate,
  WorkspaceId,
  WorkspaceList,
} from '../shared/schemas.ts'
import { openBuiltIn, openWorkspace, type Snapshot } from '../snapshots/snapshot.ts'
import { acceptSnapshots } from '../snapshots/snapshotReading.ts'
import { requestedSource } from '../snapshots/namedSnapshots.ts'
import { checkSnapshot } from '../snapshots/snapshotShape.ts'
import { refuse } from '../../state/model/refusal.ts'
import type { TimeTravel } from './timetravel.ts'
import { userView, workspaceView } from '../shared/views.ts'

const TAG = 'Workspaces'

/** Registered in its own scope, because it has its own body parser. */
const creation =
  (context: ControlContext): Resource =>
  (app) => {
    acceptSnapshots(app, 'fixtures')
    app.post(
      '/workspaces',
      {
        preValidation: allowMissingBody,
        schema: { body: Type.Optional(WorkspaceCreate) },
        config: controlOperation(TAG, {
          id: 'createWorkspace',
          summary: 'Create a workspace with a user and a key',
          answers: { 201: CreatedWorkspace },
          refuses: ['conflict', 'forbidden'],
        }),
      },
      async ({ body }, reply) => {
        const { fixtures = 'none', ...settings } = body
        const isOwn = fixtures === 'small' || fixtures === 'demo'
        const snapshot = await requestedSnapshot(context, fixtures)
        try {
          const { id: _id, ...ofSnapshot } = snapshot?.head.workspace ?? {}
          const readings = { ...ofSnapshot.readings, ...settings.readings }
          const wanted = { name: 'Workspace', ...ofSnapshot, ...settings, readings }
          const opened =
            isOwn && snapshot
              ? await openBuiltIn(context, wanted, snapshot)
              : await openWorkspace(context, wanted, snapshot)
          reply.code(201)
          return { workspace: workspaceView(opened.workspace), user: userView(opened.user), key: opened.key }
        } finally {
          if (!isOwn) await snapshot?.close()
        }
      },
    )
    return Promise.resolve()
  }

export const workspaces =
  (context: ControlContext, travel: TimeTravel): Resource =>
  async (app) => {
    const { shard } = context.workspaces
    await app.register(creation(context))

    app.get(
      '/workspaces',
      {
        config: controlOperation(TAG, {
          id: 'listWorkspaces',
          summary: 'List all workspaces',
          description: 'Oldest first.',
          answers: { 200: WorkspaceList },
        }),
      },
      () => ({
        data: allWorkspaces(context).map(workspaceView),
        ...(shard !== null && { shard }),
      }),
    )

    app.get(
      '/workspaces/:id',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'getWorkspace',
          summary: 'Get a workspace',
          answers: { 200: Workspace },
        }),
      },
      ({ params }) => workspaceView(workspaceOf(context, params)),
    )

    app.delete(
      '/workspaces/:id',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'deleteWorkspace',
          summary: 'Delete a workspace and all its data',
          answers: NO_CONTENT,
        }),
      },
      ({ params }, reply) => {
        removeWorkspace(context, travel, context.workspaces.get(params.id))
        return noContent(reply)
      },
    )

    app.patch(
      '/workspaces/:id',
      {
        schema: { params: WorkspaceId, body: WorkspaceChange },
        config: controlOperation(TAG, {
          id: 'updateWorkspace',
          summary: 'Update the settings of a workspace',
          description: 'Fields that the body does not include stay the same.',
          answers: { 200: Workspace },
        }),
      },
      ({ params, body }) => {
        const workspace = workspaceOf(context, params)
        const readings = { ...workspace.chosenReadings, ...body.readings }
        workspace.change({ ...body, readings })
        return workspaceView(workspace)
      },
    )

    app.post(
      '/workspaces/:id/users',
      {
        schema: { params: WorkspaceId, body: UserCreate },
        config: controlOperation(TAG, {
          id: 'createUser',
          summary: 'Add a user to a workspace',
          answers: { 201: User },
        }),
      },
      ({ params, body }, reply) => {
        reply.code(201)
        return userView(workspaceOf(context, params).addUser(body))
      },
    )
  }

export function allWorkspaces({ workspaces: registry }: ControlContext): WorkspaceState[] {
  return registry.tenantIds().flatMap((account) => registry.byTenantId(account) ?? [])
}

/** Deletes a workspace with all its data, and ends its waits and clock moves. */
export function removeWorkspace(
  { workspaces: registry, records }: ControlContext,
  travel: TimeTravel,
  workspace: WorkspaceState,
): void {
  workspace.write(() => {
    records.remove(workspace)
    registry.remove(workspace)
  })
  records.scopes(registry.database).sweep()
  endWaits(travel, workspace)
}

/** Ends the waits and clock moves of a workspace that was deleted. */
export function endWaits(travel: TimeTravel, workspace: WorkspaceState): void {
  travel.callOff(workspace)
  for (const topic of TOPICS) notify(workspace, topic)
}

async function requestedSnapshot(
  { ownFixture, records, isLocal }: ControlContext,
  fixtures: string | Readonly<Record<string, unknown>>,
): Promise<Snapshot | null> {
  if (fixtures === 'none') return null
  if (fixtures === 'demo' || fixtures === 'small') return ownFixture(fixtures)
  if (typeof fixtures === 'string') {
    if (isLocal()) return requestedSource(records, fixtures)
    return refuse(
      'forbidden',
      'fixtures can name a file or a URL only if the server listens on this machine alone. Send the snapshot itself, or start the server with --init.',
    )
  }
  return checkSnapshot(records, fixtures, 'fixtures')
}
