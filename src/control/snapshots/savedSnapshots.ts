/** Operations on named snapshots, and cloning a workspace. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { NO_CONTENT, allowMissingBody } from '../../http/definition/operation.ts'
import { Instant, named } from '../../http/schemas/schemas.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { removeFaults } from '../../state/faults/faults.ts'
import { notify } from '../../state/timeline/longPoll.ts'
import { refuse } from '../../state/model/refusal.ts'
import { fillWithCopy, replaceRecords, saveRecords } from '../../state/storage/records/replaceRecords.ts'
import {
  continueFrom,
  findSaved,
  insertSaved,
  listSaved,
  removeSaved,
  type SavedSnapshot,
} from '../../state/storage/records/savedSnapshots.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { audit } from '../access/audit.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { CreatedWorkspace, WorkspaceClone, WorkspaceId } from '../shared/schemas.ts'
import { headOfSnapshot, openCopy, restoreHead, type SnapshotHead } from './snapshot.ts'
import { createdView } from '../shared/views.ts'

/** The maximum number of named snapshots in a workspace. */
const MAX_SAVED = 50

const name = Type.String({
  pattern: '^(?!start$)[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
  'x-wording':
    'must have at most 100 letters, digits, dots, dashes and underscores, start with a letter or digit, and not be start, which names the state at creation',
  examples: ['before-checkout'],
})

const SavedCreate = named('SavedSnapshotCreate', Type.Object({ name }, { additionalProperties: false }))

const Saved = named(
  'SavedSnapshot',
  Type.Object({
    name,
    records: Type.Integer({ description: 'The number of records in the snapshot.' }),
    createdAt: Instant(),
  }),
)

const SavedParameters = Type.Object({
  ...WorkspaceId.properties,
  name: Type.String({ description: 'The name of the snapshot, from GET /workspaces/{id}/snapshots.' }),
})

export const savedSnapshots: ControlResource = async (app, context, { travel }) => {
  const savedOf = ({ target }: FastifyRequest, wanted: string): SavedSnapshot =>
    findSaved(target, wanted) ?? refuse('not_found', `There is no snapshot ${wanted}.`)

  const at = controlRoutesOf(app, 'State')
  const list = at('/workspaces/:id/snapshots', { params: WorkspaceId })

  list.post({
    id: 'saveSnapshot',
    summary: 'Save a named snapshot of a workspace',
    description: `Resets do not delete it. Deleting the workspace does. A workspace has at most ${String(MAX_SAVED)} snapshots.`,
    body: SavedCreate,
    answers: { 201: Saved },
    refuses: ['conflict', 'full'],
    async run({ target: workspace, body }) {
      mustBeNew(workspace, body.name)
      const head = { ...headOfSnapshot(context.records, workspace) }
      const records = context.records.sets.reduce(
        (sum, set) => sum + context.records.count(workspace, set),
        0,
      )
      const createdAt = workspace.now()
      await saveRecords(context, workspace, (scope) => {
        mustBeNew(workspace, body.name)
        insertSaved(workspace, { name: body.name, scope, head, records, createdAt })
      })
      return { name: body.name, records, createdAt: iso(createdAt) }
    },
  })

  list.get({
    id: 'listSnapshots',
    summary: 'List the named snapshots of a workspace',
    answers: { 200: ListOf(Saved) },
    run: ({ target }) => ({
      data: listSaved(target).map((saved) => ({
        name: saved.name,
        records: saved.records,
        createdAt: iso(saved.createdAt),
      })),
    }),
  })

  at('/workspaces/:id/snapshots/:name/restore', { params: SavedParameters, record: savedOf }).post({
    id: 'restoreSnapshot',
    summary: 'Restore a named snapshot',
    description:
      'Replaces the records of the workspace, all or nothing. Keys, the clock and users that were added since stay.',
    answers: NO_CONTENT,
    refuses: ['conflict', 'full'],
    async run(request) {
      const { record: saved, target: workspace } = request
      travel.callOff(workspace)
      await replaceRecords(
        context,
        workspace,
        fillWithCopy(context, saved.scope),
        (scope) => {
          restoreHead(context, workspace, saved.head as unknown as SnapshotHead)
          continueFrom(workspace, saved, scope)
        },
        'full',
      )
      travel.callOff(workspace)
      for (const topic of ['deliveries', 'emails', 'records'] as const) notify(workspace, topic)
      audit(request, 'snapshot.restore', { workspace: workspace.id, snapshot: saved.name })
    },
  })

  at('/workspaces/:id/snapshots/:name', { params: SavedParameters, record: savedOf }).delete({
    id: 'deleteSnapshot',
    summary: 'Delete a named snapshot',
    answers: NO_CONTENT,
    run(request) {
      const { record: saved, target: workspace } = request
      const scopes = context.records.scopes(workspace.database)
      workspace.write(() => {
        removeSaved(workspace, saved.name)
        scopes.discard(saved.scope)
      })
      scopes.sweep()
      audit(request, 'snapshot.delete', { workspace: workspace.id, snapshot: saved.name })
    },
  })

  at('/workspaces/:id/clone', { params: WorkspaceId }).post({
    id: 'cloneWorkspace',
    summary: 'Clone a workspace',
    description:
      'Creates a workspace with the same records, files and clock, and a new key and control token. It has the labels and the ttl of its source. A reset of the clone restores this state.',
    body: Type.Optional(WorkspaceClone),
    before: allowMissingBody,
    answers: { 201: CreatedWorkspace },
    refuses: ['full'],
    async run(request) {
      const { body, target: source } = request
      const head = headOfSnapshot(context.records, source)
      const { id: _id, ...settings } = head.workspace ?? {}
      const { testCards, cases, progression, labels, clock } = source
      const isAtRealTime = !clock.isFrozen && clock.setting.offset === 0
      const wanted = {
        ...settings,
        ...(!isAtRealTime && { clock: clock.setting }),
        testCards,
        cases,
        progression,
        labels,
        ttl: source.lifetime.ttl,
        name: body.name ?? `${source.name} (clone)`,
      }
      const opened = await openCopy(context, wanted, head, 'full', (scope) =>
        source.longWork.holdRequestsUntil(fillWithCopy(context, source.rowScope)(scope)),
      )
      const { workspace } = opened
      removeFaults(workspace)
      audit(request, 'workspace.clone', { workspace: workspace.id, source: source.id })
      return createdView(opened)
    },
  })
}

function mustBeNew(workspace: Workspace, wanted: string): void {
  if (findSaved(workspace, wanted))
    refuse(
      'conflict',
      `The workspace already has a snapshot ${wanted}. Use another name, or delete it first.`,
    )
  if (listSaved(workspace).length >= MAX_SAVED) {
    refuse('conflict', `A workspace has at most ${String(MAX_SAVED)} snapshots. Delete one first.`)
  }
}
