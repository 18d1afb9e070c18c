/** Operations on recordings. OPERATING.md, "Control plane". */
import { Type, type Static } from '@sinclair/typebox'
import { allowMissingBody, NO_CONTENT } from '../../http/definition/operation.ts'
import { FreeObject, Instant, named, Nullable, OneOf } from '../../http/schemas/schemas.ts'
import { JSON_TYPE } from '../../http/server/json.ts'
import { RECORDING_FORMAT } from '@suite-sim/kit/calls/recordingFormat'
import { iso, isoOrNull } from '@suite-sim/kit/time/instants'
import { refuse } from '../../state/model/refusal.ts'
import { randomCredential } from '../../state/storage/database/ids.ts'
import { saveRecords } from '../../state/storage/records/replaceRecords.ts'
import { LIMITED_AS_A_WHOLE } from '../../state/storage/shapes.ts'
import {
  findRecording,
  listRecordings,
  MAX_BYTES,
  MAX_RECORDINGS,
  MAX_STEP_BYTES,
  MAX_STEPS,
  type NewRecording,
  type RecordingHead,
  type RecordingRow,
} from '../../state/timeline/recordings.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { idSeed, WorkspaceId } from '../shared/schemas.ts'
import { endText, fileOf, hiderOf, MAX_START_BYTES, recordedSnapshot, startText } from './recordingFile.ts'

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  'x-wording': 'must not be blank',
  examples: ['Checkout'],
})

const id = Type.String({ examples: ['rec_8fKqA1bC2dE3fG4hI5jK6lM7nO8pQ9rS'] })

const RecordingCreate = named(
  'RecordingCreate',
  Type.Object({ name: Type.Optional(name) }, { additionalProperties: false }),
)

const Recording = named(
  'Recording',
  Type.Object({
    id,
    name,
    status: OneOf(['recording', 'stopped', 'ended'], {
      description: 'ended: a limit ended it before it was stopped; endedBy names the limit.',
    }),
    endedBy: Nullable(Type.String({ examples: ['the limit of 10000 steps'] })),
    steps: Type.Integer({ minimum: 0, description: 'The number of recorded steps.' }),
    bytes: Type.Integer({ minimum: 0, description: 'The bytes that it adds to the quota, without records.' }),
    startedAt: Instant(),
    stoppedAt: Nullable(Instant()),
  }),
)

const IdSource = named(
  'IdSource',
  Type.Object(
    { seed: idSeed, fixed: idSeed },
    {
      additionalProperties: false,
      description: 'What the ids of the recording were drawn from; a replay draws the same ones.',
      examples: [{ seed: 'recorded-seed', fixed: 'recorded-fixed-ids' }],
    },
  ),
)

const RecordingFile = named(
  'RecordingFile',
  Type.Object({
    format: Type.Literal(RECORDING_FORMAT),
    id,
    name,
    stoppedAt: Nullable(Instant()),
    endedBy: Nullable(Type.String()),
    version: Type.String({ description: 'The version of the server that recorded it.' }),
    workspace: Type.Object({
      id: Type.String({ examples: ['demo'] }),
      accountId: Type.Integer(),
      publicUrl: Type.String(),
      ids: IdSource,
    }),
    start: Type.Object({
      at: Instant(),
      isFrozen: Type.Boolean(),
      settings: FreeObject(),
      faults: Type.Array(FreeObject()),
      snapshot: FreeObject({ ...LIMITED_AS_A_WHOLE }),
    }),
    steps: Type.Array(FreeObject(), {
      ...LIMITED_AS_A_WHOLE,
      description:
        'Calls of the interfaces (call), forms of hosted pages (page), triggers (trigger), clock moves (clock), other calls of the control plane (control) and restarts of the server (restart), each with the time of the clock.',
    }),
    end: Nullable(
      Type.Object({
        at: Instant(),
        snapshot: Type.Object({ bytes: Type.Integer(), sha256: Type.String() }),
        diff: FreeObject({
          description: 'As GET /workspaces/{id}/diff, with isComplete instead of nextCursor.',
        }),
      }),
    ),
  }),
)

const RecordingParameters = Type.Object({
  ...WorkspaceId.properties,
  recordingId: Type.String({
    description: 'The id of the recording, from GET /workspaces/{id}/recordings.',
  }),
})

const recordingView = (row: RecordingHead): Static<typeof Recording> => ({
  id: row.id,
  name: row.name,
  status: row.stoppedAt === null ? 'recording' : row.endedBy === null ? 'stopped' : 'ended',
  endedBy: row.endedBy,
  steps: row.steps,
  bytes: row.bytes,
  startedAt: iso(row.startedAt),
  stoppedAt: isoOrNull(row.stoppedAt),
})

