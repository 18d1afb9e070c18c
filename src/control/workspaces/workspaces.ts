/** Operations on workspaces and their users. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { preValidationHookHandler } from 'fastify'
import { NO_CONTENT, allowMissingBody } from '../../http/definition/operation.ts'
import { Slices } from '../../state/model/slices.ts'
import { fillWithCopy } from '../../state/storage/records/replaceRecords.ts'
import type { Labels } from '../../state/storage/tables.ts'
import { isTtl, MAX_TTL, MIN_TTL } from '../../state/limits/lifetime.ts'
import type { Label, Management } from '../../state/limits/management.ts'
import type { Workspace as WorkspaceState } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { audit } from '../access/audit.ts'
import { controlRoutesOf, type ControlResource } from '../shared/dialect.ts'
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
import {
  openCopy,
  openWorkspace,
  type OpenedWorkspace,
  type Snapshot,
  type SnapshotHead,
  type WorkspaceRequest,
} from '../snapshots/snapshot.ts'
import { acceptSnapshots, ReceivedSnapshot } from '../snapshots/snapshotReading.ts'
import { isSavedFixture, savedFixture } from '../snapshots/savedFixture.ts'
import { requestedSource } from '../snapshots/namedSnapshots.ts'
import { checkSnapshot } from '../snapshots/snapshotShape.ts'
import { refuse, refuseField } from '../../state/model/refusal.ts'
import { removeWorkspace } from './removal.ts'
import { createdView, userView, workspaceView } from '../shared/views.ts'

/** Registered in its own scope, because it has its own body parser. */
const creation: ControlResource = async (app, context) => {
  acceptSnapshots(app, 'fixtures')
  const at = controlRoutesOf(app, 'Workspaces')

  at('/workspaces').post({
    id: 'createWorkspace',
    summary: 'Create a workspace with a user and a key',
    body: Type.Optional(WorkspaceCreate),
    before: allowMissingBody,
    answers: { 201: CreatedWorkspace },
    refuses: ['conflict', 'forbidden', 'not_found'],
    async run(request) {
      const { fixtures = 'none', ttl, labels, ids, ...settings } = request.body
      const management = managementOf({ ttl, labels })
      const start = await startOf(context, fixtures)
      try {
        const { id: _id, ...ofSnapshot } = start.head.workspace ?? {}
        const readings = { ...ofSnapshot.readings, ...settings.readings }
        const opened = await start.open({
          name: 'Workspace',
          ...ofSnapshot,
          ...settings,
          ...management,
          readings,
          idSource: ids && { fixed: ids.seed, ...ids },
        })
        audit(request, 'workspace.create', { workspace: opened.workspace.id })
        return createdView(opened)
      } finally {
        await start.close?.()
      }
    },
  })
}

export const workspaces: ControlResource = async (app, context, tools) => {
  const { shard } = context.workspaces
  await app.register((scope) => creation(scope, context, tools))

  const at = controlRoutesOf(app, 'Workspaces')
  const list = at('/workspaces')
  const item = at('/workspaces/:id', { params: WorkspaceId })

  list.get({
    id: 'listWorkspaces',
    summary: 'List all workspaces',
    description: 'Oldest first. With label, only those with these labels.',
    query: WorkspacesQuery,
    before: checkLabels,
    answers: { 200: WorkspaceList },
    run({ query: { label } }) {
      const found = label === undefined ? allWorkspaces(context) : context.workspaces.labeled(labelsIn(label))
      return { data: found.map(workspaceView), ...(shard !== null && { shard }) }
    },
  })

  list.delete({
    id: 'deleteWorkspaces',
    summary: 'Delete all workspaces with these labels',
    description: 'Without a label, nothing is deleted.',
    query: WorkspacesDeletion,
    before: checkLabels,
    answers: { 200: DeletedWorkspaces },
    async run(request) {
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
  })

  item.get({
    id: 'getWorkspace',
    summary: 'Get a workspace',
    answers: { 200: WorkspaceWithUsage },
    async run({ target: workspace }) {
      const usage = await workspace.quota.usage()
      return { ...workspaceView(workspace), usage }
    },
  })

  item.delete({
    id: 'deleteWorkspace',
    summary: 'Delete a workspace and all its data',
    answers: NO_CONTENT,
    run(request) {
      const workspace = request.target
      removeWorkspace(context, workspace)
      audit(request, 'workspace.delete', { workspace: workspace.id })
    },
  })

  item.patch({
    id: 'updateWorkspace',
    summary: 'Update the settings of a workspace',
    description: 'Fields that the body does not include stay the same.',
    body: WorkspaceChange,
    answers: { 200: Workspace },
    run({ target: workspace, body }) {
      const { ttl, labels, ...settings } = body
      const management = managementOf({ ttl, labels })
      const readings = { ...workspace.chosenReadings, ...settings.readings }
      workspace.change({ ...settings, readings })
      if (Object.keys(management).length > 0) workspace.manage(management)
      return workspaceView(workspace)
    },
  })

  at('/workspaces/:id/users', { params: WorkspaceId }).post({
    id: 'createUser',
    summary: 'Add a user to a workspace',
    body: UserCreate,
    answers: { 201: User },
    run: ({ target, body }) => userView(target.addUser(body)),
  })
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
  refuseField('label', 'invalid_format', message, 'invalid_query')
}

/** Returns the labels of a query: "team:checkout". A value can contain colons. A name given twice matches nothing else. */
const labelsIn = (texts: readonly string[]): Label[] =>
  texts.map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)])

/** What a new workspace starts with. */
interface Start {
  readonly head: Partial<SnapshotHead>
  readonly open: (wanted: WorkspaceRequest) => Promise<OpenedWorkspace>
  readonly close?: () => Promise<void>
}

async function startOf(
  context: ControlContext,
  fixtures: string | Readonly<Record<string, unknown>>,
): Promise<Start> {
  if (fixtures === 'none') return { head: {}, open: (wanted) => openWorkspace(context, wanted, null) }
  if (fixtures === 'demo' || fixtures === 'small') {
    const own = await context.ownFixture(fixtures)
    return { head: own.head, open: (wanted) => openBuiltIn(context, wanted, own) }
  }
  const sent = fixtures instanceof ReceivedSnapshot ? fixtures.rest : null
  if (sent && isSavedFixture(sent)) {
    const head = savedFixture(context.workspaces, sent).head as unknown as SnapshotHead
    return {
      head,
      // Finds it again, because it can be deleted until the copy begins.
      open: (wanted) =>
        openCopy(context, wanted, head, 'too_large', (scope) =>
          fillWithCopy(context, savedFixture(context.workspaces, sent).scope)(scope),
        ),
    }
  }
  const snapshot = await requestedSnapshot(context, fixtures)
  const { head, close } = snapshot
  return { head, open: (wanted) => openWorkspace(context, wanted, snapshot), close }
}

async function requestedSnapshot(
  { records, isShared }: ControlContext,
  fixtures: string | Readonly<Record<string, unknown>>,
): Promise<Snapshot> {
  if (typeof fixtures !== 'string') return checkSnapshot(records, fixtures, 'fixtures')
  if (!isShared()) return requestedSource(records, fixtures)
  return refuse(
    'forbidden',
    'fixtures can name a file or a URL only if the server listens on this machine alone. Send the snapshot itself, or start the server with --init.',
  )
}
