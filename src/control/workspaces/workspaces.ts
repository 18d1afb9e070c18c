/** Operations on workspaces and their users. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { preValidationHookHandler } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { NO_CONTENT, allowMissingBody, noContent } from '../../http/definition/operation.ts'
import { Slices } from '../../state/model/slices.ts'
import type { Labels } from '../../state/storage/tables.ts'
import { isTtl, MAX_TTL, MIN_TTL } from '../../state/limits/lifetime.ts'
import type { Label, Management } from '../../state/limits/management.ts'
import type { Workspace as WorkspaceState } from '../../state/workspace/workspace.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { audit } from '../access/audit.ts'
import { controlOperation } from '../shared/dialect.ts'
import {
  CreatedWorkspace,
  DeletedWorkspaces,
  IS_LABEL,
  User,
  UserCreate,
  Workspace,
  WorkspaceChange,
  WorkspaceCreate,
  WorkspaceId,
  WorkspacesDeletion,
  WorkspacesQuery,
  WorkspaceWithUsage,
  WorkspaceList,
} from '../shared/schemas.ts'
import { openBuiltIn } from '../snapshots/builtIn/baselines.ts'
import { openWorkspace, type Snapshot } from '../snapshots/snapshot.ts'
import { acceptSnapshots } from '../snapshots/snapshotReading.ts'
import { requestedSource } from '../snapshots/namedSnapshots.ts'
import { checkSnapshot } from '../snapshots/snapshotShape.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { removeWorkspace } from './removal.ts'
import { createdView, userView, workspaceView } from '../shared/views.ts'

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
      async (request, reply) => {
        const { fixtures = 'none', ttl, labels, ids, ...settings } = request.body
        const management = managementOf({ ttl, labels })
        const isOwn = fixtures === 'small' || fixtures === 'demo'
        const snapshot = await requestedSnapshot(context, fixtures)
        try {
          const { id: _id, ...ofSnapshot } = snapshot?.head.workspace ?? {}
          const readings = { ...ofSnapshot.readings, ...settings.readings }
          const wanted = {
            name: 'Workspace',
            ...ofSnapshot,
            ...settings,
            ...management,
            readings,
            idSource: ids,
          }
          const opened =
            isOwn && snapshot
              ? await openBuiltIn(context, wanted, snapshot)
              : await openWorkspace(context, wanted, snapshot)
          audit(request, 'workspace.create', { workspace: opened.workspace.id })
          reply.code(201)
          return createdView(opened)
        } finally {
          if (!isOwn) await snapshot?.close()
        }
      },
    )
    return Promise.resolve()
  }

export const workspaces =
  (context: ControlContext): Resource =>
  async (app) => {
    const { shard } = context.workspaces
    await app.register(creation(context))

    app.get(
      '/workspaces',
      {
        preValidation: checkLabels,
        schema: { querystring: WorkspacesQuery },
        config: controlOperation(TAG, {
          id: 'listWorkspaces',
          summary: 'List all workspaces',
          description: 'Oldest first. With label, only those with these labels.',
          answers: { 200: WorkspaceList },
        }),
      },
      ({ query: { label } }) => {
        const found =
          label === undefined ? allWorkspaces(context) : context.workspaces.labeled(labelsIn(label))
        return { data: found.map(workspaceView), ...(shard !== null && { shard }) }
      },
    )

    app.delete(
      '/workspaces',
      {
        preValidation: checkLabels,
        schema: { querystring: WorkspacesDeletion },
        config: controlOperation(TAG, {
          id: 'deleteWorkspaces',
          summary: 'Delete all workspaces with these labels',
          description: 'Without a label, nothing is deleted.',
          answers: { 200: DeletedWorkspaces },
        }),
      },
      async (request) => {
        const { label } = request.query
        const slices = new Slices()
        let count = 0
        for (const workspace of context.workspaces.labeled(labelsIn(label))) {
          if (slices.isOver) await slices.turn()
          if (!workspace.isRegistered) continue
          removeWorkspace(context, workspace)
          audit(request, 'workspace.delete', { workspace: workspace.id })
          count++
        }
        audit(request, 'workspaces.delete', { label, count })
        return { count }
      },
    )

    app.get(
      '/workspaces/:id',
      {
        schema: { params: WorkspaceId },
        config: controlOperation(TAG, {
          id: 'getWorkspace',
          summary: 'Get a workspace',
          answers: { 200: WorkspaceWithUsage },
        }),
      },
      async ({ params }) => {
        const workspace = workspaceOf(context, params)
        const usage = await workspace.quota.usage()
        return { ...workspaceView(workspace), usage }
      },
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
      (request, reply) => {
        const workspace = context.workspaces.get(request.params.id)
        removeWorkspace(context, workspace)
        audit(request, 'workspace.delete', { workspace: workspace.id })
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
        const { ttl, labels, ...settings } = body
        const management = managementOf({ ttl, labels })
        const readings = { ...workspace.chosenReadings, ...settings.readings }
        workspace.change({ ...settings, readings })
        if (Object.keys(management).length > 0) workspace.manage(management)
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

/** Returns ttl and labels of a body; null clears them. */
function managementOf({ ttl, labels }: Sent): Management {
  if (typeof ttl === 'string' && !isTtl(ttl)) {
    refuseField(
      'ttl',
      'invalid_format',
      `ttl must be an ISO 8601 duration from ${MIN_TTL} to ${MAX_TTL}, such as P7D`,
    )
  }
  return { ...(ttl !== undefined && { ttl }), ...(labels !== undefined && { labels: labels ?? {} }) }
}

interface Sent {
  readonly ttl: string | null | undefined
  readonly labels: Labels | null | undefined
}

/** Refuses a label without a name or a value. The validator would name its position, also of a single one: "label.0". */
const checkLabels: preValidationHookHandler = (request, _reply, done) => {
  const { label } = request.query as { readonly label?: unknown }
  const labels: readonly unknown[] = [label].flat()
  const wrong = labels.filter((each) => typeof each === 'string').find((each) => !IS_LABEL.test(each))
  if (wrong === undefined) {
    done()
    return
  }
  const rule = 'label must be name:value, such as team:checkout'
  const message = `${rule}, not ${JSON.stringify(wrong.slice(0, 100))}`
  refuse('invalid_query', message, { details: [{ field: 'label', code: 'invalid_format', message }] })
}

/** Returns the labels of a query: "team:checkout". A value can contain colons. A name given twice matches nothing else. */
const labelsIn = (texts: readonly string[]): Label[] =>
  texts.map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)])

async function requestedSnapshot(
  { ownFixture, records, isShared }: ControlContext,
  fixtures: string | Readonly<Record<string, unknown>>,
): Promise<Snapshot | null> {
  if (fixtures === 'none') return null
  if (fixtures === 'demo' || fixtures === 'small') return ownFixture(fixtures)
  if (typeof fixtures === 'string') {
    if (!isShared()) return requestedSource(records, fixtures)
    return refuse(
      'forbidden',
      'fixtures can name a file or a URL only if the server listens on this machine alone. Send the snapshot itself, or start the server with --init.',
    )
  }
  return checkSnapshot(records, fixtures, 'fixtures')
}