export const recordings: ControlResource = async (app, context) => {
  const recordingOf = (workspace: Workspace, wanted: string): RecordingRow =>
    findRecording(workspace, wanted) ?? refuse('not_found', `There is no recording ${wanted}.`)

  const at = controlRoutesOf(app, 'Recordings')
  const list = at('/workspaces/:id/recordings', { params: WorkspaceId })
  const item = at('/workspaces/:id/recordings/:recordingId', {
    params: RecordingParameters,
    record: ({ target }, wanted) => recordingOf(target, wanted),
  })

  list.post({
    id: 'startRecording',
    summary: 'Start a recording of a workspace',
    description: `Records what changes the workspace, in order, until the recording is stopped: at most ${String(MAX_STEPS)} steps, ${String(MAX_BYTES)} bytes and ${String(MAX_STEP_BYTES)} bytes in one step. While it is running, the calls of the workspace take turns. A workspace has one running recording and at most ${String(MAX_RECORDINGS)} in total.`,
    body: Type.Optional(RecordingCreate),
    before: allowMissingBody,
    answers: { 201: Recording },
    refuses: ['conflict', 'full', 'too_large'],
    async run({ target: workspace, body }) {
      mustHaveRoom(workspace)
      const row = await start(context, workspace, body.name ?? 'Recording')
      return recordingView(row)
    },
  })

  list.get({
    id: 'listRecordings',
    summary: 'List the recordings of a workspace',
    description: 'Oldest first.',
    answers: { 200: ListOf(Recording) },
    run: ({ target }) => ({ data: listRecordings(target).map(recordingView) }),
  })

  item.get({
    id: 'getRecording',
    summary: 'Get a recording',
    description: 'Without its file, which POST .../stop returns.',
    answers: { 200: Recording },
    run: ({ record }) => recordingView(record),
  })

  at('/workspaces/:id/recordings/:recordingId/stop', { params: RecordingParameters }).post({
    id: 'stopRecording',
    summary: 'Stop a recording and get its file',
    description:
      'A stopped recording returns its file again. end is null if a limit ended the recording. The file has no keys: a credential in a body, a form, a query or a record is replaced by redacted_ and a digest.',
    answers: { 200: RecordingFile },
    refuses: ['conflict'],
    async run({ target: workspace, params }, reply) {
      if (recordingOf(workspace, params.recordingId).stoppedAt === null) {
        await workspace.recording.stop(params.recordingId, (row, at) => endText(context, workspace, row, at))
      }
      const stopped = recordingOf(workspace, params.recordingId)
      return reply.type(JSON_TYPE).send(fileOf(workspace, stopped, hiderOf(context, workspace, stopped.id)))
    },
  })

  item.delete({
    id: 'deleteRecording',
    summary: 'Delete a recording',
    description: 'Also one that is running.',
    answers: NO_CONTENT,
    run({ record, target: workspace }) {
      const { id: wanted, scope } = record
      const scopes = context.records.scopes(workspace.database)
      workspace.write(() => {
        workspace.recording.remove(wanted)
        scopes.discard(scope)
      })
      scopes.sweep()
      workspace.quota.forget()
    },
  })
}

function mustHaveRoom(workspace: Workspace): void {
  if (listRecordings(workspace).length < MAX_RECORDINGS) return
  refuse('conflict', `A workspace has at most ${String(MAX_RECORDINGS)} recordings. Delete one first.`)
}

/** Starts a recording when all running calls have ended. */
async function start(context: ControlContext, workspace: Workspace, wanted: string): Promise<RecordingRow> {
  const recording = randomCredential('rec_')
  const scopes = context.records.scopes(workspace.database)
  const saved: number[] = []
  try {
    const row = await workspace.recording.start(async (at): Promise<NewRecording> => {
      const counters = context.records.counters(workspace)
      const ids = workspace.ids.sourceOfRecording(counters)
      const snapshot = await recordedSnapshot(context, workspace, recording, MAX_START_BYTES)
      if (snapshot.text === null) {
        refuse(
          'too_large',
          `A recording begins with a snapshot of at most ${String(MAX_START_BYTES)} bytes, and that of this workspace has ${String(snapshot.bytes)}. Record a smaller workspace.`,
        )
      }
      await saveRecords(context, workspace, (scope) => {
        saved.push(scope)
      })
      const text = startText(
        workspace,
        at,
        context.build.version,
        ids,
        snapshot.text,
        hiderOf(context, workspace, recording),
      )
      return { id: recording, name: wanted, scope: saved[0] ?? 0, start: text, startedAt: at, ids }
    })
    workspace.quota.forget()
    return row
  } catch (error) {
    // The copy has no owner if the recording could not be stored.
    workspace.database.write(() => {
      for (const scope of saved) scopes.discard(scope)
    })
    throw error
  }
}
